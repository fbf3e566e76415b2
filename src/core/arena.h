/* SPDX-License-Identifier: MIT
 * Memory for a library that allocates by a function of ours: a piece of the caller's scratch. */
#ifndef FPGZ_CORE_ARENA_H
#define FPGZ_CORE_ARENA_H

#include <stddef.h>
#include <stdint.h>

#include "core/bytes.h"

/* What is left of it, aligned to 64 bytes. */
struct fpgz_arena {
    uint8_t *at;
    size_t left;
};

/* NULL where there is no room for so many items. Nothing is given back. */
static inline void *fpgz_arena_take(struct fpgz_arena *arena, size_t items, size_t size)
{
    uint64_t bytes;
    if (!fpgz_mul(items, size, &bytes) || bytes > arena->left)
        return NULL;
    uint8_t *const taken = arena->at;
    bytes = fpgz_min(fpgz_round_up(bytes, 64), arena->left);
    arena->at += bytes;
    arena->left -= bytes;
    return taken;
}

#endif
