// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The cyclic exchange: the mapping and its two triple buffers.  The rules of
 * the buffers stand in kecat_shm.h; each exchange here pairs with the
 * kernel's exchange of the same word.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

#include "priv.h"

/* [off, off + len) lies behind the control page, inside @size, aligned */
static bool inside(uint64_t off, uint64_t len, size_t size)
{
	return off >= sizeof(struct kecat_shm) && off % 8 == 0 &&
	       off + len <= size;
}

int kecat_map_init(struct kecat_map *m, void *mem, size_t size)
{
	struct kecat_shm *shm = mem;
	struct kecat_shm h;

	if (size < sizeof(h))
		return -EPROTO;
	memcpy(&h, shm, sizeof(h));	/* checked and used: one reading */
	if (h.magic != KECAT_SHM_MAGIC || h.version != KECAT_SHM_VERSION ||
	    h.size > size || h.in_data < sizeof(struct kecat_in_hdr) ||
	    h.in_data > KECAT_MAX_IMAGE || h.in_len > KECAT_MAX_IMAGE ||
	    h.out_len > KECAT_MAX_IMAGE)
		return -EPROTO;
	for (int i = 0; i < 3; i++) {
		if (!inside(h.in_off[i], (uint64_t)h.in_data + h.in_len, size) ||
		    !inside(h.out_off[i], h.out_len, size))
			return -EPROTO;
		m->in[i] = (uint8_t *)mem + h.in_off[i];
		m->out[i] = (uint8_t *)mem + h.out_off[i];
	}
	m->in_data = h.in_data;
	m->in_len = h.in_len;
	m->out_len = h.out_len;
	m->in_own = 2;
	m->out_own = 2;
	m->out_number = 0;
	m->size = size;
	m->shm = shm;
	return 0;
}

void kecat_unmap(struct kecat *k)
{
	if (k->map.shm)
		munmap(k->map.shm, k->map.size);
	memset(&k->map, 0, sizeof(k->map));
	free(k->layout);
	k->layout = NULL;
	k->layouts = 0;
	kecat_conf_free(k->conf);
	k->conf = NULL;
}

static int map(struct kecat *k, size_t size)
{
	void *mem = mmap(NULL, size, PROT_READ | PROT_WRITE,
			 MAP_SHARED | MAP_POPULATE, k->fd, 0);
	int ret;

	if (mem == MAP_FAILED)
		return -errno;
	ret = kecat_map_init(&k->map, mem, size);
	if (ret)
		munmap(mem, size);
	return ret;
}

int kecat_activate(struct kecat *k)
{
	struct kecat_activate a = { .size = sizeof(a) };
	const struct kecat_layout *lay;
	int ret;

	if (k->map.shm)
		return -EBUSY;
	k->detail[0] = '\0';
	ret = kecat_get_config(k, &k->conf);
	if (ret)
		return ret;
	ret = kecat_call(k, KECAT_IOC_ACTIVATE, &a);
	if (ret)
		goto err_conf;
	ret = map(k, a.shm_size);
	if (ret)
		goto err_active;
	ret = kecat_get_layout(k, &lay);
	if (ret < 0)
		goto err_active;
	k->seen = 0;
	return 0;

err_active:
	kecat_call(k, KECAT_IOC_DEACTIVATE, NULL);
err_conf:
	kecat_unmap(k);
	return ret;
}

int kecat_deactivate(struct kecat *k)
{
	int ret = kecat_call(k, KECAT_IOC_DEACTIVATE, NULL);

	kecat_unmap(k);
	return ret;
}

static uint64_t now_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec * 1000000000ull + ts.tv_nsec;
}

/* For the account of latencies */
static void note_taken(struct kecat_map *m)
{
	const struct kecat_in_hdr *h = (const void *)m->in[m->in_own];

	__atomic_store_n(&m->shm->taken_ns, now_ns(), __ATOMIC_RELAXED);
	/* pairs with the kernel's load: the time is there before the number */
	__atomic_store_n(&m->shm->taken_cycle, h->cycle, __ATOMIC_RELEASE);
}

bool kecat_take(struct kecat *k)
{
	struct kecat_map *m = &k->map;
	uint32_t mid;

	if (!m->shm ||
	    !(__atomic_load_n(&m->shm->in_mid, __ATOMIC_RELAXED) & KECAT_MID_FRESH))
		return false;
	/* pairs with the kernel's exchange after it filled the buffer */
	mid = __atomic_exchange_n(&m->shm->in_mid, m->in_own, __ATOMIC_ACQ_REL) & 3;
	m->in_own = mid < 3 ? mid : 0;
	note_taken(m);
	return true;
}

