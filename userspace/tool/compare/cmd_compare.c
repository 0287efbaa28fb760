// SPDX-License-Identifier: GPL-2.0-only
/* kecat compare */
#include <errno.h>
#include <inttypes.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "../out.h"
#include "compare.h"

#define CYCLES		10000
#define CYCLE_NS	1000000
#define BYTES		64
#define SOCKET_PRIO	99
#define TRACED		300	/* rounds of a second run */
#define TRACE_KB	1024	/* of each CPU */

volatile sig_atomic_t compare_stop;

const struct opt compare_opts[] = {
	{ "cycles", 'n', "N", "rounds by each way (10000)" },
	{ "cycle-us", 'c', "US", "time from one to the next (1000)" },
	{ "frames", 'f', "N", "frames of a round (1)" },
	{ "bytes", 'b', "N", "bytes of data in each (64)" },
	{ "cpu", 0, "N", "CPU of this program" },
	{ "driver", 'd', "NAME", "driver to use, as for attach" },
	{ "yes", 'y', NULL, "also if the interface is in use, or a slave in SAFEOP or OP" },
	{ NULL, 0, NULL, NULL }
};

static void on_signal(int sig)
{
	(void)sig;
	compare_stop = 1;
}

/* without SA_RESTART: what waits ends at once */
static void catch_signals(void)
{
	static const int signals[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT };
	struct sigaction sa = { .sa_handler = on_signal };

	for (size_t i = 0; i < sizeof(signals) / sizeof(*signals); i++)
		sigaction(signals[i], &sa, NULL);
}

/* ---- options ---- */

static int out_of_range(const struct ctx *c, const char *name, uint64_t min, uint64_t max)
{
	return usage_error(c, "option --%s: from %" PRIu64 " to %" PRIu64, name, min, max);
}

static int read_options(struct ctx *c, struct compare *p)
{
	uint64_t frames = 1, bytes = BYTES, cpu = UINT64_MAX;

	p->c = c;
	p->cycles = CYCLES;
	p->cycle_ns = CYCLE_NS;
	if (opt_uint(c, "cycles", UINT64_MAX, &p->cycles) || opt_us(c, "cycle-us", &p->cycle_ns) ||
	    opt_uint(c, "frames", UINT64_MAX, &frames) || opt_uint(c, "bytes", UINT64_MAX, &bytes) ||
	    opt_uint(c, "cpu", CPU_SETSIZE - 1, &cpu))
		return EXIT_USAGE;
	if (p->cycles < 1 || p->cycles > COMPARE_CYCLES)
		return out_of_range(c, "cycles", 1, COMPARE_CYCLES);
	if (p->cycle_ns < 50000 || p->cycle_ns > 1000000000)
		return out_of_range(c, "cycle-us", 50, 1000000);
	if (frames < 1 || frames > COMPARE_FRAMES)
		return out_of_range(c, "frames", 1, COMPARE_FRAMES);
	if (bytes < 1 || bytes > COMPARE_BYTES)
		return out_of_range(c, "bytes", 1, COMPARE_BYTES);
	p->frames = (uint32_t)frames;
	p->bytes = (uint32_t)bytes;
	p->cpu = cpu == UINT64_MAX ? -1 : (int)cpu;
	return 0;
}

/* who interrupts knows why it ends */
static int failed(const struct compare *p, int err, const char *what)
{
	return compare_stop ? EXIT_FAIL : fail(p->c, err, "%s: %s", p->ifname, what);
}

/* ---- may it be done here? ---- */

/*
 * Two at a time would measure each other, and share an instance of tracing.  The
 * name goes with the process, however it ends.
 */
static int only_one(struct ctx *c)
{
	struct sockaddr_un name = { .sun_family = AF_UNIX, .sun_path = "\0kecat-compare" };
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

	if (fd < 0)
		return fail(c, -errno, "compare");
	if (!bind(fd, (struct sockaddr *)&name, sizeof(name)))
		return 0;
	close(fd);
	error("another kecat compare is running: wait until it has ended");
	return EXIT_FAIL;
}

static int find_interface(struct compare *p, const char *text, struct candidate *a)
{
	if (sysfs_find_port(text, &a->p) && sysfs_find_netdev(text, a->p.ifname)) {
		error("no network interface '%s' (ip link shows them)", out_clean(text));
		return EXIT_NODEV;
	}
	if (!a->p.ifname[0]) {
		error("%s has no network interface: give it to its ordinary driver first (kecat detach %s)",
		      a->p.pci, a->p.pci);
		return EXIT_NODEV;
	}
	p->ifname = strdup(a->p.ifname);
	return p->ifname ? 0 : fail(p->c, -ENOMEM, "compare");
}

static int refuse_interface(const struct compare *p)
{
	char why[WHY_LEN];
	bool never;

	iface_refuse(p->ifname, why, sizeof(why), &never);
	if (!*why || (!never && opt_has(p->c, "yes")))
		return 0;
	if (never)
		error("%s %s: kecat compare needs a port that a segment is connected to", p->ifname, why);
	else
		error("%s %s. Take that away first, or use --yes; addresses and routes do not come back",
		      p->ifname, why);
	return EXIT_FAIL;
}

