/* SPDX-License-Identifier: MIT
 * Functions with stacks of their own. */
#ifndef TESTS_EMULATOR_FIBER_H
#define TESTS_EMULATOR_FIBER_H

#if !defined(__x86_64__) || defined(__CET__)
#define FIBER_BY_LIBRARY
#include <ucontext.h>
#endif

struct fiber {
    void *stack;
#ifdef FIBER_BY_LIBRARY
    ucontext_t context;
#else
    void *top; /* of the stack, while another one runs */
#endif
};

/* Makes the fiber begin with a function, which must not return, when it is first switched to. */
void fiber_make(struct fiber *fiber, void (*function)(void));

void fiber_switch(struct fiber *from, struct fiber *to);

#endif
