// SPDX-License-Identifier: GPL-2.0-only
/*
 * Configuration and cycle of the bus that is not there.  Each KECAT_IOC_WAIT
 * is one cycle.  Words in FAKE:
 *   one-op     one slave never reaches OP
 *   torn       inputs are of two sets of outputs
 *   stuck      inputs stop following in the tenth cycle
 *   lossy      each third cycle has no answer, its data is the old one
 *   late       inputs follow one cycle later
 *   gap        the phases do not add up
 *   dies       the port vanishes in the tenth cycle
 *   bad-shm    the mapping lies about its buffers
 *   ring       a second port, and a break behind the second slave
 *   bad-layout sync managers behind the end of the image
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "fake.h"

#define PAGE	4096u
#define MAX_SMS	16

static struct {
	uint8_t *blob;
	uint32_t len;
	uint32_t gen;
	uint32_t slaves;
	struct kecat_layout lay[MAX_SMS];
	uint32_t lays;
	uint32_t in_len;
	uint32_t out_len;
	bool active;
	uint64_t cycle;
	uint8_t *mem;
	uint32_t in_own;
	uint32_t out_own;
	uint32_t taken;
	uint8_t out[PAGE];	/* as the outputs are now, and were before */
	uint8_t before[PAGE];
	uint8_t shown[PAGE];
} f;

bool fake_op(uint32_t position)
{
	return f.active && f.cycle > 5 && position < f.slaves - fake_is("one-op");
}

size_t fake_load(const char *path, void *to, size_t room)
{
	FILE *file = fopen(path, "re");
	size_t n;

	if (!file)
		abort();
	n = fread(to, 1, room, file);
	fclose(file);
	return n;
}

int fake_ring(struct kecat_ring *r)
{
	r->state = fake_is("ring") ? KECAT_RING_BROKEN : KECAT_RING_NONE;
	r->front = 2;
	r->back = 1;
	r->port = 1;
	if (fake_is("ring"))
		strcpy(r->nic, "0000:08:00.0");
	if (fake_is("hostile")) {
		memset(r, 0xff, sizeof(*r));
		r->size = sizeof(*r);
	}
	return 0;
}

int fake_status(struct kecat_status *st)
{
	st->phase = f.active ? KECAT_PHASE_ACTIVE : KECAT_PHASE_IDLE;
	st->link = 1;
	st->speed = 100;
	st->slaves = FAKE_SLAVES;
	st->slaves_present = FAKE_SLAVES;
	st->slaves_op = f.active ? f.slaves - fake_is("one-op") : 0;
	st->config_slaves = f.slaves;
	st->config_gen = f.gen;
	st->cycle_ns = f.active ? 1000000 : 0;
	st->cycle = f.cycle;
	st->frames_sent = f.cycle;
	st->frames_received = f.cycle;
	st->frames_lost = fake_is("lossy") ? f.cycle / 3 : 0;
	st->rt_prio = 80;
	st->cpu = -1;
	memcpy(st->mac, "\x02\0\0\0\0\1", 6);
	strcpy(st->nic, "0000:07:00.0");
	strcpy(st->driver, "fake");
	if (fake_is("hostile")) {
		memset(st->nic, 0x9b, sizeof(st->nic));
		memset(st->driver, '"', sizeof(st->driver));
	}
	return 0;
}

