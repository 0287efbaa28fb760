// SPDX-License-Identifier: GPL-2.0-only
/*
 * Replay: requests that a master sent to real slaves are sent to the model of
 * these slaves, at the times of the capture; the answers are compared datagram
 * by datagram.
 *
 * What the model cannot know is excused only by one of the reasons below, and
 * counted under it.
 */
#include "capture.h"
#include "tap.h"

#define POLL_WINDOW_NS	60000000u	/* an application's time is known so well */
#define CASES_SHOWN	8

enum excuse {
	SAME, DIFFERENT, CLOCK, EARLIER, EEPROM_BUSY, STALE, OPENING, SLOWER,
	QUICKER, EXCUSES,
};

static const char *const reasons[EXCUSES] = {
	[CLOCK] = "value of a free running clock",
	[EARLIER] = "receive time of a closed port, latched before the capture began",
	[EEPROM_BUSY] = "moment at which the EEPROM is no longer busy",
	[STALE] = "memory behind the end of a mailbox message",
	[OPENING] = "moment at which the application opens its mailbox for writing",
	[SLOWER] = "application reacts later than the model",
	[QUICKER] = "application reacts sooner than the model",
};

struct prelude {
	u8 cmd;
	u16 adp, ado, value;
};

struct scene {
	const char *file, *slaves;
	/* slaves whose unread EEPROM words do not matter: read from the capture */
	bool sii_from_capture;
	struct prelude before[8];
	const char *why_before;
};

static const struct scene scenes[] = {
	{ "ethercrab__replay-dc", "ek1100,el2828,el2889", false, { { 0 } }, NULL },
	{ "ethercrab__replay-ek1100-el2828-el2889", "ek1100,el2828,el2889", false,
	  { { 0 } }, NULL },
	{ "ethercrab__replay-ek1914-no-complete-access", "ek1914,el3004", true,
	  { { 0 } }, NULL },
	{ "ethercrab__replay-ek1914-segmented-upload", "ek1914,el3004", true,
	  { { 0 } }, NULL },
	{ "ethercrab__rs-example-sii-el2004.ecat-only", "ek1100,el2004*2", false,
	  { { 0 } }, NULL },
	{ "ethercrab__soem-sdinfo-ek1100-el1004.ecat-only", "ek1100,el1004", true,
	  { { 0 } }, NULL },
	{ "ethercrab__soem-sdinfo-no-slaves.ecat-only", "", false, { { 0 } }, NULL },
	{ "ethercrab__soem-single-lan9252.ecat-only", "lan9252", true, { { 0 } },
	  NULL },
	{ "ethercrab__twincat-run-ek1100-el1004.ecat-only", "ek1100,el1004", false,
	  { { ESC_APWR, 0, 0x0010, 0x03e9 }, { ESC_APWR, 0xffff, 0x0010, 0x03ea },
	    { ESC_BWR, 0, 0x0120, 0x0002 } },
	  "the capture begins with addresses 0x3e9 and 0x3ea set and PREOP reached" },
};

/* A poll whose real answer the model gives a little later. */
struct pending {
	u16 adp, ado, len;
	u8 want[8];
	u64 until;
	int slot;	/* in the list of differences */
};

/* The last two answers of the model to polls of one register. */
struct history {
	u16 adp, ado;
	u8 now[8], before[8];
	u64 changed;
};

struct difference {
	enum excuse excuse;
	char text[200];
};

struct replay {
	const struct scene *scene;
	struct capture cap;
	struct sim_segment *seg;
	u64 base;
	int datagrams, lost;
	struct difference diff[20000];
	int diffs;
	struct pending pending[64];
	int npending;
	struct history history[64];
	int nhistory;
};

static const char *data_dir;

static int load_sii(void *ctx, const char *name, u8 **data, u32 *size)
{
	char path[4096];
	FILE *f;

	snprintf(path, sizeof(path), "%s/sii/%s", data_dir, name);
	f = fopen(path, "rb");
	*data = f ? malloc(256 * 1024) : NULL;
	if (*data)
		*size = (u32)fread(*data, 1, 256 * 1024, f);
	if (f)
		fclose(f);
	return *data ? 0 : -ENOENT;
}