void kecat_publish(struct kecat *k)
{
	struct kecat_map *m = &k->map;
	uint32_t done = m->out_own;
	uint32_t mid;

	if (!m->shm)
		return;
	__atomic_store_n(&m->shm->done_ns, now_ns(), __ATOMIC_RELAXED);
	/* pairs with the kernel's exchange before it reads the buffer */
	mid = __atomic_exchange_n(&m->shm->out_mid, done | KECAT_MID_FRESH,
				  __ATOMIC_ACQ_REL);
	if (!(mid & KECAT_MID_FRESH))
		m->out_number++;	/* the one before was taken */
	mid &= 3;
	m->out_own = mid < 3 ? mid : 0;
	/* both sides only read @done now */
	if (m->out_own != done)
		memcpy(m->out[m->out_own], m->out[done], m->out_len);
}

/* The inputs of @cycle or later are there: cycles that went by */
static int arrived(struct kecat *k, uint64_t cycle)
{
	uint64_t n = cycle - k->seen;

	kecat_take(k);
	k->seen = cycle;
	return n > INT32_MAX ? INT32_MAX : (int)n;
}

int kecat_wait(struct kecat *k, uint64_t timeout_ns)
{
	struct kecat_wait w = {
		.size = sizeof(w), .cycle = k->seen, .timeout_ns = timeout_ns,
	};
	int ret;

	if (!k->map.shm)
		return -ENOTCONN;
	ret = kecat_call(k, KECAT_IOC_WAIT, &w);
	return ret ? ret : arrived(k, w.cycle);
}

int kecat_exchange(struct kecat *k, uint64_t at_ns)
{
	struct kecat_exchange x = { .size = sizeof(x), .at_ns = at_ns };
	int ret;

	if (!k->map.shm)
		return -ENOTCONN;
	kecat_publish(k);
	ret = kecat_call(k, KECAT_IOC_EXCHANGE, &x);
	return ret ? ret : arrived(k, x.cycle);
}

static void relax(void)
{
#if defined(__x86_64__) || defined(__i386__)
	__builtin_ia32_pause();
#endif
}

int kecat_spin(struct kecat *k, uint64_t timeout_ns)
{
	const struct kecat_shm *shm = k->map.shm;
	uint64_t start = now_ns();
	uint64_t cycle;

	if (!shm)
		return -ENOTCONN;
	for (;;) {
		/* pairs with the kernel's release of the counter behind in_mid */
		cycle = __atomic_load_n(&shm->cycle, __ATOMIC_ACQUIRE);
		if (cycle != k->seen)
			return arrived(k, cycle);
		if (__atomic_load_n(&shm->state, __ATOMIC_RELAXED) != KECAT_PHASE_ACTIVE)
			return -ENOTCONN;
		if (now_ns() - start >= timeout_ns)
			return -ETIMEDOUT;
		relax();
	}
}

const uint8_t *kecat_inputs(const struct kecat *k)
{
	return k->map.shm ? k->map.in[k->map.in_own] + k->map.in_data : NULL;
}

const struct kecat_in_hdr *kecat_info(const struct kecat *k)
{
	return k->map.shm ? (const void *)k->map.in[k->map.in_own] : NULL;
}

uint8_t *kecat_outputs(struct kecat *k)
{
	return k->map.shm ? k->map.out[k->map.out_own] : NULL;
}

size_t kecat_input_len(const struct kecat *k)
{
	return k->map.in_len;
}

size_t kecat_output_len(const struct kecat *k)
{
	return k->map.out_len;
}

uint32_t kecat_slaves_op(const struct kecat *k)
{
	return k->map.shm ?
	       __atomic_load_n(&k->map.shm->slaves_op, __ATOMIC_RELAXED) : 0;
}

bool kecat_live(const struct kecat *k, uint32_t slave)
{
	if (!k->map.shm || slave >= KECAT_MAX_SLAVES)
		return false;
	return __atomic_load_n(&k->map.shm->live[slave / 64], __ATOMIC_RELAXED) >>
	       slave % 64 & 1;
}

uint32_t kecat_set_number(const struct kecat *k)
{
	return k->map.out_number;
}

int kecat_get_snapshot(struct kecat *k, struct kecat_snapshot *s, void *in,
		       uint32_t in_room, void *out, uint32_t out_room)
{
	int ret;

	memset(s, 0, sizeof(*s));
	s->size = sizeof(*s);
	s->in_len = in_room;
	s->out_len = out_room;
	s->in_ptr = (uintptr_t)in;
	s->out_ptr = (uintptr_t)out;
	ret = kecat_call(k, KECAT_IOC_SNAPSHOT, s);
	if (s->in_len > in_room)
		s->in_len = in_room;
	if (s->out_len > out_room)
		s->out_len = out_room;
	return ret;
}
