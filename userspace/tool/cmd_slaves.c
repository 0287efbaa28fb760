// SPDX-License-Identifier: GPL-2.0-only
/* kecat slaves, pdos, state */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmd.h"
#include "out.h"

#define STATE_TIMEOUT_MS 10000u

const struct opt slaves_opts[] = {
	{ "verbose", 'v', NULL, "everything that is known of each slave" },
	{ NULL, 0, NULL, NULL }
};

const struct opt state_opts[] = {
	{ "timeout", 't', "MS", "wait so long, 0 = only ask (10000)" },
	{ NULL, 0, NULL, NULL }
};

static const struct {
	uint32_t bit;
	const char *name;
} flags[] = {
	{ KECAT_SLAVE_PRESENT, "present" },
	{ KECAT_SLAVE_DC, "dc" },
	{ KECAT_SLAVE_DC64, "dc64" },
	{ KECAT_SLAVE_MBX, "mailbox" },
	{ KECAT_SLAVE_NO_LRW, "no-lrw" },
	{ KECAT_SLAVE_EMULATED, "emulated" },
	{ KECAT_SLAVE_SII_BAD, "sii-bad" },
	{ KECAT_SLAVE_CONFIGURED, "configured" },
	{ KECAT_SLAVE_BUSY, "busy" },
	{ KECAT_SLAVE_PDO_COE, "pdo-coe" },
};

static const char *const protocols[] = { "AoE", "EoE", "CoE", "FoE", "SoE", "VoE" };

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

static void show_flags(const struct kecat_slave_info *s)
{
	out_text("      Flags     ");
	out_open("flags", '[');
	for (size_t i = 0; i < COUNT(flags); i++)
		if (s->flags & flags[i].bit)
			out_str("", " %s", flags[i].name);
	out_close();
	out_text("\n");
}

static void show_problem(const struct kecat_slave_info *s, bool verbose)
{
	char text[256];

	kecat_problem_describe(s->problem, s->detail, text, sizeof(text));
	out_open("problem", '{');
	out_str("name", NULL, kecat_problem_text(s->problem));
	out_uint("detail", NULL, s->detail);
	out_str("text", s->problem ? "      Problem    %s\n" : NULL, text);
	out_close();
	if (verbose && !s->problem)
		out_text("      Problem    none\n");
}

static void show_identity(const struct kecat_slave_info *s)
{
	out_uint("vendor", "      Identity   vendor 0x%08" PRIx64, s->vendor);
	out_uint("product", " product 0x%08" PRIx64, s->product);
	out_uint("revision", " revision 0x%08" PRIx64, s->revision);
	out_uint("serial", " serial %" PRIu64 "\n", s->serial);
	out_str("order", "      Order      %s\n", s->order);
}

static void show_mailbox(const struct kecat_slave_info *s)
{
	out_open("mailbox", '{');
	out_uint("out", "      Mailbox    out 0x%04" PRIx64, s->mbx_out);
	out_uint("out_size", "/%" PRIu64, s->mbx_out_size);
	out_uint("in", ", in 0x%04" PRIx64, s->mbx_in);
	out_uint("in_size", "/%" PRIu64, s->mbx_in_size);
	out_open("protocols", '[');
	for (size_t i = 0; i < COUNT(protocols); i++)
		if (s->mbx_protocols >> i & 1)
			out_str("", " %s", protocols[i]);
	out_close();
	out_uint("coe_details", ", CoE details 0x%02" PRIx64 "\n", s->coe_details);
	out_close();
}

static void show_esc(const struct kecat_slave_info *s)
{
	out_open("esc", '{');
	out_uint("type", "      ESC        type 0x%02" PRIx64, s->esc_type);
	out_uint("revision", " revision %" PRIu64, s->esc_revision);
	out_uint("build", " build %" PRIu64, s->esc_build);
	out_uint("fmmus", ", %" PRIu64 " FMMUs", s->fmmus);
	out_uint("sms", ", %" PRIu64 " SMs", s->sms);
	out_uint("ram_kb", ", %" PRIu64 " KB", s->ram_kb);
	out_uint("ports", ", ports 0x%02" PRIx64, s->ports);
	out_uint("features", ", features 0x%04" PRIx64, s->features);
	out_uint("dl_status", ", DL status 0x%04" PRIx64 "\n", s->dl_status);
	out_close();
	out_text("      Ports     ");
	out_open("neighbours", '[');
	for (int i = 0; i < 4; i++) {
		bool none = s->neighbour[i] == 0xffff;

		out_text(" %d:", i);
		if (none)
			out_text("-");
		out_int("", none ? NULL : "%" PRId64, none ? -1 : s->neighbour[i]);
	}
	out_close();
	out_text("\n");
	out_int("ebus_ma", "      E-bus      %" PRId64 " mA", s->ebus_ma);
	out_uint("delay_ns", ", delay %" PRIu64 " ns\n", s->delay_ns);
}

