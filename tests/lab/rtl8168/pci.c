// SPDX-License-Identifier: GPL-2.0-only
/* Configuration space: a header, power management and one MSI. */
#include <string.h>

#include "nic.h"

#define COMMAND		0x04
#define MASTER		0x04
#define INTX_DISABLE	0x04	/* in the second byte */
#define STATUS		0x06
#define STATUS_INTX	0x08
#define PM_CAP		0x40
#define PM_CSR		0x44
#define MSI_CAP		0x50
#define MSI_CTRL	0x52
#define MSI_END		0x60

void pci_init(struct nic *n)
{
	static const uint8_t header[64] = {
		0xec, 0x10, 0x68, 0x81,		/* Realtek */
		[STATUS] = 0x10,		/* has capabilities */
		[0x08] = 0x15, 0, 0, 2,		/* revision, Ethernet */
		[0x10] = 1,			/* BAR 0: ports */
		[0x18] = 4,			/* BAR 2: memory, 64 bits */
		[0x2c] = 0xec, 0x10, 0x23, 0x01,
		[0x34] = PM_CAP, [0x3d] = 1,
	};

	memset(n->config, 0, sizeof(n->config));
	memcpy(n->config, header, sizeof(header));
	n->config[2] = (uint8_t)n->chip->device;
	n->config[3] = (uint8_t)(n->chip->device >> 8);
	n->config[PM_CAP] = 1;
	n->config[PM_CAP + 1] = MSI_CAP;
	n->config[PM_CAP + 2] = 3;
	n->config[MSI_CAP] = 5;
	n->config[MSI_CTRL] = 0x80;	/* 64-bit address */
}

static bool writable(unsigned int at)
{
	return at == COMMAND || at == COMMAND + 1 || at == 0x0c || at == 0x0d ||
	       at == 0x3c || at == PM_CSR ||
	       (at >= MSI_CTRL && at < MSI_END && at != MSI_CTRL + 1);
}

void pci_read(struct nic *n, uint64_t at, uint8_t *buf, unsigned int len)
{
	memset(buf, 0, len);
	n->config[STATUS] &= (uint8_t)~STATUS_INTX;
	if (chip_asserts(n))
		n->config[STATUS] |= STATUS_INTX;
	if (at < CONFIG_SIZE && len <= CONFIG_SIZE - at)
		memcpy(buf, n->config + at, len);
}

void pci_write(struct nic *n, uint64_t at, const uint8_t *buf, unsigned int len)
{
	for (unsigned int i = 0; i < len && at + i < CONFIG_SIZE; i++)
		if (writable((unsigned int)(at + i)))
			n->config[at + i] = buf[i];
	n->config[MSI_CTRL] = (n->config[MSI_CTRL] & 1) | 0x80;
	n->config[PM_CSR] &= 3;
}

bool pci_bus_master(const struct nic *n)
{
	return n->config[COMMAND] & MASTER;
}

bool pci_intx_disabled(const struct nic *n)
{
	return n->config[COMMAND + 1] & INTX_DISABLE;
}
