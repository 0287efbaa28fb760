// SPDX-License-Identifier: GPL-2.0-only
/*
 * A long run with everything going wrong that can: each cycle the process
 * looks at what was published and compares it with what the slaves had, what
 * the wire did to the frames, and who was broken on purpose.
 *
 * KECAT_SEED, KECAT_CYCLES, KECAT_SLAVES
 */
#include <linux/string.h>
#include "../../kmod/cycle_int.h"
#include "../../kmod/plan.h"
#include "bench.h"

#define CYCLE_NS	1000000ULL
#define GROUPS		4
#define VICTIMS		2
/* a group may be invalid this long after something happened to a slave of it */
#define GRACE		400
/* a slave that is well again is back within this */
#define BACK		90000

struct victim {
	u32 pos;
	int what;		/* index in troubles, -1: none */
	u64 changed;		/* cycle of the last change */
	u64 heal_at;
	bool healed;
};

struct soak {
	struct bench *b;
	u64 cycle;		/* newest that the slaves know of */
	u64 first, last;	/* cycles looked at */
	u64 hash;
	u32 n;
	u32 seq;		/* of the outputs */
	struct victim victim[VICTIMS];
	u32 *last_seq;		/* per slave: what its inputs were last */
	u32 *out_seen;
	u8 *group;
	u32 *in_offset;
	u64 group_changed[GROUPS];
	u32 layout;
	u64 group_frames[GROUPS];
	u64 events, heals, slowest;
	u64 valid, invalid;
	u32 *transitions;
	bool *hurt;		/* was a victim at any time */
};

static u32 mix(u32 a, u32 b)
{
	u32 h = a * 0x9e3779b1u ^ b * 0x85ebca6bu;

	return h ^ h >> 15;
}

static void fold(struct soak *s, u64 v)
{
	s->hash = (s->hash ^ v) * 0x100000001b3ULL;
	s->hash ^= s->hash >> 29;
}

/* ---- the slaves' side ---- */

static bool is_node(const struct sim_slave *s)
{
	return s->in.len;
}

static void set_inputs(struct sim_slave *s, u32 pos, u32 cycle)
{
	sim_put32(s->store + s->in.map[0].off, cycle);
	sim_put32(s->store + s->in.map[1].off, mix(pos, cycle));
	sim_image_inputs(s);
}

/* outputs are one set of the application's, never a mixture, never older */
static void check_outputs(struct soak *s, u32 pos)
{
	struct sim_slave *sl = &s->b->v->seg->slave[pos];
	u64 a, c;

	if (!is_node(sl) || s->hurt[pos] || sim_al_state(sl) != KECAT_AL_OP)
		return;
	sim_segment_get_output(s->b->v->seg, pos, 0, &a);
	sim_segment_get_output(s->b->v->seg, pos, 1, &c);
	if (!a)
		return;
	if (c != mix(pos, (u32)a))
		host_fail(__FILE__, __LINE__, "slave %u has torn outputs", pos);
	if ((u32)a < s->out_seen[pos] || (u32)a + 64 < s->seq)
		host_fail(__FILE__, __LINE__, "slave %u has old outputs: %llu after %u, now %u",
			  pos, a, s->out_seen[pos], s->seq);
	s->out_seen[pos] = (u32)a;
}

static bool before(struct vnic *v, struct vnic_frame *f)
{
	struct soak *s = v->ctx;
	u32 i;

	if (!f->cyclic || f->cycle == s->cycle)
		return true;
	s->cycle = f->cycle;
	for (i = 0; i < s->n; i++)
		if (is_node(&v->seg->slave[i]) && v->seg->slave[i].powered)
			set_inputs(&v->seg->slave[i], i, (u32)f->cycle);
	for (i = 0; i < 4; i++)
		check_outputs(s, (u32)((f->cycle * 7 + i * 31) % s->n));
	return true;
}

/* ---- trouble ---- */

struct trouble {
	const char *begin;	/* commands of the segment, about one slave */
	const char *heal;
	u32 min_ms, max_ms;
};

