/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The contract between kecat.ko and a driver that brings frames to a wire.
 *
 * A driver knows nothing of EtherCAT datagrams.  It offers a port with
 * kecat_nic_register() and from then on is called through struct
 * kecat_nic_ops: the first half of the table from a control thread that may
 * sleep, the second half from the one real-time thread that owns the port.
 * Between both stands a gate: whatever touches rings or hardware outside the
 * cyclic thread is bracketed by kecat_nic_quiesce() and kecat_nic_resume().
 */
#ifndef KECAT_NIC_H
#define KECAT_NIC_H

#include <linux/atomic.h>
#include <linux/types.h>
#include <linux/if_ether.h>
#include <linux/compiler.h>
#include <asm/barrier.h>

struct device;
struct kecat_nic;

/** KECAT_NIC_API - raised when struct kecat_nic or kecat_nic_ops changes */
#define KECAT_NIC_API		4
/** KECAT_NIC_FRAME_MAX - longest frame without FCS, in bytes */
#define KECAT_NIC_FRAME_MAX	ETH_FRAME_LEN
#define KECAT_NIC_NAME_LEN	32
#define KECAT_NIC_MODE_LEN	96

/* kecat_nic.leaving: as arg0 of KECAT_EV_PORT */
#define KECAT_NIC_TAKEN_BACK	0	/* its driver was told to */
#define KECAT_NIC_DOWN		1	/* its interface was set down */
#define KECAT_NIC_RENAMED	2	/* its interface has another name */
#define KECAT_NIC_GONE		3	/* the device or its driver is gone */

/**
 * struct kecat_nic_stats - what the hardware counted since start
 * @rx_errors:   frames dropped by the NIC for a bad FCS, length or symbol
 * @rx_missed:   frames lost because no descriptor was free
 * @rx_dropped:  frames the data path itself refused (no EOP, oversized)
 * @tx_errors:   frames the NIC gave up
 * @interrupts:  interrupts taken by the driver since start; a polled port
 *               must show 0
 * @resets:      hardware resets since the port was registered
 */
struct kecat_nic_stats {
	u64 rx_errors;
	u64 rx_missed;
	u64 rx_dropped;
	u64 tx_errors;
	u64 interrupts;
	u64 resets;
};

/**
 * struct kecat_nic_ops - what a driver does for a port
 * @start:     power up, set up rings, begin bringing the link up.  May sleep.
 * @stop:      undo @start.  May sleep.  Only called with the cyclic thread out.
 * @link_poll: housekeeping, about every 100 ms; updates &kecat_nic.link and
 *             &kecat_nic.speed.  May sleep, may read registers.
 * @get_stats: fill in hardware counters.  May sleep.  Optional.
 * @tx_buf:    address of the next free transmit slot (KECAT_NIC_FRAME_MAX
 *             bytes, 2-byte aligned or better), or NULL when all slots are in
 *             flight.  The master builds the frame in it.
 * @tx_commit: hand the slot of the last @tx_buf over, @len bytes of it
 *             (60..KECAT_NIC_FRAME_MAX).  Memory only, no MMIO.
 * @tx_kick:   tell the hardware of all committed slots: one posted write.
 * @rx_poll:   give up to @budget received frames to kecat_nic_rx().  Reads
 *             descriptors in memory, never a register.  Returns their number.
 *
 * The last four run in the cyclic context: no sleeping, no lock, no allocation,
 * no MMIO read, bounded.  That is the cyclic thread, or an application's call; and
 * a hard interrupt, if &kecat_nic.hard says that they are fit for it.
 */
struct kecat_nic_ops {
	int (*start)(struct kecat_nic *nic);
	void (*stop)(struct kecat_nic *nic);
	void (*link_poll)(struct kecat_nic *nic);
	void (*get_stats)(struct kecat_nic *nic, struct kecat_nic_stats *st);

	void *(*tx_buf)(struct kecat_nic *nic);
	void (*tx_commit)(struct kecat_nic *nic, unsigned int len);
	void (*tx_kick)(struct kecat_nic *nic);
	int (*rx_poll)(struct kecat_nic *nic, int budget);
};

