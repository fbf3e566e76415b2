/* SPDX-License-Identifier: MIT
 * Plateaus of prans: grids that are all edges, have none, or any share of them, of all sizes of words and
 * shapes, come back, as a whole and in ranges; what is no plateau keeps its format. */
#include <stdlib.h>
#include <string.h>

#include "../checks.h"
#include "codec/codecs.h"
#include "codec/prans/format.h"
#include "codec/prans/whole.h"
#include "round_trip.h"

/* A value with an edge one time in `part`, which it has of the value above two times in three; of the new
 * values some are of few, some of many. */
static void fill(const struct fpgz_grid *grid, unsigned part, unsigned distinct, uint8_t *values)
{
    const size_t count = (size_t)fpgz_grid_values(grid), size = fpgz_dtype_size(grid->dtype),
                 row = grid->extent[grid->dims - 1];
    for (size_t i = 0; i < count; i++) {
        const uint64_t word = random_under(distinct) * UINT64_C(0x9E3779B97F4A7C15);
        const bool edge = !i || !random_under(part);
        const size_t from = edge && i >= row && random_under(3) ? i - row : i - 1;
        memcpy(values + i * size, edge && from == i - 1 ? (const uint8_t *)&word : values + from * size,
               size);
    }
}

/* Returns the format of the stream. */
static unsigned there_and_back(const struct fpgz_grid *grid, unsigned setting, unsigned part,
                               unsigned distinct)
{
    uint8_t *const values = malloc(fpgz_grid_bytes(grid));
    struct round_trip t;
    unsigned format = 0;
    if (!CHECK(values))
        return 0;
    fill(grid, part, distinct, values);
    if (round_trip_begin(&fpgz_prans_plateaus, grid, setting, values, &t)) {
        format = t.stream[0];
        if (setting == PRANS_FORMAT_MIDDLE || format == PRANS_FORMAT_PLATEAUS)
            round_trip_range(&fpgz_prans_plateaus, values, &t);
    }
    round_trip_end(&t);
    free(values);
    return format;
}

int main(void)
{
    static const struct fpgz_grid grids[] = {
        {FPGZ_F32, 1, {20011}},       {FPGZ_F64, 2, {100, 100}},    {FPGZ_U8, 2, {1000, 3}},
        {FPGZ_F16, 3, {7, 30, 31}},   {FPGZ_F64, 4, {5, 4, 30, 8}}, {FPGZ_I16, 3, {20, 20, 9}},
        {FPGZ_F32, 4, {30, 5, 3, 7}}, {FPGZ_U64, 3, {2, 2, 2000}},  {FPGZ_I32, 2, {8, 1200}},
        {FPGZ_F32, 3, {40, 3, 400}},
    };
    static const unsigned parts[] = {1, 2, 3, 5, 20, 300, 1u << 31 /* constant */};
    for (size_t g = 0; g < sizeof grids / sizeof *grids; g++)
        for (size_t p = 0; p < sizeof parts / sizeof *parts; p++)
            for (unsigned setting = PRANS_FORMAT_MIDDLE; setting <= PRANS_FORMAT_HIGH; setting++) {
                const unsigned many = there_and_back(&grids[g], setting, parts[p], 1u << 30);
                there_and_back(&grids[g], setting, parts[p], 3);
                if (parts[p] == 1)
                    CHECK(many != PRANS_FORMAT_PLATEAUS);
                if (parts[p] >= (setting == PRANS_FORMAT_MIDDLE ? 20 : 300)) /* bins of few lanes are short */
                    CHECK(many == PRANS_FORMAT_PLATEAUS);
            }
    return checks_end();
}