static const struct trouble troubles[] = {
	{ "power off", "power on", 1, 2000 },
	{ "power cycle", NULL, 1, 1 },
	{ "unplug 0", "plug 0", 1, 3000 },
	{ "al error 4 0x001b", NULL, 1, 1 },
	{ "al error 2 0x001d", NULL, 1, 1 },
	{ "mbx silent", "mbx ok", 100, 3000 },
	{ "identity 1 2", "sii restore", 3000, 6000 },
	{ "sii garbage", "sii restore", 3000, 6000 },
	{ "al refuse 8 0x0024", "al ok", 500, 3000 },
};

static void change(struct soak *s, struct victim *t, const char *what)
{
	vnic_fault(s->b->v, "%u %s", t->pos, what);
	t->changed = s->last;
	s->group_changed[s->group[t->pos]] = s->last;
	s->events++;
}

/* what only shows after a restart gets one */
static bool needs_restart(const struct trouble *w)
{
	return !strncmp(w->begin, "identity", 8) || !strncmp(w->begin, "sii", 3) ||
	       !strncmp(w->begin, "al refuse", 9);
}

static void begin_trouble(struct soak *s, struct victim *t)
{
	const struct trouble *w;
	u32 k;

	/* leaves only: every third slave; a healthy one stands behind nobody */
	do {
		t->pos = (u32)(2 + 3 * vnic_rand(s->b->v, (s->n - 1) / 3));
		for (k = 0; k < VICTIMS; k++)
			if (&s->victim[k] != t && s->victim[k].what >= 0 &&
			    s->victim[k].pos == t->pos)
				break;
	} while (k < VICTIMS);
	t->what = (int)vnic_rand(s->b->v, ARRAY_SIZE(troubles));
	t->healed = false;
	w = &troubles[t->what];
	s->hurt[t->pos] = true;
	change(s, t, w->begin);
	if (needs_restart(w))
		change(s, t, "power cycle");
	t->heal_at = s->last + w->min_ms +
		     vnic_rand(s->b->v, w->max_ms - w->min_ms + 1);
}

static void heal(struct soak *s, struct victim *t)
{
	const struct trouble *w = &troubles[t->what];

	if (w->heal)
		change(s, t, w->heal);
	if (needs_restart(w))
		change(s, t, "power cycle");
	t->changed = s->last;
	t->healed = true;
	s->heals++;
}

static bool is_back(struct soak *s, const struct victim *t)
{
	const struct sim_slave *sl = &s->b->v->seg->slave[t->pos];

	return sim_al_state(sl) == KECAT_AL_OP &&
	       s->b->shm->live[t->pos / 64] >> (t->pos % 64) & 1;
}

static void one_victim(struct soak *s, struct victim *t, u64 end)
{
	if (t->what < 0) {
		if (s->last < end && !vnic_rand(s->b->v, 4000))
			begin_trouble(s, t);
		return;
	}
	if (!t->healed) {
		if (s->last >= t->heal_at)
			heal(s, t);
		return;
	}
	/* look now and then, and not before it can have left OP */
	if (s->last < t->changed + 200 || s->last % 16)
		return;
	if (is_back(s, t)) {
		s->slowest = max(s->slowest, s->last - t->changed);
		s->group_changed[s->group[t->pos]] = s->last;
		t->what = -1;
	} else if (s->last > t->changed + BACK) {
		host_fail(__FILE__, __LINE__, "slave %u did not come back after '%s'",
			  t->pos, troubles[t->what].begin);
		t->what = -1;
	}
}

/* ---- the process' side ---- */