static struct sim_segment *make_segment(const char *slaves, u64 now)
{
	static const char *const names[] = {
		"ek1100", "el1004", "el2004", "el2828", "el2889", "ek1914",
		"el3004", "lan9252",
	};
	static struct sim_devtext dev[ARRAY_SIZE(names)];
	struct sim_files files = { load_sii, NULL };
	struct sim_config cfg = {
		.slaves = slaves, .devices = dev, .ndevices = ARRAY_SIZE(names),
		.files = &files,
	};
	struct sim_segment *seg;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(names); i++)
		if (!dev[i].name) {
			dev[i].name = names[i];
			dev[i].text = tap_file("devices/%s.dev", names[i]);
		}
	seg = sim_segment_create(&cfg, now);
	if (!seg)
		printf("# %s\n", cfg.error);
	return seg;
}

/* Position of the slave that has or will get a station address. */
static int station_position(const struct replay *r, u16 station)
{
	int i;

	for (i = 0; i < r->cap.count; i++) {
		struct datagram d;
		size_t pos = 0;

		while (datagram_next(&r->cap.frame[i], &pos, &d))
			if (r->cap.frame[i].answer != -2 && d.cmd == ESC_APWR &&
			    d.ado == ESC_R_STATION && d.len >= 2 &&
			    sim_get16(d.data) == station)
				return (u16)-d.adp;
	}
	return -1;
}

/*
 * For parts without an image: what their master read from the EEPROM.  The
 * address is that of the last read command to the station.
 */
static void sii_from_capture(struct replay *r)
{
	u32 at[16] = { 0 };
	int i, words = 0;

	for (i = 0; i < r->cap.count; i++) {
		struct datagram d;
		size_t pos = 0;

		while (datagram_next(&r->cap.frame[i], &pos, &d)) {
			int p = d.ado == ESC_R_SII_CTRL || d.ado == ESC_R_SII_DATA ?
				station_position(r, d.adp) : -1;
			struct sim_slave *s;

			if (p < 0 || p >= r->seg->count || p >= 16 ||
			    r->cap.frame[i].answer != -2)
				continue;
			s = &r->seg->slave[p];
			if (d.cmd == ESC_FPWR && d.len >= 6)
				at[p] = sim_get32(d.data + 2) * 2;
			if (d.cmd != ESC_FPRD || d.ado != ESC_R_SII_DATA ||
			    !d.wkc || at[p] + d.len > s->esc.sii.size ||
			    r->seg->slave[p].desc->sii[0] == 0)
				continue;
			if (!memcmp(s->esc.sii.image + at[p], d.data, d.len))
				continue;
			memcpy(s->esc.sii.image + at[p], d.data, d.len);
			words += d.len / 2;
		}
	}
	printf("#   %d EEPROM words taken from the capture, parts without an image\n",
	       words);
	for (i = 0; i < r->seg->count; i++)
		sim_slave_power(&r->seg->slave[i], true, 0);
	sim_segment_relink(r->seg);
}

static size_t one_datagram(u8 *f, const struct prelude *p)
{
	memset(f, 0, 60);
	memset(f, 0xff, 6);
	f[12] = 0x88;
	f[13] = 0xa4;
	sim_put16(f + 14, 0x1000 | 14);
	f[16] = p->cmd;
	sim_put16(f + 18, p->adp);
	sim_put16(f + 20, p->ado);
	sim_put16(f + 22, 2);
	sim_put16(f + 26, p->value);
	return 60;
}

static void run_prelude(struct replay *r)
{
	const struct prelude *p;
	u8 f[60];

	if (r->scene->why_before)
		printf("#   set before: %s\n", r->scene->why_before);
	for (p = r->scene->before; p->cmd; p++) {
		sim_segment_process(r->seg, f, one_datagram(f, p), 1000);
		sim_segment_tick(r->seg, 1000);
	}
}

static struct sim_slave *slave_at(struct replay *r, u16 station)
{
	int i;

	for (i = 0; i < r->seg->count; i++)
		if (sim_get16(r->seg->slave[i].esc.mem + ESC_R_STATION) == station)
			return &r->seg->slave[i];
	return NULL;
}

static bool is_poll(const struct datagram *d)
{
	return d->cmd != ESC_FPWR && d->len <= 8 &&
	       (d->ado == ESC_R_AL_STATUS || d->ado == ESC_R_SM + 5 ||
		d->ado == ESC_R_SM + 13);
}

