/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef HOST_LINUX_CDEV_H
#define HOST_LINUX_CDEV_H
#include <linux/device.h>
#include <linux/fs.h>
struct cdev {
	struct kobject kobj;
	struct module *owner;
	const struct file_operations *ops;
	struct list_head list;
	dev_t dev;
	unsigned int count;
	bool allocated;
};
void cdev_init(struct cdev *c, const struct file_operations *ops);
struct cdev *cdev_alloc(void);
int cdev_add(struct cdev *c, dev_t dev, unsigned int n);
void cdev_del(struct cdev *c);
int cdev_device_add(struct cdev *c, struct device *d);
void cdev_device_del(struct cdev *c, struct device *d);
void cdev_set_parent(struct cdev *c, struct kobject *k);
#endif