/**
 * struct kecat_nic - one port
 * @api:    KECAT_NIC_API of the driver's build
 * @ops:    the driver's operations
 * @parent: device the port belongs to (names it for the user); may be NULL
 * @priv:   the driver's own
 * @name:   what the user calls it: PCI address, or "sim0"
 * @driver: driver name as shown by "kecat status"
 * @mode:   how frames come and go, in words for "kecat status"; "" when there
 *          is only one way
 * @mac:    source address of all frames of this port
 * @link:   true while the link is up; written by the driver, read anywhere
 * @speed:  link speed in Mbit/s, 0 when unknown
 * @hard:   the last four operations may run in a hard interrupt, also on
 *          PREEMPT_RT; what else takes a lock of theirs has to mind that
 * @ring_of: registered port at the other end of the same ring, for drivers that
 *          know it; else NULL, and the user says so
 * @leaving: KECAT_NIC_*: why it is unregistered, for the event
 *
 * Below @leaving: owned by kecat.ko; the driver leaves it alone.
 */
struct kecat_nic {
	u32 api;
	const struct kecat_nic_ops *ops;
	struct device *parent;
	void *priv;
	char name[KECAT_NIC_NAME_LEN];
	char driver[KECAT_NIC_NAME_LEN];
	char mode[KECAT_NIC_MODE_LEN];
	u8 mac[ETH_ALEN];
	bool link;
	u32 speed;
	bool hard;
	struct kecat_nic *ring_of;
	u32 leaving;

	void *core;
	bool second;	/* of its master */
	atomic_t gate;	/* > 0: the cyclic thread has to stay out */
	int busy;	/* the cyclic thread is inside an operation */
};

/**
 * kecat_nic_register - offer a port
 * @nic: filled in by the driver; must stay valid until kecat_nic_unregister()
 *
 * It becomes the second port of a master that waits for one of its name;
 * else a master (/dev/kecatN) is made for it.
 *
 * Context: may sleep.  Calls &kecat_nic_ops.start before it returns.
 * Return: 0, -EINVAL (API mismatch, missing operation), -ENOSPC (no minor
 * left), -ENOMEM, or what @start returned.
 */
int kecat_nic_register(struct kecat_nic *nic);

/**
 * kecat_nic_unregister - take a port back
 * @nic: a registered port
 *
 * Stops the cycle, tells open file descriptors (-ENODEV from then on), calls
 * &kecat_nic_ops.stop.  After return no operation is called any more.
 * Context: may sleep.
 */
void kecat_nic_unregister(struct kecat_nic *nic);

/**
 * kecat_nic_quiesce - keep the cyclic thread out of the driver
 * @nic: the port
 *
 * Nests.  Returns when the thread has left the driver; at most one poll
 * budget later.  Context: may sleep.
 */
void kecat_nic_quiesce(struct kecat_nic *nic);

/**
 * kecat_nic_resume - undo one kecat_nic_quiesce()
 * @nic: the port
 */
void kecat_nic_resume(struct kecat_nic *nic);

/**
 * kecat_nic_rx - one received frame, without FCS
 * @nic:  the port
 * @data: the frame; valid only during the call
 * @len:  its length in bytes, any value: the master checks it
 *
 * Context: only from inside &kecat_nic_ops.rx_poll.
 */
void kecat_nic_rx(struct kecat_nic *nic, const void *data, unsigned int len);

/*
 * The gate (Dekker): the thread announces itself, then looks at the gate; the
 * control side closes the gate, then looks for the thread.  Both barriers are
 * full, so at least one of them sees the other.
 */
static inline bool kecat_nic_enter(struct kecat_nic *nic)
{
	WRITE_ONCE(nic->busy, 1);
	smp_mb();	/* pairs with kecat_nic_quiesce() */
	if (unlikely(atomic_read(&nic->gate))) {
		smp_store_release(&nic->busy, 0);
		return false;
	}
	return true;
}

static inline void kecat_nic_exit(struct kecat_nic *nic)
{
	smp_store_release(&nic->busy, 0);	/* pairs with kecat_nic_quiesce() */
}

#endif
