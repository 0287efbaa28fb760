/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef HOST_LINUX_FS_H
#define HOST_LINUX_FS_H
#include <linux/err.h>
#include <linux/kdev_t.h>
#include <linux/list.h>
#include <linux/mutex.h>
#include <linux/types.h>
#include <linux/wait.h>

struct poll_table_struct;
struct vm_area_struct;
struct module;
struct cdev;
struct file;
struct iov_iter;
struct kiocb;
typedef unsigned int __poll_t;
typedef void *fl_owner_t;

struct inode {
	dev_t i_rdev;
	struct cdev *i_cdev;
	void *i_private;
	unsigned short i_mode;
};

struct file_operations {
	struct module *owner;
	loff_t (*llseek)(struct file *f, loff_t off, int whence);
	ssize_t (*read)(struct file *f, char __user *to, size_t n, loff_t *pos);
	ssize_t (*write)(struct file *f, const char __user *from, size_t n,
			 loff_t *pos);
	__poll_t (*poll)(struct file *f, struct poll_table_struct *pt);
	long (*unlocked_ioctl)(struct file *f, unsigned int cmd, unsigned long arg);
	long (*compat_ioctl)(struct file *f, unsigned int cmd, unsigned long arg);
	int (*mmap)(struct file *f, struct vm_area_struct *vma);
	int (*open)(struct inode *i, struct file *f);
	int (*flush)(struct file *f, fl_owner_t id);
	int (*release)(struct inode *i, struct file *f);
	int (*fasync)(int fd, struct file *f, int on);
};

struct file {
	const struct file_operations *f_op;
	struct inode *f_inode;
	void *private_data;
	unsigned int f_flags;
	fmode_t f_mode;
	loff_t f_pos;
};

#define FMODE_READ	0x1
#define FMODE_WRITE	0x2
#define O_ACCMODE	3
#define O_RDONLY	0
#define O_WRONLY	1
#define O_RDWR		2
#define O_NONBLOCK	04000
#define O_CLOEXEC	02000000

#define SEEK_SET	0
#define SEEK_CUR	1
#define SEEK_END	2

#define file_inode(f)	((f)->f_inode)
#define iminor(i)	MINOR((i)->i_rdev)
#define imajor(i)	MAJOR((i)->i_rdev)
static inline int nonseekable_open(struct inode *i, struct file *f) { return 0; }
static inline int stream_open(struct inode *i, struct file *f) { return 0; }
long compat_ptr_ioctl(struct file *f, unsigned int cmd, unsigned long arg);
loff_t noop_llseek(struct file *f, loff_t off, int whence);
#define no_llseek noop_llseek
int alloc_chrdev_region(dev_t *dev, unsigned int first, unsigned int n,
			const char *name);
void unregister_chrdev_region(dev_t dev, unsigned int n);
#endif
