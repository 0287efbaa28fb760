/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A registered network interface as a port of the master, its driver as it is.
 *
 * What runs in the cyclic thread here calls the driver's own transmit and poll
 * routines, so the rule of kecat_nic.h (no lock, no allocation, no register
 * read) holds only as far as that driver keeps it.  docs/drivers.md has the
 * guarantees mode by mode.
 *
 * Contexts:
 *   control  attach, detach, link_poll, statistics, the notifier: &port.lock
 *   cyclic   tx_*, rx_poll; or control with the gate closed
 *   receive  softirq of the driver, any CPU: rx_handler()
 *
 * Lock order: ports_lock - rtnl - port.lock - port.ring.lock.  link_poll only
 * tries for rtnl: whoever takes an interface away holds it and waits for us.
 */
#ifndef KECAT_NETDEV_H
#define KECAT_NETDEV_H

#include <linux/atomic.h>
#include <linux/list.h>
#include <linux/mutex.h>
#include <linux/netdevice.h>
#include <linux/spinlock.h>

#include "kecat_nic.h"

#define ETHERTYPE_ETHERCAT	0x88a4
#define TX_SLOTS		64u	/* both powers of two */
#define RX_SLOTS		128u
/* contexts that are polled; a driver's further ones stay with the softirq */
#define NAPI_MAX		32
/* interrupt lines that are switched off */
#define LINE_MAX		64

/* A frame to be sent: in an skb that is used again, or copied into a new one. */
struct tx_slot {
	struct sk_buff *skb;	/* NULL: the driver takes skbs over for good */
	u8 *data;
	u16 len;
};

struct rx_slot {
	u16 len;
	u8 data[KECAT_NIC_FRAME_MAX] __aligned(8);
};

/* Frames that came by the ordinary receive path, for rx_poll. */
struct rx_ring {
	spinlock_t lock;	/* between producers; the consumer needs none */
	u32 head;		/* moved by producers */
	u32 tail;		/* moved by the cyclic thread */
	struct task_struct *sleeper;
	struct rx_slot *slot;
};

/* NAPI contexts that are ours: nobody else can schedule them. */
struct napi_set {
	struct napi_struct *held[NAPI_MAX];
	int n;
	bool take;	/* there may be some to be taken */
	bool all;	/* none is anybody else's */
	struct task_struct *poller;	/* while inside their poll routine */
	int delivered;
};

/* The device's interrupt lines; control side only, under &port.lock. */
struct line_set {
	struct pci_dev *pdev;
	unsigned int line[LINE_MAX];	/* switched off */
	int n;
	const char *why_on;	/* why they may not be, or NULL */
	u64 before;		/* count at lines_find() */
};

/**
 * struct watch - polling or the ordinary way?  Control side only
 * @next:     jiffies of the next look
 * @heard:    &port.heard at the last look
 * @polled:   &port.heard_polled when the contexts were taken last
 * @sent_for: &port.heard when the lines were switched off
 * @holding:  contexts are to be held
 * @strikes:  times in a row that polling brought nothing
 */
struct watch {
	unsigned long next;
	u32 heard;
	u32 polled;
	u32 sent_for;
	bool holding;
	int strikes;
};

/**
 * struct port - an interface that was taken over
 * @nic:        what the master sees
 * @node:       in the list of ports
 * @lock:       @dev, @started, @gone
 * @dev:        the interface, referenced; NULL before and after
 * @started:    between start and stop: the gate counts
 * @gone:       the interface goes away or was set down: nothing of it is used
 * @leave:      KECAT_NIC_*: give it up; 0 to go on
 * @was_dormant: what it gets back
 * @was_up:     what it gets back
 * @polled:     NAPI mode; else frames come by @ring only
 * @why_not:    why it is not, for the user
 * @heard:      frames for the master; written by the cyclic thread
 * @heard_polled: those of them that polling brought
 * @tx:         TX_SLOTS slots; @tx_done <= @tx_head, free running
 * @bounce:     a frame that is not in one piece
 */
struct port {
	struct kecat_nic nic;
	struct list_head node;
	struct mutex lock;	/* see above */
	struct net_device *dev;
	bool started;
	bool gone;
	bool was_dormant;
	bool was_up;
	bool polled;
	const char *why_not;
	u32 leave;
	u32 heard, heard_polled;
	struct watch watch;

	struct tx_slot *tx;
	u32 tx_head, tx_done;
	u64 tx_errors;

	struct rx_ring ring;
	struct napi_set napi;
	struct line_set lines;
	u8 *bounce;
	atomic64_t rx_dropped;	/* not EtherCAT, or not fit for the master */
	atomic64_t rx_missed;	/* the ring was full */
	atomic64_t rx_path;	/* came by the ordinary receive path */
};

static inline struct port *to_port(struct kecat_nic *nic)
{
	return nic->priv;
}

/* main.c: why the last command failed, for who wrote it */
void port_reason(const char *fmt, ...) __printf(1, 2);

/* port.c */
extern const struct kecat_nic_ops port_ops;
struct port *port_alloc(void);
void port_free(struct port *p);
/* under rtnl: the interface becomes @p's; 0 or -errno with a reason */
int port_take(struct port *p, struct net_device *dev, bool want_polled);
/* under rtnl: it gets back what it had, unless it has gone */
void port_give_back(struct port *p);
/* under rtnl: the driver is about to stop; nothing of it is used afterwards */
void port_let_go(struct port *p);
/* what "kecat status" says of it */
void port_describe(struct port *p);
/* under rtnl: the port that has @dev, or NULL */
struct port *port_of(struct net_device *dev);

/* napi.c */
void napi_set_poll(struct port *p, int budget);
/* control side, with the cyclic thread out */
void napi_set_release(struct port *p);
/* control side: a driver waits for one of its contexts */
bool napi_set_wanted(struct port *p);

/* lines.c */
void lines_find(struct port *p, const struct net_device *dev);
void lines_mask(struct port *p);
void lines_unmask(struct port *p);
void lines_leave_on(struct port *p, const char *why);
bool lines_crowded(const struct port *p);
u64 lines_count(struct port *p);

/* watch.c: link_poll's part of a port that is polled */
void watch_start(struct port *p);
void watch_round(struct port *p);
/* with the cyclic thread out */
void watch_release(struct port *p);

/* rx.c */
int rx_init(struct port *p);
void rx_exit(struct port *p);
void rx_take_skb(struct port *p, struct sk_buff *skb);
rx_handler_result_t rx_handler(struct sk_buff **pskb);
int rx_poll(struct kecat_nic *nic, int budget);

/* tx.c */
/* slots that the driver has not given back */
unsigned int tx_in_flight(const struct port *p);
int tx_init(struct port *p, struct net_device *dev);
void tx_exit(struct port *p);
void *tx_buf(struct kecat_nic *nic);
void tx_commit(struct kecat_nic *nic, unsigned int len);
void tx_kick(struct kecat_nic *nic);

#endif
