/* SPDX-License-Identifier: MIT
 * Shared memory of the blocks that take turns, which all have it at the same addresses. */
#ifndef TESTS_EMULATOR_SHARED_H
#define TESTS_EMULATOR_SHARED_H

#include <stddef.h>

namespace emulator
{
/* A launch that asks for `dynamic` bytes beside those that its kernel declares. */
void begin_shared(size_t dynamic);
void end_shared();

/* A new block in the slot, and the block in the slot runs. */
void forget_shared(unsigned slot);
void bring_shared(unsigned slot);

/* Bytes that a block can have in all. */
size_t shared_limit();
} // namespace emulator

#endif
