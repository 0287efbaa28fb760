// SPDX-License-Identifier: GPL-2.0-only
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/poll.h>
#include <linux/string.h>
#include "bench.h"

#define MAX_EVENTS	256

static const char node[] =
	"device \"Node\"\n"
	"order KT-NODE\n"
	"group \"Test\"\n"
	"identity vendor 0x4b454341 product 0x00007001 revision 1 serial 1\n"
	"chip type 0x11 rev 0 build 3 fmmus 4 sms 4 ram 8 ports 0x0f features 0x00fc fwd_ns 145 ret_ns 145\n"
	"conf 0x0c05\n"
	"dc rxtime\n"
	"mailbox rx 0x1000 rx_len 128 tx 0x1080 tx_len 128\n"
	"proto coe\n"
	"coe sdo info ca\n"
	"sm 0 mbxout 0x1000 128\n"
	"sm 1 mbxin 0x1080 128\n"
	"sm 2 out 0x1100 8\n"
	"sm 3 in 0x1180 8\n"
	"fmmu out in mbx\n"
	"var 0x1000 u32 ro 0 \"Device type\"\n"
	"var 0x1008 str ro \"KT-NODE\" \"Device name\"\n"
	"var 0x2000 u32 rw 0 \"Parameter\"\n"
	"rxpdo 0x1600 2 \"Outputs\"\n"
	"entry 0x7000 1*2 u32 \"Output\"\n"
	"txpdo 0x1a00 3 \"Inputs\"\n"
	"entry 0x6000 1*2 u32 \"Input\"\n";

const struct sim_devtext bench_devices[] = { { "node", node } };

static int modules;

static void load_module(void)
{
	if (modules++)
		return;
	CHECK_EQ(host_module_init(), 0);
}

static void unload_module(void)
{
	if (--modules)
		return;
	CHECK_EQ(host_this_module.refs, 0);
	host_module_exit();
}

struct bench *bench_new(const char *slaves, const char *text)
{
	struct bench *b = calloc(1, sizeof(*b));

	if (!b)
		abort();
	load_module();
	b->v = vnic_new(slaves, text, bench_devices,
			ARRAY_SIZE(bench_devices), tap_seed());
	b->wait = host_user_alloc(sizeof(*b->wait));
	b->exchange = host_user_alloc(sizeof(*b->exchange));
	b->status = host_user_alloc(sizeof(*b->status));
	b->info = host_user_alloc(sizeof(*b->info));
	b->events = host_user_alloc(MAX_EVENTS * sizeof(*b->events));
	REQUIRE(!kecat_nic_register(&b->v->nic));
	b->registered = true;
	b->m = b->v->nic.core;
	bench_open(b);
	return b;
}

void bench_join(struct bench *b)
{
	b->second = vnic_new_second(b->v);
	b->second->cycle_ns = b->v->cycle_ns;
	b->second->nic.ring_of = &b->v->nic;
	REQUIRE(!kecat_nic_register(&b->second->nic));
}

void bench_part(struct bench *b)
{
	if (!b->second)
		return;
	kecat_nic_unregister(&b->second->nic);
	vnic_free(b->second);
	b->second = NULL;
}

void bench_open(struct bench *b)
{
	b->f = host_open(b->m->index, O_RDWR | O_NONBLOCK);
	REQUIRE(!IS_ERR(b->f));
}

void bench_close(struct bench *b)
{
	if (b->shm)
		host_munmap(b->shm);
	b->shm = NULL;
	if (b->f)
		host_close(b->f);
	b->f = NULL;
}

void bench_unregister(struct bench *b)
{
	if (b->registered)
		kecat_nic_unregister(&b->v->nic);
	b->registered = false;
}

void bench_free(struct bench *b)
{
	bench_close(b);
	bench_part(b);
	bench_unregister(b);
	vnic_free(b->v);
	host_user_free(b->wait);
	host_user_free(b->exchange);
	host_user_free(b->status);
	host_user_free(b->info);
	host_user_free(b->events);
	free(b);
	unload_module();
}

/* ---- configuration ---- */

