/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A network interface of the RTL8168 family, served to QEMU by the vfio-user
 * protocol.  One process is one device of one machine, so there is one thread,
 * and all of the device's state is in struct nic.
 *
 *   vfu      the protocol: regions, interrupts, the guest's memory
 *   pci      configuration space
 *   chip     registers; phy: what is behind the indirect ones
 *   ring     descriptors, frames, and the faults in them
 *   control  commands on a socket
 *
 * Whatever comes from the guest (offsets, addresses, lengths, ring contents)
 * can be anything at all.
 */
#ifndef RTL8168_NIC_H
#define RTL8168_NIC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#define FRAME_MAX	16383	/* what a length in a descriptor can say */
#define REGS_SIZE	65536
#define CONFIG_SIZE	256

/** struct chip - what differs between members of the family */
struct chip {
	const char *name;
	uint16_t device;	/* PCI device id */
	uint16_t xid;		/* TxConfig bits 31:20, what drivers go by */
	uint16_t phy_id;	/* second identifier register */
	uint16_t imr, isr, poll;
	uint8_t isr_width;
	uint8_t poll_bit;
	bool fifo_over;		/* a full receive FIFO has a cause of its own */
	uint32_t bar_size;
};

extern const struct chip chips[];
const struct chip *chip_find(const char *name);

/** struct faults - how many times more each of them strikes */
struct faults {
	unsigned int doorbell;	/* request lost */
	unsigned int own;	/* sent, but never given back */
	unsigned int overflow;	/* received without a free descriptor */
	unsigned int runt;	/* cut short on the wire */
	unsigned int giant;	/* made longer on the wire */
	unsigned int giant_len;
	unsigned int length;	/* a length in the descriptor that is not true */
	unsigned int length_val;
	unsigned int dma_us;	/* each doorbell is answered that much later */
};

/** struct counts - since the start, or since "counts zero" */
struct counts {
	uint64_t reads, writes, doorbells, interrupts;
	uint64_t tx, rx, filtered, missed, bad_dma, offloads;
	uint64_t reads_waiting;	/* between a doorbell and what came back */
	uint64_t gap_reads;	/* since the last doorbell */
	uint64_t gap_min;	/* the least of them between two doorbells */
};

/** struct tally - the chip's own counters */
struct tally {
	uint64_t tx, rx, tx_errors;
	uint32_t rx_errors;
	uint16_t rx_missed;
};

struct nic {
	const struct chip *chip;
	uint8_t mac[6];
	uint8_t config[CONFIG_SIZE];
	uint8_t reg[REGS_SIZE];
	uint32_t eri[1024], csi[1024];
	uint16_t ephy[32], mac_ocp[0x8000], phy[0x8000], phy_page;
	unsigned int speed;	/* 0: no link */
	bool link_was_down;	/* latched until the PHY's status is read */
	unsigned int tx_next, rx_next;
	uint64_t tx_at;		/* a delayed doorbell, ns; 0: none */
	bool waiting;		/* a doorbell rang and nothing came back yet */
	struct faults fault;
	struct counts count;
	struct tally tally;
	int wire;
	int irq_fd;
	unsigned int irq_index;
	bool intx_masked;
	uint8_t frame[FRAME_MAX + 1];
};

/* chip.c */
void chip_init(struct nic *n);
void chip_reset(struct nic *n);
void chip_read(struct nic *n, uint64_t at, uint8_t *buf, unsigned int len);
void chip_write(struct nic *n, uint64_t at, const uint8_t *buf, unsigned int len);
void chip_cause(struct nic *n, uint32_t bits);
bool chip_asserts(const struct nic *n);
uint32_t get32(const struct nic *n, unsigned int reg);
uint64_t get64(const struct nic *n, unsigned int reg);
void put32(struct nic *n, unsigned int reg, uint32_t v);

/* phy.c */
void phy_reset(struct nic *n);
void phy_link(struct nic *n, unsigned int speed);
uint16_t phy_read(struct nic *n, uint16_t ocp);
void phy_write(struct nic *n, uint16_t ocp, uint16_t v);
uint16_t phy_mii(struct nic *n, unsigned int mii, const uint16_t *write);

/* pci.c */
void pci_init(struct nic *n);
void pci_read(struct nic *n, uint64_t at, uint8_t *buf, unsigned int len);
void pci_write(struct nic *n, uint64_t at, const uint8_t *buf, unsigned int len);
bool pci_bus_master(const struct nic *n);
bool pci_intx_disabled(const struct nic *n);

/* ring.c */
void ring_doorbell(struct nic *n);
void ring_send(struct nic *n);
void ring_receive(struct nic *n, const uint8_t *frame, unsigned int len);
void ring_dump_tally(struct nic *n, uint64_t to);

/* vfu.c */
int vfu_listen(const char *path);
void vfu_accept(int listener);
int vfu_fd(void);
bool vfu_serve(struct nic *n);
void *vfu_memory(struct nic *n, uint64_t addr, uint64_t len, bool write);
void vfu_interrupt(struct nic *n);

/* control.c */
int control_open(const char *path);
void control_serve(int fd, struct nic *n);

uint64_t now_ns(void);
void die(const char *fmt, ...) __attribute__((format(printf, 1, 2), noreturn));

/* chip registers that more than one file knows */
#define TX_DESC		0x20
#define CHIP_CMD	0x37
#define CMD_TX		0x04
#define CMD_RX		0x08
#define RX_CONFIG	0x44
#define PHY_STATUS	0x6c
#define RX_MAX		0xda
#define RX_DESC		0xe4

/* causes */
#define CAUSE_RX	0x01
#define CAUSE_TX	0x04
#define CAUSE_RX_NONE	0x10
#define CAUSE_LINK	0x20
#define CAUSE_FIFO	0x40

#endif
