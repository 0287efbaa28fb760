// SPDX-License-Identifier: GPL-2.0-only
/*
 * The vfio-user protocol, server side: one client, messages one after the
 * other.  What the client sends is checked against the message's size before
 * it is used.
 */
#include <errno.h>
#include <linux/vfio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "nic.h"

enum {
	VERSION = 1, DMA_MAP, DMA_UNMAP, DEVICE_INFO, REGION_INFO, REGION_IO_FDS,
	IRQ_INFO, SET_IRQS, REGION_READ, REGION_WRITE, DEVICE_RESET = 13,
	WRITE_MULTI = 15,
};

#define REPLY		1u
#define NO_REPLY	0x10u
#define ERROR		0x20u
#define MESSAGE_MAX	(1u << 20)
#define IO_MAX		4096u
#define FDS_MAX		8
#define MAPS_MAX	64

struct header {
	uint16_t id, command;
	uint32_t size, flags, error;
};

/* Bodies of messages; the size of each is checked by its handler. */
struct dma_map {
	uint32_t argsz, flags;
	uint64_t offset, addr, size;
};

struct dma_unmap {
	uint32_t argsz, flags;
	uint64_t addr, size;
};

struct access {
	uint64_t at;
	uint32_t region, len;
};

static struct map {
	uint64_t addr, size;
	uint8_t *mem;
	bool writable;
} maps[MAPS_MAX];

static int client = -1;
static int fds[FDS_MAX];
static unsigned int fd_count;
static uint8_t body[MESSAGE_MAX];

/**
 * vfu_memory - guest memory that the device reads or writes
 * @n:     the device
 * @addr:  bus address
 * @len:   bytes
 * @write: also to write
 *
 * Return: NULL, counted, if all of it is not in one mapping, or the device is
 * not allowed to use the bus.
 */
void *vfu_memory(struct nic *n, uint64_t addr, uint64_t len, bool write)
{
	for (unsigned int i = 0; i < MAPS_MAX && pci_bus_master(n); i++) {
		const struct map *m = &maps[i];

		if (m->mem && addr >= m->addr && len <= m->size &&
		    addr - m->addr <= m->size - len && (m->writable || !write))
			return m->mem + (addr - m->addr);
	}
	n->count.bad_dma++;
	return NULL;
}

void vfu_interrupt(struct nic *n)
{
	const uint64_t one = 1;

	if (n->irq_fd < 0)
		return;
	if (n->irq_index == VFIO_PCI_INTX_IRQ_INDEX) {
		if (n->intx_masked || pci_intx_disabled(n))
			return;
		n->intx_masked = true;
	}
	n->count.interrupts++;
	if (write(n->irq_fd, &one, sizeof(one)) != sizeof(one))
		die("interrupt: %s", strerror(errno));
}

int vfu_listen(const char *path)
{
	struct sockaddr_un a = { .sun_family = AF_UNIX };
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

	if (strlen(path) >= sizeof(a.sun_path))
		die("%s: too long for a socket", path);
	strcpy(a.sun_path, path);
	unlink(path);
	if (fd < 0 || bind(fd, (struct sockaddr *)&a, sizeof(a)) || listen(fd, 1))
		die("%s: %s", path, strerror(errno));
	return fd;
}

void vfu_accept(int listener)
{
	client = accept4(listener, NULL, NULL, SOCK_CLOEXEC);
	if (client < 0)
		die("accept: %s", strerror(errno));
	close(listener);
}

int vfu_fd(void)
{
	return client;
}

static void keep_fds(const struct cmsghdr *c)
{
	unsigned int n = (unsigned int)((c->cmsg_len - CMSG_LEN(0)) / sizeof(int));
	const int *in = (const int *)(const void *)CMSG_DATA(c);

	for (unsigned int i = 0; i < n; i++) {
		if (fd_count < FDS_MAX)
			fds[fd_count++] = in[i];
		else
			close(in[i]);
	}
}

/* All @len bytes and the descriptors with them; false: the client is gone */
static bool take(void *buf, size_t len)
{
	union {
		char room[CMSG_SPACE(sizeof(int) * FDS_MAX)];
		struct cmsghdr align;
	} aux;

	while (len) {
		struct iovec v = { buf, len };
		struct msghdr m = { .msg_iov = &v, .msg_iovlen = 1,
				    .msg_control = aux.room, .msg_controllen = sizeof(aux) };
		ssize_t got = recvmsg(client, &m, MSG_CMSG_CLOEXEC);

		if (got <= 0)
			return false;
		for (struct cmsghdr *c = CMSG_FIRSTHDR(&m); c; c = CMSG_NXTHDR(&m, c))
			if (c->cmsg_level == SOL_SOCKET && c->cmsg_type == SCM_RIGHTS)
				keep_fds(c);
		buf = (char *)buf + got;
		len -= (size_t)got;
	}
	return true;
}