static void check_group(struct soak *s, const struct kecat_in_hdr *h, u32 g,
			const u8 *data)
{
	bool valid = h->groups_valid >> g & 1;
	u32 i;

	for (i = 0; i < s->n; i++) {
		u32 a, c;

		if (s->group[i] != g || !is_node(&s->b->v->seg->slave[i]))
			continue;
		a = sim_get32(data + s->in_offset[i]);
		c = sim_get32(data + s->in_offset[i] + 4);
		/* a slave that takes no part keeps what it had */
		if (!valid || !(s->b->shm->live[i / 64] >> (i % 64) & 1)) {
			if (a != s->last_seq[i])
				host_fail(__FILE__, __LINE__, "cycle %llu: inputs of slave %u changed to those of %u without being valid",
					  h->cycle, i, a);
		} else if (a != (u32)h->cycle) {
			host_fail(__FILE__, __LINE__, "cycle %llu: inputs of slave %u are of cycle %u",
				  h->cycle, i, a);
		}
		if (a && c != mix(i, a))
			host_fail(__FILE__, __LINE__, "cycle %llu: inputs of slave %u are torn",
				  h->cycle, i);
		s->last_seq[i] = a;
	}
}

static void show_victims(struct soak *s)
{
	u32 k;

	for (k = 0; k < VICTIMS; k++) {
		const struct victim *t = &s->victim[k];
		const struct kecat_slave_info *i;

		if (t->what < 0)
			continue;
		i = bench_info(s->b, t->pos);
		printf("# victim %u group %u: %s%s, changed in cycle %llu; flags %x state %x target %x problem %u; in the device %x, live %u\n",
		       t->pos, s->group[t->pos], troubles[t->what].begin,
		       t->healed ? ", healed" : "", t->changed, i->flags,
		       i->al_state, i->al_target, i->problem,
		       sim_al_state(&s->b->v->seg->slave[t->pos]),
		       (u32)(s->b->shm->live[t->pos / 64] >> (t->pos % 64) & 1));
	}
}

/* which frames a group needs, now that others take part */
static void follow_layout(struct soak *s)
{
	const struct kecat_plan_layout *l = s->b->m->cycle->lay;
	u32 i;

	if (l->gen == s->layout)
		return;
	s->layout = l->gen;
	memset(s->group_frames, 0, sizeof(s->group_frames));
	for (i = 0; i < l->ndgrams; i++)
		if (l->dgram[i].group < GROUPS)
			s->group_frames[l->dgram[i].group] |= 1ULL << l->dgram[i].frame;
}

/* valid if nothing happened, invalid if a frame of it did not come back */
static void check_valid(struct soak *s, const struct kecat_in_hdr *h, u32 g)
{
	bool valid = h->groups_valid >> g & 1;
	bool missing = vnic_disturbed(s->b->v, h->cycle) & s->group_frames[g];

	if (valid)
		s->valid++;
	else
		s->invalid++;
	if (valid && missing)
		host_fail(__FILE__, __LINE__, "cycle %llu: group %u is valid without all its frames",
			  h->cycle, g);
	if (!valid && !missing && h->cycle > s->group_changed[g] + GRACE)
		host_fail(__FILE__, __LINE__, "cycle %llu: group %u is invalid for no reason: %u of %u",
			  h->cycle, g, h->wkc[g], h->wkc_expected[g]);
	if (!valid && host_failed) {
		show_victims(s);
		host_dump_tasks();
	}
	if (valid && h->wkc[g] != h->wkc_expected[g])
		host_fail(__FILE__, __LINE__, "cycle %llu: group %u valid with counter %u of %u",
			  h->cycle, g, h->wkc[g], h->wkc_expected[g]);
}

static void write_outputs(struct soak *s)
{
	u8 *out = bench_outputs(s->b);
	u32 i, at = 0;

	s->seq++;
	for (i = 0; i < s->n; i++) {
		if (!is_node(&s->b->v->seg->slave[i]))
			continue;
		sim_put32(out + at, s->seq);
		sim_put32(out + at + 4, mix(i, s->seq));
		at += 8;
	}
	bench_publish(s->b);
}

