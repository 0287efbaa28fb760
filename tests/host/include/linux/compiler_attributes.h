/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef HOST_LINUX_COMPILER_ATTRIBUTES_H
#define HOST_LINUX_COMPILER_ATTRIBUTES_H

#ifdef __inline
#undef __inline
#endif
#ifndef __always_inline
#define __always_inline	inline __attribute__((__always_inline__))
#endif
#define noinline	__attribute__((__noinline__))
#define noinline_for_stack noinline
#ifndef __packed
#define __packed	__attribute__((__packed__))
#endif
#define __aligned(x)	__attribute__((__aligned__(x)))
#define __printf(a, b)	__attribute__((__format__(printf, a, b)))
#define __scanf(a, b)	__attribute__((__format__(scanf, a, b)))
#define __maybe_unused	__attribute__((__unused__))
#define __always_unused	__attribute__((__unused__))
#define __used		__attribute__((__used__))
#define __must_check	__attribute__((__warn_unused_result__))
#define __cold		__attribute__((__cold__))
#define __pure		__attribute__((__pure__))
#ifndef __attribute_const__
#define __attribute_const__ __attribute__((__const__))
#endif
#define __weak		__attribute__((__weak__))
#define __malloc	__attribute__((__malloc__))
#define __noreturn	__attribute__((__noreturn__))
#define __nonstring	__attribute__((__nonstring__))
#define __alias(s)	__attribute__((__alias__(#s)))
#define __section(s)	__attribute__((__section__(s)))
#define __visible
#define __counted_by(m)
#define fallthrough	__attribute__((__fallthrough__))
#define asmlinkage
#define notrace
#define __latent_entropy
#define __ro_after_init
#define __read_mostly
#define ____cacheline_aligned		__aligned(64)
#define ____cacheline_aligned_in_smp	__aligned(64)
#define __cacheline_aligned		__aligned(64)

#endif
