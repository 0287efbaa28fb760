// SPDX-License-Identifier: GPL-2.0-only
/* kecat: look at and use EtherCAT masters. */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cmd.h"
#include "out.h"

const struct opt global_opts[] = {
	{ "master", 'm', "N", "use /dev/kecatN (0)" },
	{ "json", 'j', NULL, "print JSON" },
	{ "help", 'h', NULL, "say how the command is used" },
	{ NULL, 0, NULL, NULL }
};

const struct cmd commands[] = {
	{ "attach", "PORT [PORT] | --file FILE",
	  "give a network port to kecat, or both ends of a ring", NULL,
	  attach_opts, cmd_attach },
	{ "detach", "PORT|MASTER | --all", "give it back to the ordinary driver",
	  NULL, detach_opts, cmd_detach },
	{ "masters", "", "list the masters", NULL, NULL, cmd_masters },
	{ "status", "", "show one master at a glance", NULL, NULL, cmd_status },
	{ "slaves", "[POS]", "list the slaves", NULL, slaves_opts, cmd_slaves },
	{ "pdos", "[POS]", "show the process data mapping", NULL, NULL, cmd_pdos },
	{ "rescan", "", "read the segment anew", NULL, NULL, cmd_rescan },
	{ "state", "[POS|all] STATE", "request an AL state and wait for it",
	  "all INIT PREOP BOOT SAFEOP OP", state_opts, cmd_state },
	{ "upload", "POS INDEX [SUB]", "read an object by CoE", NULL,
	  upload_opts, cmd_upload },
	{ "download", "POS INDEX SUB VALUE", "write an object by CoE", NULL,
	  download_opts, cmd_download },
	{ "reg", "read POS|all ADDR [LEN] | write POS|all ADDR BYTE...",
	  "read or write ESC registers", "read write all", NULL, cmd_reg },
	{ "sii", "read POS", "read a slave's information interface (EEPROM)",
	  "read", sii_opts, cmd_sii },
	{ "config", "scan | check FILE | apply FILE | show | clear",
	  "make, check, apply or show a configuration",
	  "scan check apply show clear", config_opts, cmd_config },
	{ "run", "[FILE]", "bring the bus to OP and exchange process data", NULL,
	  run_opts, cmd_run },
	{ "latency", "", "show where the time of a cycle goes", NULL,
	  latency_opts, cmd_latency },
	{ "events", "", "show what happened", NULL, events_opts, cmd_events },
	{ "record", "arm | status | wait | freeze | off | report | export",
	  "record the last cycles, and show what stole their time",
	  "arm status wait freeze off report export", record_opts, cmd_record },
	{ "compare", "INTERFACE", "time the same frames by a raw socket and through kecat; no slave is written to",
	  NULL, compare_opts, cmd_compare },
	{ "doctor", "[PORT]", "check this machine for what costs time", NULL,
	  doctor_opts, cmd_doctor },
	{ "sim", "load | unload | fault [TEXT]", "control the simulated segment",
	  "load unload fault", sim_opts, cmd_sim },
	{ "version", "", "show versions", NULL, NULL, cmd_version },
	{ "help", "[COMMAND]", "show this list, or one command", NULL,
	  help_opts, cmd_help },
	{ NULL, NULL, NULL, NULL, NULL, NULL }
};

void error(const char *fmt, ...)
{
	va_list ap;

	fflush(stdout);
	fputs("kecat: ", stderr);
	va_start(ap, fmt);
	vfprintf(stderr, fmt, ap);
	va_end(ap);
	fputc('\n', stderr);
}

int usage_error(const struct ctx *c, const char *fmt, ...)
{
	va_list ap;

	fflush(stdout);
	fputs("kecat: ", stderr);
	va_start(ap, fmt);
	vfprintf(stderr, fmt, ap);
	va_end(ap);
	if (c->cmd)
		fprintf(stderr, "\nUsage: kecat %s [OPTIONS] %s\n"
			"Try 'kecat %s --help'.\n", c->cmd->name, c->cmd->args,
			c->cmd->name);
	else
		fputs("\nTry 'kecat help'.\n", stderr);
	return EXIT_USAGE;
}

static int code_of(int err)
{
	return err == -ENOENT || err == -ENODEV || err == -ENOLINK ?
	       EXIT_NODEV : EXIT_FAIL;
}

int fail(struct ctx *c, int err, const char *fmt, ...)
{
	const char *detail = c->k ? kecat_detail(c->k) : "";
	va_list ap;

	fflush(stdout);
	fputs("kecat: ", stderr);
	va_start(ap, fmt);
	vfprintf(stderr, fmt, ap);
	va_end(ap);
	fprintf(stderr, ": %s\n", *detail ? out_clean(detail) : kecat_strerror(err));
	return code_of(err);
}

int open_master(struct ctx *c, unsigned int flags)
{
	int ret = kecat_open(c->master, flags, &c->k);

	switch (ret) {
	case 0:
		return 0;
	case -ENOENT:
	case -ENXIO:
		error("there is no /dev/kecat%u: attach a port (kecat attach eth1) or load the simulator (kecat sim load)",
		      c->master);
		return EXIT_NODEV;
	case -EACCES:
		error("no permission for /dev/kecat%u: use sudo, or a udev rule that gives your group access",
		      c->master);
		return EXIT_FAIL;
	case -EPROTO:
		error("/dev/kecat%u speaks another interface than this program (%u.%u): install kecat.ko and kecat of one version",
		      c->master, KECAT_ABI >> 16, KECAT_ABI & 0xffff);
		return EXIT_FAIL;
	}
	return fail(c, ret, "/dev/kecat%u", c->master);
}