static bool one_cycle(struct soak *s)
{
	const struct kecat_in_hdr *h;
	const u8 *data;
	u32 g;
	int err = bench_wait(s->b, 100 * CYCLE_NS);

	if (err) {
		host_fail(__FILE__, __LINE__, "wait: %d", err);
		return false;
	}
	h = bench_inputs(s->b);
	data = (const u8 *)h + s->b->shm->in_data;
	if (h->cycle != s->last + 1)
		host_fail(__FILE__, __LINE__, "cycle %llu follows %llu", h->cycle,
			  s->last);
	s->last = h->cycle;
	follow_layout(s);
	for (g = 0; g < GROUPS; g++) {
		check_valid(s, h, g);
		check_group(s, h, g, data);
		fold(s, (u64)h->wkc[g] << 32 | h->wkc_expected[g]);
	}
	fold(s, h->groups_valid);
	fold(s, h->tick_ns);
	fold(s, h->received_ns);
	write_outputs(s);
	return true;
}

/* ---- before and after ---- */

/* a trunk of couplers, a branch of two nodes at each; the second is a leaf */
static char *segment_text(u32 slaves)
{
	char *t = malloc(slaves * 48);
	u32 i, at = 0;

	for (i = 0; i < slaves; i++) {
		if (i % 3 == 0 && i)
			at += sprintf(t + at, "slave coupler at %u.2\n", i - 3);
		else if (i % 3 == 0)
			at += sprintf(t + at, "slave coupler\n");
		else
			at += sprintf(t + at, "slave node at %u.1\n", i - 1);
	}
	return t;
}

static void find_layout(struct soak *s)
{
	const struct kecat_cfg *cfg = s->b->m->cfg;
	u32 i;

	for (i = 0; i < s->n; i++) {
		s->group[i] = (u8)cfg->slave[i].c.group;
		s->in_offset[i] = cfg->slave[i].in_offset;
	}
}

static void soak_begin(struct soak *s, u32 slaves)
{
	char *text = segment_text(slaves);
	u32 i;

	memset(s, 0, sizeof(*s));
	s->n = slaves;
	s->last_seq = calloc(slaves, sizeof(u32));
	s->out_seen = calloc(slaves, sizeof(u32));
	s->in_offset = calloc(slaves, sizeof(u32));
	s->transitions = calloc(slaves, sizeof(u32));
	s->group = calloc(slaves, 1);
	s->hurt = calloc(slaves, sizeof(bool));
	for (i = 0; i < VICTIMS; i++)
		s->victim[i].what = -1;
	s->b = bench_new(NULL, text);
	free(text);
	REQUIRE(bench_wait_scanned(s->b, slaves, 20000));
	REQUIRE(!bench_configure(s->b, CYCLE_NS, GROUPS, 0));
	REQUIRE(!bench_activate(s->b));
	REQUIRE(bench_wait_state(s->b, KECAT_AL_OP, slaves, 20000));
	find_layout(s);
	for (i = 0; i < slaves; i++)
		s->transitions[i] = bench_info(s->b, i)->transitions;
	s->last = s->b->seen;
	s->b->v->ctx = s;
	s->b->v->before = before;
	/* let the first inputs through before they are looked at */
	for (i = 0; i < 3; i++)
		CHECK_EQ(bench_cycle(s->b), 0);
	s->last = s->b->seen;
	memset(s->last_seq, 0, slaves * sizeof(u32));
	for (i = 0; i < slaves; i++)
		if (is_node(&s->b->v->seg->slave[i]))
			s->last_seq[i] = (u32)s->last;
	s->first = s->last;
}

static void soak_end(struct soak *s)
{
	bench_free(s->b);
	free(s->last_seq);
	free(s->out_seen);
	free(s->in_offset);
	free(s->transitions);
	free(s->group);
	free(s->hurt);
}

/* who was never touched never left OP */
static void check_healthy(struct soak *s)
{
	u32 i;

	for (i = 0; i < s->n; i++) {
		const struct kecat_slave_info *info = bench_info(s->b, i);

		if (s->hurt[i])
			continue;
		CHECK_EQ(info->al_state, KECAT_AL_OP);
		if (info->transitions != s->transitions[i])
			host_fail(__FILE__, __LINE__, "slave %u left OP, though nothing happened to it",
				  i);
	}
}