/* a master of somebody's runs it, or it was left so */
static int refuse_states(const struct compare *p, const struct look *l)
{
	for (uint32_t i = 0; i < l->slaves; i++) {
		uint8_t state = l->al[i] & 0x0f;

		if ((state != KECAT_AL_SAFEOP && state != KECAT_AL_OP) || opt_has(p->c, "yes"))
			continue;
		error("slave %u is in %s: a master may be running this segment. End it first, or use --yes",
		      i, kecat_al_name(l->al[i]));
		return EXIT_FAIL;
	}
	return 0;
}

/* ---- by the socket ---- */

static void no_path(struct result *r, const char *why)
{
	snprintf(r->why_no_path, sizeof(r->why_no_path), "%s", why);
}

/* of the rounds whose events are all there, the median and the worst */
static void choose_paths(struct compare *p, struct result *r, const struct stream *s,
			 const struct span *span, uint32_t n)
{
	uint32_t *which = calloc(n, sizeof(*which));
	uint64_t *ns = calloc(n, sizeof(*ns));
	uint32_t m = 0;

	for (uint32_t i = 0; which && ns && i < n; i++) {
		if (!span[i].to)
			continue;
		if (!stream_whole(s, span[i].from, span[i].to)) {
			r->torn++;
			continue;
		}
		which[m] = i;
		ns[m++] = span[i].to - span[i].from;
	}
	r->paths = m;
	if (m) {
		const struct span *a = &span[which[pick_median(ns, m)]];
		const struct span *b = &span[which[pick_worst(ns, m)]];

		path_find(s, a->from, a->to, gettid(), p->ifname, &r->median);
		path_find(s, b->from, b->to, gettid(), p->ifname, &r->worst);
	} else {
		no_path(r, "the trace has no whole round");
	}
	free(which);
	free(ns);
}

static int read_trace(struct compare *p, struct result *r, const struct span *span, uint32_t n)
{
	struct stream s = { 0 };
	struct evs evs = { 0 };
	struct blob b = { 0 };
	int ret = trace_path_take(&b);

	if (!ret)
		ret = evs_read(&b, &evs);
	if (!ret && !evs.n)
		no_path(r, "the trace is empty");
	else if (!ret)
		ret = stream_make(&s, &evs);
	if (!ret && evs.n)
		choose_paths(p, r, &s, span, n);
	stream_free(&s);
	free(evs.ev);
	free(b.data);
	return ret;
}

/* tracing costs time: these rounds are no part of the figures */
static int traced_rounds(struct compare *p, struct raw *raw, struct result *r)
{
	uint32_t n = p->cycles < TRACED ? (uint32_t)p->cycles : TRACED;
	struct span *span = calloc(n, sizeof(*span));
	uint64_t unused;
	const char *why;
	int ret = span ? 0 : -ENOMEM;

	if (!ret && trace_path_begin(TRACE_KB, &why)) {
		no_path(r, why);
		free(span);
		return 0;
	}
	if (!ret)
		ret = raw_rounds(raw, n, span, &unused);
	if (!ret)
		ret = read_trace(p, r, span, n);
	trace_end(TRACE_PATH);
	free(span);
	return ret;
}

static int plain_rounds(struct compare *p, struct raw *raw, struct result *r)
{
	struct span *span = calloc(p->cycles, sizeof(*span));
	struct counts before;
	int ret;

	r->rounds = (uint32_t)p->cycles;
	r->ns = calloc(p->cycles, sizeof(*r->ns));
	if (!span || !r->ns) {
		free(span);
		return -ENOMEM;
	}
	ret = raw_warm_up(raw);
	counts_read(p, &before);
	if (!ret)
		ret = raw_rounds(raw, r->rounds, span, &r->switches);
	counts_since(p, &before, r);
	for (uint32_t i = 0; !ret && i < r->rounds; i++)
		if (span[i].to)
			r->ns[r->n++] = span[i].to - span[i].from;
	if (!ret && !r->n)
		ret = -ETIMEDOUT;
	result_sort(r);
	free(span);
	return ret;
}

static int socket_way(struct compare *p, struct raw *raw, struct result *r)
{
	int ret = realtime_begin(p, SOCKET_PRIO);

	if (!ret)
		ret = plain_rounds(p, raw, r);
	if (!ret)
		ret = traced_rounds(p, raw, r);
	realtime_end();
	return ret;
}

static int threaded_way(struct compare *p, struct raw *raw, const struct iface *i)
{
	struct result *r = &p->way[WAY_THREADED];
	int ret;

	if (!iface_has_threaded(i)) {
		snprintf(r->why_not, sizeof(r->why_not), "this kernel cannot do it");
		return 0;
	}
	ret = iface_set_threaded(i, true);
	if (ret) {
		snprintf(r->why_not, sizeof(r->why_not), "%s", strerror(-ret));
		return 0;
	}
	ret = socket_way(p, raw, r);
	/* a port that keeps its driver goes to kecat as its owner left it */
	iface_set_threaded(i, i->value[0][0] == '1');
	return ret;
}

