// SPDX-License-Identifier: GPL-2.0-only
/* Life of a slave. */
#include "sim_device.h"

static int init_image(struct sim_slave *s, struct sim_image *im, u8 type)
{
	u8 i;

	im->map = sim_zalloc(SIM_ENTRY_MAX * sizeof(*im->map));
	im->buf = sim_zalloc(SIM_MBX_MAX);
	if (!im->map || !im->buf)
		return -ENOMEM;
	for (i = 0; i < s->desc->nsm && i < s->desc->chip.sms; i++)
		if (s->desc->sm[i].type == type) {
			im->sm = i;
			im->have_sm = true;
			break;
		}
	return 0;
}

/**
 * sim_slave_init - make a slave, powered off and unconnected
 * @s: zeroed memory for it
 * @d: its kind; must outlive it
 *
 * Return: 0 or -errno; on failure the caller still calls sim_slave_free().
 */
int sim_slave_init(struct sim_slave *s, const struct sim_desc *d)
{
	int ret;

	s->desc = d;
	ret = esc_init(&s->esc, &d->chip);
	if (ret)
		return ret;
	s->store = sim_zalloc(d->store_size + 8);
	s->esc.sii.image = sim_zalloc(d->sii_size);
	s->sii_saved = sim_zalloc(d->sii_size);
	if (!s->store || !s->esc.sii.image || !s->sii_saved)
		return -ENOMEM;
	s->esc.sii.size = d->sii_size;
	memcpy(s->esc.sii.image, d->sii, d->sii_size);
	ret = init_image(s, &s->out, SIM_SM_OUT);
	if (!ret)
		ret = init_image(s, &s->in, SIM_SM_IN);
	if (ret)
		return ret;
	if (d->proto) {
		s->mbx = sim_zalloc(sizeof(*s->mbx));
		if (!s->mbx)
			return -ENOMEM;
	}
	return 0;
}

void sim_slave_free(struct sim_slave *s)
{
	sim_free(s->mbx);
	sim_free(s->in.buf);
	sim_free(s->in.map);
	sim_free(s->out.buf);
	sim_free(s->out.map);
	sim_free(s->sii_saved);
	sim_free(s->esc.sii.image);
	sim_free(s->store);
	esc_free(&s->esc);
}

/**
 * sim_slave_power - switch a slave on or off
 * @s:   slave
 * @on:  which
 * @now: time
 *
 * The EEPROM keeps its content; everything else starts anew.
 */
void sim_slave_power(struct sim_slave *s, bool on, u64 now)
{
	s->powered = on;
	if (!on)
		return;
	memcpy(s->store, s->desc->init, s->desc->store_size);
	memset(&s->drive, 0, sizeof(s->drive));
	s->al_pending = false;
	s->op_wait = false;
	s->out_seen = false;
	s->out_live = false;
	s->next_app = now;
	s->wake = now;
	esc_power_on(&s->esc, now);
	if (s->mbx)
		sim_mbx_reset(s);
	sim_image_build(s);
	if (s->esc.mem[ESC_R_ESC_CONF] & ESC_CONF_EMULATION)
		sim_image_inputs(s);
}

static void earlier(u64 *wake, bool wanted, u64 t)
{
	if (wanted && t < *wake)
		*wake = t;
}

static void set_wake(struct sim_slave *s)
{
	s->wake = ~0ull;
	earlier(&s->wake, s->al_pending, s->al_due);
	earlier(&s->wake, s->op_wait, s->op_deadline);
	earlier(&s->wake, s->mbx && s->mbx->busy, s->mbx ? s->mbx->due : 0);
	earlier(&s->wake, s->mbx && s->mbx->open_due,
		s->mbx ? s->mbx->open_due : 0);
	earlier(&s->wake, s->desc->app != SIM_APP_NONE, s->next_app);
	earlier(&s->wake, s->out_live && !s->esc.wd_expired, s->esc.wd_deadline);
}

/**
 * sim_slave_tick - the application's turn
 * @s:   slave
 * @now: time
 *
 * Return: true if its outputs changed hands.
 */
bool sim_slave_tick(struct sim_slave *s, u64 now)
{
	bool moved;

	if (!s->powered)
		return false;
	s->esc.now = now;
	if (s->esc.events & ESC_EV_RESET) {
		u8 links = s->esc.links;

		sim_slave_power(s, true, now);
		s->esc.links = links;
		return false;
	}
	s->esc.events &= ~ESC_EV_RELOAD;
	sim_al_tick(s, now);
	if (s->mbx)
		sim_mbx_tick(s, now);
	moved = sim_image_tick(s, now);
	set_wake(s);
	return moved;
}
