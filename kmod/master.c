// SPDX-License-Identifier: GPL-2.0-only
#include <linux/errno.h>
#include <linux/module.h>
#include <linux/random.h>
#include <linux/slab.h>
#include <linux/string.h>
#include "bus.h"
#include "cycle.h"
#include "image.h"
#include "master.h"
#include "plan.h"
#include "record.h"
#include "slave.h"

char kecat_quiet[KECAT_NIC_NAME_LEN];
module_param_string(quiet, kecat_quiet, sizeof(kecat_quiet), 0644);
MODULE_PARM_DESC(quiet, "port whose next master leaves the slaves as they are: no scan, no state, no address");

/* by minor; a number is taken until the last reference to its master is gone */
static DEFINE_MUTEX(masters_lock);
static struct kecat_master *masters[KECAT_MAX_MASTERS];

static int take_index(struct kecat_master *m)
{
	int i;

	mutex_lock(&masters_lock);
	for (i = 0; i < KECAT_MAX_MASTERS && masters[i]; i++)
		;
	if (i < KECAT_MAX_MASTERS)
		masters[i] = m;
	mutex_unlock(&masters_lock);
	return i < KECAT_MAX_MASTERS ? i : -ENOSPC;
}

/* runs with masters_lock held, see kecat_master_put() */
static void master_free(struct kref *ref)
{
	struct kecat_master *m = container_of(ref, struct kecat_master, ref);

	if (m->index >= 0)
		masters[m->index] = NULL;
	mutex_unlock(&masters_lock);
	kecat_config_free(m->cfg);
	kecat_cycle_destroy(m);
	kecat_bus_exit(m);
	kecat_events_exit(&m->events);
	kvfree(m->slave);
	kvfree(m->hist);
	kvfree(m->hist_spare);
	kecat_record_put(m->record);
	kvfree(m);
}

void kecat_master_put(struct kecat_master *m)
{
	kref_put_mutex(&m->ref, master_free, &masters_lock);
}

struct kecat_master *kecat_master_get(int index)
{
	struct kecat_master *m = NULL;

	if (index < 0 || index >= KECAT_MAX_MASTERS)
		return NULL;
	mutex_lock(&masters_lock);
	if (masters[index] && kref_get_unless_zero(&masters[index]->ref))
		m = masters[index];
	mutex_unlock(&masters_lock);
	return m;
}

static bool is_quiet(const struct kecat_nic *nic)
{
	bool quiet;

	kernel_param_lock(THIS_MODULE);
	quiet = nic->name[0] && sysfs_streq(nic->name, kecat_quiet);
	/* once: who set it may have been killed */
	if (quiet)
		kecat_quiet[0] = '\0';
	kernel_param_unlock(THIS_MODULE);
	return quiet;
}

static void init_locks(struct kecat_master *m)
{
	kref_init(&m->ref);
	init_rwsem(&m->dev_rwsem);
	mutex_init(&m->config_lock);
	mutex_init(&m->second_lock);
	m->ring.port = KECAT_ALL;
	kecat_bus_init(m);
	kecat_events_init(&m->events);
}

/**
 * kecat_master_create - a master for a port, not started
 * @nic: the port
 *
 * Context: may sleep.
 */
struct kecat_master *kecat_master_create(struct kecat_nic *nic)
{
	struct kecat_master *m = kvzalloc(sizeof(*m), GFP_KERNEL);
	int err = -ENOMEM, i;

	if (!m)
		return ERR_PTR(-ENOMEM);
	init_locks(m);
	m->index = -1;
	m->nic = nic;
	m->quiet = is_quiet(nic);
	memcpy(m->mac, nic->mac, ETH_ALEN);
	/* not where the plans of whoever had the segment before began */
	m->logical = get_random_u32();
	m->slave = kvcalloc(KECAT_MAX_SLAVES, sizeof(*m->slave), GFP_KERNEL);
	m->hist = kvcalloc(KECAT_LAT_COUNT, sizeof(*m->hist), GFP_KERNEL);
	m->hist_spare = kvcalloc(KECAT_LAT_COUNT, sizeof(*m->hist), GFP_KERNEL);
	if (!m->slave || !m->hist || !m->hist_spare)
		goto err_put;
	for (i = 0; i < KECAT_LAT_COUNT; i++)
		kecat_hist_reset(&m->hist[i]);
	err = kecat_cycle_create(m);
	if (err)
		goto err_put;
	/* nobody joins before it runs */
	m->ring.gone = true;
	err = take_index(m);
	if (err < 0)
		goto err_put;
	m->index = err;
	return m;

err_put:
	kecat_master_put(m);
	return ERR_PTR(err);
}

/**
 * kecat_master_start - start the port, the threads, and show the device
 * @m: master just created
 *
 * Context: may sleep.
 */
int kecat_master_start(struct kecat_master *m)
{
	int err;

	err = m->nic->ops->start(m->nic);
	if (err)
		return err;
	err = kecat_cycle_start(m);
	if (err)
		goto err_nic_start;
	err = kecat_bus_start(m);
	if (err)
		goto err_cycle_start;
	mutex_lock(&m->second_lock);
	m->ring.gone = false;
	mutex_unlock(&m->second_lock);
	err = kecat_chardev_add(m);
	if (err)
		goto err_ring;
	return 0;

err_ring:
	kecat_bus_stop(m);
	kecat_ring_end(m);
err_cycle_start:
	kecat_cycle_stop(m);
err_nic_start:
	m->nic->ops->stop(m->nic);
	return err;
}

