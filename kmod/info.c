// SPDX-License-Identifier: GPL-2.0-only
#include <linux/kernel.h>
#include <linux/string.h>
#include <linux/wait.h>
#include "bus.h"
#include "cycle.h"
#include "image.h"
#include "info.h"
#include "master.h"
#include "plan.h"
#include "sii_parse.h"
#include "slave.h"

/* ---- the master ---- */

static void fill_counters(struct kecat_master *m, struct kecat_status *st)
{
	const struct kecat_counters *c = &m->count;

	st->overruns = READ_ONCE(c->overruns);
	st->frames_sent = READ_ONCE(c->frames_sent);
	st->frames_received = READ_ONCE(c->frames_received);
	st->frames_lost = READ_ONCE(c->frames_lost);
	st->frames_late = READ_ONCE(c->frames_late);
	st->frames_foreign = READ_ONCE(c->frames_foreign);
	st->wkc_errors = READ_ONCE(c->wkc_errors);
	st->tx_full = READ_ONCE(c->tx_full);
	st->app_missed = READ_ONCE(c->app_missed);
	st->xfers = READ_ONCE(c->xfers);
	st->xfer_timeouts = READ_ONCE(c->xfer_timeouts);
	st->events_lost = atomic64_read(&m->events.lost);
}

static void fill_nic(struct kecat_nic *nic, struct kecat_status *st)
{
	struct kecat_nic_stats n = {};

	if (nic->ops->get_stats)
		nic->ops->get_stats(nic, &n);
	st->link = READ_ONCE(nic->link);
	st->speed = READ_ONCE(nic->speed);
	st->nic_rx_errors = n.rx_errors;
	st->nic_rx_missed = n.rx_missed;
	st->nic_rx_dropped = n.rx_dropped;
	st->nic_tx_errors = n.tx_errors;
	st->nic_interrupts = n.interrupts;
	st->nic_resets = n.resets;
	memcpy(st->mac, nic->mac, sizeof(st->mac));
	strscpy(st->nic, nic->name, sizeof(st->nic));
	strscpy(st->driver, nic->driver, sizeof(st->driver));
	strscpy(st->mode, nic->mode, sizeof(st->mode));
}

static void fill_slaves(struct kecat_master *m, struct kecat_status *st)
{
	u32 i;

	mutex_lock(&m->bus_lock);
	st->slaves = m->nslaves;
	st->slaves_present = m->bus_count;
	st->scan_gen = m->scan_gen;
	st->scanning = m->scanning;
	for (i = 0; i < m->nslaves; i++) {
		const struct kecat_slave *s = m->slave[i];

		if (!s)
			continue;
		if (READ_ONCE(s->present) &&
		    READ_ONCE(s->al_state) == KECAT_AL_OP)
			st->slaves_op++;
		if (READ_ONCE(s->problem))
			st->slaves_error++;
		if (READ_ONCE(s->busy))
			st->scanning = 1;
	}
	mutex_unlock(&m->bus_lock);
}

static void fill_exchange(struct kecat_master *m, struct kecat_status *st)
{
	if (m->cfg)
		st->config_slaves = m->cfg->slaves;
	st->config_gen = m->config_gen;
	if (!m->active)
		return;
	st->phase = KECAT_PHASE_ACTIVE;
	st->cycle_ns = m->cfg->bus.cycle_ns;
	st->cycle = READ_ONCE(m->count.cycles);
	st->image_in = m->image->in_len;
	st->image_out = m->image->out_len;
	st->cyclic_frames = m->plan->frames_full;
	st->owner_pid = m->owner_pid;
}

/**
 * kecat_info_status - KECAT_IOC_STATUS
 * @m:  master; caller holds dev_rwsem and config_lock
 * @st: out
 */
void kecat_info_status(struct kecat_master *m, struct kecat_status *st)
{
	*st = (struct kecat_status){
		.phase = KECAT_PHASE_IDLE,
		.cpu = kecat_cpu,
		.rt_prio = kecat_rt_prio,
	};
	fill_counters(m, st);
	fill_nic(m->nic, st);
	fill_slaves(m, st);
	fill_exchange(m, st);
}

