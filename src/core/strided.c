/* SPDX-License-Identifier: MIT
 * Copies pieces; short ones take no call each. */
#include "core/strided.h"

#include <string.h>

#include "core/inline.h"

INLINE void copy_pieces(uint8_t *to, size_t to_step, const uint8_t *from, size_t from_step, size_t count,
                        size_t bytes)
{
    for (size_t i = 0; i < count; i++)
        memcpy(to + i * to_step, from + i * from_step, bytes);
}

void fpgz_copy_strided(uint8_t *to, size_t to_step, const uint8_t *from, size_t from_step, size_t count,
                       size_t bytes)
{
    switch (bytes) { /* a copy of constant length is a load and a store */
    case 1:
        copy_pieces(to, to_step, from, from_step, count, 1);
        break;
    case 2:
        copy_pieces(to, to_step, from, from_step, count, 2);
        break;
    case 4:
        copy_pieces(to, to_step, from, from_step, count, 4);
        break;
    case 8:
        copy_pieces(to, to_step, from, from_step, count, 8);
        break;
    default:
        copy_pieces(to, to_step, from, from_step, count, bytes);
    }
}
