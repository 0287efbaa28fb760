// SPDX-License-Identifier: GPL-2.0-only
/*
 * The kernel's ring buffer, as trace_pipe_raw gives it out: pages of records whose
 * fields are where the format of the event says.  Nothing in here is believed
 * before it was compared with the length of what holds it.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "record.h"

#define MAX_EVENT_TYPES	64
#define TYPE_PADDING	29
#define TYPE_EXTEND	30
#define TYPE_STAMP	31
#define LOST		(1u << 31)
#define COMMIT_MASK	0x07ffffffu

#define VECTOR(name)	"irq_vectors/" name "_entry", "irq_vectors/" name "_exit"
const char *const ev_names[] = {
	"irq/irq_handler_entry", "irq/irq_handler_exit", "irq/softirq_entry",
	"irq/softirq_exit", "sched/sched_switch", "timer/hrtimer_expire_entry",
	"timer/hrtimer_expire_exit", "nmi/nmi_handler",
	VECTOR("local_timer"), VECTOR("reschedule"), VECTOR("call_function"),
	VECTOR("call_function_single"), VECTOR("irq_work"), VECTOR("error_apic"),
	VECTOR("spurious_apic"), VECTOR("thermal_apic"), VECTOR("threshold_apic"),
	VECTOR("deferred_error_apic"), VECTOR("x86_platform_ipi"),
	NULL
};

const char *const ev_path_names[] = {
	"irq/irq_handler_entry", "irq/irq_handler_exit", "irq/softirq_raise",
	"irq/softirq_entry", "irq/softirq_exit", "sched/sched_waking",
	"sched/sched_switch", "net/net_dev_queue", "net/net_dev_start_xmit",
	"net/net_dev_xmit", "net/netif_receive_skb",
	NULL
};

struct field {
	uint32_t at;
	uint32_t size;	/* 0: there is none */
	bool loc;	/* offset and length of the text */
};

struct type {
	uint32_t id;
	uint8_t kind;
	char vector[24];
	struct field num, by, text, pid, prev_pid, prev_text, ptr;
};

struct reader {
	struct evs *e;
	struct type type[MAX_EVENT_TYPES];
	uint32_t types;
	uint32_t commit_at, data_at;
};

/* ---- formats ---- */

static uint32_t number_after(const char *line, const char *key)
{
	const char *p = strstr(line, key);

	return p ? (uint32_t)strtoul(p + strlen(key), NULL, 10) : UINT32_MAX;
}

/* "	field:char prev_comm[16];	offset:8;	size:16;	signed:0;" */
static void find_field(const char *text, const char *name, struct field *f)
{
	size_t len = strlen(name);

	for (const char *p = text; (p = strstr(p, "field:")); p++) {
		const char *end = strchr(p, ';'), *word;
		char line[160];

		if (!end)
			return;
		word = end;
		if (word[-1] == ']')
			while (word > p && *word != '[')
				word--;
		if ((size_t)(word - p) <= len || strncmp(word - len, name, len) ||
		    (word[-(long)len - 1] != ' ' && word[-(long)len - 1] != '*'))
			continue;
		snprintf(line, sizeof(line), "%s", end);
		f->at = number_after(line, "offset:");
		f->size = number_after(line, "size:");
		f->loc = !strncmp(p, "field:__data_loc", 16);
		if (f->at > 4096 || f->size > 4096)
			f->size = 0;
		return;
	}
}

static bool kind_of(const char *name, uint8_t *kind)
{
	static const struct { const char *name; uint8_t kind; } plain[] = {
		{ "irq/irq_handler_entry", EV_IRQ_IN }, { "irq/irq_handler_exit", EV_IRQ_OUT },
		{ "irq/softirq_entry", EV_SOFTIRQ_IN }, { "irq/softirq_exit", EV_SOFTIRQ_OUT },
		{ "sched/sched_switch", EV_SWITCH }, { "timer/hrtimer_expire_entry", EV_TIMER_IN },
		{ "timer/hrtimer_expire_exit", EV_TIMER_OUT }, { "nmi/nmi_handler", EV_NMI },
		{ "irq/softirq_raise", EV_RAISE }, { "sched/sched_waking", EV_WAKING },
		{ "net/net_dev_queue", EV_QUEUE }, { "net/net_dev_start_xmit", EV_XMIT },
		{ "net/net_dev_xmit", EV_SENT }, { "net/netif_receive_skb", EV_RECEIVE },
	};
	const char *end = strrchr(name, '_');

	for (size_t i = 0; i < sizeof(plain) / sizeof(*plain); i++)
		if (!strcmp(name, plain[i].name)) {
			*kind = plain[i].kind;
			return true;
		}
	if (strncmp(name, "irq_vectors/", 12) || !end)
		return false;
	*kind = strcmp(end, "_entry") ? EV_VECTOR_OUT : EV_VECTOR_IN;
	return true;
}

