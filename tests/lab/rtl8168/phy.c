// SPDX-License-Identifier: GPL-2.0-only
/*
 * The PHY.  Its address space is OCP: the standard registers are words from
 * 0xa400 on, a page selected by register 31 begins at 16 times its number.
 */
#include <string.h>

#include "nic.h"

#define STD		0xa400
#define BMCR		(STD + 0)
#define BMCR_SELF	0x8200	/* reset, restart negotiation: clear by themselves */
#define BMSR		(STD + 2)
#define BMSR_LINK	0x0004
#define BMSR_DONE	0x0020
#define ID1		(STD + 4)
#define ID2		(STD + 6)
#define ADVERTISE	(STD + 8)
#define PARTNER		(STD + 10)
#define STATUS_1000	(STD + 20)
#define ESTATUS		(STD + 30)
#define SPEED_NOW	0xa434	/* resolved speed */
#define EEE_ABLE	0xa5c4
#define EEE_ADVERTISE	0xa5d0

static uint16_t *word(struct nic *n, uint16_t ocp)
{
	return &n->phy[ocp >> 1];
}

static void show_link(struct nic *n)
{
	bool gbit = n->speed == 1000, up = n->speed;

	*word(n, BMSR) = 0x7949 | (up ? BMSR_LINK | BMSR_DONE : 0);
	*word(n, PARTNER) = gbit ? 0xc5e1 : up ? 0xc101 : 0;
	*word(n, STATUS_1000) = gbit ? 0x3800 : 0;
	*word(n, SPEED_NOW) = gbit ? 0x20 : up ? 0x10 : 0;
	n->reg[PHY_STATUS] = up ? 0x03 | (gbit ? 0x10 : 0x08) : 0;
}

void phy_reset(struct nic *n)
{
	memset(n->phy, 0, sizeof(n->phy));
	n->phy_page = 0;
	*word(n, BMCR) = 0x1140;
	*word(n, ID1) = 0x001c;
	*word(n, ID2) = n->chip->phy_id;
	*word(n, ADVERTISE) = 0x0de1;
	*word(n, STD + 12) = 0x000f;
	*word(n, STD + 18) = 0x0200;
	*word(n, ESTATUS) = 0x3000;
	/* the first of the family know no low power idle */
	if (n->chip->phy_id != 0xc912)
		*word(n, EEE_ABLE) = 6;
	*word(n, EEE_ADVERTISE) = *word(n, EEE_ABLE);
	show_link(n);
}

void phy_link(struct nic *n, unsigned int speed)
{
	n->link_was_down |= !speed;
	n->speed = speed;
	show_link(n);
	chip_cause(n, CAUSE_LINK);
}

uint16_t phy_read(struct nic *n, uint16_t ocp)
{
	uint16_t v = *word(n, ocp);

	/* a loss of link shows once, even when it is over */
	if (ocp == BMSR && n->link_was_down) {
		n->link_was_down = false;
		v &= (uint16_t)~BMSR_LINK;
	}
	return v;
}

void phy_write(struct nic *n, uint16_t ocp, uint16_t v)
{
	switch (ocp & ~1) {
	case BMSR:
	case ID1:
	case ID2:
	case PARTNER:
	case STATUS_1000:
	case SPEED_NOW:
	case EEE_ABLE:
		return;
	case BMCR:
		v &= (uint16_t)~BMCR_SELF;
		break;
	}
	*word(n, ocp) = v;
}

/* The older way in: register numbers of MII, pages by register 31. */
uint16_t phy_mii(struct nic *n, unsigned int mii, const uint16_t *write)
{
	uint16_t ocp = (uint16_t)(STD + 2 * mii);

	if (mii == 31) {
		if (write)
			n->phy_page = *write;
		return n->phy_page;
	}
	/* what the other pages hold is kept, and means nothing */
	if (n->phy_page)
		ocp = (uint16_t)(((n->phy_page & 0x1ff) << 6) + 2 * mii);
	if (!write)
		return phy_read(n, ocp);
	phy_write(n, ocp, *write);
	return *write;
}