static void reply(const struct header *h, int error, const void *data, size_t len)
{
	struct header r = { h->id, h->command, sizeof(r), REPLY, 0 };
	struct iovec v[2] = { { &r, sizeof(r) }, { (void *)data, error ? 0 : len } };
	struct msghdr m = { .msg_iov = v, .msg_iovlen = 2 };

	if (h->flags & NO_REPLY)
		return;
	if (error) {
		r.flags |= ERROR;
		r.error = (uint32_t)error;
	} else {
		r.size += (uint32_t)len;
	}
	if (sendmsg(client, &m, MSG_NOSIGNAL) < 0 && errno != EPIPE)
		die("reply: %s", strerror(errno));
}

static void version(const struct header *h, size_t len)
{
	static const char text[] = "{\"capabilities\":{\"max_msg_fds\":8,"
		"\"max_data_xfer_size\":4096,\"write_multiple\":true}}";
	uint8_t out[4 + sizeof(text)];

	if (len < 4) {
		reply(h, EINVAL, NULL, 0);
		return;
	}
	memcpy(out, body, 4);
	memcpy(out + 4, text, sizeof(text));
	reply(h, 0, out, sizeof(out));
}

/* Memory without a descriptor (ROM) is no target of ours. */
static int map(const struct dma_map *d)
{
	struct map *m = NULL;
	int prot = PROT_READ | (d->flags & 2 ? PROT_WRITE : 0);
	void *mem;

	if (!fd_count)
		return 0;
	for (unsigned int i = 0; i < MAPS_MAX && !m; i++)
		if (!maps[i].mem)
			m = &maps[i];
	if (!m || !d->size || d->addr + d->size < d->addr)
		return EINVAL;
	mem = mmap(NULL, d->size, prot, MAP_SHARED, fds[0], (off_t)d->offset);
	if (mem == MAP_FAILED)
		return errno;
	*m = (struct map){ d->addr, d->size, mem, d->flags & 2 };
	return 0;
}

static void dma_map(const struct header *h, size_t len)
{
	struct dma_map d;

	if (len < sizeof(d)) {
		reply(h, EINVAL, NULL, 0);
		return;
	}
	memcpy(&d, body, sizeof(d));
	reply(h, map(&d), NULL, 0);
}

static void dma_unmap(const struct header *h, size_t len)
{
	struct dma_unmap d;

	if (len < sizeof(d)) {
		reply(h, EINVAL, NULL, 0);
		return;
	}
	memcpy(&d, body, sizeof(d));
	for (unsigned int i = 0; i < MAPS_MAX; i++) {
		if (!maps[i].mem || maps[i].addr != d.addr || maps[i].size != d.size)
			continue;
		munmap(maps[i].mem, maps[i].size);
		maps[i].mem = NULL;
	}
	reply(h, 0, &d, sizeof(d));
}

static void device_info(const struct header *h)
{
	const struct vfio_device_info i = {
		.argsz = 16, .flags = VFIO_DEVICE_FLAGS_RESET | VFIO_DEVICE_FLAGS_PCI,
		.num_regions = VFIO_PCI_NUM_REGIONS, .num_irqs = VFIO_PCI_NUM_IRQS,
	};

	reply(h, 0, &i, 16);
}

static void region_info(const struct nic *n, const struct header *h, size_t len)
{
	struct vfio_region_info r = { .argsz = sizeof(r) };

	if (len < 12) {
		reply(h, EINVAL, NULL, 0);
		return;
	}
	memcpy(&r.index, body + 8, sizeof(r.index));
	if (r.index == VFIO_PCI_BAR0_REGION_INDEX)
		r.size = 256;
	else if (r.index == VFIO_PCI_BAR2_REGION_INDEX)
		r.size = n->chip->bar_size;
	else if (r.index == VFIO_PCI_CONFIG_REGION_INDEX)
		r.size = CONFIG_SIZE;
	if (r.size)
		r.flags = VFIO_REGION_INFO_FLAG_READ | VFIO_REGION_INFO_FLAG_WRITE;
	reply(h, 0, &r, sizeof(r));
}

static void irq_info(const struct header *h, size_t len)
{
	struct vfio_irq_info i = { .argsz = sizeof(i) };

	if (len < 12) {
		reply(h, EINVAL, NULL, 0);
		return;
	}
	memcpy(&i.index, body + 8, sizeof(i.index));
	if (i.index <= VFIO_PCI_MSI_IRQ_INDEX) {
		i.count = 1;
		i.flags = VFIO_IRQ_INFO_EVENTFD;
		i.flags |= i.index == VFIO_PCI_INTX_IRQ_INDEX ?
			VFIO_IRQ_INFO_MASKABLE | VFIO_IRQ_INFO_AUTOMASKED :
			VFIO_IRQ_INFO_NORESIZE;
	}
	reply(h, 0, &i, sizeof(i));
}