/**
 * kecat_master_stop - the port goes
 * @m: started master; open files keep it alive, but every call answers -ENODEV
 *
 * Context: may sleep.
 */
void kecat_master_stop(struct kecat_master *m)
{
	struct kecat_nic *nic = m->nic;

	kecat_chardev_del(m);
	mutex_lock(&m->config_lock);
	kecat_master_deactivate(m, false);
	mutex_unlock(&m->config_lock);
	kecat_bus_stop(m);
	kecat_ring_end(m);
	kecat_cycle_stop(m);
	nic->ops->stop(nic);
	m->nic = NULL;
}

int kecat_master_set_config(struct kecat_master *m, struct kecat_cfg *cfg)
{
	struct kecat_cfg *old = m->cfg;

	lockdep_assert_held(&m->config_lock);
	if (m->active)
		return -EBUSY;
	m->cfg = cfg;
	m->config_gen++;
	/* from here on no slave refers to the old one */
	kecat_bus_match(m);
	kecat_config_free(old);
	return 0;
}

/* what the scan found out about the configured slaves; NULL on no memory */
static bool *collect_no_lrw(struct kecat_master *m)
{
	bool *no = kvcalloc(m->cfg->slaves + 1, sizeof(*no), GFP_KERNEL);
	u32 i;

	if (!no)
		return NULL;
	mutex_lock(&m->bus_lock);
	for (i = 0; i < m->nslaves; i++) {
		const struct kecat_slave *s = m->slave[i];

		if (s && s->cfg_index < m->cfg->slaves)
			no[s->cfg_index] = s->no_lrw;
	}
	mutex_unlock(&m->bus_lock);
	return no;
}

static int build_plan(struct kecat_master *m, struct kecat_plan **plan,
		      struct kecat_image **img)
{
	bool *no_lrw = collect_no_lrw(m);
	int err;

	if (!no_lrw)
		return -ENOMEM;
	err = kecat_plan_build(m->cfg, no_lrw, m->mac, &m->logical, plan);
	kvfree(no_lrw);
	if (err)
		return err;
	err = kecat_image_create(*plan, m->cfg->bus.cycle_ns, img);
	if (err)
		kecat_plan_free(*plan);
	return err;
}

/* the bus lock: workers and the supervisor look at both under it */
static void set_plan(struct kecat_master *m, struct kecat_plan *plan,
		     struct kecat_image *img)
{
	mutex_lock(&m->bus_lock);
	m->plan = plan;
	m->image = img;
	mutex_unlock(&m->bus_lock);
}

int kecat_master_activate(struct kecat_master *m, struct kecat_file *owner)
{
	struct kecat_plan *plan;
	struct kecat_image *img;
	int cpu, err;

	lockdep_assert_held(&m->config_lock);
	if (m->active)
		return -EBUSY;
	if (!m->cfg)
		return -ENOENT;
	/* the application's cycles are where the application is */
	cpu = m->cfg->bus.flags & KECAT_BUS_TICK_APP ? -1 : kecat_cycle_exposed_cpu(m);
	/* others would get next to nothing of it, also those who could stop this */
	if (cpu >= 0 && m->cfg->bus.spin_ns > m->cfg->bus.cycle_ns / 2)
		return -EDEADLK;
	err = kecat_bus_match(m);
	if (err)
		return err;
	err = kecat_ring_interrupt(m, m->cfg->bus.flags & KECAT_BUS_TICK_IRQ);
	if (err)
		return err;
	err = build_plan(m, &plan, &img);
	if (err) {
		kecat_ring_interrupt(m, false);
		return err;
	}
	m->serial_bringup = m->cfg->bus.flags & KECAT_BUS_SERIAL;
	set_plan(m, plan, img);
	/* leaving a deep state takes longer than a cycle may be late */
	cpu_latency_qos_add_request(&m->awake, 0);
	kecat_cycle_activate(m);
	m->owner = owner;
	m->owner_pid = task_tgid_nr(current);
	WRITE_ONCE(m->active, true);
	kecat_event(m, KECAT_EV_PHASE, KECAT_ALL, KECAT_PHASE_ACTIVE, 0, 0, 0);
	if (cpu >= 0)
		kecat_event(m, KECAT_EV_CPU, KECAT_ALL, cpu, 0, 0, 0);
	kecat_bus_activate(m);
	return 0;
}

void kecat_master_deactivate(struct kecat_master *m, bool lost)
{
	struct kecat_plan *plan = m->plan;
	struct kecat_image *img = m->image;

	lockdep_assert_held(&m->config_lock);
	if (!m->active)
		return;
	if (lost) {
		kecat_event(m, KECAT_EV_APP_LOSS, KECAT_ALL, 1,
			    m->cfg->bus.on_app_loss, 0, 0);
		kecat_cycle_app_lost(m, m->cfg->bus.on_app_loss);
	}
	/* slaves leave OP while outputs are still sent: no watchdog trips */
	kecat_bus_deactivate(m);
	WRITE_ONCE(m->active, false);
	kecat_cycle_deactivate(m);
	kecat_ring_interrupt(m, false);
	cpu_latency_qos_remove_request(&m->awake);
	set_plan(m, NULL, NULL);
	m->owner = NULL;
	m->owner_pid = 0;
	m->serial_bringup = false;
	kecat_plan_free(plan);
	kecat_image_put(img);
	kecat_event(m, KECAT_EV_PHASE, KECAT_ALL, KECAT_PHASE_IDLE, 0, 0, 0);
}
