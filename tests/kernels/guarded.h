/* SPDX-License-Identifier: MIT
 * Buffers between two pages that may not be touched: an access one byte too far ends the program. */
#ifndef TESTS_KERNELS_GUARDED_H
#define TESTS_KERNELS_GUARDED_H

#include <stddef.h>
#include <stdint.h>

struct guarded {
    uint8_t *pages; /* from the first inner page on */
    size_t size;    /* of the inner pages */
};

/* Room for up to `capacity` bytes. */
struct guarded guarded_new(size_t capacity);

/* `length` bytes that end at the hind guard, or (front) begin behind the one before. */
uint8_t *guarded_place(const struct guarded *guarded, size_t length, int front);

#endif
