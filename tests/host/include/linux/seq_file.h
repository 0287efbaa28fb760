/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef HOST_LINUX_SEQ_FILE_H
#define HOST_LINUX_SEQ_FILE_H
#include <linux/fs.h>
struct seq_file {
	void *private;
	char *buf;
	size_t size, count;
};
__printf(2, 3) void seq_printf(struct seq_file *s, const char *fmt, ...);
void seq_puts(struct seq_file *s, const char *str);
void seq_putc(struct seq_file *s, char c);
#define DEFINE_SHOW_ATTRIBUTE(n) \
	static int (*const n##_fops)(struct seq_file *s, void *v) __maybe_unused = n##_show
#endif