void bench_cfg(struct bench *b, struct cfg *c, u64 cycle_ns, u32 app_miss,
	       u32 on_app_loss, u32 flags, u32 groups)
{
	u32 i, n = b->v->seg->count;
	struct kecat_cfg_bus *bus;

	cfg_begin(c);
	bus = cfg_bus(c, cycle_ns, app_miss, on_app_loss, flags);
	bus->spin_ns = b->spin_ns;
	bus->deadline_ns = b->deadline_ns;
	b->v->cycle_ns = cycle_ns;
	for (i = 0; i < n; i++) {
		const struct sim_slave *s = &b->v->seg->slave[i];

		cfg_slave(c, i, (u16)(i * groups / n), s->desc->vendor,
			  s->desc->product, 0);
		if (s->out.len)
			cfg_sm(c, s->out.sm, KECAT_DIR_OUT, s->out.len);
		if (s->in.len)
			cfg_sm(c, s->in.sm, KECAT_DIR_IN, s->in.len);
	}
}

int bench_set_config(struct bench *b, const struct cfg *c)
{
	struct kecat_config *k = host_user_alloc(sizeof(*k));
	int err;

	k->size = sizeof(*k);
	k->ptr = (uintptr_t)c->b;
	k->len = c->len;
	err = (int)host_ioctl(b->f, KECAT_IOC_CONFIG_SET, k);
	if (err == -EINVAL && host_verbose)
		printf("# configuration refused: offset %u slave %d type %u: %s\n",
		       k->err_offset, (int)k->err_slave, k->err_type, k->message);
	host_user_free(k);
	return err;
}

int bench_configure(struct bench *b, u64 cycle_ns, u32 groups, u32 flags)
{
	struct cfg c;
	int err;

	bench_cfg(b, &c, cycle_ns, 0, KECAT_LOSS_SAFEOP, flags, groups);
	err = bench_set_config(b, &c);
	cfg_end(&c);
	return err;
}

int bench_activate(struct bench *b)
{
	struct kecat_activate *a = host_user_alloc(sizeof(*a));
	void *p;
	int err;

	a->size = sizeof(*a);
	err = (int)host_ioctl(b->f, KECAT_IOC_ACTIVATE, a);
	if (!err) {
		p = host_mmap(b->f, a->shm_size, VM_READ | VM_WRITE,
			      VM_SHARED, 0);
		REQUIRE(!IS_ERR(p));
		b->shm = p;
		CHECK_EQ(b->shm->magic, KECAT_SHM_MAGIC);
		CHECK_EQ(b->shm->size, a->shm_size);
		b->in = 2;
		b->out = 2;
		b->seen = 0;
	}
	host_user_free(a);
	return err;
}

int bench_deactivate(struct bench *b)
{
	if (b->shm)
		host_munmap(b->shm);
	b->shm = NULL;
	return (int)host_ioctl(b->f, KECAT_IOC_DEACTIVATE, NULL);
}

/* ---- looking ---- */

const struct kecat_status *bench_status(struct bench *b)
{
	b->status->size = sizeof(*b->status);
	CHECK_EQ(host_ioctl(b->f, KECAT_IOC_STATUS, b->status), 0);
	return b->status;
}

const struct kecat_slave_info *bench_info(struct bench *b, u32 position)
{
	long err;

	memset(b->info, 0, sizeof(*b->info));
	b->info->size = sizeof(*b->info);
	b->info->position = position;
	err = host_ioctl(b->f, KECAT_IOC_SLAVE_INFO, b->info);
	if (err)
		b->info->al_state = 0xff;
	return b->info;
}

static u32 in_state(struct bench *b, u8 state)
{
	u32 i, n = 0, slaves = bench_status(b)->slaves;

	for (i = 0; i < slaves; i++) {
		const struct kecat_slave_info *s = bench_info(b, i);

		n += s->al_state == state && s->flags & KECAT_SLAVE_PRESENT &&
		     !(s->flags & KECAT_SLAVE_BUSY);
	}
	return n;
}

static void show_states(struct bench *b)
{
	u32 i, slaves = bench_status(b)->slaves;

	for (i = 0; i < slaves; i++) {
		const struct kecat_slave_info *s = bench_info(b, i);

		printf("#   slave %u flags %x al %x code %x target %x problem %u detail %x\n",
		       i, s->flags, s->al_state, s->al_code, s->al_target,
		       s->problem, s->detail);
	}
}

