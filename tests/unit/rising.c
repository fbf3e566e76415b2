/* SPDX-License-Identifier: MIT
 * Which grids rise, and that levels code those by their differences. usage: unit_rising   prints what
 * failed, then "N passed, N failed". */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../checks.h"
#include "codec/codecs.h"
#include "codec/rising.h"
#include "core/checksum.h"
#include "engine/chunk.h"

enum { VALUES = 20000 };

static double value[VALUES];

/* Times of samples, as arange() has them, times `way`. */
static void fill(double way)
{
    for (size_t i = 0; i < VALUES; i++)
        value[i] = way * ((double)i * 1e-3 - 5);
}

static void test_rises(void)
{
    const struct fpgz_grid grid = {FPGZ_F64, 1, {VALUES}}, few = {FPGZ_F64, 1, {300}},
                           halves = {FPGZ_U16, 1, {VALUES}}, whole = {FPGZ_I64, 2, {VALUES / 10, 10}};
    for (double way = -1; way <= 1; way += 2) {
        fill(way);
        CHECK(fpgz_rises(&grid, value) && !fpgz_rises(&few, value) && !fpgz_rises(&halves, value));
        for (size_t i = 0; i < VALUES; i += 20)
            value[i] = NAN;
        CHECK(fpgz_rises(&grid, value));
        for (size_t i = 1; i < VALUES; i += 4) /* bounds, which are there twice */
            value[i] = value[i - 1] = value[i + 1];
        CHECK(fpgz_rises(&grid, value));
        for (size_t i = 0; i < VALUES; i += 3)
            value[i] = 0;
        CHECK(!fpgz_rises(&grid, value));
    }
    memset(value, 0, sizeof value);
    CHECK(!fpgz_rises(&grid, value));
    for (size_t i = 0; i < VALUES; i++)
        ((int64_t *)value)[i] = (int64_t)i * i - 10000000;
    CHECK(fpgz_rises(&whole, value));
}

/* What is counted for prans is enough for differences. */
static void test_memory(void)
{
    struct fpgz_params params, others;
    fpgz_codec_defaults(&fpgz_prans, &params);
    fpgz_codec_defaults(&fpgz_delta_zstd, &others);
    for (uint64_t count = 512; count <= 8 << 20 && !fpgz_delta_zstd.missing; count += 7 + count / 4)
        for (enum fpgz_dtype dtype = FPGZ_F32; dtype <= FPGZ_F64; dtype++) {
            const struct fpgz_grid grid = {dtype, 1, {count}};
            CHECK(fpgz_delta_zstd.memory(&grid, &others) <= fpgz_prans.memory(&grid, &params) &&
                  fpgz_delta_zstd.bound(&grid, &others) <= fpgz_prans.bound(&grid, &params));
        }
}

/* The codec that a level takes for the values, which come back. */
static const struct fpgz_codec *coded_by(int level, const struct fpgz_grid *grid)
{
    const struct fpgz_coder coder = {.level = level};
    struct fpgz_chunk_buffers buffers = {0};
    struct fpgz_coded coded = {.raw_checksum = fpgz_checksum(value, fpgz_grid_bytes(grid))};
    if (CHECK(fpgz_buffer_reserve(&buffers.raw, fpgz_grid_bytes(grid)))) {
        memcpy(buffers.raw.data, value, fpgz_grid_bytes(grid));
        CHECK(!fpgz_chunk_encode(&coder, grid, &buffers, &coded));
        const size_t used = fpgz_codec_decode_memory(coded.codec, &coded.grid, &coded.params);
        void *const back = malloc(fpgz_grid_bytes(grid)), *const scratch =
                                                              aligned_alloc(64, used / 64 * 64 + 64);
        const struct fpgz_coding coding = {coded.grid, coded.params, scratch, NULL};
        CHECK(back && scratch && !coded.codec->decode(&coding, coded.stream, coded.length, back) &&
              !memcmp(back, value, fpgz_grid_bytes(grid)));
        free(back);
        free(scratch);
    }
    fpgz_chunk_buffers_free(&buffers);
    return coded.codec;
}

int main(void)
{
    const struct fpgz_grid grid = {FPGZ_F64, 1, {VALUES}};
    test_rises();
    test_memory();
    fill(1);
    const struct fpgz_codec *const fast = fpgz_delta_zstd.missing ? &fpgz_prans : &fpgz_delta_zstd,
                                   *const small = fpgz_delta_lzma.missing ? fast : &fpgz_delta_lzma;
    CHECK(coded_by(FPGZ_LEVEL_DEFAULT, &grid) == fast && coded_by(FPGZ_LEVEL_DEFAULT + 1, &grid) == fast);
    CHECK(coded_by(FPGZ_LEVEL_LAST, &grid) == small);
    CHECK(coded_by(fpgz_level(FPGZ_LEVEL_DEFAULT)->few.raw, &grid) == small);
    return checks_end();
}