/* every frame is accounted for, by us and by the wire alike */
static void check_counters(struct soak *s)
{
	const struct vnic_count *w = &s->b->v->count;
	const struct kecat_status *st;
	u64 sent, lost, before;

	s->b->v->hold_faults = true;
	bench_deactivate(s->b);
	REQUIRE(bench_wait_state(s->b, KECAT_AL_PREOP, s->n, 20000));
	/* whatever is late or lost, then a moment between two looks at the bus */
	host_sleep(500 * 1000000ULL);
	/* both sides' counters in one look: nothing on its way, before and after */
	do {
		while (vnic_in_flight(s->b->v) || s->b->m->cycle->flight.oldest !=
		       s->b->m->cycle->flight.next)
			host_sleep(10000);
		before = w->sent;
		st = bench_status(s->b);
	} while (w->sent != before || vnic_in_flight(s->b->v));
	sent = st->frames_sent;
	lost = st->frames_lost;
	CHECK_EQ(sent, w->sent);
	CHECK_EQ(lost, w->lost);
	CHECK_EQ(st->frames_received, sent - lost);
	CHECK_EQ(st->frames_late, w->late_cyclic);
	CHECK_EQ(st->frames_foreign, w->foreign + w->twice + w->header);
	CHECK_EQ(st->nic_rx_errors, w->fcs);
	CHECK_EQ(st->overruns, 0);
	printf("# sent %llu lost %llu late %llu foreign %llu; groups valid %llu invalid %llu\n",
	       sent, lost, st->frames_late, st->frames_foreign, s->valid, s->invalid);
}

static bool all_quiet(const struct soak *s)
{
	u32 i;

	for (i = 0; i < VICTIMS; i++)
		if (s->victim[i].what >= 0)
			return false;
	return true;
}

struct result {
	u64 hash, at_mark, faults;
};

/* @mark: also the hash at that many cycles */
static void soak(u64 cycles, u64 mark, u32 slaves, struct result *r)
{
	struct soak s;
	u64 i = 0, end;
	u32 k;

	host_params.relax_ns = 1000;
	soak_begin(&s, slaves);
	s.b->v->tick_every_ns = CYCLE_NS / 2;
	s.b->v->faults = (struct vnic_faults) {
		.lose = 3000, .late = 1500, .twice = 1000, .header = 1000,
		.fcs = 1000, .reorder = 3000, .foreign = 2000,
	};
	end = s.first + cycles;
	while (s.last < end || !all_quiet(&s)) {
		if (!one_cycle(&s) || host_failed)
			break;
		for (k = 0; k < VICTIMS; k++)
			one_victim(&s, &s.victim[k], end);
		if (++i == mark)
			r->at_mark = s.hash;
		if (i == cycles)
			r->hash = s.hash;
	}
	r->faults = s.b->v->count.faults + s.events;
	if (!host_failed) {
		check_healthy(&s);
		check_counters(&s);
	}
	printf("# %llu changes of slaves, slowest return after %llu cycles\n",
	       s.events, s.slowest);
	soak_end(&s);
}

static u64 cycles_wanted(void)
{
	return tap_number("KECAT_CYCLES", 1000000);
}

#define MARK	3000

TEST(same_seed_same_hash)
{
	u32 slaves = (u32)tap_number("KECAT_SLAVES", 100);
	struct result *r = os_shared(3 * sizeof(*r));
	u64 cycles = cycles_wanted();
	int i;

	for (i = 0; i < 3; i++) {
		int pid = os_fork();

		if (!pid) {
			/* the third goes the whole way and passes the same mark */
			soak(i < 2 ? MARK : cycles, MARK, slaves, &r[i]);
			fflush(NULL);
			_exit(host_failed);
		}
		CHECK_EQ(os_wait(pid), 0);
	}
	CHECK(r[0].hash);
	CHECK_EQ(r[0].hash, r[1].hash);
	CHECK_EQ(r[0].hash, r[2].at_mark);
	printf("soak: seed=%llu cycles=%llu slaves=%u faults=%llu hash=%016llx\n",
	       tap_seed(), cycles, slaves, r[2].faults, r[2].hash);
}
