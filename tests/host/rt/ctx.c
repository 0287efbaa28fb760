// SPDX-License-Identifier: GPL-2.0-only
/*
 * Switching stacks.  swapcontext() makes a system call for the signal mask
 * with each switch; on x86-64 the registers that a call preserves are enough.
 */
#include <stddef.h>
#include <stdint.h>
#include "libc.h"

#if defined(__x86_64__) && !defined(HOST_UCONTEXT)

__asm__(
	".text\n"
	".globl ctx_switch\n"
	".type ctx_switch, @function\n"
	"ctx_switch:\n"
	"	push %rbp\n"
	"	push %rbx\n"
	"	push %r12\n"
	"	push %r13\n"
	"	push %r14\n"
	"	push %r15\n"
	"	mov %rsp, (%rdi)\n"
	"	mov %rsi, %rsp\n"
	"	pop %r15\n"
	"	pop %r14\n"
	"	pop %r13\n"
	"	pop %r12\n"
	"	pop %rbx\n"
	"	pop %rbp\n"
	"	ret\n"
	".size ctx_switch, . - ctx_switch\n"
	".section .note.GNU-stack,\"\",@progbits\n"
	".text\n");

void *ctx_make(void *stack, size_t size, void (*entry)(void))
{
	uintptr_t *sp = (uintptr_t *)((char *)stack + size);
	int i;

	*--sp = 0;			/* return address of entry: none */
	*--sp = (uintptr_t)entry;	/* ends 16 byte aligned + 8 at entry */
	for (i = 0; i < 6; i++)
		*--sp = 0;
	return sp;
}

#else

#include <ucontext.h>

/* a context is its ucontext; the one that is switched away from is made here */
void ctx_switch(void **save, void *load)
{
	ucontext_t *from = *save, *to = load;

	if (!from) {
		from = malloc(sizeof(*from));
		*save = from;
	}
	swapcontext(from, to);
}

void *ctx_make(void *stack, size_t size, void (*entry)(void))
{
	ucontext_t *uc;

	/* at the end of the stack, where it goes with it */
	size = (size - sizeof(*uc)) & ~(size_t)63;
	uc = (ucontext_t *)((char *)stack + size);
	getcontext(uc);
	uc->uc_stack.ss_sp = stack;
	uc->uc_stack.ss_size = size;
	makecontext(uc, entry, 0);
	return uc;
}

#endif
