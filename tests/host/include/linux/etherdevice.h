/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef HOST_LINUX_ETHERDEVICE_H
#define HOST_LINUX_ETHERDEVICE_H
#include <linux/if_ether.h>
#include <linux/string.h>
static inline bool ether_addr_equal(const u8 *a, const u8 *b)
{
	return !memcmp(a, b, ETH_ALEN);
}
#define ether_addr_equal_unaligned ether_addr_equal
static inline void ether_addr_copy(u8 *d, const u8 *s) { memcpy(d, s, ETH_ALEN); }
static inline void eth_zero_addr(u8 *d) { memset(d, 0, ETH_ALEN); }
static inline void eth_broadcast_addr(u8 *d) { memset(d, 0xff, ETH_ALEN); }
static inline bool is_multicast_ether_addr(const u8 *a) { return a[0] & 1; }
static inline bool is_zero_ether_addr(const u8 *a)
{
	return !(a[0] | a[1] | a[2] | a[3] | a[4] | a[5]);
}
static inline bool is_valid_ether_addr(const u8 *a)
{
	return !is_multicast_ether_addr(a) && !is_zero_ether_addr(a);
}
#endif
