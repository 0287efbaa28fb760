/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef HOST_LINUX_DEBUGFS_H
#define HOST_LINUX_DEBUGFS_H
#include <linux/seq_file.h>
struct dentry;
#define debugfs_create_dir(n, p)		((struct dentry *)NULL)
#define debugfs_create_file(n, m, p, d, f)	((void)(d), (void)(f), (struct dentry *)NULL)
#define debugfs_create_u32(n, m, p, v)		((void)(v))
#define debugfs_create_u64(n, m, p, v)		((void)(v))
#define debugfs_create_bool(n, m, p, v)		((void)(v))
#define debugfs_remove_recursive(d)		((void)(d))
#define debugfs_remove(d)			((void)(d))
#endif
