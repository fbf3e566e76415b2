/* SPDX-License-Identifier: MIT
 * The byte shuffle of grids, and of differences. */
#include "codec/shuffle.h"

#include "core/bytes.h"
#include "core/shuffle.h"

size_t fpgz_shuffle_bytes(const struct fpgz_grid *grid, enum fpgz_shuffle_way way)
{
    const bool planes =
        way == FPGZ_SHUFFLE_DIFFERENCES || (way == FPGZ_SHUFFLE_VALUES && fpgz_dtype_size(grid->dtype) > 1);
    return planes ? fpgz_round_up(fpgz_grid_bytes(grid), 64) : 0;
}

/* Codecs for bytes take far longer. */
static void differ(const uint8_t *values, size_t count, size_t size, uint8_t *planes)
{
    uint64_t before = 0;
    for (size_t i = 0; i < count; i++) {
        const uint64_t word = fpgz_load_word(values + i * size, size), difference = word - before;
        for (size_t b = 0; b < size; b++)
            planes[b * count + i] = (uint8_t)(difference >> 8 * b);
        before = word;
    }
}

static void sum(uint8_t *values, size_t count, size_t size)
{
    uint64_t word = 0;
    for (size_t i = 0; i < count; i++) {
        word += fpgz_load_word(values + i * size, size);
        memcpy(values + i * size, &word, size);
    }
}

void fpgz_shuffle(const struct fpgz_grid *grid, enum fpgz_shuffle_way way, const uint8_t *values,
                  uint8_t *planes)
{
    const size_t size = fpgz_dtype_size(grid->dtype);
    if (way == FPGZ_SHUFFLE_DIFFERENCES)
        differ(values, fpgz_grid_values(grid), size, planes);
    else
        fpgz_to_planes(values, planes, fpgz_grid_bytes(grid), size);
}

void fpgz_unshuffle(const struct fpgz_grid *grid, enum fpgz_shuffle_way way, const uint8_t *planes,
                    uint8_t *values)
{
    const size_t size = fpgz_dtype_size(grid->dtype);
    fpgz_from_planes(planes, values, fpgz_grid_bytes(grid), size);
    if (way == FPGZ_SHUFFLE_DIFFERENCES)
        sum(values, fpgz_grid_values(grid), size);
}
