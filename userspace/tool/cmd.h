/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * kecat: the command table and what commands share.
 *
 * A command gets its positional arguments and looks its options up by name;
 * --help, the completion and the checks of the man page come from the table.
 */
#ifndef KECAT_TOOL_CMD_H
#define KECAT_TOOL_CMD_H

#include "../lib/kecat.h"

/* exit codes; kecat(1) documents them */
#define EXIT_OK		0
#define EXIT_FAIL	1	/* the operation failed */
#define EXIT_USAGE	2	/* wrong command line or configuration file */
#define EXIT_NODEV	3	/* no such master, slave or port */
#define EXIT_CHECK	4	/* it ran, but what was asked for did not hold */

#define MAX_OPTS	24

struct opt {
	const char *name;
	char letter;		/* 0: none */
	const char *arg;	/* NULL: a switch */
	const char *help;
};

struct cmd;

struct ctx {
	const struct cmd *cmd;
	const char *value[MAX_OPTS];	/* by position in the table of options */
	unsigned int master;
	bool json;
	struct kecat *k;
};

struct cmd {
	const char *name;
	const char *args;	/* as in the usage line */
	const char *help;	/* one line */
	const char *words;	/* fixed words that may follow, for completion */
	const struct opt *opts;	/* ends with name NULL; NULL: none */
	int (*fn)(struct ctx *c, int argc, char **argv);
};

extern const struct cmd commands[];
extern const struct opt global_opts[];

int cmd_attach(struct ctx *c, int argc, char **argv);
int cmd_detach(struct ctx *c, int argc, char **argv);
int cmd_masters(struct ctx *c, int argc, char **argv);
int cmd_status(struct ctx *c, int argc, char **argv);
int cmd_slaves(struct ctx *c, int argc, char **argv);
int cmd_pdos(struct ctx *c, int argc, char **argv);
int cmd_rescan(struct ctx *c, int argc, char **argv);
int cmd_state(struct ctx *c, int argc, char **argv);
int cmd_upload(struct ctx *c, int argc, char **argv);
int cmd_download(struct ctx *c, int argc, char **argv);
int cmd_reg(struct ctx *c, int argc, char **argv);
int cmd_sii(struct ctx *c, int argc, char **argv);
int cmd_config(struct ctx *c, int argc, char **argv);
int cmd_run(struct ctx *c, int argc, char **argv);
int cmd_latency(struct ctx *c, int argc, char **argv);
int cmd_events(struct ctx *c, int argc, char **argv);
int cmd_record(struct ctx *c, int argc, char **argv);
int cmd_compare(struct ctx *c, int argc, char **argv);
int cmd_doctor(struct ctx *c, int argc, char **argv);
int cmd_sim(struct ctx *c, int argc, char **argv);
int cmd_version(struct ctx *c, int argc, char **argv);
int cmd_help(struct ctx *c, int argc, char **argv);

extern const struct opt attach_opts[];
extern const struct opt detach_opts[];
extern const struct opt slaves_opts[];
extern const struct opt upload_opts[];
extern const struct opt download_opts[];
extern const struct opt sii_opts[];
extern const struct opt state_opts[];
extern const struct opt config_opts[];
extern const struct opt run_opts[];
extern const struct opt latency_opts[];
extern const struct opt events_opts[];
extern const struct opt record_opts[];
extern const struct opt compare_opts[];
extern const struct opt doctor_opts[];
extern const struct opt sim_opts[];
extern const struct opt help_opts[];

/* ---- opt.c ---- */
/* positional arguments move to the front of @argv; returns their number or -1 */
int opt_parse(struct ctx *c, int argc, char **argv);
/* place in ctx.value, -1: the command has no such option */
int opt_index(const struct ctx *c, const char *name);
const char *opt_str(const struct ctx *c, const char *name);
bool opt_has(const struct ctx *c, const char *name);
/* 0, or -1 and a message; @v unchanged if the option is not given */
int opt_uint(const struct ctx *c, const char *name, uint64_t max, uint64_t *v);
/* decimal microseconds with up to three decimals */
int opt_us(const struct ctx *c, const char *name, uint64_t *ns);
/* decimal, 0x hexadecimal or 0 octal */
bool parse_uint(const char *text, uint64_t max, uint64_t *v);
bool parse_us(const char *text, uint64_t *ns);
/* a positional argument, or -1 and a message */
int arg_uint(const char *what, const char *text, uint64_t max, uint64_t *v);

/* ---- main.c ---- */
void error(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
int usage_error(const struct ctx *c, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));
/* open the master of the command line into c->k; 0 or an exit code */
int open_master(struct ctx *c, unsigned int flags);
/* say what failed and why, return the exit code that fits */
int fail(struct ctx *c, int err, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
bool on_terminal(int fd);
/* "all" or a position; KECAT_ALL only where @all allows it */
int arg_position(const char *text, bool all, uint32_t *position);

/* ---- cmd_attach.c, cmd_config.c, portfile.c: exit codes ---- */
/* @again: a port that is attached already is no failure */
int attach_ports(struct ctx *c, int argc, char **argv, bool again);
int config_apply(struct ctx *c, const char *path);
int portfile_attach(struct ctx *c, const char *path);

/* ---- completion.c ---- */
void print_completion(void);

#endif
