/* SPDX-License-Identifier: MIT
 * Sums of prans: grids whose steps return, of all dtypes of 4 and 8 bytes and of all shapes, come back, as a
 * whole and in ranges, with order 1 and 2; what has no such steps keeps its format. Streams of differences
 * that are stored add up to what they must, in each way, and ways that a grid does not have are refused. */
#include <stdlib.h>
#include <string.h>

#include "../checks.h"
#include "codec/codecs.h"
#include "codec/prans/format.h"
#include "codec/prans/whole.h"
#include "round_trip.h"

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

/* Returns the format of the stream, and its order. */
static unsigned there_and_back(const struct fpgz_grid *grid, unsigned setting, const uint8_t *values)
{
    struct round_trip t;
    unsigned format = 0;
    if (round_trip_begin(&fpgz_prans_summed, grid, setting, values, &t)) {
        format = t.stream[0] << 8 | t.stream[1];
        if (setting == PRANS_FORMAT_MIDDLE || t.stream[0] == PRANS_FORMAT_SUMMED)
            round_trip_range(&fpgz_prans_summed, values, &t);
    }
    round_trip_end(&t);
    return format;
}

enum { WAYS = 5, ROWS = 60, LINE = 6 };

/* Decodes stored differences of ROWS lines of LINE i32, in points of LINE components. */
static void add_up(unsigned along, unsigned order)
{
    enum { HEAD = 8, COUNT = ROWS * LINE };
    const struct fpgz_grid grid = {FPGZ_I32, 2, {ROWS, LINE, 1, 1}};
    const size_t back = along == 2 || along == 3 ? LINE : 1;
    uint32_t word[COUNT], expected[COUNT], found[COUNT];
    uint8_t stream[HEAD + sizeof word] = {PRANS_FORMAT_SUMMED, (uint8_t)order, (uint8_t)along};
    struct fpgz_coding coding = {grid, {{PRANS_FORMAT_MIDDLE}}, NULL, NULL};
    for (size_t i = 0; i < COUNT; i++)
        word[i] = (uint32_t)random_under((uint64_t)1 << 32);
    memcpy(stream + HEAD, word, sizeof word);
    for (unsigned o = 0; o < order; o++)
        for (size_t i = back; i < COUNT; i++)
            word[i] += word[i - back];
    for (size_t i = 0; i < COUNT; i++)
        expected[i] = along == 1 || along == 4 ? word[i % LINE * ROWS + i / LINE] : word[i];
    coding.scratch =
        aligned_alloc(64, (fpgz_prans_summed.decode_memory(&grid, &coding.params) + 63) / 64 * 64);
    if (CHECK(coding.scratch)) {
        const bool is_known = along < WAYS;
        CHECK(!fpgz_prans_summed.decode(&coding, stream, sizeof stream, found) == is_known);
        CHECK(!is_known || !memcmp(found, expected, sizeof found));
        CHECK(!is_known || (!fpgz_prans_summed.decode_range(&coding, stream, sizeof stream, 100, 7, found) &&
                            !memcmp(found, expected + 100, 7 * sizeof *found)));
        coding.grid = (struct fpgz_grid){FPGZ_I32, 1, {COUNT, 1, 1, 1}};
        CHECK(!fpgz_prans_summed.decode(&coding, stream, sizeof stream, found) == (along == 0));
    }
    free(coding.scratch);
}

int main(void)
{
    for (unsigned along = 0; along <= WAYS; along++)
        for (unsigned order = 1; order <= 2; order++)
            add_up(along, order);
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
