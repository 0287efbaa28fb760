/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * kecat compare: the same frames by a raw socket and through kecat.  No slave
 * is written to: frames carry NOPs, which none of them touches, and broadcast
 * reads of the AL status.
 */
#ifndef KECAT_TOOL_COMPARE_H
#define KECAT_TOOL_COMPARE_H

#include <limits.h>
#include <signal.h>

#include "../attach.h"
#include "path.h"

#define COMPARE_FRAMES	16	/* as struct kecat_cfg_fill */
#define COMPARE_BYTES	1400
#define COMPARE_CYCLES	1000000
#define WHY_LEN		200

/* in the order of the table */
enum { WAY_SOCKET, WAY_THREADED, WAY_KECAT, WAY_PROGRAM, WAYS };

/**
 * struct result - what one way took
 * @name:     for JSON
 * @text:     for the table
 * @why_not:  it was not measured because of this; "" = it was
 * @ns:       of each round that came back, ascending
 * @n:        how many
 * @rounds:   with those that did not
 * @switches: of who sends and receives, between sending and receiving
 * @irqs:     of the NIC, meanwhile
 * @softirqs: NET_RX and NET_TX of the machine, meanwhile
 * @median:   where its time went; of the traced rounds, for a socket
 * @worst:    ..
 * @paths:    rounds of which these two are; 0 = there are none
 * @torn:     traced rounds of which events were lost
 * @why_no_path: ..
 */
struct result {
	const char *name;
	const char *text;
	char why_not[WHY_LEN];
	uint64_t *ns;
	uint32_t n;
	uint32_t rounds;
	uint64_t switches;
	uint64_t irqs;
	uint64_t softirqs;
	struct path median;
	struct path worst;
	uint32_t paths;
	uint32_t torn;
	char why_no_path[WHY_LEN];
};

struct compare {
	struct ctx *c;
	const char *ifname;
	char device[PATH_MAX];	/* of the NIC in sysfs, for its interrupts */
	uint64_t cycles;
	uint64_t cycle_ns;
	uint32_t frames;
	uint32_t bytes;
	uint32_t frame_len;	/* of the first one */
	int cpu;		/* -1: any */
	char driver[32];	/* of kecat's, and how it moves frames, see kecat_status */
	char mode[96];
	int through;		/* exit status of that part */
	struct result way[WAYS];
};

/* set by SIGINT, SIGTERM, SIGHUP: put everything back and end */
extern volatile sig_atomic_t compare_stop;

/* ---- iface.c: the interface, and putting it back ---- */

#define IFACE_FILES	5

struct iface {
	char name[PORT_NAME];
	bool up;
	bool touched;
	char value[IFACE_FILES][32];	/* "": there is none */
	char ipv6[8];			/* disable_ipv6, "": there is none */
};

/* in which way it is in use, "" = in none; @never: also --yes does not help */
void iface_refuse(const char *ifname, char *why, size_t room, bool *never);
void iface_save(struct iface *i, const char *ifname);
/* up, and a carrier; 0 or -errno */
int iface_up(struct iface *i);
bool iface_has_threaded(const struct iface *i);
int iface_set_threaded(const struct iface *i, bool on);
/* as it was, also when it was made anew meanwhile; 0 or -errno */
int iface_restore(struct iface *i);

/* ---- raw.c: by a socket ---- */

/* who is there: read by broadcast and by position */
struct look {
	uint32_t slaves;
	uint8_t al[KECAT_MAX_SLAVES];	/* 0: did not answer */
};

struct raw;

struct span {
	uint64_t from;
	uint64_t to;	/* 0: did not come back */
};

int raw_open(struct compare *p, struct raw **out);
void raw_close(struct raw *r);
int raw_look(struct raw *r, struct look *l);
/* until frames come back; 0 or -errno */
int raw_warm_up(struct raw *r);
/* @n rounds into @span; *@switches between sending and receiving; 0 or -errno */
int raw_rounds(struct raw *r, uint32_t n, struct span *span, uint64_t *switches);

/* ---- through.c: through kecat; attached with its slaves left alone ---- */

/* 0, or an exit status after a message; attach_back() is the caller's */
int through_measure(struct compare *p, const struct candidate *a);

/* ---- counts.c ---- */

struct counts {
	uint64_t irqs;
	uint64_t softirqs;
};

void counts_read(const struct compare *p, struct counts *n);
void counts_since(const struct compare *p, const struct counts *before, struct result *r);
uint64_t now_ns(void);
/* this program on the CPU asked for, with a priority and its memory locked; 0 or -errno */
int realtime_begin(const struct compare *p, int prio);
void realtime_end(void);
/* sorts @r->ns */
void result_sort(struct result *r);
/* ascending order, nearest rank */
uint64_t result_share(const struct result *r, uint32_t ppm);
/* index of the median and of the longest of @n; @n > 0 */
uint32_t pick_median(const uint64_t *ns, uint32_t n);
uint32_t pick_worst(const uint64_t *ns, uint32_t n);

/* ---- show.c ---- */

void compare_show(const struct compare *p, const struct look *l, bool unchanged);

#endif
