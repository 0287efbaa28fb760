/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Files of a machine: this one's, or those of a recorded tree.
 *
 * All paths are relative to the root and stay below it, symbolic links too.
 * What is read comes from wherever the tree came from: any bytes, any length.
 */
#ifndef KECAT_DOCTOR_TREE_H
#define KECAT_DOCTOR_TREE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define TREE_PATH	256
#define TREE_MAX	(4 << 20)	/* no file that is looked at comes near */

/*
 * @root: NULL for this machine.  @record: NULL, or a directory that gets all
 * that is read.  0 or -errno.
 */
int tree_open(const char *root, const char *record);
void tree_close(void);
/* of this machine, not of a recorded tree */
bool tree_live(void);
/* from here on the later look at what changes: a recorded tree has it in later/ */
void tree_later(bool on);

/* The whole file as text, for free(); NULL: errno says why */
char *tree_read(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
/* first line; 0 or -errno */
int tree_line(char *buf, size_t room, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
/* first line as a number; 0 or -errno */
int tree_number(int64_t *v, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));
/* bytes as they are, from @offset on; number or -errno */
int tree_bytes(void *buf, size_t room, uint64_t offset, const char *fmt, ...)
	__attribute__((format(printf, 4, 5)));
bool tree_exists(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
/* where a symbolic link points; 0 or -errno */
int tree_link(char *buf, size_t room, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
/* names in a directory in order; for tree_free_names().  Number or -errno */
int tree_names(char ***names, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));
void tree_free_names(char **names, int n);
/* 0 or -errno */
int tree_write(const char *value, const char *path);
/* what a probe made itself, so that a recorded tree has it; live only */
void tree_keep(const char *path, const void *data, size_t len);

#endif