/* position of each configured slave, KECAT_ALL while absent */
static void fill_positions(struct kecat_master *m, struct kecat_layout *list,
			   u32 n)
{
	u32 i, k;

	mutex_lock(&m->bus_lock);
	for (i = 0; i < n; i++)
		list[i].position = KECAT_ALL;
	for (k = 0; k < m->nslaves; k++) {
		const struct kecat_slave *s = m->slave[k];

		if (!s || !s->cfg || !READ_ONCE(s->present))
			continue;
		for (i = 0; i < n; i++)
			if (list[i].slave == s->cfg_index)
				list[i].position = s->position;
	}
	mutex_unlock(&m->bus_lock);
}

static u32 layout_slave(const struct kecat_cfg *cfg, u32 slave,
			struct kecat_layout *list, u32 room, u32 n)
{
	const struct kecat_scfg *sc = &cfg->slave[slave];
	u32 i;

	for (i = 0; i < sc->sms; i++) {
		const struct kecat_smcfg *sm = &sc->sm[i];

		if (!sm->len)
			continue;
		if (n < room)
			list[n] = (struct kecat_layout){
				.slave = slave,
				.sm = sm->c.index,
				.dir = sm->c.dir,
				.group = sc->c.group,
				.offset = sm->offset,
				.len = sm->len,
			};
		n++;
	}
	return n;
}

/**
 * kecat_info_layout - KECAT_IOC_LAYOUT
 * @m:    master with a configuration; caller holds config_lock
 * @list: out
 * @room: elements that fit
 */
u32 kecat_info_layout(struct kecat_master *m, struct kecat_layout *list,
		      u32 room)
{
	const struct kecat_cfg *cfg = m->cfg;
	u32 n = 0, g, i;

	for (g = 0; g < cfg->groups; g++)
		for (i = 0; i < cfg->slaves; i++)
			if (cfg->slave[i].c.group == g)
				n = layout_slave(cfg, i, list, room, n);
	fill_positions(m, list, min(n, room));
	return n;
}

/* ---- a slave ---- */

static u32 slave_flags(const struct kecat_slave *s)
{
	bool bad_sii = s->scanned &&
		       (!s->sii_image ||
			(s->sii.faults & (KECAT_SII_SHORT | KECAT_SII_EMPTY |
					  KECAT_SII_CRC | KECAT_SII_NO_END |
					  KECAT_SII_OVERRUN)));

	return (s->present ? KECAT_SLAVE_PRESENT : 0) |
	       (s->dc ? KECAT_SLAVE_DC : 0) |
	       (s->dc64 ? KECAT_SLAVE_DC64 : 0) |
	       (s->sii.mbx_protocols ? KECAT_SLAVE_MBX : 0) |
	       (s->no_lrw ? KECAT_SLAVE_NO_LRW : 0) |
	       (s->emulated ? KECAT_SLAVE_EMULATED : 0) |
	       (bad_sii ? KECAT_SLAVE_SII_BAD : 0) |
	       (s->cfg ? KECAT_SLAVE_CONFIGURED : 0) |
	       (s->busy ? KECAT_SLAVE_BUSY : 0) |
	       (s->pdo_coe ? KECAT_SLAVE_PDO_COE : 0);
}

static void fill_identity(const struct kecat_slave *s,
			  struct kecat_slave_info *i)
{
	i->station = s->station;
	i->alias = s->alias;
	i->vendor = s->sii.vendor;
	i->product = s->sii.product;
	i->revision = s->sii.revision;
	i->serial = s->sii.serial;
	i->esc_type = s->esc_type;
	i->esc_revision = s->esc_revision;
	i->esc_build = s->esc_build;
	i->fmmus = s->fmmus;
	i->sms = s->sms;
	i->ram_kb = s->ram_kb;
	i->ports = s->ports;
	i->features = s->features;
	i->ebus_ma = s->sii.ebus_ma;
	strscpy(i->name, s->sii.name, sizeof(i->name));
	strscpy(i->order, s->sii.order, sizeof(i->order));
}

/* as set up now, else as the SII says */
static void fill_mailbox(const struct kecat_slave *s,
			 struct kecat_slave_info *i)
{
	bool up = READ_ONCE(s->mbx.ready);

	i->mbx_out = up ? s->mbx.out : s->sii.mbx_out;
	i->mbx_out_size = up ? s->mbx.out_size : s->sii.mbx_out_size;
	i->mbx_in = up ? s->mbx.in : s->sii.mbx_in;
	i->mbx_in_size = up ? s->mbx.in_size : s->sii.mbx_in_size;
	i->mbx_protocols = s->sii.mbx_protocols;
	i->coe_details = s->sii.coe_details;
	i->emergencies = s->emergencies;
}