static void remember(struct replay *r, const struct datagram *d, u64 now)
{
	struct history *h = NULL;
	int i;

	for (i = 0; i < r->nhistory && !h; i++)
		if (r->history[i].adp == d->adp && r->history[i].ado == d->ado)
			h = &r->history[i];
	if (!h && r->nhistory < 64) {
		h = &r->history[r->nhistory++];
		h->adp = d->adp;
		h->ado = d->ado;
		memcpy(h->now, d->data, d->len);
		memcpy(h->before, d->data, d->len);
	}
	if (h && memcmp(h->now, d->data, d->len)) {
		memcpy(h->before, h->now, sizeof(h->now));
		memcpy(h->now, d->data, d->len);
		h->changed = now;
	}
	for (i = 0; i < r->npending; i++) {
		struct pending *p = &r->pending[i];

		if (p->adp == d->adp && p->ado == d->ado && now <= p->until &&
		    !memcmp(p->want, d->data, d->len))
			r->diff[p->slot].excuse = QUICKER;
		if (now > p->until || r->diff[p->slot].excuse == QUICKER)
			*p-- = r->pending[--r->npending], i--;
		if (i < -1)
			break;
	}
}

static enum excuse poll_excuse(struct replay *r, const struct datagram *want,
			       u64 now)
{
	int i;

	for (i = 0; i < r->nhistory; i++) {
		struct history *h = &r->history[i];

		if (h->adp == want->adp && h->ado == want->ado &&
		    now - h->changed < POLL_WINDOW_NS &&
		    !memcmp(h->before, want->data, want->len))
			return SLOWER;
	}
	if (r->npending < 64) {
		struct pending *p = &r->pending[r->npending++];

		p->adp = want->adp;
		p->ado = want->ado;
		p->len = want->len;
		memcpy(p->want, want->data, want->len);
		p->until = now + POLL_WINDOW_NS;
		p->slot = r->diffs;
	}
	return DIFFERENT;
}

/*
 * A port that never latched has to show what the part shows at power up, where
 * that is known.
 */
static enum excuse rx_excuse(const struct esc *e, const struct datagram *want,
			     const struct datagram *got)
{
	unsigned int p = (want->ado - ESC_R_DC_RX) / 4u, off;
	enum excuse x = CLOCK;

	for (off = 0; off + 4u <= want->len && p < ESC_PORTS; off += 4, p++) {
		u32 w = sim_get32(want->data + off), g = sim_get32(got->data + off);

		if (w == g || g != e->chip.rx_init[p])
			continue;
		if (g || esc_port_open(e, p))
			return DIFFERENT;
		x = EARLIER;
	}
	return x;
}

static enum excuse clock_excuse(struct replay *r, const struct datagram *want,
				const struct datagram *got)
{
	struct sim_slave *s = slave_at(r, want->adp);

	if (want->ado < ESC_R_DC_TIME && s)
		return rx_excuse(&s->esc, want, got);
	return want->ado < 0x0930 || (want->ado >= 0x0990 && want->ado < 0x09a0) ?
	       CLOCK : DIFFERENT;
}

static enum excuse mailbox_excuse(struct replay *r, const struct datagram *want,
				  const struct datagram *got)
{
	struct sim_slave *s = slave_at(r, want->adp);
	u16 used;

	if (!s || want->ado != s->esc.sm[1].start || want->len < 6)
		return DIFFERENT;
	used = (u16)(sim_get16(want->data) + 6);
	return used <= want->len && !memcmp(want->data, got->data, used) ?
	       STALE : DIFFERENT;
}

static enum excuse compare(struct replay *r, const struct datagram *want,
			   const struct datagram *got, u64 now)
{
	if (want->len != got->len || want->wkc != got->wkc ||
	    want->adp != got->adp || want->cmd != got->cmd)
		return DIFFERENT;
	if (!memcmp(want->data, got->data, want->len))
		return SAME;
	if (want->cmd != ESC_FPRD && want->cmd != ESC_FRMW &&
	    want->cmd != ESC_BRD)
		return DIFFERENT;
	if (want->ado >= ESC_R_DC_RX && want->ado < 0x0a00)
		return clock_excuse(r, want, got);
	if (want->ado == ESC_R_SII_CTRL && want->len == 2 &&
	    !((sim_get16(want->data) ^ sim_get16(got->data)) & ~0x8700))
		return EEPROM_BUSY;
	if (want->ado == ESC_R_SM + 13 && !(got->data[0] & ESC_SM_FULL) &&
	    !((want->data[0] ^ got->data[0]) & ~(ESC_SM_WRITING | ESC_SM_INT_READ)))
		return OPENING;
	if (is_poll(want))
		return poll_excuse(r, want, now);
	return mailbox_excuse(r, want, got);
}

