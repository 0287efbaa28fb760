/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef HOST_LINUX_IF_ETHER_H
#define HOST_LINUX_IF_ETHER_H
#include <linux/types.h>
#define ETH_ALEN	6
#define ETH_TLEN	2
#define ETH_HLEN	14
#define ETH_ZLEN	60
#define ETH_DATA_LEN	1500
#define ETH_FRAME_LEN	1514
#define ETH_FCS_LEN	4
#define ETH_P_IP	0x0800
#define ETH_P_ARP	0x0806
#define ETH_P_8021Q	0x8100
#define ETH_P_ETHERCAT	0x88A4
#define ETH_P_ALL	0x0003
struct ethhdr {
	unsigned char h_dest[ETH_ALEN];
	unsigned char h_source[ETH_ALEN];
	__be16 h_proto;
} __packed;
#endif