static void fill_state(const struct kecat_slave *s, struct kecat_slave_info *i)
{
	i->al_state = s->al_state;
	i->al_target = s->al_target;
	i->al_code = s->al_code;
	i->problem = s->problem;
	i->detail = s->detail;
	i->dl_status = s->dl_status;
	i->transitions = s->transitions;
	i->delay_ns = s->delay_ns;
	memcpy(i->neighbour, s->neighbour, sizeof(i->neighbour));
}

/* caller holds bus_lock, which keeps s->cfg */
static void fill_config(const struct kecat_slave *s, struct kecat_slave_info *i)
{
	i->config_index = KECAT_ALL;
	if (!s->cfg)
		return;
	i->config_index = s->cfg_index;
	i->group = s->cfg->c.group;
	i->image_out = s->cfg->out_offset;
	i->image_out_len = s->cfg->out_len;
	i->image_in = s->cfg->in_offset;
	i->image_in_len = s->cfg->in_len;
}

/**
 * kecat_info_slave - KECAT_IOC_SLAVE_INFO
 * @s: slave
 * @i: out
 */
void kecat_info_slave(struct kecat_slave *s, struct kecat_slave_info *i)
{
	struct kecat_master *m = s->master;

	*i = (struct kecat_slave_info){};
	mutex_lock(&m->bus_lock);
	mutex_lock(&s->lock);
	i->position = s->position;
	i->flags = slave_flags(s);
	fill_identity(s, i);
	fill_mailbox(s, i);
	fill_state(s, i);
	fill_config(s, i);
	mutex_unlock(&s->lock);
	mutex_unlock(&m->bus_lock);
}

/* ---- its mapping ---- */

struct pdo_list {
	struct kecat_pdo_entry *e;
	u32 room;
	u32 n;
};

static void add_pdo(struct pdo_list *l, const struct kecat_pdo_entry *e)
{
	if (l->n < l->room)
		l->e[l->n] = *e;
	l->n++;
}

/* what the SII or the object dictionary calls it */
static void find_name(const struct kecat_slave *s, struct kecat_pdo_entry *e)
{
	u32 i;

	for (i = 0; e->index && i < s->npdos; i++) {
		const struct kecat_pdo_entry *k = &s->pdos[i];

		if (k->index == e->index && k->subindex == e->subindex) {
			memcpy(e->name, k->name, sizeof(e->name));
			return;
		}
	}
}

static void add_configured(struct pdo_list *l, const struct kecat_slave *s,
			   const struct kecat_smcfg *sm,
			   const struct kecat_pcfg *pdo)
{
	const struct kecat_cfg_entry *c = &s->config->entries[pdo->first_entry];
	struct kecat_pdo_entry e = {
		.sm = sm->c.index, .dir = sm->c.dir, .pdo = pdo->index,
	};
	u32 i;

	if (!pdo->entries)
		add_pdo(l, &e);
	for (i = 0; i < pdo->entries; i++) {
		e.bits = c[i].bits;
		e.index = c[i].index;
		e.subindex = c[i].subindex;
		memset(e.name, 0, sizeof(e.name));
		if (l->n < l->room)
			find_name(s, &e);
		add_pdo(l, &e);
	}
}

/* false: the configuration says nothing about PDOs */
static bool list_configured(struct pdo_list *l, const struct kecat_slave *s)
{
	const struct kecat_scfg *sc = s->cfg;
	u32 i, k;

	if (!sc)
		return false;
	for (i = 0; i < sc->sms; i++)
		for (k = 0; k < sc->sm[i].pdos; k++)
			add_configured(l, s, &sc->sm[i],
				       &s->config->pdos[sc->sm[i].first_pdo + k]);
	return l->n;
}

/**
 * kecat_info_pdos - KECAT_IOC_SLAVE_PDOS
 * @s:    slave
 * @list: out, zeroed by the caller
 * @room: elements that fit
 */
u32 kecat_info_pdos(struct kecat_slave *s, struct kecat_pdo_entry *list,
		    u32 room)
{
	struct kecat_master *m = s->master;
	struct pdo_list l = { .e = list, .room = room };
	u32 i;

	mutex_lock(&m->bus_lock);
	mutex_lock(&s->lock);
	if (!list_configured(&l, s))
		for (i = 0; i < s->npdos; i++)
			add_pdo(&l, &s->pdos[i]);
	mutex_unlock(&s->lock);
	mutex_unlock(&m->bus_lock);
	return l.n;
}
