/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Description of one kind of device: chip, EEPROM content, object dictionary,
 * process data, application.  Read from text (files of devices/, see README.md)
 * by the same parser in the kernel and in user space.
 */
#ifndef KECAT_SIM_DESC_H
#define KECAT_SIM_DESC_H

#include "esc.h"

#define SIM_NAME_LEN	32
#define SIM_PDO_MAX	64
#define SIM_ENTRY_MAX	1024	/* PDO entries of a device */
#define SIM_OD_MAX	2048	/* entries of its object dictionary */
#define SIM_STORE_MAX	65536
#define SIM_ASSIGN_MAX	16	/* PDOs that can be assigned to one SM */
#define SIM_DCMODE_MAX	4
#define SIM_TEXT_MAX	(256 * 1024)

enum sim_sm_type { SIM_SM_NONE, SIM_SM_MBXOUT, SIM_SM_MBXIN, SIM_SM_OUT, SIM_SM_IN };
enum sim_app { SIM_APP_NONE, SIM_APP_LOOP, SIM_APP_RAMP, SIM_APP_CIA402 };

/* SII word 0x1c */
#define SIM_PROTO_EOE	0x02
#define SIM_PROTO_COE	0x04
#define SIM_PROTO_FOE	0x08

/* CoE details of the general category */
#define SIM_COE_SDO	0x01
#define SIM_COE_INFO	0x02
#define SIM_COE_ASSIGN	0x04
#define SIM_COE_CONFIG	0x08
#define SIM_COE_UPLOAD	0x10
#define SIM_COE_CA	0x20

/* object access, as in SDO information: per state, then what it maps to */
#define SIM_ACC_READ	0x0007
#define SIM_ACC_WRITE	0x0038
#define SIM_ACC_W_PREOP	0x0008
#define SIM_ACC_RXPDO	0x0040
#define SIM_ACC_TXPDO	0x0080

/**
 * struct sim_od - one entry of the object dictionary
 * @name:  of the entry; of the object when @sub is 0 and @object is set
 * @off:   where its value lies in the store of a slave
 * @bits:  length of the value
 */
struct sim_od {
	const char *name;
	const char *object;
	u32 off;
	u16 index;
	u16 type;
	u16 access;
	u32 bits;
	u8 sub;
	u8 code;	/* of the object: 7 variable, 8 array, 9 record */
};

struct sim_pdo_entry {
	const char *name;
	u16 index;	/* 0: padding */
	u16 type;
	u8 sub;
	u8 bits;
};

struct sim_pdo {
	const char *name;
	u16 index;
	u16 first, count;	/* in sim_desc.entry */
	u8 sm;
	bool rx;
	bool assigned;
	u16 flags;		/* SII: 0x0001 mandatory, 0x0010 fixed content */
};

struct sim_desc_sm {
	u16 start, len;
	u8 ctrl, enable, type;
	bool used;
};

struct sim_dcmode {
	const char *name;
	u32 cycle0;
	s32 shift0, shift1;
	s16 cycle1_factor;
	u16 assign;
	s16 cycle0_factor;
};

/**
 * struct sim_desc - one kind of device
 * @text: copy of the description, cut into words; all names point into it
 * @od:   sorted by index and sub-index
 * @init: start values of all entries
 * @sii:  EEPROM image, generated or loaded
 */
struct sim_desc {
	char key[SIM_NAME_LEN];
	char *text;
	const char *name, *order, *group, *group_name;
	u32 vendor, product, revision, serial;
	struct esc_chip chip;
	u16 conf[4];
	u16 boot_rx, boot_rx_len, boot_tx, boot_tx_len;
	u16 mbx_rx, mbx_rx_len, mbx_tx, mbx_tx_len;
	u16 proto;
	u8 coe;
	u8 flags;		/* general category: 1 SafeOP, 2 not LRW */
	s16 current_ma;
	u16 phys;		/* port physics word of the general category */
	u32 sii_kbit;		/* size of the EEPROM */
	struct sim_desc_sm sm[ESC_SM_MAX];
	u8 nsm;
	u8 fmmu[ESC_FMMU_MAX];
	u8 nfmmu;
	struct sim_dcmode dcmode[SIM_DCMODE_MAX];
	u8 ndcmode;
	struct sim_pdo pdo[SIM_PDO_MAX];
	u16 npdo;
	struct sim_pdo_entry *entry;
	u16 nentry;
	struct sim_od *od;
	u16 nod;
	u8 *init;
	u32 store_size;
	u8 *sii;
	u32 sii_size;
	u8 app;
	u32 al_us, mbx_us;	/* time the application takes */
	u32 mbx_open_us;	/* SM1 is opened for the next answer so soon; 0: not */
	u32 op_wait_ms;		/* SAFEOP -> OP: wait this long for outputs */
	u8 need_sii;		/* application reads the EEPROM at INIT -> PREOP */
	u8 need_dc;		/* refuses SAFEOP without SYNC0 */
	u16 id;			/* explicit device ID */
	u32 min_cycle_ns;
};

/**
 * struct sim_files - where a description gets an EEPROM image from
 * @load: gives *@data (made with sim_zalloc) and *@size; returns 0 or -errno
 * @ctx:  for it
 */
struct sim_files {
	int (*load)(void *ctx, const char *name, u8 **data, u32 *size);
	void *ctx;
};

/**
 * struct sim_devtext - a description built into the program
 * @name: what "slaves=" calls it
 * @text: the file
 */
struct sim_devtext {
	const char *name;
	const char *text;
};

extern const struct sim_devtext sim_devtab[];
extern const unsigned int sim_devtab_len;

int sim_desc_parse(struct sim_desc **out, const char *key, const char *text,
		   size_t len, const struct sim_files *files,
		   unsigned int *line);
void sim_desc_free(struct sim_desc *d);

/* sim_od.c */
int sim_od_finish(struct sim_desc *d);
int sim_od_add(struct sim_desc *d, u16 index, u8 sub, u8 code, u16 type,
	       u32 bits, u16 access, const char *object, const char *name);
void sim_od_set(struct sim_desc *d, unsigned int i, u64 value);
int sim_od_find(const struct sim_desc *d, u16 index, u8 sub);
unsigned int sim_od_first(const struct sim_desc *d, unsigned int i);

/* sim_siigen.c */
int sim_sii_generate(struct sim_desc *d);

/* sim_words.c: text into words and numbers */
#define SIM_WORDS_MAX	24
char *sim_next_line(char **text);
int sim_split(char *line, char *word[SIM_WORDS_MAX]);
int sim_number(const char *s, s64 *v);
int sim_number_u32(const char *s, u32 *v);

#endif
