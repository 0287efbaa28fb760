/* SPDX-License-Identifier: GPL-2.0-only */
/* An open /dev/kecat<N> */
#ifndef KECAT_FILE_H
#define KECAT_FILE_H

#include <linux/compiler.h>
#include <linux/fs.h>
#include <linux/mutex.h>
#include <linux/types.h>
#include "master.h"

/**
 * struct kecat_file - an open file
 * @m:         its master, with a reference
 * @mode:      FMODE_* it was opened with
 * @seen:      newest cycle that KECAT_IOC_WAIT returned, for poll(); 0 = none
 * @read_lock: one read() at a time: order of events
 * @event_seq: newest event that read() returned; written under @read_lock
 *
 * Who owns the outputs is a question of the file, not of the process: a child
 * that inherited the descriptor is the owner as well, and the last close of it
 * is what counts.
 */
struct kecat_file {
	struct kecat_master *m;
	fmode_t mode;
	u64 seen;
	struct mutex read_lock;
	u64 event_seq;
};

/*
 * Is the port still there?  kecat_chardev_del() clears ->dev before anything
 * else of the master stops.  Takes no lock: good for a refusal, and for telling
 * why something failed.  Who needs the port to stay holds dev_rwsem as well.
 */
static inline bool kecat_file_alive(const struct kecat_file *f)
{
	return READ_ONCE(f->m->dev);
}

/* ioctl.c */
long kecat_ioctl(struct file *file, unsigned int cmd, unsigned long arg);

#endif
