/* SPDX-License-Identifier: MIT
 * The formulas of the digests in tests/vectors: integers only, r = splitmix64(seed + index). */
#include <stdlib.h>

#include "grids_kinds.h"

static bool is_f64(const struct grids_source *source)
{
    return source->grid.dtype == FPGZ_F64;
}

enum fpgz_status grids_walk_open(struct grids_source *source)
{
    uint64_t *const word = source->state = malloc(sizeof *word);
    if (!word)
        return FPGZ_MEMORY;
    *word = is_f64(source) ? 0x3FF0000000000000u : 0x3F800000u; /* 1.0 */
    return FPGZ_OK;
}

void grids_walk(struct grids_source *source, void *out)
{
    const uint64_t first = source->seed + source->index;
    const bool wide = is_f64(source);
    uint64_t words[GRIDS_SEGMENT], *const state = source->state, word = *state;
    for (size_t i = 0; i < source->count; i++) {
        const uint64_t r = grids_hash(first + i);
        word += wide ? (r >> 16) - (UINT64_C(1) << 47) : (r >> 48) - 32768;
        words[i] = word ^ ((uint64_t)((r & 255) == 0) << (wide ? 63 : 31));
    }
    *state = word; /* f32: only the low half counts, and carries never come back down */
    grids_store_words(source, words, out);
}

void grids_poly(struct grids_source *source, void *out)
{
    const uint64_t z = source->at[1], y = source->at[2];
    const bool wide = is_f64(source);
    uint64_t words[GRIDS_SEGMENT];
    for (size_t i = 0; i < source->count; i++) {
        const uint64_t x = source->at[3] + i;
        const uint64_t p =
            3 * x * x - 5 * x * y + 7 * y * y + 11 * z * x + 13 * z * z + 1000 * x + 77 * y + 5;
        words[i] = wide ? 0x3FE0000000000000u + ((p & 0xFFFFFFFFu) << 21) : 0x3F000000u + (p & 0x03FFFFFFu);
    }
    grids_store_words(source, words, out);
}

void grids_rand(struct grids_source *source, void *out)
{
    const uint64_t first = source->seed + source->index;
    const unsigned shift = 64 - 8 * (unsigned)fpgz_dtype_size(source->grid.dtype);
    uint64_t words[GRIDS_SEGMENT];
    for (size_t i = 0; i < source->count; i++)
        words[i] = grids_hash(first + i) >> shift;
    grids_store_words(source, words, out);
}

void grids_spec(struct grids_source *source, void *out)
{
    /* Zeros, infinities, NaNs (quiet, with payload, signalling), the ends of the denormal and normal ranges,
     * ones, all bits. */
    static const uint64_t special[2][16] = {
        {0x00000000u, 0x80000000u, 0x7F800000u, 0xFF800000u, 0x7FC00000u, 0xFFC00001u, 0x7F800001u,
         0x00000001u, 0x80000001u, 0x007FFFFFu, 0x00800000u, 0x7F7FFFFFu, 0xFF7FFFFFu, 0x3F800000u,
         0xBF800000u, 0xFFFFFFFFu},
        {0x0000000000000000u, 0x8000000000000000u, 0x7FF0000000000000u, 0xFFF0000000000000u,
         0x7FF8000000000000u, 0xFFF8000000000001u, 0x7FF0000000000001u, 0x0000000000000001u,
         0x8000000000000001u, 0x000FFFFFFFFFFFFFu, 0x0010000000000000u, 0x7FEFFFFFFFFFFFFFu,
         0xFFEFFFFFFFFFFFFFu, 0x3FF0000000000000u, 0xBFF0000000000000u, 0xFFFFFFFFFFFFFFFFu}};
    const uint64_t first = source->seed + source->index, *const table = special[is_f64(source)];
    uint64_t words[GRIDS_SEGMENT];
    for (size_t i = 0; i < source->count; i++)
        words[i] = table[grids_hash(first + i) >> 60];
    grids_store_words(source, words, out);
}

void grids_zero(struct grids_source *source, void *out)
{
    static const uint64_t words[GRIDS_SEGMENT];
    grids_store_words(source, words, out);
}

void grids_kry(struct grids_source *source, void *out)
{
    const bool wide = is_f64(source);
    const unsigned mantissa = wide ? 52 : 23, sign = wide ? 63 : 31;
    const uint64_t bias = wide ? 1023 : 127;
    uint64_t words[GRIDS_SEGMENT];
    for (size_t i = 0; i < source->count; i++) {
        const uint64_t index = source->index + i, r = grids_hash(source->seed + index);
        const uint64_t fraction = (r >> 5) & ((UINT64_C(1) << mantissa) - 1);
        words[i] = index % 37 ? (r >> 63) << sign | (bias - (r & 31)) << mantissa | fraction : 0;
    }
    grids_store_words(source, words, out);
}
