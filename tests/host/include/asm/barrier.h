/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef HOST_ASM_BARRIER_H
#define HOST_ASM_BARRIER_H
#include <linux/compiler.h>
#define mb()		barrier()
#define rmb()		barrier()
#define wmb()		barrier()
#define dma_rmb()	barrier()
#define dma_wmb()	barrier()
#define smp_mb()	barrier()
#define smp_rmb()	barrier()
#define smp_wmb()	barrier()
#define smp_mb__before_atomic()	barrier()
#define smp_mb__after_atomic()	barrier()
#define smp_mb__after_spinlock() barrier()
#define smp_store_mb(x, v)	do { WRITE_ONCE(x, v); barrier(); } while (0)
#define smp_store_release(p, v)	do { barrier(); WRITE_ONCE(*(p), v); } while (0)
#define smp_load_acquire(p) \
	({ typeof(*(p)) __v = READ_ONCE(*(p)); barrier(); __v; })
#define smp_cond_load_acquire(p, c) ({					\
	typeof(*(p)) VAL;						\
	while (VAL = READ_ONCE(*(p)), !(c))				\
		cpu_relax();						\
	VAL; })
#endif
