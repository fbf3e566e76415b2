/* SPDX-License-Identifier: MIT
 * The checksum of HDF5's filter: two sums modulo 65535 in which a sum that is not 0 never becomes 0. */
#include "core/fletcher32.h"

enum { WORDS = 1 << 15 }; /* after which the sums still fit into 64 bits */

static uint64_t fold(uint64_t sum)
{
    return sum == 0 ? 0 : (sum - 1) % 65535 + 1;
}

uint32_t fpgz_fletcher32(const uint8_t *data, size_t bytes)
{
    uint64_t first = 0, second = 0;
    for (size_t at = 0; at < bytes;) {
        for (unsigned word = 0; word < WORDS && at < bytes; word++, at += 2) {
            first += (uint64_t)data[at] << 8 | (at + 1 < bytes ? data[at + 1] : 0);
            second += first;
        }
        first = fold(first);
        second = fold(second);
    }
    return (uint32_t)(second << 16 | first);
}
