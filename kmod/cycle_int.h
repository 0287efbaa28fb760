/* SPDX-License-Identifier: GPL-2.0-only */
/* The cyclic thread's own data, shared by tick.c, cycle.c, exchange.c and xfer.c. */
#ifndef KECAT_CYCLE_INT_H
#define KECAT_CYCLE_INT_H

#include <linux/completion.h>
#include <linux/hrtimer.h>
#include <linux/irq_work.h>
#include <linux/list.h>
#include <linux/llist.h>
#include <linux/rtmutex.h>
#include <linux/swait.h>
#include <linux/wait.h>
#include "account.h"
#include "flight.h"
#include "master.h"
#include "plan.h"
#include "record.h"
#include "xfer.h"

/* acyclic frames out at a time, and datagrams in one of them */
#define KECAT_POOL		16
#define KECAT_POOL_DGRAMS	64
#define KECAT_RX_BUDGET		32
#define KECAT_WAITERS_MAX	8
/* idle: an acyclic frame that is not back by then is sent again */
#define KECAT_IDLE_LOST_NS	(50 * NSEC_PER_MSEC)

/* whose time a cycle runs in */
enum kecat_tick_by {
	KECAT_TICK_THREAD,
	KECAT_TICK_INTERRUPT,
	KECAT_TICK_APP,
};

/* kecat_cycle_step() */
#define KECAT_STEP_SEND		0x1
#define KECAT_STEP_RECEIVE	0x2

/**
 * struct kecat_xfer - a transaction on its way
 * @llnode: while it waits to be drained
 * @entry:  in kecat_cycle.queue while it has datagrams to send
 * @dg:     its datagrams
 * @n:      number of them
 * @next:   next to send
 * @out:    datagrams that are on the wire
 * @lost:   some never came back
 * @tries:  left after this one
 * @err:    result
 * @done:   the caller sleeps on it
 */
struct kecat_xfer {
	struct llist_node llnode;
	struct list_head entry;
	struct kecat_dgram *dg;
	int n;
	int next;
	int out;
	bool lost;
	int tries;
	int err;
	struct completion done;
};

/* what became of an acyclic frame on one side */
enum kecat_half {
	KECAT_HALF_NONE,	/* not sent, or not worth waiting for */
	KECAT_HALF_OUT,
	KECAT_HALF_BACK,
	KECAT_HALF_LOST,
};

/**
 * struct kecat_pool_frame - an acyclic frame on the wire
 * @used:    belongs to a frame
 * @n:       datagrams
 * @len:     bytes, without padding
 * @waiting: sides whose answer is waited for
 * @half:    enum kecat_half, per side
 * @tag:     per side
 * @sent_ns: per side
 * @time:    system time that its FRMW carries, if it has one
 * @part:    the datagrams: of which transaction, where, and as what they were
 *           sent on each side
 * @stash:   the answer that came first
 */
struct kecat_pool_frame {
	bool used;
	u8 n;
	u16 len;
	u8 waiting;
	u8 half[KECAT_SIDES];
	u32 tag[KECAT_SIDES];
	u64 sent_ns[KECAT_SIDES];
	u32 time;
	struct {
		struct kecat_xfer *x;
		u16 dg;
		u16 hdr;	/* offset of its header */
		u8 cmd[KECAT_SIDES];
		u16 adp[KECAT_SIDES];
	} part[KECAT_POOL_DGRAMS];
	u8 stash[ETH_FRAME_LEN];
};

/**
 * struct kecat_side - a port of the master
 * @nic:      the port, or NULL
 * @heard:    a frame has come by it although the driver says that it has no link
 * @lost_row: frames in a row that did not come back
 * @crossed:  the last one came back by the other port; read by anybody
 */
struct kecat_side {
	struct kecat_nic *nic;
	bool heard;
	u32 lost_row;
	bool crossed;
};

/* whose outputs are sent */
enum kecat_app {
	KECAT_APP_ALIVE,
	KECAT_APP_ZERO,
	KECAT_APP_HOLD,
};

