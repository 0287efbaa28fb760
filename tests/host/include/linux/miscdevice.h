/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef HOST_LINUX_MISCDEVICE_H
#define HOST_LINUX_MISCDEVICE_H
#include <linux/cdev.h>
#define MISC_DYNAMIC_MINOR 255
struct miscdevice {
	int minor;
	const char *name;
	const struct file_operations *fops;
	struct list_head list;
	struct device *parent;
	struct device *this_device;
	const char *nodename;
	umode_t mode;
};
int misc_register(struct miscdevice *m);
void misc_deregister(struct miscdevice *m);
#endif
