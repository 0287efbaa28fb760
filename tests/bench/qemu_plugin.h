/* SPDX-License-Identifier: GPL-2.0-only */
/* What the plugin uses of QEMU's interface for plugins; no package has a header. */
#ifndef BENCH_QEMU_PLUGIN_H
#define BENCH_QEMU_PLUGIN_H

#include "sim_os.h"

#define API_VERSION	7
#define MEM_BOTH	3	/* loads and stores */
#define NO_REGS		0
#define ADD		0

typedef u64 plugin_id;
struct tb;
struct insn;
struct hwaddr;
struct net_client;
struct scoreboard;

void qemu_plugin_register_vcpu_tb_trans_cb(plugin_id id, void (*cb)(struct tb *, void *), void *arg);
void qemu_plugin_register_atexit_cb(plugin_id id, void (*cb)(void *), void *arg);
size_t qemu_plugin_tb_n_insns(const struct tb *tb);
struct insn *qemu_plugin_tb_get_insn(const struct tb *tb, size_t n);
void qemu_plugin_register_vcpu_mem_cb(struct insn *insn, void (*cb)(unsigned int, u32, u64, void *),
				      int flags, int rw, void *arg);
struct hwaddr *qemu_plugin_get_hwaddr(u32 info, u64 vaddr);
bool qemu_plugin_hwaddr_is_io(const struct hwaddr *addr);
const char *qemu_plugin_hwaddr_device_name(const struct hwaddr *addr);
bool qemu_plugin_mem_is_store(u32 info);
u64 qemu_plugin_tb_vaddr(const struct tb *tb);
size_t qemu_plugin_insn_data(const struct insn *insn, void *to, size_t len);
size_t qemu_plugin_insn_size(const struct insn *insn);
void qemu_plugin_register_vcpu_insn_exec_cb(struct insn *insn, void (*cb)(unsigned int, void *),
					    int flags, void *arg);
struct scoreboard *qemu_plugin_scoreboard_new(size_t size);
struct counter {
	struct scoreboard *score;
	size_t offset;
};
u64 qemu_plugin_u64_get(struct counter c, unsigned int cpu);
void qemu_plugin_register_vcpu_tb_exec_inline_per_vcpu(struct tb *tb, int op, struct counter c, u64 by);

#endif