struct kecat_snap_request {
	struct kecat_snapshot *s;
	u8 *in;
	u8 *out;
	int err;
	struct completion done;
};

/**
 * struct kecat_cycle - the cyclic thread
 *
 * Everything without a word about it belongs to the thread alone.
 *
 * @task:       the thread
 * @timer:      wakes it, or is the cycle
 * @fired:      by the timer
 * @lent:       the timer's interrupt has what is the thread's
 * @turn:       who has it while the application gives the tick; also held where
 *              exchange begins and ends
 * @tick_by:    enum kecat_tick_by, read by callers
 * @spin_ns:    of the configuration, read by callers
 * @incoming:   transactions, from anybody
 * @users:      callers inside kecat_xfer()
 * @dead:       no more transactions are taken
 * @want_active: set by the control side
 * @switched:   completed when @active follows @want_active
 * @app_request: control side asks for an enum kecat_app, -1 = none
 * @hist_request: control side asks to count in here from now on
 * @record_asked: control side asks to record into @record_next, which may be NULL
 * @app_missing: the application missed too many cycles, for the supervisor
 * @second:     the port that side 1 should have, set by the control side
 * @second_set: completed when it has it
 * @hold_second: nothing is sent by the second port while this is set
 * @front:      slaves that the first port reaches, counted by the supervisor;
 *              those behind them are addressed by position through the second
 * @snap:       an observer's request, xchg on both sides
 * @published:  newest published cycle
 * @sw:         waiters of kecat_cycle_wait()
 * @waiters:    their number
 * @pollq:      waiters of poll()
 * @poll_work:  wakes them
 */
struct kecat_cycle {
	struct kecat_master *m;
	struct kecat_side side[KECAT_SIDES];
	struct task_struct *task;
	struct hrtimer timer;
	bool fired;
	bool lent;
	struct rt_mutex turn;
	u32 tick_by;
	u32 spin_ns;

	struct llist_head incoming;
	atomic_t users;
	bool dead;

	bool want_active;
	struct completion switched;
	int app_request;
	struct kecat_phase_hist *hist_request;
	bool record_asked;
	struct kecat_record *record_next;
	bool app_missing;
	struct kecat_nic *second;
	struct completion second_set;
	bool hold_second;
	u16 front;
	struct kecat_snap_request *snap;

	u64 published;
	struct swait_queue_head sw;
	atomic_t waiters;
	wait_queue_head_t pollq;
	struct irq_work poll_work;

	/* ---- the thread's alone ---- */
	struct list_head queue;
	struct kecat_flight flight;
	struct kecat_pool_frame pool[KECAT_POOL];
	u32 acyclic_out;	/* frames */
	/* bit per side: */
	u32 inside;		/* the gate was passed */
	u32 use;		/* .. and there is a link */
	u32 await;		/* its frames are waited for */
	u32 committed;		/* a doorbell is due */
	u32 held;		/* cycles without room for what waits, in a row */
	u64 full_since;		/* no transmit slot was free; 0 = there was one */
	u32 dc_time;		/* system time, low half, that a frame brought */
	u64 dc_at;		/* .. and when that was sent; 0 = none yet */

	bool active;
	bool in_window;		/* answers to this cycle's frames are in time */
	const struct kecat_cfg_bus *bus;
	struct kecat_plan *plan;
	struct kecat_plan_layout *lay;	/* of the current cycle */
	struct kecat_image *img;
	struct kecat_record *record; /* that is being filled, or NULL */
	u64 tick;		/* of the current cycle */
	u64 slept_ns;		/* until then */
	bool rx_sleep;		/* between sending and receiving */
	bool sent;		/* .. and is asleep there, in the interrupt's time */
	u64 shared_ns;		/* .. which was left to others in this cycle */
	bool stood_in;		/* the last cycle was not the application's */
	struct kecat_stamps stamps;
	u64 lost_ns;
	u32 cyclic_out;		/* frames of this cycle that are waited for */
	u32 cyclic_use;		/* bit per side that this cycle was sent by */
	u64 received_ns;
	struct kecat_account account;
	u16 wkc[KECAT_MAX_GROUPS];
	u16 al_data[KECAT_SIDES]; /* AL status broadcast of this cycle */
	u32 groups_valid;	/* of the last cycle */
	u32 groups_ever;	/* bit: was valid since activation */
	u64 bad_since[KECAT_MAX_GROUPS];
	u32 live_gen;		/* of the layout that the image shows */
	u16 al_count;		/* .. and its sum when it last changed */
	u16 al_or;
	enum kecat_app app;
	u32 app_missed;		/* in a row */
	bool app_started;
	u64 late_event_ns;
	u64 lost_event_ns;
};

