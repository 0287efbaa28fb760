// SPDX-License-Identifier: GPL-2.0-only
/*
 * The way of a frame, from events that are made up: of kernels with and without
 * threads of interrupts, with threaded NAPI, with parts missing, and at random.
 *
 * usage: path_test ROUNDS    random and damaged streams
 */
#include <stdlib.h>
#include <string.h>

#include "../../userspace/tool/compare/path.h"

#define ME	77
#define IRQ_THREAD 55
#define NAPI	66
#define FROM	1000000ull
#define TO	1100000ull
#define NET_RX	3
#define EVENTS	64

static int n, bad;

static void check(const char *name, bool good)
{
	printf("%sok %d - %s\n", good ? "" : "not ", ++n, name);
	bad |= !good;
}

/* ---- a round ---- */

static struct ev ev[EVENTS];
static struct evs evs = { .ev = ev };

/* @us behind FROM */
static void add(unsigned int us, uint8_t kind, uint16_t cpu, int32_t num, int32_t by,
		const char *name)
{
	struct ev *e = &ev[evs.n++];

	*e = (struct ev){ .ns = FROM + us * 1000ull, .kind = kind, .cpu = cpu, .num = num, .by = by };
	snprintf(e->name, sizeof(e->name), "%s", name);
}

static void begin(void)
{
	evs.n = 0;
	/* another interface's, another process's, and what was before */
	add(0, EV_QUEUE, 0, 0, ME, "eth9");
	add(0, EV_RECEIVE, 1, 0, 0, "eth9");
}

static void send_frame(unsigned int us)
{
	add(us, EV_QUEUE, 0, 0, ME, "eth0");
	add(us + 1, EV_XMIT, 0, 0, ME, "eth0");
	add(us + 4, EV_SENT, 0, 0, ME, "eth0");
}

/* the program sleeps, is woken from @cpu, and runs */
static void wake(unsigned int us, uint16_t cpu, int32_t by)
{
	add(us, EV_RECEIVE, cpu, 0, by, "eth0");
	add(us + 2, EV_WAKING, cpu, ME, by, "");
	add(us + 5, EV_SWITCH, 0, ME, 0, "me");
}

static struct path find(void)
{
	struct stream s;
	struct path p;

	if (stream_make(&s, &evs))
		abort();
	path_find(&s, FROM, TO, ME, "eth0", &p);
	stream_free(&s);
	return p;
}

static bool adds_up(const struct path *p)
{
	uint64_t sum = p->open_ns;

	for (uint32_t i = 0; i < p->pieces; i++)
		sum += p->piece[i].ns;
	return p->pieces <= PATH_PIECES && sum == p->to - p->from;
}

/* piece @i begins with @name and took @us; the last one @i -1 */
static bool is(const struct path *p, int i, const char *name, unsigned int us)
{
	uint32_t k = i < 0 ? p->pieces - (uint32_t)-i : (uint32_t)i;

	if (k < p->pieces && !strncmp(p->piece[k].name, name, strlen(name)) &&
	    p->piece[k].ns == us * 1000ull)
		return true;
	printf("# piece %d is not '%s' of %u us\n", i, name, us);
	for (k = 0; k < p->pieces; k++)
		printf("#   %s %llu\n", p->piece[k].name, (unsigned long long)p->piece[k].ns);
	printf("#   open %llu\n", (unsigned long long)p->open_ns);
	return false;
}

/* ---- ways ---- */

