// SPDX-License-Identifier: GPL-2.0-only
/*
 * kecat_sim.ko: simulated segments as ports of the master.
 *
 * There is no lock and no thread of its own.  The segment belongs to whoever
 * is inside a port operation: the cyclic thread, which answers frames and lets
 * the simulated applications work right after (bounded by frame length and
 * number of slaves), or a fault command, which keeps the thread out with
 * kecat_nic_quiesce().
 */
#include <linux/init.h>
#include <linux/ktime.h>
#include <linux/module.h>
#include <linux/moduleparam.h>
#include <linux/etherdevice.h>

#include "kecat_nic.h"
#include "segment.h"

#define PORTS_MAX	8
#define SLOTS		64u	/* frames in flight, a power of two */

/* A frame buffer; it goes out and comes back in the same memory. */
struct slot {
	u64 due;	/* when the answer may be seen */
	u16 len;	/* 0: the frame was lost */
	u8 at;		/* end of the segment that it comes to */
	u8 data[KECAT_NIC_FRAME_MAX] __aligned(8);
};

/*
 * Free running counters over the slots, each moved by the cyclic thread only:
 * tail <= done <= head.  Between head and done: committed, not kicked yet;
 * between done and tail: answered, not fetched yet.
 */
struct sim_port {
	struct kecat_nic nic;
	struct sim_segment *seg;
	unsigned int end;	/* of the segment: 0, or 1 of a ring */
	struct sim_port *other;	/* at the other end, or NULL */
	struct slot *slot;
	u32 head, done, tail;
};

static char *slaves = "coupler,do8,di8,drive";
module_param(slaves, charp, 0444);
MODULE_PARM_DESC(slaves, "devices of a segment, e.g. coupler,do8*2,di8*2,drive");

static char *segment;
module_param(segment, charp, 0444);
MODULE_PARM_DESC(segment, "description with topology and wires instead of slaves=, e.g. \"slaves coupler,do8,di8; loop out 1 in 2\"");

static unsigned int segments = 1;
module_param(segments, uint, 0444);
MODULE_PARM_DESC(segments, "number of segments, each a port of its own (1..8)");

static bool ring;
module_param(ring, bool, 0444);
MODULE_PARM_DESC(ring, "with slaves=: the last one leads to a second port of the master (default N)");

static unsigned int delay_ns;
module_param(delay_ns, uint, 0644);
MODULE_PARM_DESC(delay_ns, "time that a frame is under way, added to the model's");

static struct sim_port *ports[PORTS_MAX];
static char fault_answer[128];

static struct sim_port *to_port(struct kecat_nic *nic)
{
	return nic->priv;
}

static void port_link_poll(struct kecat_nic *nic)
{
	const struct sim_port *p = to_port(nic);
	const struct sim_peer *cable = &p->seg->nic[p->end];

	WRITE_ONCE(nic->link, !READ_ONCE(cable->unplugged));
}

/* the cable at the second port; without it no frame goes there */
static void plug_end(struct sim_port *p, bool in)
{
	struct sim_port *first = p->other;
	char answer[8];
	u32 i;

	kecat_nic_quiesce(&first->nic);
	WARN_ON(sim_segment_fault(p->seg, in ? "segment plug 1" : "segment unplug 1", ktime_get_ns(),
				  answer, sizeof(answer)));
	/* nobody fetches it any more */
	for (i = first->tail; i != first->done; i++)
		if (first->slot[i % SLOTS].at)
			first->slot[i % SLOTS].len = 0;
	kecat_nic_resume(&first->nic);
}

static int port_start(struct kecat_nic *nic)
{
	struct sim_port *p = to_port(nic);

	p->head = 0;
	p->done = 0;
	p->tail = 0;
	nic->speed = 100;
	if (p->end)
		plug_end(p, true);
	port_link_poll(nic);
	return 0;
}

static void port_stop(struct kecat_nic *nic)
{
	struct sim_port *p = to_port(nic);

	if (p->end)
		plug_end(p, false);
	WRITE_ONCE(nic->link, false);
}