static void set_trigger(struct nic *n, unsigned int index)
{
	int fd = fd_count ? dup(fds[0]) : -1;

	if (fd < 0 && n->irq_index != index)
		return;
	if (n->irq_fd >= 0)
		close(n->irq_fd);
	n->irq_fd = fd;
	n->irq_index = index;
	n->intx_masked = false;
}

static void set_irqs(struct nic *n, const struct header *h, size_t len)
{
	struct vfio_irq_set s;

	if (len < sizeof(s)) {
		reply(h, EINVAL, NULL, 0);
		return;
	}
	memcpy(&s, body, sizeof(s));
	if (s.index <= VFIO_PCI_MSI_IRQ_INDEX) {
		if (s.flags & VFIO_IRQ_SET_ACTION_TRIGGER)
			set_trigger(n, s.index);
		else if (s.flags & VFIO_IRQ_SET_DATA_NONE)
			n->intx_masked = s.flags & VFIO_IRQ_SET_ACTION_MASK;
	}
	reply(h, 0, NULL, 0);
	if (chip_asserts(n))
		vfu_interrupt(n);
}

static void write_region(struct nic *n, const struct access *a, const uint8_t *data)
{
	if (a->region == VFIO_PCI_CONFIG_REGION_INDEX)
		pci_write(n, a->at, data, a->len);
	else if (a->region == VFIO_PCI_BAR0_REGION_INDEX ||
		 a->region == VFIO_PCI_BAR2_REGION_INDEX)
		chip_write(n, a->at, data, a->len);
}

static void region_read(struct nic *n, const struct header *h, size_t len)
{
	uint8_t out[sizeof(struct access) + IO_MAX] = {};
	struct access a = {};

	if (len >= sizeof(a))
		memcpy(&a, body, sizeof(a));
	if (len < sizeof(a) || a.len > IO_MAX) {
		reply(h, EINVAL, NULL, 0);
		return;
	}
	memcpy(out, &a, sizeof(a));
	if (a.region == VFIO_PCI_CONFIG_REGION_INDEX)
		pci_read(n, a.at, out + sizeof(a), a.len);
	else if (a.region == VFIO_PCI_BAR0_REGION_INDEX ||
		 a.region == VFIO_PCI_BAR2_REGION_INDEX)
		chip_read(n, a.at, out + sizeof(a), a.len);
	reply(h, 0, out, sizeof(a) + a.len);
}

static void region_write(struct nic *n, const struct header *h, size_t len)
{
	struct access a = {};

	if (len >= sizeof(a))
		memcpy(&a, body, sizeof(a));
	if (len < sizeof(a) || a.len > len - sizeof(a)) {
		reply(h, EINVAL, NULL, 0);
		return;
	}
	write_region(n, &a, body + sizeof(a));
	reply(h, 0, &a, sizeof(a));
}

/* Posted writes in one message, of 8 bytes each at most. */
static void write_multi(struct nic *n, const struct header *h, size_t len)
{
	const size_t one = sizeof(struct access) + 8;
	uint64_t count = 0;

	if (len >= sizeof(count))
		memcpy(&count, body, sizeof(count));
	if (len < sizeof(count) || count > (len - sizeof(count)) / one) {
		reply(h, EINVAL, NULL, 0);
		return;
	}
	for (uint64_t i = 0; i < count; i++) {
		const uint8_t *p = body + sizeof(count) + i * one;
		struct access a;

		memcpy(&a, p, sizeof(a));
		if (a.len <= 8)
			write_region(n, &a, p + sizeof(a));
	}
	reply(h, 0, &count, sizeof(count));
}

static void handle(struct nic *n, const struct header *h, size_t len)
{
	switch (h->command) {
	case VERSION: version(h, len); break;
	case DMA_MAP: dma_map(h, len); break;
	case DMA_UNMAP: dma_unmap(h, len); break;
	case DEVICE_INFO: device_info(h); break;
	case REGION_INFO: region_info(n, h, len); break;
	case IRQ_INFO: irq_info(h, len); break;
	case SET_IRQS: set_irqs(n, h, len); break;
	case REGION_READ: region_read(n, h, len); break;
	case REGION_WRITE: region_write(n, h, len); break;
	case WRITE_MULTI: write_multi(n, h, len); break;
	case DEVICE_RESET:
		chip_reset(n);
		reply(h, 0, NULL, 0);
		break;
	default:
		reply(h, ENOTSUP, NULL, 0);
	}
}

/**
 * vfu_serve - one message of the client
 * @n: the device
 *
 * Return: false when the client is gone.
 */
bool vfu_serve(struct nic *n)
{
	struct header h;

	fd_count = 0;
	if (!take(&h, sizeof(h)))
		return false;
	if (h.size < sizeof(h) || h.size - sizeof(h) > sizeof(body))
		die("message of %u bytes", h.size);
	if (!take(body, h.size - sizeof(h)))
		return false;
	handle(n, &h, h.size - sizeof(h));
	while (fd_count)
		close(fds[--fd_count]);
	return true;
}
