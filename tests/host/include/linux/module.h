/* SPDX-License-Identifier: GPL-2.0-only */
/* The module under test is linked in; a test calls its init and exit. */
#ifndef HOST_LINUX_MODULE_H
#define HOST_LINUX_MODULE_H
#include <linux/export.h>
#include <linux/init.h>
#include <linux/kernel.h>
#include <linux/moduleparam.h>
#include <linux/stringify.h>
#include <linux/wait.h>
struct module {
	int refs;
	bool going;
	const char *name;
};
extern struct module host_this_module;
#define THIS_MODULE		(&host_this_module)
#ifndef KBUILD_MODNAME
#define KBUILD_MODNAME		"kecat"
#endif
#define MODULE_LICENSE(x)	static_assert(1)
#define MODULE_AUTHOR(x)	static_assert(1)
#define MODULE_DESCRIPTION(x)	static_assert(1)
#define MODULE_VERSION(x)	static_assert(1)
#define MODULE_ALIAS(x)		static_assert(1)
#define MODULE_INFO(t, x)	static_assert(1)
#define MODULE_SOFTDEP(x)	static_assert(1)
#define MODULE_DEVICE_TABLE(t, x)	static_assert(1)
#define MODULE_IMPORT_NS(x)	static_assert(1)
extern int (*host_module_init)(void);
extern void (*host_module_exit)(void);
#define module_init(f) \
	__attribute__((constructor)) static void host_reg_##f(void) { host_module_init = f; }
#define module_exit(f) \
	__attribute__((constructor)) static void host_reg_##f(void) { host_module_exit = f; }
bool try_module_get(struct module *m);
void __module_get(struct module *m);
void module_put(struct module *m);
#define module_name(m)		((m) ? (m)->name : "kernel")
#endif