/* Sizes of the sync managers, in the order of the blob */
static void lay_out(void)
{
	uint32_t pos = 0, bits = 0;
	struct kecat_cfg_tlv tlv;

	f.slaves = f.lays = f.in_len = f.out_len = 0;
	for (; pos < f.len; pos += sizeof(tlv) + ((tlv.len + 7) & ~7u)) {
		const void *p = f.blob + pos + sizeof(tlv);
		struct kecat_layout *l = &f.lay[f.lays ? f.lays - 1 : 0];

		memcpy(&tlv, f.blob + pos, sizeof(tlv));
		if (tlv.type == KECAT_CFG_SLAVE)
			f.slaves++;
		if (tlv.type == KECAT_CFG_SM && f.lays < MAX_SMS) {
			const struct kecat_cfg_sm *sm = p;
			uint32_t *end = sm->dir == KECAT_DIR_IN ? &f.in_len : &f.out_len;

			f.lay[f.lays++] = (struct kecat_layout){
				.slave = f.slaves - 1, .position = f.slaves - 1,
				.sm = sm->index, .dir = sm->dir, .offset = *end,
			};
			bits = 0;
		}
		if (tlv.type == KECAT_CFG_ENTRY) {
			uint32_t *end = l->dir == KECAT_DIR_IN ? &f.in_len : &f.out_len;

			bits += ((const struct kecat_cfg_entry *)p)->bits;
			l->len = (bits + 7) / 8;
			*end = l->offset + l->len;
		}
	}
}

/* The configuration outlives the process in $FAKE_BLOB */
static void keep(void)
{
	const char *path = getenv("FAKE_BLOB");
	FILE *file = path ? fopen(path, "we") : NULL;

	if (!path)
		return;
	if (!file || fwrite(f.blob, 1, f.len, file) != f.len || fclose(file))
		abort();
}

__attribute__((constructor)) static void recall(void)
{
	const char *path = getenv("FAKE_BLOB");

	if (!path || access(path, R_OK))
		return;
	f.blob = malloc(KECAT_MAX_CONFIG);
	f.len = fake_load(path, f.blob, KECAT_MAX_CONFIG);
	lay_out();
}

int fake_config_set(struct kecat_config *c)
{
	const uint8_t *blob = (const void *)(uintptr_t)c->ptr;
	const struct kecat_cfg_bus *bus = (const void *)(blob + 8);

	if (f.active)
		return -EBUSY;
	if (c->len && (bus->cycle_ns < 50000 || bus->cycle_ns > 1000000000)) {
		c->err_type = KECAT_CFG_BUS;
		c->err_slave = KECAT_ALL;
		strcpy(c->message, "cycle time is out of range");
		return -EINVAL;
	}
	if (fake_is("refuse")) {
		c->err_type = KECAT_CFG_SDO;
		c->err_slave = 1;
		memset(c->message, '\033', sizeof(c->message));
		return -EINVAL;
	}
	if (c->flags & KECAT_CONFIG_VERIFY)
		return 0;
	free(f.blob);
	f.blob = malloc(c->len + 1);
	memcpy(f.blob, blob, c->len);
	f.len = c->len;
	f.gen++;
	lay_out();
	keep();
	return 0;
}

int fake_config_get(struct kecat_config *c)
{
	if (!f.len)
		return -ENOENT;
	if (c->len < f.len)
		return -ENOSPC;
	memcpy((void *)(uintptr_t)c->ptr, f.blob, f.len);
	c->len = fake_is("mad-config") ? 0xffffffff : f.len;
	return 0;
}

int fake_activate(struct kecat_activate *a)
{
	if (!f.len)
		return -ENOENT;
	f.active = true;
	f.cycle = 0;
	a->shm_size = 7 * PAGE;
	a->image_in = f.in_len;
	a->image_out = f.out_len;
	a->frames = 1;
	return 0;
}

int fake_deactivate(void)
{
	f.active = false;
	return 0;
}

int fake_layout(struct kecat_array *a)
{
	struct kecat_layout lay[MAX_SMS];

	memcpy(lay, f.lay, sizeof(lay));
	for (uint32_t i = 0; i < f.lays && fake_is("bad-layout"); i++)
		lay[i].offset = 0x10000000;
	return fake_give(a, lay, f.lays, sizeof(lay[0]));
}

