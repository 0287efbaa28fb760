// SPDX-License-Identifier: GPL-2.0-only
/*
 * /dev/kecat<N>: open files, their events, their mapping.
 *
 * A file holds a reference to its master, so memory of the master is there for
 * every call.  The port is not: it may go at any time, and then each call
 * answers -ENODEV (see kecat_file_alive()).
 *
 * mmap() comes with mmap_lock held and takes dev_rwsem and config_lock, so no
 * user memory may be touched under either of them.
 */
#include <linux/cdev.h>
#include <linux/device.h>
#include <linux/err.h>
#include <linux/fs.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/poll.h>
#include <linux/sched/signal.h>
#include <linux/slab.h>
#include <linux/uaccess.h>
#include "compat/compat.h"
#include "cycle.h"
#include "file.h"
#include "image.h"
#include "master.h"
#include "mon.h"

/* events copied at a time */
#define CHUNK	8

static struct class *class;
static struct cdev cdev;
static dev_t first;

/* The lock: udev may be here before kecat_chardev_add() has finished. */
static int check_alive(struct kecat_master *m)
{
	int err;

	if (down_read_killable(&m->dev_rwsem))
		return -EINTR;
	err = m->dev ? 0 : -ENODEV;
	up_read(&m->dev_rwsem);
	return err;
}

static int kecat_open(struct inode *inode, struct file *file)
{
	struct kecat_master *m = kecat_master_get(iminor(inode) - MINOR(first));
	struct kecat_file *f;
	int err;

	if (!m)
		return -ENODEV;
	err = check_alive(m);
	if (err)
		goto err_put;
	err = -ENOMEM;
	f = kzalloc(sizeof(*f), GFP_KERNEL);
	if (!f)
		goto err_put;
	f->m = m;
	f->mode = file->f_mode;
	f->event_seq = READ_ONCE(m->events.seq);
	mutex_init(&f->read_lock);
	file->private_data = f;
	return 0;

err_put:
	kecat_master_put(m);
	return err;
}

static int kecat_release(struct inode *inode, struct file *file)
{
	struct kecat_file *f = file->private_data;
	struct kecat_master *m = f->m;

	down_read(&m->dev_rwsem);
	mutex_lock(&m->config_lock);
	if (m->owner == f)
		kecat_master_deactivate(m, true);
	mutex_unlock(&m->config_lock);
	up_read(&m->dev_rwsem);
	kecat_master_put(m);
	mutex_destroy(&f->read_lock);
	kfree(f);
	return 0;
}

/* caller holds config_lock, which keeps the image */
static int map_image(struct kecat_file *f, struct vm_area_struct *vma)
{
	struct kecat_master *m = f->m;

	if (!m->image)
		return -ENOTCONN;
	if (m->owner != f)
		return -EACCES;
	if (vma->vm_pgoff || !(vma->vm_flags & VM_SHARED) ||
	    vma->vm_end - vma->vm_start > m->image->size)
		return -EINVAL;
	return kecat_image_mmap(m->image, vma);
}

static int kecat_mmap(struct file *file, struct vm_area_struct *vma)
{
	struct kecat_file *f = file->private_data;
	struct kecat_master *m = f->m;
	int err = -EINTR;

	if (down_read_killable(&m->dev_rwsem))
		return -EINTR;
	if (mutex_lock_killable(&m->config_lock))
		goto err_up;
	err = m->dev ? map_image(f, vma) : -ENODEV;
	mutex_unlock(&m->config_lock);
err_up:
	up_read(&m->dev_rwsem);
	return err;
}

static bool has_events(const struct kecat_file *f)
{
	return READ_ONCE(f->m->events.seq) != READ_ONCE(f->event_seq);
}

static bool has_cycle(const struct kecat_file *f)
{
	/* that there are no more is news to who has seen one: -ENOTCONN */
	if (!READ_ONCE(f->m->active))
		return READ_ONCE(f->seen);
	/* not "greater": numbers start anew with each activation */
	return kecat_cycle_published(f->m) != READ_ONCE(f->seen);
}

static __poll_t kecat_poll(struct file *file, poll_table *wait)
{
	struct kecat_file *f = file->private_data;
	__poll_t mask = 0;

	poll_wait(file, kecat_cycle_waitqueue(f->m), wait);
	poll_wait(file, &f->m->events.wait, wait);
	/* pairs with the cyclic thread: publish, barrier, look for waiters */
	smp_mb();
	if (!kecat_file_alive(f))
		return EPOLLERR | EPOLLHUP;
	if (has_cycle(f))
		mask |= EPOLLIN | EPOLLRDNORM;
	if (has_events(f))
		mask |= EPOLLPRI;
	return mask;
}

/*
 * As many whole events as fit, perhaps none; caller holds read_lock.  An event
 * counts as read when it has arrived: none is lost by a bad address.
 */
