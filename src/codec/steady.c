/* SPDX-License-Identifier: MIT
 * Looks at pairs of neighbours. */
#include "codec/steady.h"

#include "codec/codecs.h"
#include "codec/sample.h"
#include "core/bytes.h"

bool fpgz_steady_way(const struct fpgz_level *level, const struct fpgz_grid *grid, struct fpgz_auto_way *way)
{
    enum { LEAST_VALUES = 1 << 14, LEVEL = 3 };
    if (!(level->candidates >> FPGZ_CODEC_PRANS & 1) || !(FPGZ_FLOATS_32_64 >> grid->dtype & 1) ||
        fpgz_grid_values(grid) < LEAST_VALUES || fpgz_zstd.missing)
        return false;
    way->codec = &fpgz_zstd;
    fpgz_codec_defaults(way->codec, &way->params);
    way->params.value[ZSTD_LEVEL] = LEVEL;
    way->params.value[ZSTD_SHUFFLE] = 0;
    way->codec->fold(grid, &way->grid);
    return true;
}

bool fpgz_is_steady(const struct fpgz_grid *grid, const void *values)
{
    enum { PAIRS = 2048, CHANGES = PAIRS / 128 };
    const size_t size = fpgz_dtype_size(grid->dtype), pairs = (size_t)fpgz_grid_values(grid) - 1;
    unsigned changes = 0;
    for (uint32_t i = 0; i < PAIRS && changes <= CHANGES; i++) {
        const uint8_t *const pair = (const uint8_t *)values + fpgz_sample_place(i, PAIRS, pairs) * size;
        changes += fpgz_load_word(pair, size) != fpgz_load_word(pair + size, size);
    }
    return changes <= CHANGES;
}
