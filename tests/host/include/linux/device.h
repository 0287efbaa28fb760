/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef HOST_LINUX_DEVICE_H
#define HOST_LINUX_DEVICE_H
#include <linux/err.h>
#include <linux/kernel.h>
#include <linux/kref.h>
#include <linux/kobject.h>
#include <linux/list.h>
#include <linux/module.h>
#include <linux/slab.h>
#include <linux/sysfs.h>

struct device;
struct class;

struct device_type {
	const char *name;
	const struct attribute_group **groups;
	void (*release)(struct device *d);
	char *(*devnode)(const struct device *d, umode_t *mode, void *u, void *g);
};

struct bus_type {
	const char *name;
};

struct device_driver {
	const char *name;
	struct module *owner;
};

struct device {
	struct kobject kobj;
	struct device *parent;
	const struct device_type *type;
	const struct bus_type *bus;
	struct device_driver *driver;
	const struct class *class;
	const struct attribute_group **groups;
	void (*release)(struct device *d);
	void *driver_data;
	void *platform_data;
	dev_t devt;
	u32 id;
	bool added;
	struct list_head list;
	char host_name[64];
};

struct class {
	const char *name;
	const struct attribute_group **class_groups;
	const struct attribute_group **dev_groups;
	char *(*devnode)(const struct device *d, umode_t *mode);
	void (*dev_release)(struct device *d);
};

struct device_attribute {
	struct attribute attr;
	ssize_t (*show)(struct device *d, struct device_attribute *a, char *buf);
	ssize_t (*store)(struct device *d, struct device_attribute *a,
			 const char *buf, size_t n);
};
#define DEVICE_ATTR_RO(n) \
	struct device_attribute dev_attr_##n = { .attr = { #n, 0444 }, .show = n##_show }
#define DEVICE_ATTR_RW(n) \
	struct device_attribute dev_attr_##n = { .attr = { #n, 0644 }, \
		.show = n##_show, .store = n##_store }
#define DEVICE_ATTR_WO(n) \
	struct device_attribute dev_attr_##n = { .attr = { #n, 0200 }, .store = n##_store }
#define ATTRIBUTE_GROUPS(n) \
	static const struct attribute_group n##_group = { .attrs = n##_attrs }; \
	static const struct attribute_group *n##_groups[] = { &n##_group, NULL }

struct class *class_create(const char *name);
void class_destroy(const struct class *c);
int class_register(const struct class *c);
void class_unregister(const struct class *c);
__printf(5, 6)
struct device *device_create(const struct class *c, struct device *parent,
			     dev_t dev, void *data, const char *fmt, ...);
struct device *device_create_with_groups(const struct class *c,
					 struct device *parent, dev_t dev,
					 void *data,
					 const struct attribute_group **groups,
					 const char *fmt, ...);
void device_destroy(const struct class *c, dev_t dev);
void device_initialize(struct device *d);
int device_add(struct device *d);
void device_del(struct device *d);
int device_register(struct device *d);
void device_unregister(struct device *d);
struct device *get_device(struct device *d);
void put_device(struct device *d);
__printf(2, 3) int dev_set_name(struct device *d, const char *fmt, ...);
#define dev_name(d)		((const char *)(d)->host_name)
#define dev_get_drvdata(d)	((d)->driver_data)
#define dev_set_drvdata(d, v)	((void)((d)->driver_data = (v)))
#define dev_driver_string(d)	((d)->driver ? (d)->driver->name : "")
#define kobj_to_dev(k)		container_of(k, struct device, kobj)
#define dev_err(d, fmt, ...)	host_printk(3, fmt, ##__VA_ARGS__)
#define dev_warn(d, fmt, ...)	host_printk(4, fmt, ##__VA_ARGS__)
#define dev_notice(d, fmt, ...)	host_printk(5, fmt, ##__VA_ARGS__)
#define dev_info(d, fmt, ...)	host_printk(6, fmt, ##__VA_ARGS__)
#define dev_dbg(d, fmt, ...)	host_printk(7, fmt, ##__VA_ARGS__)
#endif