static ssize_t copy_events(struct kecat_file *f, char __user *buf, size_t max)
{
	struct kecat_events *e = &f->m->events;
	struct kecat_event ev[CHUNK];
	size_t done = 0;

	while (done < max) {
		u64 seq = f->event_seq, lost = 0;
		int n = kecat_events_get(e, &seq, ev,
					 min_t(size_t, max - done, CHUNK),
					 &lost);

		if (n && copy_to_user(buf + done * sizeof(*ev), ev,
				      n * sizeof(*ev)))
			return done ? done * sizeof(*ev) : -EFAULT;
		WRITE_ONCE(f->event_seq, seq);
		atomic64_add(lost, &e->lost);
		done += n;
		if (n < CHUNK)
			break;
	}
	return done * sizeof(*ev);
}

static ssize_t read_events(struct kecat_file *f, char __user *buf, size_t max)
{
	ssize_t ret;

	if (mutex_lock_interruptible(&f->read_lock))
		return -ERESTARTSYS;
	ret = copy_events(f, buf, max);
	mutex_unlock(&f->read_lock);
	return ret;
}

static ssize_t kecat_read(struct file *file, char __user *buf, size_t count,
			  loff_t *ppos)
{
	struct kecat_file *f = file->private_data;
	ssize_t ret;

	if (count < sizeof(struct kecat_event))
		return -EINVAL;
	for (;;) {
		bool alive = kecat_file_alive(f);

		/* after the look: events say why the port has gone */
		ret = read_events(f, buf, count / sizeof(struct kecat_event));
		if (ret)
			return ret;
		if (!alive)
			return -ENODEV;
		if (file->f_flags & O_NONBLOCK)
			return -EAGAIN;
		/* the port may go: kecat_chardev_del() wakes */
		if (wait_event_interruptible(f->m->events.wait, has_events(f) ||
					     !kecat_file_alive(f)))
			return -ERESTARTSYS;
	}
}

/*
 * Only to the two ends of the event ring: the oldest that is kept, or behind
 * the newest.  There is no position, so 0 is always the answer.
 */
static loff_t kecat_llseek(struct file *file, loff_t offset, int whence)
{
	struct kecat_file *f = file->private_data;
	struct kecat_events *e = &f->m->events;
	u64 newest;

	if (offset || (whence != SEEK_SET && whence != SEEK_END))
		return -EINVAL;
	if (mutex_lock_interruptible(&f->read_lock))
		return -EINTR;
	newest = READ_ONCE(e->seq);
	if (whence == SEEK_END)
		WRITE_ONCE(f->event_seq, newest);
	else
		WRITE_ONCE(f->event_seq, newest > KECAT_EVENT_RING ?
			   newest - KECAT_EVENT_RING : 0);
	mutex_unlock(&f->read_lock);
	return 0;
}

static const struct file_operations fops = {
	.owner = THIS_MODULE,
	.llseek = kecat_llseek,
	.open = kecat_open,
	.release = kecat_release,
	.mmap = kecat_mmap,
	.poll = kecat_poll,
	.read = kecat_read,
	.unlocked_ioctl = kecat_ioctl,
	.compat_ioctl = compat_ptr_ioctl,
};

/**
 * kecat_chardev_add - make /dev/kecat<N> for a master that is ready for calls
 * @m: master
 *
 * Context: may sleep.
 */
int kecat_chardev_add(struct kecat_master *m)
{
	struct device *dev;

	down_write(&m->dev_rwsem);
	dev = device_create(class, m->nic->parent, first + m->index, m,
			    "kecat%d", m->index);
	if (!IS_ERR(dev))
		WRITE_ONCE(m->dev, dev);
	up_write(&m->dev_rwsem);
	return PTR_ERR_OR_ZERO(dev);
}

/**
 * kecat_chardev_del - take /dev/kecat<N> away
 * @m: master whose port is still there
 *
 * After return no call is inside the master with dev_rwsem held, each new one
 * answers -ENODEV, and those that sleep on the bus end as the master stops.
 * Context: may sleep.
 */
void kecat_chardev_del(struct kecat_master *m)
{
	device_destroy(class, first + m->index);
	down_write(&m->dev_rwsem);
	WRITE_ONCE(m->dev, NULL);
	up_write(&m->dev_rwsem);
	/* read() and poll(); who waits for a cycle is woken by its end */
	wake_up_all(&m->events.wait);
}

int kecat_chardev_init(void)
{
	int err;

	err = alloc_chrdev_region(&first, 0, KECAT_MAX_MASTERS, "kecat");
	if (err)
		return err;
	class = kecat_class_create("kecat");
	if (IS_ERR(class)) {
		err = PTR_ERR(class);
		goto err_region;
	}
	cdev_init(&cdev, &fops);
	cdev.owner = THIS_MODULE;
	err = cdev_add(&cdev, first, KECAT_MAX_MASTERS);
	if (err)
		goto err_class;
	return 0;

err_class:
	class_destroy(class);
err_region:
	unregister_chrdev_region(first, KECAT_MAX_MASTERS);
	return err;
}

void kecat_chardev_exit(void)
{
	cdev_del(&cdev);
	class_destroy(class);
	unregister_chrdev_region(first, KECAT_MAX_MASTERS);
}
