// SPDX-License-Identifier: GPL-2.0-only
/*
 * A plugin of QEMU's TCG: the simulated segment inside the machine.
 *
 * A far end in another process answers at the host's time, and no two runs are
 * alike.  Here the guest's processor itself carries the frame: it has written a
 * register of the NIC, the NIC has sent, and before the next instruction of the
 * guest the segment answers.  The answer arrives at once, or with wire=1 after
 * the time that the frame takes on a wire and through the slaves, in the guest's
 * virtual time.  No thread and no clock of the host takes part, so a run
 * (-icount) repeats to the instruction.
 *
 * arguments: listen=PATH   where QEMU's "-netdev dgram,id=n0" sends to
 *            segment=FILE  description of the segment
 *            devices=DIR   more devices, *.dev
 *            wire=1        frames take time
 *
 * A frame of EtherType 0x88b5 is no frame for the segment: its text is a list of
 * devices, and those are the segment from now on.  Where the guest executes
 * xchg %rbx,%rbx, which does nothing, a line on stderr says what happened since
 * the last time: instructions, register reads and writes of the NIC, doorbells
 * (writes that made frames go), frames.
 *
 * QEMU installs no header for plugins, and the functions that hand a frame to a
 * network device are exported for its own modules only: both are declared here.
 */
#include <dlfcn.h>
#include <stdio.h>
#include <unistd.h>
#include "qemu_plugin.h"
#include "sim_host.h"

#define EXPORT		__attribute__((visibility("default")))
#define KERNEL		(1ull << 63)	/* addresses of its half */
#define TYPE_SELECT	0x88b5
#define CLOCK_VIRTUAL	1
#define TIMER_ROOM	512	/* a QEMUTimer fits */
#define UNDER_WAY	64	/* frames on the wire */
#define BYTE_NS		80	/* 100 Mbit/s */
#define AROUND		24	/* preamble, FCS and gap around a frame */

/* of QEMU itself */
static struct {
	void (*lock)(const char *file, int line);
	void (*unlock)(void);
	struct net_client *(*find)(const char *id);
	ssize_t (*send)(struct net_client *nc, const u8 *buf, int size);
	s64 (*now)(int clock);
	void (*timer_init)(void *t, void *group, int clock, int scale, int attributes,
			   void (*cb)(void *), void *arg);
	void (*timer_mod)(void *t, s64 when);
} q;

struct frame {
	u64 due;
	size_t len;
	u8 data[FRAME_MAX];
};

static struct sim_segment *seg;
static struct link wire = { .fd = -1 };
static struct net_client *nic;
static bool takes_time;
static struct frame under_way[UNDER_WAY];
static unsigned int head, tail;		/* free running */
static u64 wire_free;
static u64 timer[TIMER_ROOM / sizeof(u64)];
static unsigned long long carried, lost;
static struct devices devices;
static struct counter insns;
static struct {
	u64 insns, reads, writes, doorbells, frames;
} count;

EXPORT int qemu_plugin_version = API_VERSION;

static u64 now(void)
{
	return (u64)q.now(CLOCK_VIRTUAL);
}

/* The caller holds QEMU's lock. */
static void arrive(const u8 *data, size_t len)
{
	if (q.send(nic, data, (int)len) > 0)
		carried++;
	else
		lost++;
}

static void arrivals(void *arg)
{
	(void)arg;
	while (tail != head && under_way[tail % UNDER_WAY].due <= now()) {
		struct frame *f = &under_way[tail++ % UNDER_WAY];

		arrive(f->data, f->len);
	}
	if (tail != head)
		q.timer_mod(timer, (s64)under_way[tail % UNDER_WAY].due);
}

/* The frame leaves when the wire is free, and is back in memory with its last byte. */
static void carry(u8 *data, size_t len)
{
	u64 start = now(), done;
	unsigned int port = 0;
	size_t on_wire = (len < 60 ? 60 : len) + AROUND;
	struct frame *f;

	if (takes_time && start < wire_free)
		start = wire_free;
	wire_free = start + on_wire * BYTE_NS;
	len = sim_segment_process_port(seg, &port, data, len, start, &done);
	sim_segment_tick(seg, start);
	if (!len || port)
		return;
	if (!takes_time) {
		arrive(data, len);
		return;
	}
	if (head - tail == UNDER_WAY) {
		lost++;
		return;
	}
	f = &under_way[head++ % UNDER_WAY];
	f->due = done + on_wire * BYTE_NS;
	f->len = len;
	memcpy(f->data, data, len);
	q.timer_mod(timer, (s64)under_way[tail % UNDER_WAY].due);
}

static void select_segment(const u8 *frame, size_t len)
{
	char list[FRAME_MAX];
	struct sim_config cfg = { .slaves = list, .devices = devices.dev, .ndevices = devices.n };
	struct sim_segment *other;

	snprintf(list, sizeof(list), "%.*s", (int)len - 14, (const char *)frame + 14);
	other = sim_segment_create(&cfg, now());
	if (!other) {
		fprintf(stderr, "wire: %s: %s\n", list, cfg.error);
		return;
	}
	sim_segment_destroy(seg);
	seg = other;
	fprintf(stderr, "wire: segment %s\n", list);
}

static bool selects(const u8 *frame, size_t len)
{
	return len > 14 && frame[12] == TYPE_SELECT >> 8 && frame[13] == (TYPE_SELECT & 0xff);
}