static void show_image(const struct kecat_slave_info *s)
{
	bool configured = s->config_index != KECAT_ALL;

	out_int("config_index", configured ? "      Configured as %" PRId64 : NULL,
		configured ? (int64_t)s->config_index : -1);
	out_uint("group", configured ? ", group %" PRIu64 "\n" : NULL, s->group);
	out_uint("image_out", "      Image      outputs at %" PRIu64, s->image_out);
	out_uint("image_out_len", " +%" PRIu64, s->image_out_len);
	out_uint("image_in", ", inputs at %" PRIu64, s->image_in);
	out_uint("image_in_len", " +%" PRIu64 "\n", s->image_in_len);
	out_uint("transitions", "      Seen       %" PRIu64 " state changes", s->transitions);
	out_uint("emergencies", ", %" PRIu64 " emergencies\n", s->emergencies);
}

static void show_slave(const struct kecat_slave_info *s, bool verbose)
{
	bool present = s->flags & KECAT_SLAVE_PRESENT;

	out_open(NULL, '{');
	out_uint("position", "%4" PRIu64, s->position);
	out_uint("station", "  0x%04" PRIx64, s->station);
	out_uint("alias", s->alias ? "  alias %-5" PRIu64 : "             ", s->alias);
	out_str("state", present ? "  %-12s" : "  absent      ", kecat_al_name(s->al_state));
	out_str("target", NULL, kecat_al_name(s->al_target));
	out_bool("present", NULL, present, "", "");
	out_bool("busy", " %s", s->flags & KECAT_SLAVE_BUSY, "*", " ");
	out_bool("error", "%s", s->problem, "!", " ");
	out_str("name", " %s\n", s->name[0] ? s->name : "(no name)");
	out_uint("al_code", NULL, s->al_code);
	if (s->al_state & KECAT_AL_ERROR)
		out_str("al_text", "      AL status  %s\n", kecat_al_code_text(s->al_code));
	show_problem(s, verbose);
	if (verbose || out_is_json()) {
		show_identity(s);
		show_flags(s);
		show_mailbox(s);
		show_esc(s);
		show_image(s);
	}
	out_close();
}

/* The range that an optional position argument means; 0 or an exit code */
static int range(struct ctx *c, int argc, char **argv, uint32_t *first,
		 uint32_t *end)
{
	struct kecat_status st;
	int ret;

	if (argc > 1)
		return usage_error(c, "too many arguments");
	*first = KECAT_ALL;
	if (argc && arg_position(argv[0], false, first))
		return EXIT_USAGE;
	ret = open_master(c, KECAT_RDONLY);
	if (ret)
		return ret;
	ret = kecat_get_status(c->k, &st);
	if (ret)
		return fail(c, ret, "status of master %u", c->master);
	if (!argc) {
		*first = 0;
		*end = st.slaves;
		return 0;
	}
	if (*first >= st.slaves) {
		error("no slave at position %u: there are %u", *first, st.slaves);
		return EXIT_NODEV;
	}
	*end = *first + 1;
	return 0;
}

int cmd_slaves(struct ctx *c, int argc, char **argv)
{
	bool verbose = opt_has(c, "verbose") || argc == 1;
	uint32_t i, first, end;
	int ret = range(c, argc, argv, &first, &end);

	if (ret)
		return ret;
	out_begin(c->json);
	out_open("slaves", '[');
	for (i = first; i < end; i++) {
		struct kecat_slave_info s;
		int err = kecat_get_slave(c->k, i, &s);

		if (err == -ENODEV)
			break;	/* the list became shorter */
		if (err) {
			ret = fail(c, err, "slave %u", i);
			break;
		}
		show_slave(&s, verbose);
	}
	out_close();
	return out_end() ? EXIT_FAIL : ret;
}

