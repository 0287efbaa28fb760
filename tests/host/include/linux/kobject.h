/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef HOST_LINUX_KOBJECT_H
#define HOST_LINUX_KOBJECT_H
#include <linux/kref.h>
struct kobject {
	struct kref kref;
};
enum kobject_action { KOBJ_ADD, KOBJ_REMOVE, KOBJ_CHANGE };
#define kobject_uevent(k, a)		0
#define kobject_uevent_env(k, a, e)	0
#endif