bool on_terminal(int fd)
{
	const char *term = getenv("TERM");

	return isatty(fd) && !getenv("NO_COLOR") && term && strcmp(term, "dumb");
}

int arg_position(const char *text, bool all, uint32_t *position)
{
	uint64_t v;

	if (all && !strcmp(text, "all")) {
		*position = KECAT_ALL;
		return 0;
	}
	if (!parse_uint(text, KECAT_MAX_SLAVES - 1, &v)) {
		error("'%s' is not a position: 0 to %u%s (kecat slaves lists them)",
		      text, KECAT_MAX_SLAVES - 1, all ? " or 'all'" : "");
		return -1;
	}
	*position = v;
	return 0;
}

int cmd_version(struct ctx *c, int argc, char **argv)
{
	struct kecat_version v;

	(void)argc;
	(void)argv;
	out_begin(c->json);
	out_uint("abi", NULL, KECAT_ABI);
	out_text("kecat      interface %u.%u\n", KECAT_ABI >> 16, KECAT_ABI & 0xffff);
	if (!kecat_open(c->master, KECAT_RDONLY, &c->k) &&
	    !kecat_get_version(c->k, &v)) {
		out_open("module", '{');
		out_str("release", "kecat.ko   %s", v.release);
		out_uint("abi", NULL, v.abi);
		out_text(", interface %u.%u", v.abi >> 16, v.abi & 0xffff);
		out_bool("preempt_rt", "%s\n", v.features & KECAT_FEAT_RT,
			 ", PREEMPT_RT kernel", ", kernel without PREEMPT_RT");
		out_close();
	} else {
		out_text("kecat.ko   no master %u\n", c->master);
	}
	return out_end() ? EXIT_FAIL : EXIT_OK;
}

static void print_opts(const struct opt *o)
{
	for (; o && o->name; o++) {
		char left[64];

		snprintf(left, sizeof(left), "%c%c%s --%s%s%s",
			 o->letter ? '-' : ' ', o->letter ? o->letter : ' ',
			 o->letter ? "," : " ", o->name, o->arg ? " " : "",
			 o->arg ? o->arg : "");
		printf("  %-26s %s\n", left, o->help);
	}
}

static int print_help(const struct cmd *cmd)
{
	if (cmd) {
		printf("Usage: kecat %s [OPTIONS] %s\n  %s\n\nOptions:\n",
		       cmd->name, cmd->args, cmd->help);
		print_opts(cmd->opts);
		print_opts(global_opts);
		printf("\nkecat(1) says more.\n");
		return EXIT_OK;
	}
	printf("Usage: kecat [-m N] [-j] COMMAND [OPTIONS] [ARGUMENTS]\n\nCommands:\n");
	for (cmd = commands; cmd->name; cmd++)
		printf("  %-10s %s\n", cmd->name, cmd->help);
	printf("\nFor all commands:\n");
	print_opts(global_opts);
	printf("\n'kecat COMMAND --help' shows one command, kecat(1) all of them.\n"
	       "First steps: kecat attach eth1; kecat slaves; kecat run\n");
	return EXIT_OK;
}

static const struct cmd *find_command(const char *name)
{
	for (const struct cmd *cmd = commands; cmd->name; cmd++)
		if (!strcmp(cmd->name, name))
			return cmd;
	return NULL;
}

const struct opt help_opts[] = {
	{ "completion", 0, NULL, "print the completion for bash" },
	{ NULL, 0, NULL, NULL }
};

int cmd_help(struct ctx *c, int argc, char **argv)
{
	const struct cmd *cmd = NULL;

	if (opt_has(c, "completion")) {
		print_completion();
		return EXIT_OK;
	}
	if (argc > 0) {
		cmd = find_command(argv[0]);
		if (!cmd)
			return usage_error(c, "no command '%s'", argv[0]);
	}
	return print_help(cmd);
}

/* Options in front of the command: the global ones, kept for the real pass */
static int find_word(int argc, char **argv)
{
	int i = 1;

	while (i < argc && argv[i][0] == '-') {
		bool value = !strcmp(argv[i], "-m") || !strcmp(argv[i], "--master");

		if (!strcmp(argv[i], "--version"))
			return -1;
		i += value ? 2 : 1;
	}
	return i;
}

static int run_command(struct ctx *c, int word, int argc, char **argv)
{
	uint64_t master = 0;
	int n, ret;

	/* close the gap that the command's name leaves */
	memmove(argv + word, argv + word + 1, (argc - word - 1) * sizeof(*argv));
	n = opt_parse(c, argc - 2, argv + 1);
	if (n < 0)
		return EXIT_USAGE;
	if (opt_has(c, "help"))
		return print_help(c->cmd);
	if (opt_uint(c, "master", KECAT_MAX_MASTERS - 1, &master))
		return EXIT_USAGE;
	c->master = master;
	c->json = opt_has(c, "json");
	ret = c->cmd->fn(c, n, argv + 1);
	kecat_close(c->k);
	return ret;
}

int main(int argc, char **argv)
{
	int word = find_word(argc, argv);
	struct ctx c = { 0 };

	if (word < 0 || word >= argc) {
		bool help = word < 0;

		for (int i = 1; i < argc; i++)
			help |= !strcmp(argv[i], "-h") || !strcmp(argv[i], "--help");
		if (word < 0)
			return cmd_version(&c, 0, NULL);
		print_help(NULL);
		return help ? EXIT_OK : EXIT_USAGE;
	}
	c.cmd = find_command(argv[word]);
	if (!c.cmd) {
		error("no command '%s'. Try 'kecat help'.", argv[word]);
		return EXIT_USAGE;
	}
	return run_command(&c, word, argc, argv);
}
