/* SPDX-License-Identifier: MIT
 * Pieces that are as far apart as each other, in memory. */
#ifndef FPGZ_CORE_STRIDED_H
#define FPGZ_CORE_STRIDED_H

#include <stddef.h>
#include <stdint.h>

/* Copies `count` pieces of `bytes` bytes between places that are `to_step` and `from_step` bytes apart. */
void fpgz_copy_strided(uint8_t *to, size_t to_step, const uint8_t *from, size_t from_step, size_t count,
                       size_t bytes);

/* Puts `count` values of each of so many planes behind each other: the first of each, the second of each. A
 * plane is `distance` bytes behind the one before; a value has 1, 2, 4 or 8 bytes. */
void fpgz_interleave(uint8_t *to, const uint8_t *planes, size_t distance, size_t parts, size_t count,
                     size_t bytes);

#endif
