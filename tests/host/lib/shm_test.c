// SPDX-License-Identifier: GPL-2.0-only
/*
 * The process image between two threads: one is the kernel's cyclic thread, one
 * the application with libkecat.  Nobody may ever see half a set, an older set
 * after a newer one, or inputs that say they answer other outputs.
 */
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "../../../userspace/lib/priv.h"
#include "check.h"

#define WORDS	96
#define PAGE	4096u
#define SIZE	(7 * PAGE)
#define RING	(1 << 20)

#ifndef ROUNDS
#define ROUNDS	200000
#endif

static uint8_t *mem;
static struct kecat k = { .fd = -1 };
static atomic_bool done;
static atomic_uint torn_out, old_out, out_sets;
static uint64_t sent[RING];	/* value of each set, by its number */

static struct kecat_shm *shm(void)
{
	return (struct kecat_shm *)mem;
}

static void make_image(void)
{
	struct kecat_shm *s;

	mem = aligned_alloc(PAGE, SIZE);
	memset(mem, 0, SIZE);
	s = shm();
	s->magic = KECAT_SHM_MAGIC;
	s->version = KECAT_SHM_VERSION;
	s->size = SIZE;
	s->in_len = s->out_len = WORDS * 8;
	s->in_data = sizeof(struct kecat_in_hdr);
	for (int i = 0; i < 3; i++) {
		s->in_off[i] = (1 + i) * PAGE;
		s->out_off[i] = (4 + i) * PAGE;
	}
	s->in_mid = 1;
	s->out_mid = 1;
	s->state = KECAT_PHASE_ACTIVE;
}

/* All words equal: that word; else counts it as torn */
static uint64_t whole(const uint64_t *set, atomic_uint *torn)
{
	for (int i = 1; i < WORDS; i++)
		if (set[i] != set[0])
			atomic_fetch_add(torn, 1);
	return set[0];
}

static void *kernel(void *arg)
{
	uint32_t in_own = 0, out_own = 0, taken = 0;
	uint64_t last = 0, cycle = 0;

	while (!atomic_load(&done)) {
		struct kecat_in_hdr *h = (void *)(mem + shm()->in_off[in_own]);
		uint64_t *data = (uint64_t *)(h + 1), value;

		if (__atomic_load_n(&shm()->out_mid, __ATOMIC_RELAXED) & KECAT_MID_FRESH) {
			out_own = __atomic_exchange_n(&shm()->out_mid, out_own, __ATOMIC_ACQ_REL) & 3;
			taken++;
		}
		value = whole((uint64_t *)(mem + shm()->out_off[out_own]), &torn_out);
		if (value < last)
			atomic_fetch_add(&old_out, 1);
		last = value;
		h->cycle = ++cycle;
		h->out_cycle = taken;
		for (int i = 0; i < WORDS; i++)
			data[i] = value << 32 | (uint32_t)cycle;
		in_own = __atomic_exchange_n(&shm()->in_mid, in_own | KECAT_MID_FRESH,
					     __ATOMIC_ACQ_REL) & 3;
		__atomic_store_n(&shm()->cycle, cycle, __ATOMIC_RELEASE);
		if (cycle % 64 == 0)
			sched_yield();
	}
	atomic_store(&out_sets, taken);
	return arg;
}

static void exchange_is_whole_and_in_order(void)
{
	atomic_uint torn_in = 0;
	uint32_t wrong_answer = 0, old_in = 0, kept = 0, silent = 0;
	uint64_t last = 0;
	pthread_t thread;

	make_image();
	CHECK(kecat_map_init(&k.map, mem, SIZE) == 0);
	CHECK(pthread_create(&thread, NULL, kernel, NULL) == 0);
	for (uint64_t i = 1; i <= ROUNDS; i++) {
		uint64_t *out, value;

		/* a second is no measure here, only the end of a hang */
		if (kecat_spin(&k, 10000000000ull) < 1)
			silent++;
		value = whole((const uint64_t *)kecat_inputs(&k), &torn_in);
		old_in += (uint32_t)value < last;
		last = (uint32_t)value;
		wrong_answer += value >> 32 != sent[kecat_info(&k)->out_cycle % RING];
		out = (uint64_t *)kecat_outputs(&k);
		kept += out[0] == i - 1 && out[WORDS - 1] == i - 1;
		for (int w = 0; w < WORDS; w++)
			out[w] = i;
		/* a set that was not taken is replaced under the same number */
		kecat_publish(&k);
		sent[kecat_set_number(&k) % RING] = i;
		if (i % 1000 == 0)
			sched_yield();
	}
	atomic_store(&done, true);
	pthread_join(thread, NULL);
	CHECK(!silent);
	CHECK(!torn_in && !torn_out);
	CHECK(!old_in && !old_out);
	CHECK(!wrong_answer);
	CHECK(kept == ROUNDS);
	CHECK(kecat_set_number(&k) - out_sets <= 1 && out_sets > 0);
	printf("# %u of %u sets taken\n", out_sets, ROUNDS);
	free(mem);
	k.map.shm = NULL;
}

static void mapping_that_lies_is_refused(void)
{
	struct kecat_map m = { 0 };

	make_image();
	CHECK(kecat_map_init(&m, mem, SIZE) == 0);
#define LIE(field, value) do {						\
	make_image();							\
	shm()->field = (value);						\
	CHECK(kecat_map_init(&m, mem, SIZE) == -EPROTO);		\
	free(mem);							\
} while (0)
	free(mem);
	LIE(magic, 0);
	LIE(version, KECAT_SHM_VERSION + 1);
	LIE(size, SIZE + 1);
	LIE(in_len, KECAT_MAX_IMAGE + 1);
	LIE(out_len, 0xffffffff);
	LIE(in_data, 8);
	LIE(in_data, 0xffffff00);
	LIE(in_off[0], 0);
	LIE(in_off[2], 0xfffffff8);
	LIE(out_off[1], SIZE - 8);
	LIE(out_off[0], 2 * PAGE + 1);
	make_image();
	CHECK(kecat_map_init(&m, mem, sizeof(struct kecat_shm) - 1) == -EPROTO);
	free(mem);
}

/* Whatever stands in the exchange words, the buffers stay inside the mapping */
static void wild_indices_stay_inside(void)
{
	make_image();
	CHECK(kecat_map_init(&k.map, mem, SIZE) == 0);
	for (uint32_t i = 0; i < 4096; i++) {
		shm()->in_mid = i * 0x9e3779b1u | KECAT_MID_FRESH;
		shm()->out_mid = i * 0x85ebca6bu;
		kecat_take(&k);
		kecat_publish(&k);
		CHECK(kecat_inputs(&k) >= mem && kecat_inputs(&k) + kecat_input_len(&k) <= mem + SIZE);
		CHECK(kecat_outputs(&k) >= mem && kecat_outputs(&k) + kecat_output_len(&k) <= mem + SIZE);
	}
	shm()->state = KECAT_PHASE_IDLE;
	k.seen = shm()->cycle;
	CHECK(kecat_spin(&k, ~0ull) == -ENOTCONN);
	shm()->state = KECAT_PHASE_ACTIVE;
	CHECK(kecat_spin(&k, 1000) == -ETIMEDOUT);
	free(mem);
	k.map.shm = NULL;
}

int main(void)
{
	RUN(exchange_is_whole_and_in_order);
	RUN(mapping_that_lies_is_refused);
	RUN(wild_indices_stay_inside);
	return DONE();
}