/* The guest has written to the NIC: if that was the doorbell, frames are here. */
static void take_frames(void)
{
	static u8 data[FRAME_MAX];
	ssize_t n = link_recv(&wire, data, sizeof(data));

	if (n <= 0)
		return;
	count.doorbells++;
	q.lock(__FILE__, __LINE__);
	if (!nic)
		nic = q.find("n0");
	for (; n > 0; n = link_recv(&wire, data, sizeof(data))) {
		count.frames++;
		if (selects(data, (size_t)n))
			select_segment(data, (size_t)n);
		else
			carry(data, (size_t)n);
	}
	q.unlock();
}

static void accessed(unsigned int cpu, u32 info, u64 vaddr, void *arg)
{
	struct hwaddr *addr = qemu_plugin_get_hwaddr(info, vaddr);

	(void)cpu;
	(void)arg;
	if (!addr || !qemu_plugin_hwaddr_is_io(addr) ||
	    strncmp(qemu_plugin_hwaddr_device_name(addr), "e1000e", 6))
		return;
	if (!qemu_plugin_mem_is_store(info)) {
		count.reads++;
		return;
	}
	count.writes++;
	take_frames();
}

static void marked(unsigned int cpu, void *arg)
{
	u64 n = qemu_plugin_u64_get(insns, cpu);

	(void)arg;
	fprintf(stderr, "wire: mark insns=%llu reads=%llu writes=%llu doorbells=%llu frames=%llu\n",
		(unsigned long long)(n - count.insns), (unsigned long long)count.reads,
		(unsigned long long)count.writes, (unsigned long long)count.doorbells,
		(unsigned long long)count.frames);
	memset(&count, 0, sizeof(count));
	count.insns = n;
}

static bool is_mark(const struct insn *insn)
{
	static const u8 mark[] = { 0x48, 0x87, 0xdb };
	u8 code[sizeof(mark)];

	return qemu_plugin_insn_size(insn) == sizeof(mark) &&
	       qemu_plugin_insn_data(insn, code, sizeof(code)) == sizeof(mark) &&
	       !memcmp(code, mark, sizeof(mark));
}

/* Programs touch no device, and only they set marks. */
static void translated(struct tb *tb, void *arg)
{
	size_t i, n = qemu_plugin_tb_n_insns(tb);
	bool kernel = qemu_plugin_tb_vaddr(tb) & KERNEL;

	(void)arg;
	qemu_plugin_register_vcpu_tb_exec_inline_per_vcpu(tb, ADD, insns, n);
	for (i = 0; i < n; i++) {
		struct insn *insn = qemu_plugin_tb_get_insn(tb, i);

		if (kernel)
			qemu_plugin_register_vcpu_mem_cb(insn, accessed, NO_REGS, MEM_BOTH, NULL);
		else if (is_mark(insn))
			qemu_plugin_register_vcpu_insn_exec_cb(insn, marked, NO_REGS, NULL);
	}
}

static void ended(void *arg)
{
	(void)arg;
	fprintf(stderr, "wire: carried=%llu lost=%llu\n", carried, lost);
}

static int resolve(void *to, const char *name)
{
	*(void **)to = dlsym(RTLD_DEFAULT, name);
	if (!*(void **)to)
		fprintf(stderr, "wire: this QEMU exports no %s\n", name);
	return *(void **)to ? 0 : -1;
}

static int resolve_all(void)
{
	return resolve(&q.lock, "bql_lock_impl") | resolve(&q.unlock, "bql_unlock") |
	       resolve(&q.find, "qemu_find_netdev") | resolve(&q.send, "qemu_send_packet") |
	       resolve(&q.now, "qemu_clock_get_ns") | resolve(&q.timer_init, "timer_init_full") |
	       resolve(&q.timer_mod, "timer_mod_ns");
}

static int open_segment(const char *path)
{
	struct sim_config cfg = { .text = path ? file_text(path) : NULL,
				  .devices = devices.dev, .ndevices = devices.n };

	if (!cfg.text) {
		fprintf(stderr, "wire: segment=FILE is missing\n");
		return -1;
	}
	seg = sim_segment_create(&cfg, 0);
	free((void *)cfg.text);
	if (!seg)
		fprintf(stderr, "wire: %s\n", cfg.error);
	return seg ? 0 : -1;
}

EXPORT int qemu_plugin_install(plugin_id id, const void *info, int argc, char **argv)
{
	const char *listen = NULL, *segment = NULL;
	int i;

	(void)info;
	for (i = 0; i < argc; i++) {
		if (!strncmp(argv[i], "listen=", 7))
			listen = argv[i] + 7;
		else if (!strncmp(argv[i], "segment=", 8))
			segment = argv[i] + 8;
		else if (!strncmp(argv[i], "devices=", 8) && devices_add_dir(&devices, argv[i] + 8))
			return -1;
		else if (!strncmp(argv[i], "wire=", 5))
			takes_time = argv[i][5] == '1';
	}
	if (!listen || resolve_all() || open_segment(segment) || link_unix(&wire, listen, NULL))
		return -1;
	insns.score = qemu_plugin_scoreboard_new(sizeof(u64));
	q.timer_init(timer, NULL, CLOCK_VIRTUAL, 1, 0, arrivals, NULL);
	qemu_plugin_register_vcpu_tb_trans_cb(id, translated, NULL);
	qemu_plugin_register_atexit_cb(id, ended, NULL);
	return 0;
}
