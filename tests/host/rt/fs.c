// SPDX-License-Identifier: GPL-2.0-only
/* Character devices as a process sees them, and what a process gives to calls. */
#include <linux/cdev.h>
#include <linux/device.h>
#include <linux/fs.h>
#include <linux/hrtimer.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/poll.h>
#include <linux/rwsem.h>
#include <linux/sched.h>
#include <linux/uaccess.h>
#include "host.h"

struct module host_this_module = { .name = "kecat" };
int (*host_module_init)(void);
void (*host_module_exit)(void);

/* ---- modules ---- */

bool try_module_get(struct module *m)
{
	if (m && m->going)
		return false;
	if (m)
		m->refs++;
	return true;
}

void __module_get(struct module *m)
{
	if (m)
		m->refs++;
}

void module_put(struct module *m)
{
	if (m && --m->refs < 0)
		host_fail(__FILE__, __LINE__, "module %s is put too often", m->name);
}

/* ---- user memory ---- */

struct region {
	struct list_head list;
	char *p;
	size_t n;
	bool ours;
};

static LIST_HEAD(regions);
/* a copy may fault, and a fault takes this: nothing held around mmap() may be */
static DECLARE_RWSEM(mmap_lock);

static struct region *region_add(char *p, size_t n, bool ours)
{
	struct region *r = malloc(sizeof(*r));

	if (!r)
		abort();
	*r = (struct region) { .p = p, .n = n, .ours = ours };
	list_add(&r->list, &regions);
	return r;
}

void *host_user_alloc(size_t n)
{
	char *p = calloc(1, n ? n : 1);

	if (!p)
		abort();
	region_add(p, n, true);
	return p;
}

static void region_del(void *p)
{
	struct region *r;

	list_for_each_entry(r, &regions, list) {
		if (r->p != p)
			continue;
		list_del(&r->list);
		if (r->ours)
			free(r->p);
		free(r);
		return;
	}
	host_fatal(__FILE__, __LINE__, "no such user memory");
}

void host_user_free(void *p)
{
	region_del(p);
}

/* how many bytes from @p on are the process's */
static size_t user_bytes(const void *p, size_t n)
{
	const char *c = p;
	struct region *r;

	list_for_each_entry(r, &regions, list)
		if (c >= r->p && c < r->p + r->n)
			return min_t(size_t, n, r->p + r->n - c);
	return 0;
}

bool host_user_ok(const void *p, unsigned long n)
{
	return n < 1UL << 47;
}

static void copies(void)
{
	might_fault();
	if (current->cyclic)
		host_fail(__FILE__, __LINE__, "the cyclic thread touches user memory");
	if (!current->user)
		host_fail(__FILE__, __LINE__, "a kernel thread touches user memory");
	host_lock_order(&mmap_lock.dep);
	host_point();
}

unsigned long copy_from_user(void *to, const void __user *from, unsigned long n)
{
	size_t ok = user_bytes(from, n);

	copies();
	if (ok)
		memcpy(to, from, ok);
	memset((char *)to + ok, 0, n - ok);
	return n - ok;
}

unsigned long copy_to_user(void __user *to, const void *from, unsigned long n)
{
	size_t ok = user_bytes(to, n);

	copies();
	if (ok)
		memcpy(to, from, ok);
	return n - ok;
}

unsigned long clear_user(void __user *to, unsigned long n)
{
	size_t ok = user_bytes(to, n);

	copies();
	if (ok)
		memset(to, 0, ok);
	return n - ok;
}

int check_zeroed_user(const void __user *from, size_t n)
{
	copies();
	if (user_bytes(from, n) < n)
		return -EFAULT;
	return !memchr_inv(from, 0, n);
}

int copy_struct_from_user(void *dst, size_t ksize, const void __user *src,
			  size_t usize)
{
	size_t n = min(ksize, usize);
	int zero;

	if (usize > ksize) {
		zero = check_zeroed_user((const char *)src + ksize, usize - ksize);
		if (zero <= 0)
			return zero ? zero : -E2BIG;
	}
	memset((char *)dst + n, 0, ksize - n);
	return copy_from_user(dst, src, n) ? -EFAULT : 0;
}

