/* SPDX-License-Identifier: MIT
 * Sums of prans: grids whose steps return, of all dtypes of 4 and 8 bytes and of all shapes, come back, as a
 * whole and in ranges, with order 1 and 2; what has no such steps keeps its format. */
#include <stdlib.h>
#include <string.h>

#include "../checks.h"
#include "codec/codecs.h"
#include "codec/prans/format.h"
#include "codec/prans/whole.h"

enum { PATTERNS = 5, LENGTH = 50 };

/* Words whose differences are by a few patterns in no order; or their differences are. Columns of a short
 * axis rise each by itself. */
static void fill(const struct fpgz_grid *grid, size_t columns, unsigned order, uint8_t *values)
{
    const size_t count = (size_t)fpgz_grid_values(grid), size = fpgz_dtype_size(grid->dtype);
    uint64_t pattern[PATTERNS][LENGTH];
    for (size_t i = 0; i < PATTERNS * LENGTH; i++)
        pattern[i / LENGTH][i % LENGTH] = random_under(1u << 20) + (order > 1 ? 0 : 1u << 19);
    for (size_t c = 0; c < columns; c++) {
        uint64_t number = 0, speed = 0;
        size_t which = 0;
        for (size_t i = 0; i < count / columns; i++) {
            which = i % LENGTH ? which : random_under(PATTERNS);
            speed = order > 1 ? speed + pattern[which][i % LENGTH] - (1u << 19) : pattern[which][i % LENGTH];
            number += speed;
            memcpy(values + (i * columns + c) * size, &number, size);
        }
    }
}

static void check_range(const struct fpgz_coding *coding, const uint8_t *stream, size_t length,
                        const uint8_t *values, uint8_t *restored)
{
    const size_t count = (size_t)fpgz_grid_values(&coding->grid), size = fpgz_dtype_size(coding->grid.dtype);
    const size_t first = random_under(count), some = 1 + random_under(count - first);
    CHECK(!fpgz_prans_summed.decode_range(coding, stream, length, first, some, restored));
    CHECK(!memcmp(restored, values + first * size, some * size));
}

/* Returns the format of the stream, and its order. */
static unsigned there_and_back(const struct fpgz_grid *grid, unsigned setting, const uint8_t *values)
{
    const struct fpgz_codec *const codec = &fpgz_prans_summed;
    struct fpgz_coding coding = {*grid, {{setting}}, NULL, NULL};
    const size_t bytes = fpgz_grid_bytes(grid);
    const size_t memory = codec->memory(grid, &coding.params),
                 decode_memory = codec->decode_memory(grid, &coding.params);
    uint8_t *const restored = malloc(bytes), *const stream = malloc(codec->bound(grid, &coding.params)),
                   *const encoding = aligned_alloc(64, (memory + 63) / 64 * 64),
                   *const decoding = aligned_alloc(64, (decode_memory + 63) / 64 * 64);
    unsigned format = 0;
    size_t length;
    CHECK(restored && stream && encoding && decoding);
    if (restored && stream && encoding && decoding) {
        coding.scratch = encoding;
        CHECK(!codec->encode(&coding, values, stream, &length));
        format = stream[0] << 8 | stream[1];
        coding.scratch = decoding;
        memset(restored, 1, bytes);
        CHECK(!codec->decode(&coding, stream, length, restored) && !memcmp(values, restored, bytes));
        if (setting == PRANS_FORMAT_MIDDLE || format >> 8 == PRANS_FORMAT_SUMMED)
            check_range(&coding, stream, length, values, restored);
    }
    free(restored);
    free(stream);
    free(encoding);
    free(decoding);
    return format;
}

int main(void)
{
    static const struct {
        struct fpgz_grid grid;
        size_t columns; /* that are behind each other */
    } grids[] = {
        {{FPGZ_I32, 1, {20011}}, 1},        {{FPGZ_I64, 2, {6000, 3}}, 3},
        {{FPGZ_U32, 2, {100, 170}}, 1},     {{FPGZ_U64, 3, {30, 20, 31}}, 1},
        {{FPGZ_I32, 3, {9000, 2, 2}}, 4},   {{FPGZ_I64, 4, {5, 40, 9, 10}}, 1},
        {{FPGZ_U64, 4, {900, 5, 2, 4}}, 8}, {{FPGZ_F64, 1, {20000}}, 1},
    };
    for (size_t g = 0; g < sizeof grids / sizeof *grids; g++)
        for (unsigned setting = PRANS_FORMAT_MIDDLE; setting <= PRANS_FORMAT_HIGH; setting++) {
            uint8_t *const values = malloc(fpgz_grid_bytes(&grids[g].grid));
            CHECK(values);
            for (unsigned order = 1; values && order <= 2; order++) {
                fill(&grids[g].grid, grids[g].columns, order, values);
                const unsigned format = there_and_back(&grids[g].grid, setting, values);
                if (grids[g].grid.dtype != FPGZ_F64 || setting == PRANS_FORMAT_HIGH)
                    CHECK(format >> 8 == PRANS_FORMAT_SUMMED && (format & 255) >= order);
            }
            for (size_t i = 0; values && i < fpgz_grid_bytes(&grids[g].grid); i++)
                values[i] = (uint8_t)random_under(256);
            CHECK(values && there_and_back(&grids[g].grid, setting, values) >> 8 != PRANS_FORMAT_SUMMED);
            free(values);
        }
    return checks_end();
}