static void *port_tx_buf(struct kecat_nic *nic)
{
	struct sim_port *p = to_port(nic);

	if (p->head - p->tail == SLOTS)
		return NULL;
	return p->slot[p->head % SLOTS].data;
}

static void port_tx_commit(struct kecat_nic *nic, unsigned int len)
{
	struct sim_port *p = to_port(nic);

	p->slot[p->head++ % SLOTS].len = len;
}

static void port_tx_kick(struct kecat_nic *nic)
{
	struct sim_port *p = to_port(nic);
	u32 delay = READ_ONCE(delay_ns);
	u64 now = ktime_get_ns();

	for (; p->done != p->head; p->done++) {
		struct slot *s = &p->slot[p->done % SLOTS];
		unsigned int at = p->end;
		u64 done;

		s->len = sim_segment_process_port(p->seg, &at, s->data, s->len,
						  now, &done);
		s->at = at;
		s->due = now + delay;
	}
	sim_segment_tick(p->seg, now);
}

/* what @from has sent and @p receives, and what nobody does */
static int fetch(struct sim_port *p, struct sim_port *from, int budget)
{
	int n = 0;

	while (n < budget && from->tail != from->done) {
		struct slot *s = &from->slot[from->tail % SLOTS];

		if (s->len && (s->at != p->end || ktime_get_ns() < s->due))
			break;
		if (s->len) {
			kecat_nic_rx(&p->nic, s->data, s->len);
			n++;
		}
		from->tail++;
	}
	return n;
}

static int port_rx_poll(struct kecat_nic *nic, int budget)
{
	struct sim_port *p = to_port(nic);
	int n = fetch(p, p, budget);

	if (p->other)
		n += fetch(p, p->other, budget - n);
	return n;
}

static const struct kecat_nic_ops port_ops = {
	.start = port_start,
	.stop = port_stop,
	.link_poll = port_link_poll,
	.tx_buf = port_tx_buf,
	.tx_commit = port_tx_commit,
	.tx_kick = port_tx_kick,
	.rx_poll = port_rx_poll,
};

/* "[@SEGMENT] command": segment 0 when none is named */
static int fault_set(const char *val, const struct kernel_param *kp)
{
	unsigned int n = 0;
	struct sim_port *p;
	char line[128];
	char *cmd = line;
	int ret;

	if (strscpy(line, val, sizeof(line)) < 0)
		return -EINVAL;
	cmd = strim(cmd);
	if (*cmd == '@') {
		char *num = strsep(&cmd, " ") + 1;

		if (!cmd || kstrtouint(num, 0, &n))
			return -EINVAL;
	}
	p = n < PORTS_MAX ? ports[n] : NULL;
	if (!p)
		return -ENODEV;
	kecat_nic_quiesce(&p->nic);
	if (p->other)
		kecat_nic_quiesce(&p->other->nic);
	ret = sim_segment_fault(p->seg, cmd, ktime_get_ns(), fault_answer,
				sizeof(fault_answer));
	if (p->other)
		kecat_nic_resume(&p->other->nic);
	kecat_nic_resume(&p->nic);
	return ret;
}

static int fault_get(char *buf, const struct kernel_param *kp)
{
	return sysfs_emit(buf, "%s\n", fault_answer);
}

static const struct kernel_param_ops fault_ops = {
	.set = fault_set,
	.get = fault_get,
};

module_param_cb(fault, &fault_ops, NULL, 0644);
MODULE_PARM_DESC(fault, "write a command such as \"3 power off\"; read its answer");

/* of a first port: with the second one and the segment */
static void port_free(struct sim_port *p)
{
	if (p->other) {
		kvfree(p->other->slot);
		kfree(p->other);
	}
	sim_segment_destroy(p->seg);
	kvfree(p->slot);
	kfree(p);
}

static void set_names(struct sim_port *p, unsigned int i)
{
	static const u8 mac[ETH_ALEN] = { 0x00, 'K', 'E', 'C', 'A', 0 };

	ether_addr_copy(p->nic.mac, mac);
	p->nic.mac[ETH_ALEN - 1] = i + PORTS_MAX * p->end;
	snprintf(p->nic.name, sizeof(p->nic.name), "sim%u%s", i, p->end ? "b" : "");
	strscpy(p->nic.driver, "kecat_sim", sizeof(p->nic.driver));
}