static int both_sockets(struct compare *p, struct raw *raw, const struct iface *i,
			struct look *l)
{
	int ret = raw_warm_up(raw);

	if (!ret)
		ret = raw_look(raw, l);
	if (ret)
		return failed(p, ret, "nothing comes back (is an EtherCAT segment connected, and its first slave on?)");
	ret = refuse_states(p, l);
	if (ret)
		return ret;
	if (iface_has_threaded(i))
		iface_set_threaded(i, false);
	ret = socket_way(p, raw, &p->way[WAY_SOCKET]);
	if (!ret)
		ret = threaded_way(p, raw, i);
	return ret ? failed(p, ret, "raw socket") : 0;
}

static int by_socket(struct compare *p, struct iface *i, struct look *l)
{
	struct raw *raw = NULL;
	int ret = iface_up(i);

	if (ret == -ENOLINK) {
		error("%s has no link: is a cable in, and the first slave on?", p->ifname);
		return EXIT_NODEV;
	}
	if (!ret)
		ret = raw_open(p, &raw);
	if (ret)
		return failed(p, ret, "cannot be used");
	ret = both_sockets(p, raw, i, l);
	raw_close(raw);
	return ret;
}

/* ---- nobody was moved ---- */

static int look_again(struct compare *p, struct iface *i, struct look *l)
{
	struct raw *raw = NULL;
	int ret = iface_up(i);

	if (!ret)
		ret = raw_open(p, &raw);
	if (!ret)
		ret = raw_warm_up(raw);
	if (!ret)
		ret = raw_look(raw, l);
	raw_close(raw);
	return ret;
}

static bool same_states(const struct look *a, const struct look *b)
{
	return a->slaves == b->slaves && !memcmp(a->al, b->al, sizeof(a->al));
}

/* ---- all of it ---- */

static void name_ways(struct compare *p)
{
	static const struct { const char *name, *text; } ways[WAYS] = {
		{ "socket", "raw socket" },
		{ "socket_threaded", "raw socket, threaded NAPI" },
		{ "kecat", "kecat" },
		{ "kecat_program", "kecat, to a program that sleeps" },
	};

	for (int w = 0; w < WAYS; w++) {
		p->way[w].name = ways[w].name;
		p->way[w].text = ways[w].text;
	}
}

/* what the socket took is worth showing all the same */
static void no_kecat(struct compare *p)
{
	for (int w = WAY_KECAT; w <= WAY_PROGRAM; w++)
		if (!p->way[w].n)
			snprintf(p->way[w].why_not, WHY_LEN, "see the message above");
}

/* whatever happens, the port and the interface are put back */
static int measure(struct compare *p, const struct candidate *a, struct look *before,
		   struct look *after)
{
	struct iface i;
	int ret, err;

	iface_save(&i, p->ifname);
	ret = by_socket(p, &i, before);
	if (!ret)
		p->through = through_measure(p, a);
	if (p->through)
		no_kecat(p);
	err = attach_back(a);
	if (err)
		fail(p->c, err, "cannot give %s back", p->ifname);
	if (!ret && !err) {
		err = look_again(p, &i, after);
		if (err)
			fail(p->c, err, "cannot look at the slaves again");
	}
	if (!ret && err)
		ret = EXIT_FAIL;
	err = iface_restore(&i);
	if (err)
		ret = fail(p->c, err, "cannot put %s back as it was", p->ifname);
	return ret;
}

static int compare(struct compare *p, struct candidate *a)
{
	static struct look before, after;
	bool unchanged;
	int ret;

	if (!sysfs_path(p->device, sizeof(p->device), "class/net/%s/device", p->ifname))
		p->device[0] = '\0';
	name_ways(p);
	catch_signals();
	ret = measure(p, a, &before, &after);
	if (compare_stop) {
		error("interrupted; %s", ret ? "what was changed is as it was, but for what is said above" :
		      "all is as it was");
		return EXIT_FAIL;
	}
	if (ret)
		return ret;
	unchanged = same_states(&before, &after);
	out_begin(p->c->json);
	compare_show(p, &before, unchanged);
	if (out_end())
		return EXIT_FAIL;
	if (unchanged)
		return p->through;
	error("a slave is in another state than before, or does not answer: kecat sent nothing that does this, but look at the segment");
	return EXIT_CHECK;
}

int cmd_compare(struct ctx *c, int argc, char **argv)
{
	struct compare p = { 0 };
	struct candidate a = { 0 };
	int ret;

	if (argc != 1)
		return usage_error(c, argc ? "too many arguments" : "which interface?");
	ret = read_options(c, &p);
	if (!ret)
		ret = only_one(c);
	if (!ret)
		ret = find_interface(&p, argv[0], &a);
	if (!ret)
		ret = refuse_interface(&p);
	if (!ret)
		ret = attach_choose(c, p.ifname, &a);
	if (!ret)
		ret = compare(&p, &a);
	for (int w = 0; w < WAYS; w++)
		free(p.way[w].ns);
	free((char *)p.ifname);
	return ret;
}