/* the handler raises NAPI, which runs when it returns */
static void softirq(void)
{
	struct path p;

	begin();
	send_frame(10);
	add(20, EV_SWITCH, 0, 0, ME, "idle");
	add(40, EV_IRQ_IN, 1, 17, 0, "eth0");
	add(42, EV_RAISE, 1, NET_RX, 0, "");
	add(43, EV_IRQ_OUT, 1, 17, 0, "");
	add(45, EV_SOFTIRQ_IN, 1, NET_RX, 0, "");
	wake(50, 1, 0);
	add(60, EV_SOFTIRQ_OUT, 1, NET_RX, 0, "");
	p = find();
	check("softirq: all is explained", !p.open_ns && adds_up(&p) && p.pieces == 10);
	check("softirq: pieces", is(&p, 0, "send()", 10) && is(&p, 1, "queueing", 1) && is(&p, 2, "driver sends", 3) &&
	      is(&p, 3, "wire", 26) && is(&p, 4, "interrupt handler", 2) && is(&p, 5, "until NAPI", 3) &&
	      is(&p, 6, "NAPI", 5) && is(&p, 7, "stack", 2) && is(&p, 8, "scheduling", 3) && is(&p, 9, "recv() returns", 45));
}

static void irq_thread(unsigned int sent)
{
	begin();
	send_frame(sent);
	add(30, EV_IRQ_IN, 0, 17, 0, "eth0");
	add(31, EV_IRQ_OUT, 0, 17, 0, "");
	add(32, EV_WAKING, 0, IRQ_THREAD, 0, "");
	add(36, EV_SWITCH, 0, IRQ_THREAD, 0, "irq/17-eth0");
	add(38, EV_RAISE, 0, NET_RX, IRQ_THREAD, "");
	add(39, EV_SOFTIRQ_IN, 0, NET_RX, IRQ_THREAD, "");
	wake(50, 0, IRQ_THREAD);
}

static void threads(void)
{
	struct path p;

	irq_thread(10);
	p = find();
	check("thread of the interrupt: all is explained", !p.open_ns && adds_up(&p) && p.pieces == 12);
	check("thread of the interrupt: pieces", is(&p, 3, "wire", 16) && is(&p, 4, "interrupt, wakes", 2) &&
	      is(&p, 5, "scheduling of the interrupt", 4) && is(&p, 6, "interrupt handler", 2) && is(&p, 7, "until NAPI", 1));
	/* what was woken while the frame was still being sent */
	irq_thread(29);
	p = find();
	check("an interrupt in the middle of sending is told", !p.open_ns && adds_up(&p) &&
	      is(&p, 3, "recv() sleeps; an earlier", 3) && is(&p, 4, "interrupt handler", 2));
}

static void threaded_napi(void)
{
	struct path p;

	begin();
	send_frame(10);
	add(30, EV_IRQ_IN, 2, 17, 0, "eth0");
	add(31, EV_WAKING, 2, NAPI, 0, "");
	add(32, EV_IRQ_OUT, 2, 17, 0, "");
	add(40, EV_SWITCH, 1, NAPI, 0, "napi/eth0-1");
	wake(50, 1, NAPI);
	p = find();
	check("threaded NAPI: all is explained", !p.open_ns && adds_up(&p) && is(&p, 4, "interrupt handler", 1) &&
	      is(&p, 5, "until NAPI", 9) && is(&p, 6, "NAPI", 10));
}

static void polls_already(void)
{
	struct path p;

	begin();
	add(2, EV_SOFTIRQ_IN, 1, NET_RX, 0, "");
	send_frame(10);
	wake(50, 1, 0);
	p = find();
	check("NAPI polls already", !p.open_ns && adds_up(&p) && is(&p, 3, "wire; NAPI polls already", 36));
}

static void no_sleep(void)
{
	struct path p;

	begin();
	send_frame(10);
	add(20, EV_IRQ_IN, 0, 17, ME, "eth0");
	add(21, EV_RAISE, 0, NET_RX, ME, "");
	add(22, EV_IRQ_OUT, 0, 17, ME, "");
	add(23, EV_SOFTIRQ_IN, 0, NET_RX, ME, "");
	add(25, EV_RECEIVE, 0, 0, ME, "eth0");
	add(30, EV_SOFTIRQ_OUT, 0, NET_RX, ME, "");
	p = find();
	check("the frame is there before recv()", !p.open_ns && adds_up(&p) && is(&p, -1, "recv(): the frame is there", 75));
}

