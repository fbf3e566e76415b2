/* SPDX-License-Identifier: MIT
 * The byte shuffle of codecs that know nothing of numbers. */
#include "codec/shuffle.h"

#include "core/bytes.h"

/* Values and planes are gone through in blocks that stay in the first-level cache. */
enum { BLOCK = 1024 };

static inline __attribute__((always_inline)) void shuffle_words(const uint8_t *values, uint8_t *planes,
                                                                size_t count, size_t width)
{
    for (size_t first = 0; first < count; first += BLOCK) {
        const size_t end = fpgz_min(first + BLOCK, count);
        for (size_t byte = 0; byte < width; byte++)
            for (size_t i = first; i < end; i++)
                planes[byte * count + i] = values[i * width + byte];
    }
}

static inline __attribute__((always_inline)) void unshuffle_words(const uint8_t *planes, uint8_t *values,
                                                                  size_t count, size_t width)
{
    for (size_t first = 0; first < count; first += BLOCK) {
        const size_t end = fpgz_min(first + BLOCK, count);
        for (size_t byte = 0; byte < width; byte++)
            for (size_t i = first; i < end; i++)
                values[i * width + byte] = planes[byte * count + i];
    }
}

size_t fpgz_shuffle_bytes(const struct fpgz_grid *grid, uint32_t wanted)
{
    return wanted && fpgz_dtype_size(grid->dtype) > 1 ? fpgz_round_up(fpgz_grid_bytes(grid), 64) : 0;
}

void fpgz_shuffle(const struct fpgz_grid *grid, const uint8_t *values, uint8_t *planes)
{
    const size_t count = fpgz_grid_values(grid);
    switch (fpgz_dtype_size(grid->dtype)) {
    case 2:
        shuffle_words(values, planes, count, 2);
        break;
    case 4:
        shuffle_words(values, planes, count, 4);
        break;
    case 8:
        shuffle_words(values, planes, count, 8);
        break;
    }
}

void fpgz_unshuffle(const struct fpgz_grid *grid, const uint8_t *planes, uint8_t *values)
{
    const size_t count = fpgz_grid_values(grid);
    switch (fpgz_dtype_size(grid->dtype)) {
    case 2:
        unshuffle_words(planes, values, count, 2);
        break;
    case 4:
        unshuffle_words(planes, values, count, 4);
        break;
    case 8:
        unshuffle_words(planes, values, count, 8);
        break;
    }
}