static void note(struct replay *r, enum excuse e, const struct datagram *want,
		 const struct datagram *got, u64 ns)
{
	struct difference *d = &r->diff[r->diffs];
	char hex[2][33] = { "", "" };
	u16 i;

	for (i = 0; i < want->len && i < 16; i++) {
		sprintf(hex[0] + 2 * i, "%02x", want->data[i]);
		sprintf(hex[1] + 2 * i, "%02x", got->data[i]);
	}
	d->excuse = e;
	snprintf(d->text, sizeof(d->text),
		 "t=%.6f cmd %u adp %04x ado %04x len %u: real %s wkc %u, model %s wkc %u",
		 (double)ns / 1e9, want->cmd, want->adp, want->ado, want->len,
		 hex[0], want->wkc, hex[1], got->wkc);
	if (r->diffs < (int)ARRAY_SIZE(r->diff) - 1)
		r->diffs++;
}

static void compare_frames(struct replay *r, const struct frame *want,
			   const struct frame *got)
{
	struct datagram w, g;
	size_t wp = 0, gp = 0;

	while (datagram_next(want, &wp, &w) && datagram_next(got, &gp, &g)) {
		enum excuse e;

		r->datagrams++;
		if (is_poll(&g))
			remember(r, &g, got->ns);
		e = compare(r, &w, &g, got->ns);
		if (e != SAME)
			note(r, e, &w, &g, got->ns);
	}
}

/* The capture was stopped before the answer came. */
static bool ends_here(const struct capture *c, int i)
{
	int last = c->count - 1;

	while (last >= 0 && c->frame[last].answer != -2)
		last--;
	return last >= 0 && i > last;
}

static void run_frames(struct replay *r)
{
	u64 first = r->cap.count ? r->cap.frame[0].ns : 0, last = 0;
	static u8 buf[2048];
	int i;

	for (i = 0; i < r->cap.count; i++) {
		const struct frame *rq = &r->cap.frame[i];
		struct frame got = { .data = buf };
		u64 now = r->base + (rq->ns > first ? rq->ns - first : 0);

		if (rq->answer == -2 || rq->len > sizeof(buf))
			continue;
		last = now > last ? now : last;
		memcpy(buf, rq->data, rq->len);
		got.len = (u32)sim_segment_process(r->seg, buf, rq->len, last);
		got.ns = last;
		sim_segment_tick(r->seg, last);
		if (rq->answer < 0 && ends_here(&r->cap, i))
			continue;
		if (!got.len != (rq->answer < 0)) {
			r->lost++;
			continue;
		}
		if (rq->answer >= 0)
			compare_frames(r, &r->cap.frame[rq->answer], &got);
		else
			r->datagrams++;
	}
}

static int report(struct replay *r)
{
	int count[EXCUSES] = { 0 }, i, shown = 0;

	for (i = 0; i < r->diffs; i++)
		count[r->diff[i].excuse]++;
	printf("replay: %s datagrams=%d identical=%d\n", r->scene->file,
	       r->datagrams, r->datagrams - r->diffs);
	for (i = CLOCK; i < EXCUSES; i++)
		if (count[i])
			printf("#   %d not comparable: %s\n", count[i], reasons[i]);
	if (r->lost)
		printf("#   %d frames lost on one side only\n", r->lost);
	for (i = 0; i < r->diffs && shown < CASES_SHOWN; i++)
		if (r->diff[i].excuse == DIFFERENT || getenv("REPLAY_ALL")) {
			printf("#   [%d] %s\n", r->diff[i].excuse, r->diff[i].text);
			shown += !getenv("REPLAY_ALL");
		}
	return count[DIFFERENT] + r->lost;
}

static void play(const struct scene *s)
{
	struct replay *r = calloc(1, sizeof(*r));
	char path[4096];

	snprintf(path, sizeof(path), "%s/pcap/%s.pcapng", data_dir, s->file);
	r->scene = s;
	r->base = 1000000000;
	if (capture_load(&r->cap, path)) {
		tap_skip(s->file, "no such capture");
		free(r);
		return;
	}
	r->seg = make_segment(s->slaves, 0);
	if (!r->seg) {
		tap(false, "replay %s", s->file);
	} else {
		if (s->sii_from_capture)
			sii_from_capture(r);
		run_prelude(r);
		run_frames(r);
		tap(report(r) == 0, "replay %s", s->file);
	}
	sim_segment_destroy(r->seg);
	capture_free(&r->cap);
	free(r);
}

int main(int argc, char **argv)
{
	unsigned int i;
	char *probe;

	data_dir = argc > 1 ? argv[1] : "../../../../shared/data";
	probe = tap_file("%s/README.md", data_dir);
	if (!probe) {
		printf("1..0 # SKIP no captures in %s\n", data_dir);
		return 77;
	}
	free(probe);
	for (i = 0; i < ARRAY_SIZE(scenes); i++)
		play(&scenes[i]);
	return tap_end();
}