static void *dup_user(const void __user *src, size_t n, enum host_mem kind)
{
	void *p = HOST_ALLOC(n, GFP_KERNEL, kind);

	if (!p)
		return ERR_PTR(-ENOMEM);
	if (copy_from_user(p, src, n)) {
		kvfree(p);
		return ERR_PTR(-EFAULT);
	}
	return p;
}

void *memdup_user(const void __user *src, size_t n)
{
	return dup_user(src, n, HOST_KMALLOC);
}

void *vmemdup_user(const void __user *src, size_t n)
{
	return dup_user(src, n, HOST_KVMALLOC);
}

/* ---- devices ---- */

static LIST_HEAD(cdevs);
static LIST_HEAD(devices);
static unsigned int next_major = 240;

int alloc_chrdev_region(dev_t *dev, unsigned int first, unsigned int n,
			const char *name)
{
	if (host_mem_refused(1))
		return -ENOMEM;
	*dev = MKDEV(next_major++, first);
	return 0;
}

void unregister_chrdev_region(dev_t dev, unsigned int n)
{
}

void cdev_init(struct cdev *c, const struct file_operations *ops)
{
	*c = (struct cdev) { .ops = ops };
	INIT_LIST_HEAD(&c->list);
}

int cdev_add(struct cdev *c, dev_t dev, unsigned int n)
{
	if (host_mem_refused(1))
		return -ENOMEM;
	c->dev = dev;
	c->count = n;
	list_add(&c->list, &cdevs);
	return 0;
}

void cdev_del(struct cdev *c)
{
	list_del_init(&c->list);
}

struct class *class_create(const char *name)
{
	struct class *c = kzalloc(sizeof(*c), GFP_KERNEL);

	if (!c)
		return ERR_PTR(-ENOMEM);
	c->name = name;
	return c;
}

void class_destroy(const struct class *c)
{
	kfree(c);
}

struct device *device_create(const struct class *c, struct device *parent,
			     dev_t dev, void *data, const char *fmt, ...)
{
	struct device *d = kzalloc(sizeof(*d), GFP_KERNEL);
	va_list ap;

	if (!d)
		return ERR_PTR(-ENOMEM);
	va_start(ap, fmt);
	vsnprintf(d->host_name, sizeof(d->host_name), fmt, ap);
	va_end(ap);
	d->class = c;
	d->parent = parent;
	d->devt = dev;
	d->driver_data = data;
	list_add(&d->list, &devices);
	host_point();
	return d;
}

void device_destroy(const struct class *c, dev_t dev)
{
	struct device *d;

	list_for_each_entry(d, &devices, list) {
		if (d->class != c || d->devt != dev)
			continue;
		list_del(&d->list);
		kfree(d);
		return;
	}
	host_fail(__FILE__, __LINE__, "device_destroy() of a device that is not there");
}

/* ---- calls of a process ---- */

struct file_box {
	struct file f;
	struct inode i;
};

struct mapping {
	struct list_head list;
	struct vm_area_struct vma;
};

static LIST_HEAD(mappings);

static long answer(long ret)
{
	return ret == -ERESTARTSYS || ret == -ERESTARTNOINTR ? -EINTR : ret;
}

static struct cdev *find_cdev(unsigned int minor)
{
	struct cdev *c;

	list_for_each_entry(c, &cdevs, list)
		if (minor >= MINOR(c->dev) && minor < MINOR(c->dev) + c->count)
			return c;
	return NULL;
}

struct file *host_open(unsigned int minor, unsigned int flags)
{
	struct cdev *c = find_cdev(minor);
	struct file_box *b;
	int err;

	if (!c || !try_module_get(c->owner))
		return ERR_PTR(-ENXIO);
	b = calloc(1, sizeof(*b));
	if (!b)
		abort();
	b->i.i_rdev = MKDEV(MAJOR(c->dev), minor);
	b->i.i_cdev = c;
	b->f.f_op = c->ops;
	b->f.f_inode = &b->i;
	b->f.f_flags = flags;
	b->f.f_mode = ((flags + 1) & O_ACCMODE);
	err = c->ops->open ? c->ops->open(&b->i, &b->f) : 0;
	host_hold_check();
	if (!err)
		return &b->f;
	module_put(c->owner);
	free(b);
	return ERR_PTR(answer(err));
}