static void last_frame(void)
{
	struct path p;

	begin();
	send_frame(1);
	send_frame(10);
	add(30, EV_IRQ_IN, 1, 17, 0, "eth0");
	add(31, EV_RAISE, 1, NET_RX, 0, "");
	add(32, EV_SOFTIRQ_IN, 1, NET_RX, 0, "");
	wake(40, 1, 0);
	wake(60, 1, 0);
	p = find();
	check("of several frames the last one", !p.open_ns && adds_up(&p) && is(&p, 0, "send()", 10) &&
	      is(&p, -1, "recv() returns", 35));
}

/* ---- what is missing ---- */

static void without(const char *name, uint8_t kind, unsigned int open_us)
{
	struct path p;
	size_t m = 0;

	irq_thread(10);
	for (size_t i = 0; i < evs.n; i++)
		if (ev[i].kind != kind || (kind == EV_SWITCH && ev[i].num != ME))
			ev[m++] = ev[i];
	evs.n = m;
	p = find();
	if (p.open_ns != open_us * 1000ull)
		printf("# open: %llu ns\n", (unsigned long long)p.open_ns);
	check(name, adds_up(&p) && p.open_ns == open_us * 1000ull);
}

static void missing(void)
{
	struct path p;

	evs.n = 0;
	p = find();
	check("no event: nothing is explained", adds_up(&p) && !p.pieces && p.open_ns == TO - FROM);
	without("without the frame's sending", EV_SENT, 30);
	without("without the interrupt", EV_IRQ_IN, 18);
	without("without the raise", EV_RAISE, 25);
	without("without the frame's arrival", EV_RECEIVE, 38);
	without("without the wake-up", EV_WAKING, 27);
}

static void lost(void)
{
	struct stream s;

	irq_thread(10);
	add(90, EV_LOST, 3, 0, 0, "");
	add(95, EV_SWITCH, 3, 0, 0, "");
	if (stream_make(&s, &evs))
		abort();
	check("events lost on another CPU: not whole", !stream_whole(&s, FROM, TO));
	check("a round behind them is whole", stream_whole(&s, FROM + 91000, TO));
	stream_free(&s);
	evs.n = 0;
	add(10, EV_SWITCH, 3, 0, 0, "");
	add(90, EV_LOST, 3, 0, 0, "");
	if (stream_make(&s, &evs))
		abort();
	check("lost behind the round: between two events of which one is in it", !stream_whole(&s, FROM, FROM + 50000));
	check("a round before both is whole", stream_whole(&s, FROM, FROM + 9000));
	stream_free(&s);
}

/* ---- at random ---- */

static uint64_t state = 1;

static uint32_t rnd(uint32_t below)
{
	state = state * 6364136223846793005ull + 1442695040888963407ull;
	return (uint32_t)(state >> 33) % below;
}

static void at_random(int rounds)
{
	static const int32_t who[] = { 0, ME, IRQ_THREAD, NAPI, NET_RX, 17 };
	static const char *const names[] = { "eth0", "eth9", "" };
	bool good = true;

	for (int r = 0; r < rounds; r++) {
		struct path p;

		evs.n = 0;
		for (uint32_t i = rnd(EVENTS); i; i--)
			add(rnd(110), (uint8_t)rnd(EV_RECEIVE + 1), (uint16_t)rnd(3), who[rnd(6)], who[rnd(6)], names[rnd(3)]);
		p = find();
		good = good && adds_up(&p);
	}
	check("whatever comes, pieces add up", good);
}

/* ---- from the kernel's pages ---- */

#define PAGE	256
#define COMMON	"\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n" \
		"\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n"

static void format(struct blob *b, const char *name, int id, const char *fields)
{
	char text[1024];
	int len = snprintf(text, sizeof(text), "%s\nname: x\nID: %d\nformat:\n" COMMON "%s", name, id, fields);

	blob_add(b, BLOB_FORMAT, 0, text, (uint32_t)len);
}

