/* SPDX-License-Identifier: MIT
 * The byte shuffle of grids, and of differences. */
#include "codec/shuffle.h"

#include "core/bytes.h"
#include "core/inline.h"
#include "core/shuffle.h"

size_t fpgz_shuffle_bytes(const struct fpgz_grid *grid, enum fpgz_shuffle_way way)
{
    const bool planes =
        way == FPGZ_SHUFFLE_DIFFERENCES || (way == FPGZ_SHUFFLE_VALUES && fpgz_dtype_size(grid->dtype) > 1);
    return planes ? fpgz_round_up(fpgz_grid_bytes(grid), 64) : 0;
}

INLINE void differ(const uint8_t *values, size_t count, size_t size, uint8_t *planes)
{
    enum { BLOCK = 512 };
    uint64_t difference[BLOCK], before = 0;
    for (size_t at = 0; at < count; at += BLOCK) {
        const size_t some = fpgz_min(count - at, BLOCK);
        for (size_t i = 0; i < some; i++) {
            const uint64_t word = fpgz_load_word(values + (at + i) * size, size);
            difference[i] = word - before;
            before = word;
        }
        for (size_t b = 0; b < size; b++)
            for (size_t i = 0; i < some; i++)
                planes[b * count + at + i] = (uint8_t)(difference[i] >> 8 * b);
    }
}

INLINE void sum(uint8_t *values, size_t count, size_t size)
{
    uint64_t word = 0;
    for (size_t i = 0; i < count; i++) {
        word += fpgz_load_word(values + i * size, size);
        memcpy(values + i * size, &word, size);
    }
}

/* A loop for each size, which the compiler then knows. */
static void differ_any(const uint8_t *values, size_t count, size_t size, uint8_t *planes)
{
    if (size == 8)
        differ(values, count, 8, planes);
    else if (size == 4)
        differ(values, count, 4, planes);
    else
        differ(values, count, size, planes);
}

static void sum_any(uint8_t *values, size_t count, size_t size)
{
    if (size == 8)
        sum(values, count, 8);
    else if (size == 4)
        sum(values, count, 4);
    else
        sum(values, count, size);
}

void fpgz_shuffle(const struct fpgz_grid *grid, enum fpgz_shuffle_way way, const uint8_t *values,
                  uint8_t *planes)
{
    const size_t size = fpgz_dtype_size(grid->dtype);
    if (way == FPGZ_SHUFFLE_DIFFERENCES)
        differ_any(values, fpgz_grid_values(grid), size, planes);
    else
        fpgz_to_planes(values, planes, fpgz_grid_bytes(grid), size);
}

void fpgz_unshuffle(const struct fpgz_grid *grid, enum fpgz_shuffle_way way, const uint8_t *planes,
                    uint8_t *values)
{
    const size_t size = fpgz_dtype_size(grid->dtype);
    fpgz_from_planes(planes, values, fpgz_grid_bytes(grid), size);
    if (way == FPGZ_SHUFFLE_DIFFERENCES)
        sum_any(values, fpgz_grid_values(grid), size);
}