void *fake_map(size_t size)
{
	struct kecat_shm *shm;

	if (!f.active || size != 7 * PAGE)
		return NULL;
	f.mem = mmap(NULL, size, PROT_READ | PROT_WRITE,
		     MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (f.mem == MAP_FAILED)
		return NULL;
	shm = (void *)f.mem;
	shm->magic = KECAT_SHM_MAGIC;
	shm->version = KECAT_SHM_VERSION;
	shm->size = size;
	shm->in_len = f.in_len;
	shm->out_len = f.out_len;
	for (int i = 0; i < 3; i++) {
		shm->in_off[i] = (1 + i) * PAGE;
		shm->out_off[i] = (4 + i) * PAGE;
	}
	shm->in_data = sizeof(struct kecat_in_hdr);
	shm->groups = 1;
	shm->in_mid = 1;
	shm->out_mid = 1;
	shm->state = KECAT_PHASE_ACTIVE;
	shm->live[0] = (1 << f.slaves) - 1;
	if (fake_is("bad-shm"))
		shm->out_off[1] = 0xfffffff8;
	return f.mem;
}

static void take_outputs(struct kecat_shm *shm)
{
	if (!(shm->out_mid & KECAT_MID_FRESH))
		return;
	f.out_own = __atomic_exchange_n(&shm->out_mid, f.out_own, __ATOMIC_ACQ_REL) & 3;
	f.taken++;
	memcpy(f.before, f.out, f.out_len);
	memcpy(f.out, f.mem + shm->out_off[f.out_own], f.out_len);
}

/* What the inputs show: outputs, from the first output byte to the first input byte */
static void follow(bool lost)
{
	uint32_t n = f.in_len < f.out_len ? f.in_len : f.out_len;

	if (lost || (fake_is("stuck") && f.cycle > 10))
		return;
	memcpy(f.shown, fake_is("late") ? f.before : f.out, n);
	for (uint32_t i = 0; i < n && fake_is("torn") && f.cycle > 10; i++)
		f.shown[i] = (f.out[i] & 0xf0) | (f.before[i] & 0x0f);
}

int fake_wait(struct kecat_wait *w)
{
	struct kecat_shm *shm = (void *)f.mem;
	struct kecat_in_hdr *h;
	bool lost;

	if (!f.active)
		return -ENOTCONN;
	if (fake_is("dies") && f.cycle >= 10)
		return -ENODEV;
	take_outputs(shm);
	f.cycle++;
	lost = fake_is("lossy") && f.cycle % 3 == 0;
	follow(lost);
	h = (void *)(f.mem + shm->in_off[f.in_own]);
	*h = (struct kecat_in_hdr){
		.cycle = f.cycle, .groups_valid = !lost, .out_cycle = f.taken,
	};
	memcpy((uint8_t *)h + shm->in_data, f.shown, f.in_len);
	f.in_own = __atomic_exchange_n(&shm->in_mid, f.in_own | KECAT_MID_FRESH,
				       __ATOMIC_ACQ_REL) & 3;
	shm->slaves_op = f.cycle > 5 ? f.slaves - fake_is("one-op") : f.cycle / 2;
	__atomic_store_n(&shm->cycle, f.cycle, __ATOMIC_RELEASE);
	w->cycle = f.cycle;
	return 0;
}

/* Each cycle: phase p takes p + 1 microseconds */
int fake_latency(struct kecat_latency *l)
{
	uint64_t ns = l->phase == KECAT_LAT_TOTAL ? 15000 : 1000 * (l->phase + 1);
	uint64_t *hist = (void *)(uintptr_t)l->ptr;

	l->count = f.cycle ? f.cycle : 1000;
	l->sum_ns = l->count * ns;
	if (l->phase == KECAT_LAT_TOTAL && fake_is("gap"))
		l->sum_ns += l->count;
	l->min_ns = ns;
	l->max_ns = ns;
	l->max_cycle = 7;
	for (uint32_t b = 0; hist && b < l->buckets; b++)
		hist[b] = b == ns / 100 ? l->count : 0;
	l->buckets = fake_is("hostile") ? 0xffffffff : KECAT_HIST_BUCKETS;
	return 0;
}
