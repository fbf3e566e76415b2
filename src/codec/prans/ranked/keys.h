/* SPDX-License-Identifier: MIT
 * Words of 4 and 8 bytes, and keys in the order of the values. */
#ifndef FPGZ_CODEC_PRANS_RANKED_KEYS_H
#define FPGZ_CODEC_PRANS_RANKED_KEYS_H

#include "core/bytes.h"
#include "core/grid.h"

static inline uint64_t ranked_word_at(const void *values, size_t size, size_t at)
{
    const uint8_t *const word = (const uint8_t *)values + at * size;
    return size == 4 ? fpgz_load32(word) : fpgz_load64(word);
}

/* An unsigned number in the order of the values. */
static inline uint64_t ranked_key_of(enum fpgz_dtype dtype, uint64_t word)
{
    const struct fpgz_dtype_row *const row = &fpgz_dtypes[dtype];
    const uint64_t top = (uint64_t)1 << (8 * row->size - 1), mask = top - 1 + top;
    if (row->kind == 'f')
        return word & top ? word ^ mask : word | top;
    return row->kind == 'i' ? word ^ top : word;
}

static inline uint64_t ranked_word_of(enum fpgz_dtype dtype, uint64_t key)
{
    const struct fpgz_dtype_row *const row = &fpgz_dtypes[dtype];
    const uint64_t top = (uint64_t)1 << (8 * row->size - 1), mask = top - 1 + top;
    if (row->kind == 'f')
        return key & top ? key ^ top : key ^ mask;
    return row->kind == 'i' ? key ^ top : key;
}

/* Sorts keys of `bits` bits; `other` has room for as many. Returns where they are. */
uint64_t *fpgz_prans_ranked_sort(uint64_t *key, size_t count, unsigned bits, uint64_t *other);

#endif
