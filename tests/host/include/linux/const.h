/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef HOST_LINUX_CONST_H
#define HOST_LINUX_CONST_H
#define _AC(x, y)	__AC(x, y)
#define __AC(x, y)	(x##y)
#define UL(x)		(_AC(x, UL))
#define ULL(x)		(_AC(x, ULL))
#define _UL(x)		UL(x)
#define _ULL(x)		ULL(x)
#define _BITUL(x)	(UL(1) << (x))
#define _BITULL(x)	(ULL(1) << (x))
#endif