/* xfer.c, cyclic thread */
void kecat_xfer_drain(struct kecat_cycle *c);
bool kecat_xfer_pending(struct kecat_cycle *c);
void kecat_xfer_send(struct kecat_cycle *c, int max_frames, u64 left_ns);
void kecat_xfer_answer(struct kecat_cycle *c, struct kecat_flight_slot *s,
		       u32 at, const u8 *frame, unsigned int end);
void kecat_xfer_lost(struct kecat_cycle *c, struct kecat_flight_slot *s);
void kecat_xfer_fail_all(struct kecat_cycle *c, int err);

/* exchange.c, cyclic thread */
void kecat_exchange_reset(struct kecat_cycle *c);
void kecat_exchange_send(struct kecat_cycle *c, u64 now);
void kecat_exchange_answer(struct kecat_cycle *c, struct kecat_flight_slot *s,
			   u32 at, const u8 *frame, unsigned int end);
void kecat_exchange_publish(struct kecat_cycle *c);
void kecat_exchange_snapshot(struct kecat_cycle *c);

/* side.c, cyclic thread */
void kecat_side_enter(struct kecat_cycle *c);
void kecat_side_leave(struct kecat_cycle *c);
void kecat_side_kick(struct kecat_cycle *c);
void kecat_side_poll(struct kecat_cycle *c);
void kecat_side_take(struct kecat_cycle *c);
bool kecat_side_shut(const struct kecat_cycle *c);
struct kecat_flight_slot *kecat_side_commit(struct kecat_cycle *c, u32 side,
					    u8 kind, u16 ref, const u8 *frame,
					    unsigned int len, u64 now);
u8 kecat_side_news(struct kecat_cycle *c, const struct kecat_flight_slot *s,
		   u32 at);
void kecat_side_lost(struct kecat_cycle *c, const struct kecat_flight_slot *s);

/*
 * A frame has come back to port @at: enum kecat_return.  In a line, frame after
 * frame comes home.
 */
static inline u8 kecat_side_back(struct kecat_cycle *c,
				 const struct kecat_flight_slot *s, u32 at)
{
	const struct kecat_side *side = &c->side[s->side];

	if (likely(at == s->side && !side->crossed && !side->lost_row))
		return KECAT_HOME;
	return kecat_side_news(c, s, at);
}

/* what kecat_dgram_answers() shall expect of a datagram */
static inline u16 kecat_side_flags(const struct kecat_cycle *c, bool more)
{
	return (more ? EC_DGRAM_MORE : 0) | (c->side[1].nic ? EC_DGRAM_CIRC : 0);
}

/* tick.c */
enum hrtimer_restart kecat_tick_fired(struct hrtimer *timer);
int kecat_tick_thread(void *arg);

/* cycle.c, cyclic thread */
void kecat_cycle_step(struct kecat_cycle *c, u32 what);
void kecat_cycle_switch(struct kecat_cycle *c);
void kecat_cycle_follow(struct kecat_cycle *c);
void kecat_cycle_poll(struct kecat_cycle *c, const u32 *out, u64 deadline);
void kecat_cycle_give_up_overdue(struct kecat_cycle *c);
void kecat_cycle_give_up_all(struct kecat_cycle *c);
/* .. a frame from port @at */
void kecat_cycle_rx(struct kecat_cycle *c, u32 at, const u8 *frame,
		    unsigned int len);

#endif