static void put(uint8_t *page, uint32_t *at, uint16_t id, int32_t by, const char *name, int32_t num)
{
	uint32_t head = 6 | 100u << 5, loc = 20 | 5u << 16;
	uint8_t *p = page + *at;

	memcpy(p, &head, 4);
	memcpy(p + 4, &id, 2);
	memcpy(p + 8, &by, 4);
	if (name) {
		memcpy(p + 20, &loc, 4);
		memcpy(p + 24, name, strlen(name) + 1);
	} else {
		memcpy(p + 12, &num, 4);
	}
	*at += 28;
}

static void make(struct blob *b)
{
	static const char skb[] = "\tfield:void * skbaddr;\toffset:8;\tsize:8;\tsigned:0;\n"
				  "\tfield:__data_loc char[] name;\toffset:16;\tsize:4;\tsigned:1;\n";
	uint8_t page[PAGE] = { 0 };
	uint64_t ns = FROM, commit;
	uint32_t at = 16;

	format(b, "net/net_dev_queue", 400, skb);
	format(b, "net/net_dev_xmit", 401, skb);
	format(b, "net/netif_receive_skb", 402, skb);
	format(b, "sched/sched_waking", 403, "\tfield:pid_t pid;\toffset:8;\tsize:4;\tsigned:1;\n");
	format(b, "irq/softirq_raise", 404, "\tfield:unsigned int vec;\toffset:8;\tsize:4;\tsigned:0;\n");
	memcpy(page, &ns, sizeof(ns));
	put(page, &at, 400, ME, "eth0", 0);
	put(page, &at, 401, ME, "eth0", 0);
	put(page, &at, 404, 5, NULL, NET_RX);
	put(page, &at, 402, 6, "eth0", 0);
	put(page, &at, 403, 6, NULL, ME);
	commit = at - 16;
	memcpy(page + 8, &commit, sizeof(commit));
	blob_add(b, BLOB_PAGE, 2, page, PAGE);
}

static void pages(void)
{
	struct blob b = { 0 };
	struct evs e;
	bool good;

	make(&b);
	good = !evs_read(&b, &e) && e.n == 5;
	check("five events of a page", good);
	if (good) {
		check("queued by the program", e.ev[0].kind == EV_QUEUE && e.ev[0].by == ME &&
		      !strcmp(e.ev[0].name, "eth0") && e.ev[0].cpu == 2 && e.ev[0].ns == FROM + 100);
		check("sent", e.ev[1].kind == EV_SENT && !strcmp(e.ev[1].name, "eth0"));
		check("raised", e.ev[2].kind == EV_RAISE && e.ev[2].num == NET_RX && e.ev[2].by == 5);
		check("received", e.ev[3].kind == EV_RECEIVE && !strcmp(e.ev[3].name, "eth0"));
		check("woken", e.ev[4].kind == EV_WAKING && e.ev[4].num == ME && e.ev[4].by == 6);
	}
	free(e.ev);
	free(b.data);
}

/* cut short, and with bytes changed: no harm, and still no time is lost or made */
static void damaged(int rounds)
{
	bool good = true;

	for (int r = 0; r < rounds; r++) {
		struct blob b = { 0 };
		struct stream s = { 0 };
		struct evs e = { 0 };
		struct path p;

		make(&b);
		for (uint32_t i = rnd(20); i; i--)
			b.data[rnd((uint32_t)b.len)] = (uint8_t)rnd(256);
		if (rnd(2))
			b.len = rnd((uint32_t)b.len + 1);
		if (evs_read(&b, &e) || stream_make(&s, &e))
			abort();
		stream_whole(&s, FROM, TO);
		path_find(&s, FROM, TO, ME, "eth0", &p);
		good = good && adds_up(&p);
		stream_free(&s);
		free(e.ev);
		free(b.data);
	}
	check("damaged and short traces do no harm", good);
}

int main(int argc, char **argv)
{
	int rounds = argc > 1 ? atoi(argv[1]) : 2000;

	softirq();
	threads();
	threaded_napi();
	polls_already();
	no_sleep();
	last_frame();
	missing();
	lost();
	at_random(rounds);
	pages();
	damaged(rounds);
	printf("1..%d\n", n);
	return bad;
}