static struct sim_port *port_alloc(struct sim_segment *seg, unsigned int i,
				   unsigned int end)
{
	struct sim_port *p = kzalloc(sizeof(*p), GFP_KERNEL);

	if (!p)
		return NULL;
	p->slot = kvcalloc(SLOTS, sizeof(*p->slot), GFP_KERNEL);
	if (!p->slot) {
		kfree(p);
		return NULL;
	}
	p->seg = seg;
	p->end = end;
	p->nic.api = KECAT_NIC_API;
	p->nic.ops = &port_ops;
	p->nic.priv = p;
	p->nic.hard = true;
	set_names(p, i);
	return p;
}

/* NULL after a message */
static struct sim_segment *make_segment(void)
{
	char *text = ring && !segment ?
		     kasprintf(GFP_KERNEL, "slaves %s; ring", slaves) : NULL;
	struct sim_config cfg = { .slaves = slaves, .text = text ? text : segment };
	struct sim_segment *seg = NULL;

	if (text || !ring || segment)
		seg = sim_segment_create(&cfg, ktime_get_ns());
	if (!seg)
		pr_err("%s: %s\n", cfg.text ? cfg.text : slaves, cfg.error);
	kfree(text);
	return seg;
}

/* the segment, and a port at each of its ends */
static struct sim_port *make_ports(unsigned int i)
{
	struct sim_segment *seg = make_segment();
	struct sim_port *p;

	if (!seg)
		return ERR_PTR(-EINVAL);
	p = port_alloc(seg, i, 0);
	if (!p) {
		sim_segment_destroy(seg);
		return ERR_PTR(-ENOMEM);
	}
	if (!seg->nic[1].used)
		return p;
	p->other = port_alloc(seg, i, 1);
	if (!p->other) {
		port_free(p);
		return ERR_PTR(-ENOMEM);
	}
	p->other->other = p;
	p->other->nic.ring_of = &p->nic;
	WARN_ON(sim_segment_fault(seg, "segment unplug 1", ktime_get_ns(),
				  fault_answer, sizeof(fault_answer)));
	return p;
}

static int port_add(unsigned int i)
{
	struct sim_port *p = make_ports(i);
	int ret;

	if (IS_ERR(p))
		return PTR_ERR(p);
	ret = kecat_nic_register(&p->nic);
	if (ret)
		goto err_free;
	ret = p->other ? kecat_nic_register(&p->other->nic) : 0;
	if (ret)
		goto err_first;
	kernel_param_lock(THIS_MODULE);
	ports[i] = p;
	kernel_param_unlock(THIS_MODULE);
	return 0;

err_first:
	kecat_nic_unregister(&p->nic);
err_free:
	port_free(p);
	return ret;
}

static void port_remove(unsigned int i)
{
	struct sim_port *p = ports[i];

	if (!p)
		return;
	/* no fault command finds the port from here on */
	kernel_param_lock(THIS_MODULE);
	ports[i] = NULL;
	kernel_param_unlock(THIS_MODULE);
	if (p->other)
		kecat_nic_unregister(&p->other->nic);
	kecat_nic_unregister(&p->nic);
	port_free(p);
}

static void remove_all(void)
{
	unsigned int i = PORTS_MAX;

	while (i--)
		port_remove(i);
}

static int __init sim_init(void)
{
	unsigned int i;
	int ret;

	if (!segments || segments > PORTS_MAX)
		return -EINVAL;
	for (i = 0; i < segments; i++) {
		ret = port_add(i);
		if (ret) {
			remove_all();
			return ret;
		}
	}
	return 0;
}

static void __exit sim_exit(void)
{
	remove_all();
}

module_init(sim_init);
module_exit(sim_exit);

MODULE_DESCRIPTION("kecat: simulated EtherCAT segment");
MODULE_LICENSE("GPL");
