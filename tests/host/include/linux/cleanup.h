/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef HOST_LINUX_CLEANUP_H
#define HOST_LINUX_CLEANUP_H

#include <linux/compiler.h>

#define __cleanup(f)	__attribute__((__cleanup__(f)))
#define DEFINE_FREE(name, type, free) \
	static inline void __free_##name(void *p) { type _T = *(type *)p; free; }
#define __free(name)	__cleanup(__free_##name)
#define no_free_ptr(p)	({ __auto_type __v = (p); (p) = NULL; __v; })
#define return_ptr(p)	return no_free_ptr(p)

#define DEFINE_GUARD(name, type, lock, unlock)				\
typedef type class_##name##_t;						\
static inline void class_##name##_destructor(type *p)			\
{									\
	type _T = *p;							\
									\
	if (_T)								\
		unlock;							\
}									\
static inline type class_##name##_constructor(type _T)			\
{									\
	lock;								\
	return _T;							\
}
#define CLASS(name, var) \
	class_##name##_t var __cleanup(class_##name##_destructor) __maybe_unused = \
		class_##name##_constructor
#define guard(name)	CLASS(name, __UNIQUE_ID(guard))
#define scoped_guard(name, l)						\
	for (CLASS(name, __scope)(l), *__once = (void *)1; __once;	\
	     __once = NULL)

#endif
