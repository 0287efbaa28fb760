/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef HOST_LINUX_PM_QOS_H
#define HOST_LINUX_PM_QOS_H
#include <linux/types.h>
#include <linux/bug.h>
struct pm_qos_request {
	bool active;
	s32 value;
};
static inline void cpu_latency_qos_add_request(struct pm_qos_request *r, s32 value)
{
	WARN_ON(r->active);
	r->active = true;
	r->value = value;
}
static inline void cpu_latency_qos_remove_request(struct pm_qos_request *r)
{
	WARN_ON(!r->active);
	r->active = false;
}
#endif
