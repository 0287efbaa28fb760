/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A master that is not there: the tool's system calls end here instead of in
 * the kernel (ld --wrap).  A bus of three slaves; FAKE names what is wrong
 * with it, see fake_bus.c.
 */
#ifndef KECAT_TEST_FAKE_H
#define KECAT_TEST_FAKE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "../../uapi/kecat.h"
#include "../../uapi/kecat_record.h"
#include "../../uapi/kecat_shm.h"

#define FAKE_SLAVES	3

/* $FAKE contains @word */
bool fake_is(const char *word);

/* fake_bus.c: the answers about slaves; 0 or -errno */
int fake_slave_info(struct kecat_slave_info *s);
int fake_slave_pdos(struct kecat_array *a);
int fake_sdo(struct kecat_sdo *s, bool write);
int fake_reg(struct kecat_reg *r, bool write);
int fake_sii(struct kecat_sii *s);
int fake_state(struct kecat_state *s);
long fake_events(void *buf, size_t room);
int fake_rewind(void);

/* fake_cycle.c: configuration and cyclic exchange */
bool fake_op(uint32_t position);
int fake_status(struct kecat_status *st);
int fake_ring(struct kecat_ring *r);
int fake_config_set(struct kecat_config *c);
int fake_config_get(struct kecat_config *c);
int fake_activate(struct kecat_activate *a);
int fake_deactivate(void);
int fake_layout(struct kecat_array *a);
int fake_wait(struct kecat_wait *w);
int fake_latency(struct kecat_latency *l);
void *fake_map(size_t size);

/* fake_record.c: a frozen flight recorder */
int fake_record_state(struct kecat_record_state *s);
int fake_record_read(struct kecat_record_read *r);

/* a file's bytes; aborts the test if there are none */
size_t fake_load(const char *path, void *to, size_t room);
/* the tail of an array call: as many of @n elements as fit */
int fake_give(struct kecat_array *a, const void *list, uint32_t n, size_t elem);

#endif
