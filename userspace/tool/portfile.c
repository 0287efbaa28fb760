// SPDX-License-Identifier: GPL-2.0-only
/*
 * Files of ports to attach, kecat.conf(5): each line is what stands behind
 * "kecat attach".  Every line is tried; the first failure is the exit code.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmd.h"
#include "out.h"

#define MAX_WORDS	16
#define BLANKS		" \t\r\n"

/* Words of @line, which is cut up for it; -1: too many */
static int split(char *line, char *word[MAX_WORDS])
{
	char *rest, *w;
	int n = 0;

	for (w = strtok_r(line, BLANKS, &rest); w && *w != '#';
	     w = strtok_r(NULL, BLANKS, &rest)) {
		if (n == MAX_WORDS)
			return -1;
		word[n++] = w;
	}
	return n;
}

/* Options of the command line are the defaults of each line */
static int attach_line(const struct ctx *c, int argc, char **argv)
{
	struct ctx own = *c;
	int ret;

	own.value[opt_index(c, "file")] = NULL;
	argc = opt_parse(&own, argc, argv);
	if (argc < 0)
		return EXIT_USAGE;
	if (opt_has(&own, "file"))
		return usage_error(c, "a file does not name another file");
	ret = attach_ports(&own, argc, argv, true);
	kecat_close(own.k);
	return ret;
}

int portfile_attach(struct ctx *c, const char *path)
{
	char *line = NULL, *word[MAX_WORDS];
	int first = EXIT_OK, n, ret;
	unsigned int number = 0;
	size_t room = 0;
	FILE *f;

	f = fopen(path, "re");
	if (!f) {
		error("%s: %s", path, strerror(errno));
		return EXIT_USAGE;
	}
	while (getline(&line, &room, f) >= 0) {
		number++;
		n = split(line, word);
		if (!n)
			continue;
		ret = n < 0 ? usage_error(c, "more than %d words", MAX_WORDS) :
			      attach_line(c, n, word);
		if (!ret)
			continue;
		error("%s:%u: this port is not as it shall be", path, number);
		if (!first)
			first = ret;
	}
	if (ferror(f)) {
		error("%s: %s", path, strerror(errno));
		first = EXIT_USAGE;
	}
	free(line);
	fclose(f);
	return first;
}