long host_ioctl(struct file *f, unsigned int cmd, void *arg)
{
	long ret = f->f_op->unlocked_ioctl(f, cmd, (unsigned long)arg);

	host_hold_check();
	return answer(ret);
}

long compat_ptr_ioctl(struct file *f, unsigned int cmd, unsigned long arg)
{
	return f->f_op->unlocked_ioctl(f, cmd, arg);
}

ssize_t host_read(struct file *f, void *to, size_t n)
{
	ssize_t ret = f->f_op->read(f, to, n, &f->f_pos);

	host_hold_check();
	return answer(ret);
}

unsigned int host_poll(struct file *f)
{
	poll_table pt = { 0 };

	return f->f_op->poll(f, &pt);
}

/* poll(): > 0 the events, 0 time is up, -EINTR */
int host_poll_wait(struct file *f, unsigned int events, u64 timeout_ns)
{
	ktime_t until = (ktime_t)(host_now() + timeout_ns);
	wait_queue_entry_t e[4];
	poll_table pt = { 0 };
	unsigned int got;
	int i, ret = 0, n;

	f->f_op->poll(f, &pt);
	n = pt.n;
	for (i = 0; i < n; i++) {
		e[i] = (wait_queue_entry_t) { .private = current,
					      .func = default_wake_function };
		add_wait_queue(pt.q[i], &e[i]);
	}
	for (;;) {
		poll_table none = { 0 };

		set_current_state(TASK_INTERRUPTIBLE);
		got = f->f_op->poll(f, &none) & (events | EPOLLERR | EPOLLHUP);
		if (got) {
			ret = (int)got;
			break;
		}
		if (signal_pending(current)) {
			ret = -EINTR;
			break;
		}
		if ((u64)until <= host_now())
			break;
		schedule_hrtimeout(&until, HRTIMER_MODE_ABS);
	}
	__set_current_state(TASK_RUNNING);
	for (i = 0; i < n; i++)
		remove_wait_queue(pt.q[i], &e[i]);
	return ret;
}

void *host_mmap(struct file *f, size_t n, unsigned long prot,
		unsigned long flags, unsigned long pgoff)
{
	struct mapping *m = calloc(1, sizeof(*m));
	int err;

	if (!m)
		abort();
	/* any address: nothing is really mapped there */
	m->vma = (struct vm_area_struct) {
		.vm_start = 0x7f0000000000UL,
		.vm_end = 0x7f0000000000UL + PAGE_ALIGN(n),
		.vm_flags = prot | flags, .vm_pgoff = pgoff, .vm_file = f,
	};
	down_write(&mmap_lock);
	err = f->f_op->mmap(f, &m->vma);
	up_write(&mmap_lock);
	if (err) {
		free(m);
		return ERR_PTR(answer(err));
	}
	if (!m->vma.host_mem)
		host_fatal(__FILE__, __LINE__, "mmap() mapped nothing");
	list_add(&m->list, &mappings);
	return m->vma.host_mem;
}

static void unmap(struct mapping *m)
{
	down_write(&mmap_lock);
	if (m->vma.vm_ops && m->vma.vm_ops->close)
		m->vma.vm_ops->close(&m->vma);
	up_write(&mmap_lock);
	list_del(&m->list);
	free(m);
}

void host_munmap(void *p)
{
	struct mapping *m;

	list_for_each_entry(m, &mappings, list)
		if (m->vma.host_mem == p) {
			unmap(m);
			return;
		}
	host_fatal(__FILE__, __LINE__, "no such mapping");
}

/* a mapping holds its file: unmap first.  Pending signals do not stop this. */
int host_close(struct file *f)
{
	struct file_box *b = container_of(f, struct file_box, f);
	struct module *owner = b->i.i_cdev->owner;

	if (f->f_op->release)
		f->f_op->release(&b->i, f);
	host_hold_check();
	module_put(owner);
	free(b);
	return 0;
}
