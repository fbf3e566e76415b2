/* SPDX-License-Identifier: MIT
 * A switch of fibers: the registers that a function must keep go to the stack. */
#include "fiber.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

enum { STACK = 1 << 18 };

static void *stack_of(struct fiber *fiber)
{
    if (!fiber->stack)
        fiber->stack = mmap(nullptr, STACK, PROT_READ | PROT_WRITE,
                            MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
    if (fiber->stack == MAP_FAILED) {
        perror("emulator: a thread's stack");
        exit(EXIT_FAILURE);
    }
    return fiber->stack;
}

#ifdef FIBER_BY_LIBRARY

void fiber_make(struct fiber *fiber, void (*function)(void))
{
    getcontext(&fiber->context);
    fiber->context.uc_stack.ss_sp = stack_of(fiber);
    fiber->context.uc_stack.ss_size = STACK;
    makecontext(&fiber->context, function, 0);
}

void fiber_switch(struct fiber *from, struct fiber *to)
{
    swapcontext(&from->context, &to->context);
}

#else

extern "C" void emulator_switch(void **from, void *to);

__asm__(".text\n"
        ".type emulator_switch, @function\n"
        "emulator_switch:\n"
        "    pushq %rbp; pushq %rbx; pushq %r12; pushq %r13; pushq %r14; pushq %r15\n"
        "    movq %rsp, (%rdi)\n"
        "    movq %rsi, %rsp\n"
        "    popq %r15; popq %r14; popq %r13; popq %r12; popq %rbx; popq %rbp\n"
        "    ret\n"
        ".size emulator_switch, . - emulator_switch\n");

void fiber_make(struct fiber *fiber, void (*function)(void))
{
    enum { REGISTERS = 6 };
    void **const end = (void **)((char *)stack_of(fiber) + STACK);
    end[-2] = (void *)function; /* a function begins 8 bytes below a multiple of 16 */
    fiber->top = end - 2 - REGISTERS;
}

void fiber_switch(struct fiber *from, struct fiber *to)
{
    emulator_switch(&from->top, to->top);
}

#endif