static const char *number_field(uint8_t kind)
{
	switch (kind) {
	case EV_SOFTIRQ_IN:
	case EV_SOFTIRQ_OUT:
	case EV_RAISE:
		return "vec";
	case EV_WAKING:
		return "pid";
	}
	return "irq";
}

static void learn_format(struct reader *r, char *text)
{
	struct type *t = &r->type[r->types];
	char *body = strchr(text, '\n');
	uint32_t id;

	if (!body || r->types == MAX_EVENT_TYPES)
		return;
	*body++ = '\0';
	id = number_after(body, "ID: ");
	memset(t, 0, sizeof(*t));
	if (id > UINT16_MAX || !kind_of(text, &t->kind))
		return;
	t->id = id;
	if (t->kind == EV_VECTOR_IN || t->kind == EV_VECTOR_OUT)
		snprintf(t->vector, sizeof(t->vector), "%.*s",
			 (int)(strrchr(text, '_') - text - 12), text + 12);
	find_field(body, number_field(t->kind), &t->num);
	find_field(body, "common_pid", &t->by);
	find_field(body, t->kind == EV_SWITCH ? "next_comm" : "name", &t->text);
	find_field(body, "next_pid", &t->pid);
	find_field(body, "prev_pid", &t->prev_pid);
	find_field(body, "prev_comm", &t->prev_text);
	find_field(body, t->kind == EV_NMI ? "delta_ns" : "function", &t->ptr);
	r->types++;
}

static void learn_page(struct reader *r, const char *text)
{
	struct field commit = { 0 }, data = { 0 };

	find_field(text, "commit", &commit);
	find_field(text, "data", &data);
	if (commit.size >= 4 && data.size && data.at >= commit.at + commit.size) {
		r->commit_at = commit.at;
		r->data_at = data.at;
	}
}

/* ---- records ---- */

static uint32_t get32(const uint8_t *p)
{
	uint32_t v;

	memcpy(&v, p, sizeof(v));
	return v;
}

static uint64_t get_number(const struct field *f, const uint8_t *p, uint32_t len)
{
	uint64_t v = 0;

	if (f->size != 4 && f->size != 8 && f->size != 2)
		return 0;
	if (f->at > len || len - f->at < f->size)
		return 0;
	memcpy(&v, p + f->at, f->size);	/* the kernel's byte order is ours */
	return v;
}

static void get_text(const struct field *f, const uint8_t *p, uint32_t len,
		     char *to, size_t room)
{
	uint32_t at = f->at, size = f->size;

	to[0] = '\0';
	if (f->loc) {
		uint32_t where = (uint32_t)get_number(&(struct field){ f->at, 4, false }, p, len);

		at = where & 0xffff;
		size = where >> 16;
	}
	if (at >= len || !size)
		return;
	if (size > len - at)
		size = len - at;
	snprintf(to, room, "%.*s", (int)size, (const char *)p + at);
}

static struct ev *new_event(struct evs *e)
{
	if (e->n == e->room) {
		size_t room = 2 * e->room + 1024;
		struct ev *more = realloc(e->ev, room * sizeof(*more));

		if (!more)
			return NULL;
		e->ev = more;
		e->room = room;
	}
	memset(&e->ev[e->n], 0, sizeof(*e->ev));
	return &e->ev[e->n++];
}

