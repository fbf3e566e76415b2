/* SPDX-License-Identifier: MIT
 * Values that walk, and numbers that repeat. */
#include "words.h"

#include <string.h>

#include "core/bytes.h"

void words_walk(tokens_random *next, size_t size, size_t count, uint8_t *values)
{
    uint64_t word = next(1 << 20) << 20;
    for (size_t i = 0; i < count; i++) {
        word += next(7) - 3;
        const uint64_t one = next(500) ? word : word * UINT64_C(0x9E3779B97F4A7C15);
        memcpy(values + i * size, &one, size);
    }
}

void words_repeat(tokens_random *next, size_t most, size_t count, uint32_t *number)
{
    enum { LONGEST = 64 };
    for (size_t i = 0; i < count / 2; i++)
        number[i] = (uint32_t)next(most);
    for (size_t at = count / 2, length; at < count; at += length) {
        length = fpgz_min(1 + next(LONGEST), count - at);
        memcpy(number + at, number + next(count / 2 - LONGEST), length * sizeof *number);
    }
}