static void show_entries(const struct kecat_pdo_entry *list, int n)
{
	int sm = -1, pdo = -1;

	for (int i = 0; i < n; i++) {
		const struct kecat_pdo_entry *e = &list[i];

		if (e->sm != sm)
			out_text("  SM%u %s\n", e->sm, e->dir == KECAT_DIR_OUT ?
				 "outputs" : "inputs");
		if (e->sm != sm || e->pdo != pdo)
			out_text("    PDO 0x%04x\n", e->pdo);
		sm = e->sm;
		pdo = e->pdo;
		out_open(NULL, '{');
		out_uint("sm", NULL, e->sm);
		out_str("dir", NULL, e->dir == KECAT_DIR_OUT ? "out" : "in");
		out_uint("pdo", NULL, e->pdo);
		out_uint("index", e->bits ? "      0x%04" PRIx64 : NULL, e->index);
		out_uint("subindex", e->bits ? ":%02" PRIx64 : NULL, e->subindex);
		out_uint("bits", e->bits ? " %4" PRIu64 " bit" : NULL, e->bits);
		out_str("name", e->bits ? "  %s\n" : NULL,
			e->index || e->name[0] ? e->name : "(gap)");
		out_close();
	}
	if (!n)
		out_text("  no process data\n");
}

int cmd_pdos(struct ctx *c, int argc, char **argv)
{
	uint32_t i, first, end;
	int ret = range(c, argc, argv, &first, &end);

	if (ret)
		return ret;
	out_begin(c->json);
	out_open("slaves", '[');
	for (i = first; i < end && !ret; i++) {
		struct kecat_pdo_entry *list = NULL;
		struct kecat_slave_info s;
		int n = kecat_get_slave(c->k, i, &s);

		if (!n)
			n = kecat_get_pdos(c->k, i, &list);
		if (n < 0) {
			ret = fail(c, n, "process data of slave %u", i);
			break;
		}
		out_open(NULL, '{');
		out_uint("position", "%" PRIu64, i);
		out_str("name", " %s\n", s.name);
		out_open("entries", '[');
		show_entries(list, n);
		out_close();
		out_close();
		free(list);
	}
	out_close();
	return out_end() ? EXIT_FAIL : ret;
}

static int parse_state(const char *text, uint32_t *state)
{
	static const uint32_t states[] = {
		KECAT_AL_INIT, KECAT_AL_PREOP, KECAT_AL_BOOT, KECAT_AL_SAFEOP,
		KECAT_AL_OP,
	};

	for (size_t i = 0; i < COUNT(states); i++) {
		if (strcasecmp(text, kecat_al_name(states[i])))
			continue;
		*state = states[i];
		return 0;
	}
	error("'%s' is not a state: INIT, PREOP, BOOT, SAFEOP or OP", text);
	return -1;
}

int cmd_state(struct ctx *c, int argc, char **argv)
{
	uint32_t position = KECAT_ALL, state, got = 0, code = 0;
	uint64_t timeout = STATE_TIMEOUT_MS;
	int ret;

	if (argc < 1 || argc > 2)
		return usage_error(c, "which state?");
	if (argc == 2 && arg_position(argv[0], true, &position))
		return EXIT_USAGE;
	if (parse_state(argv[argc - 1], &state) ||
	    opt_uint(c, "timeout", 600000, &timeout))
		return EXIT_USAGE;
	ret = open_master(c, KECAT_RDWR);
	if (ret)
		return ret;
	ret = kecat_request_state(c->k, position, state, timeout, &got, &code);
	if (ret && got & KECAT_AL_ERROR)
		error("state %s was refused, the slave is in %s: AL status code 0x%04x, %s",
		      kecat_al_name(state), kecat_al_name(got), code,
		      kecat_al_code_text(code));
	else if (ret)
		fail(c, ret, "state %s", kecat_al_name(state));
	if (ret)
		return ret == -ENODEV ? EXIT_NODEV : EXIT_FAIL;
	out_begin(c->json);
	out_str("state", "%s\n", timeout ? kecat_al_name(got) : "requested");
	out_uint("al_code", NULL, code);
	return out_end() ? EXIT_FAIL : EXIT_OK;
}