static int add_record(struct reader *r, uint16_t cpu, uint64_t ns,
		      const uint8_t *p, uint32_t len)
{
	const struct type *t = NULL;
	uint16_t id;
	struct ev *ev;

	if (len < 8)
		return 0;
	memcpy(&id, p, sizeof(id));
	for (uint32_t i = 0; i < r->types && !t; i++)
		if (r->type[i].id == id)
			t = &r->type[i];
	if (!t)
		return 0;
	ev = new_event(r->e);
	if (!ev)
		return -ENOMEM;
	ev->ns = ns;
	ev->kind = t->kind;
	ev->cpu = cpu;
	ev->num = (int32_t)get_number(t->kind == EV_SWITCH ? &t->pid : &t->num, p, len);
	ev->by = (int32_t)get_number(&t->by, p, len);
	ev->before = (int32_t)get_number(&t->prev_pid, p, len);
	ev->ptr = get_number(&t->ptr, p, len);
	if (t->kind == EV_NMI && ev->ptr > ns)
		ev->ptr = 0;
	if (t->vector[0])
		memcpy(ev->name, t->vector, sizeof(ev->name));
	else
		get_text(&t->text, p, len, ev->name, sizeof(ev->name));
	get_text(&t->prev_text, p, len, ev->from, sizeof(ev->from));
	return 0;
}

static int add_lost(struct reader *r, uint16_t cpu, uint64_t ns)
{
	struct ev *ev = new_event(r->e);

	if (!ev)
		return -ENOMEM;
	ev->ns = ns;
	ev->cpu = cpu;
	ev->kind = EV_LOST;
	return 0;
}

static int read_page(struct reader *r, uint16_t cpu, const uint8_t *page, uint32_t len)
{
	uint32_t commit, at;
	uint64_t ns;

	if (len < r->data_at || len < 8 || r->commit_at + 4 > len)
		return 0;
	memcpy(&ns, page, sizeof(ns));
	commit = get32(page + r->commit_at);
	if ((commit & LOST) && add_lost(r, cpu, ns))
		return -ENOMEM;
	commit &= COMMIT_MASK;
	page += r->data_at;
	len -= r->data_at;
	if (commit > len)
		commit = len;
	for (at = 0; commit - at >= 4;) {
		uint32_t head = get32(page + at), type = head & 31, size;
		uint64_t delta = head >> 5;

		at += 4;
		if (type == TYPE_EXTEND || type == TYPE_STAMP || type == TYPE_PADDING || !type) {
			if (commit - at < 4 || (type == TYPE_PADDING && !delta))
				return 0;
			size = get32(page + at);
		} else {
			size = 4 * type;
		}
		switch (type) {
		case TYPE_PADDING:
			ns += delta;
			if (size > commit - at)
				return 0;
			at += size;
			continue;
		case TYPE_EXTEND:
			ns += ((uint64_t)size << 27) + delta;
			at += 4;
			continue;
		case TYPE_STAMP:
			/* the five bits above are those of the time before */
			ns = (ns & (31ull << 59)) | (((uint64_t)size << 27) + delta);
			at += 4;
			continue;
		case 0:
			if (size < 4)
				return 0;
			at += 4;
			size -= 4;
		}
		ns += delta;
		if (size > commit - at)
			return 0;
		if (add_record(r, cpu, ns, page + at, size))
			return -ENOMEM;
		size = (size + 3) & ~3u;
		at += size > commit - at ? commit - at : size;
	}
	return 0;
}

/* a chunk's text with an end */
static char *text_of(const struct chunk *c, const uint8_t *data)
{
	char *text = malloc((size_t)c->len + 1);

	if (text) {
		memcpy(text, data, c->len);
		text[c->len] = '\0';
	}
	return text;
}

static int learn(struct reader *r, const struct chunk *c, const uint8_t *data)
{
	char *text = text_of(c, data);

	if (!text)
		return -ENOMEM;
	if (c->type == BLOB_FORMAT)
		learn_format(r, text);
	else
		learn_page(r, text);
	free(text);
	return 0;
}

int evs_read(const struct blob *b, struct evs *e)
{
	struct reader *r = calloc(1, sizeof(*r));
	const struct chunk *c;
	const uint8_t *data;
	size_t at = 0;
	int ret = r ? 0 : -ENOMEM;

	memset(e, 0, sizeof(*e));
	if (!r)
		return ret;
	r->e = e;
	r->commit_at = 8;
	r->data_at = 16;
	while (!ret && (c = blob_next(b, &at, &data))) {
		if (c->type == BLOB_FORMAT || c->type == BLOB_PAGE_FORMAT)
			ret = learn(r, c, data);
		else if (c->type == BLOB_PAGE)
			ret = read_page(r, (uint16_t)c->arg, data, c->len);
	}
	free(r);
	if (ret) {
		free(e->ev);
		memset(e, 0, sizeof(*e));
	}
	return ret;
}