/* steps between two looks; while the application has an image it goes on */
static void pass(struct bench *b, u32 ms)
{
	if (b->shm)
		bench_cycles(b, (u32)(ms * 1000000ULL / b->v->cycle_ns));
	else
		host_sleep(ms * 1000000ULL);
}

bool bench_wait_state(struct bench *b, u8 state, u32 slaves, u32 ms)
{
	u64 until = host_now() + ms * 1000000ULL;

	while (in_state(b, state) != slaves) {
		if (host_now() >= until) {
			show_states(b);
			return false;
		}
		pass(b, 10);
	}
	return true;
}

bool bench_wait_scanned(struct bench *b, u32 slaves, u32 ms)
{
	return bench_wait_state(b, KECAT_AL_PREOP, slaves, ms);
}

/* how many events of that kind came since the last call; KECAT_ALL = any */
u32 bench_events(struct bench *b, u32 type, u32 position, u32 arg0)
{
	u32 n = 0;

	for (;;) {
		ssize_t got = host_read(b->f, b->events,
					MAX_EVENTS * sizeof(*b->events));
		u32 i;

		if (got <= 0) {
			CHECK_EQ(got, -EAGAIN);
			return n;
		}
		for (i = 0; i < got / sizeof(*b->events); i++) {
			const struct kecat_event *e = &b->events[i];

			n += (type == KECAT_ALL || e->type == type) &&
			     (position == KECAT_ALL || e->position == position) &&
			     (arg0 == KECAT_ALL || e->arg0 == arg0);
		}
	}
}

/* ---- the image ---- */

int bench_wait(struct bench *b, u64 timeout_ns)
{
	int err;

	b->wait->size = sizeof(*b->wait);
	b->wait->flags = 0;
	b->wait->cycle = b->seen;
	b->wait->timeout_ns = timeout_ns;
	err = (int)host_ioctl(b->f, KECAT_IOC_WAIT, b->wait);
	if (!err)
		b->seen = b->wait->cycle;
	return err;
}

int bench_exchange(struct bench *b, u64 at_ns)
{
	int err;

	if (b->shm)
		bench_publish(b);
	b->exchange->size = sizeof(*b->exchange);
	b->exchange->flags = 0;
	b->exchange->at_ns = at_ns;
	err = (int)host_ioctl(b->f, KECAT_IOC_EXCHANGE, b->exchange);
	if (!err)
		b->seen = b->exchange->cycle;
	return err;
}

const struct kecat_in_hdr *bench_inputs(struct bench *b)
{
	if (b->shm->in_mid & KECAT_MID_FRESH)
		b->in = xchg(&b->shm->in_mid, b->in) & 3;
	return (void *)((u8 *)b->shm + b->shm->in_off[b->in]);
}

u8 *bench_outputs(struct bench *b)
{
	return (u8 *)b->shm + b->shm->out_off[b->out];
}

void bench_publish(struct bench *b)
{
	b->out = xchg(&b->shm->out_mid, b->out | KECAT_MID_FRESH) & 3;
}

u64 bench_output(struct bench *b, u32 slave)
{
	u64 v = ~0ULL;

	CHECK_EQ(sim_segment_get_output(b->v->seg, slave, 0, &v), 0);
	return v;
}

u32 bench_input(struct bench *b, const struct kecat_in_hdr *h, u32 slave)
{
	return sim_get32((const u8 *)h + b->shm->in_data +
			 b->m->cfg->slave[slave].in_offset);
}

int bench_cycle(struct bench *b)
{
	int err = bench_wait(b, 100 * NSEC_PER_MSEC + 5 * b->v->cycle_ns);

	if (err)
		return err;
	bench_inputs(b);
	bench_publish(b);
	return 0;
}

void bench_cycles(struct bench *b, u32 n)
{
	for (; n; n--)
		CHECK_EQ(bench_cycle(b), 0);
}

/* every group came back in full in the last cycles */
bool bench_data_valid(struct bench *b)
{
	bench_cycles(b, 3);
	return bench_inputs(b)->groups_valid == 1;
}

bool bench_wait_problem(struct bench *b, u32 pos, u32 problem, u32 ms)
{
	u64 until = host_now() + ms * 1000000ULL;

	while (bench_info(b, pos)->problem != problem) {
		if (host_now() >= until)
			return false;
		if (b->shm)
			bench_cycles(b, 10);
		else
			host_sleep(10000000);
	}
	return true;
}
