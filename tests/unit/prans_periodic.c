/* SPDX-License-Identifier: MIT
 * Periods of prans: which the probe finds, how a grid is split by one, and what coding by any takes. */
#include <stdlib.h>
#include <string.h>

#include "../checks.h"
#include "codec/codecs.h"
#include "codec/prans/periodic/periodic.h"
#include "codec/prans/whole.h"
#include "core/bytes.h"
#include "grids.h"

/* The period that the probe finds in a generated grid. */
static uint64_t probe(const char *kind, enum periodic_axis axis, const struct fpgz_grid *grid, bool high)
{
    struct fpgz_error error = {0};
    void *const values = malloc(fpgz_grid_bytes(grid));
    const uint64_t period = !values || grids_fill(kind, grid, 1, values, &error)
                                ? UINT64_MAX
                                : fpgz_prans_periodic_probe(axis, grid, values, high);
    free(values);
    return period;
}

static void test_probe(void)
{
    enum { STATIONS = 23 };
    static const char *const without[] = {"wave", "turbulence", "noise", "constant", "special", "weights"};
    static const struct fpgz_grid grids[] = {{FPGZ_F32, 1, {20011}},
                                             {FPGZ_F64, 1, {100000}},
                                             {FPGZ_F32, 2, {5000, 2}},
                                             {FPGZ_F16, 3, {700, 3, 11}},
                                             {FPGZ_F64, 4, {500, 2, 2, 5}}};
    for (size_t g = 0; g < sizeof grids / sizeof *grids; g++) {
        CHECK(probe("network", PERIODIC_SLOWEST, &grids[g], false) == STATIONS);
        for (size_t k = 0; k < sizeof without / sizeof *without; k++)
            if (grids_fit(without[k], grids[g].dtype))
                CHECK(probe(without[k], PERIODIC_SLOWEST, &grids[g], true) == 0);
    }
    /* Rows of whole turns, and such as end within one. */
    const struct fpgz_grid rows = {FPGZ_F32, 2, {40, 138}}, others = {FPGZ_F32, 2, {40, 139}};
    CHECK(probe("network", PERIODIC_FASTEST, &rows, false) == STATIONS);
    CHECK(probe("network", PERIODIC_FASTEST, &others, false) == 0);
    CHECK(probe("network", PERIODIC_FASTEST, &grids[0], false) == 0);
    /* Of few values long periods are sought in the high setting alone; of very few none. */
    const struct fpgz_grid few = {FPGZ_F32, 1, {1000}}, fewer = {FPGZ_F32, 1, {90}};
    CHECK(probe("network", PERIODIC_SLOWEST, &few, false) == 0 &&
          probe("network", PERIODIC_SLOWEST, &few, true) == STATIONS);
    CHECK(probe("network", PERIODIC_SLOWEST, &fewer, true) == 0);
}

static void test_split(void)
{
    const struct fpgz_grid row = {FPGZ_F32, 1, {103}}, box = {FPGZ_U8, 4, {20, 3, 5, 7}};
    struct periodic_split split;
    CHECK(!fpgz_prans_periodic_split(PERIODIC_SLOWEST, &row, 0, &split) &&
          !fpgz_prans_periodic_split(PERIODIC_SLOWEST, &row, 1, &split) &&
          !fpgz_prans_periodic_split(PERIODIC_SLOWEST, &row, 52, &split) &&
          !fpgz_prans_periodic_split(PERIODIC_SLOWEST, &row, UINT64_MAX, &split));
    const struct fpgz_grid rows = {FPGZ_F32, 2, {2, 51}}, boxes = {FPGZ_U8, 4, {6, 3, 3, 35}};
    CHECK(fpgz_prans_periodic_split(PERIODIC_SLOWEST, &row, 51, &split) &&
          fpgz_grid_same(&split.whole, &rows));
    CHECK(split.whole_values == 102 && split.rest_values == 1 && split.rest.extent[0] == 1);
    CHECK(fpgz_prans_periodic_split(PERIODIC_SLOWEST, &box, 3, &split) &&
          fpgz_grid_same(&split.whole, &boxes));
    CHECK(split.whole_values == 18 * 105 && split.rest_values == 2 * 105 && split.rest.dims == 4);
    CHECK(fpgz_prans_periodic_split(PERIODIC_SLOWEST, &box, 10, &split) && !split.rest_values);
    const struct fpgz_grid folded = {FPGZ_F32, 3, {2, 3, 17}};
    CHECK(fpgz_prans_periodic_split(PERIODIC_FASTEST, &rows, 17, &split) && !split.rest_values &&
          fpgz_grid_same(&split.whole, &folded));
    CHECK(!fpgz_prans_periodic_split(PERIODIC_FASTEST, &rows, 16, &split) &&
          !fpgz_prans_periodic_split(PERIODIC_FASTEST, &row, 2, &split) &&
          !fpgz_prans_periodic_split(PERIODIC_FASTEST, &box, 7, &split));
}

/* Scratch that the inner codec has. */
static size_t inner_memory(enum periodic_axis axis, const struct fpgz_codec *inner,
                           const struct fpgz_grid *grid, const struct fpgz_params *params, bool encoding)
{
    const size_t all = fpgz_prans_periodic_memory(axis, inner, grid, params, encoding);
    return encoding && fpgz_prans_is_high(params)
               ? all - fpgz_round_up(fpgz_prans_periodic_bound(inner, grid, params), 64)
               : all;
}

/* That it is enough for all parts by all periods. */
static void test_memory_of(enum periodic_axis axis, const struct fpgz_codec *inner,
                           const struct fpgz_grid *grid, const struct fpgz_params *params)
{
    const size_t encoding = inner_memory(axis, inner, grid, params, true),
                 decoding = inner_memory(axis, inner, grid, params, false);
    const uint64_t places = grid->extent[axis == PERIODIC_FASTEST ? grid->dims - 1 : 0];
    struct periodic_split split;
    for (uint64_t period = 2; period <= places / 2; period++) {
        if (!fpgz_prans_periodic_split(axis, grid, period, &split))
            continue;
        CHECK(inner->memory(&split.whole, params) <= encoding);
        CHECK(inner->decode_memory(&split.whole, params) <= decoding);
        if (!split.rest_values)
            continue;
        CHECK(inner->memory(&split.rest, params) <= encoding);
        CHECK(inner->decode_memory(&split.rest, params) <= decoding);
    }
}

static void test_memory(void)
{
    static const struct fpgz_grid grids[] = {
        {FPGZ_F32, 1, {6011}},         {FPGZ_F64, 2, {5000, 2}},      {FPGZ_F64, 3, {900, 3, 11}},
        {FPGZ_I16, 2, {700, 9}},       {FPGZ_F32, 4, {50, 1, 40, 3}}, {FPGZ_F32, 2, {5, 5040}},
        {FPGZ_F64, 2, {5, 3075}},      {FPGZ_F32, 3, {70, 3, 105}},   {FPGZ_F64, 3, {3, 40, 720}},
        {FPGZ_F64, 3, {16, 200, 200}}, {FPGZ_F32, 3, {410, 584, 8}},  {FPGZ_F32, 3, {18, 256, 25}},
        {FPGZ_F64, 2, {678, 380}}};
    static const struct fpgz_params settings[] = {{{PRANS_FORMAT_MIDDLE, 0}}, {{PRANS_FORMAT_HIGH, 0}}};
    for (size_t g = 0; g < sizeof grids / sizeof *grids; g++)
        for (size_t s = 0; s < sizeof settings / sizeof *settings; s++) {
            test_memory_of(PERIODIC_SLOWEST, &fpgz_prans_plateaus, &grids[g], &settings[s]);
            test_memory_of(PERIODIC_FASTEST, &fpgz_prans_summed, &grids[g], &settings[s]);
        }
}

/* Layers within ranks and plateaus have rows of fewer values, and scratch for the longest one. */
static void test_memory_of_rows(void)
{
    static const struct fpgz_codec *const codecs[] = {&fpgz_prans_plain, &fpgz_prans_whole};
    static const enum fpgz_dtype dtypes[] = {FPGZ_F32, FPGZ_F64, FPGZ_I32, FPGZ_U8};
    for (size_t i = 0; i < 8 * sizeof codecs / sizeof *codecs; i++) {
        const struct fpgz_codec *const codec = codecs[i / 8];
        const struct fpgz_params params = {{i % 2 ? PRANS_FORMAT_HIGH : PRANS_FORMAT_MIDDLE, 0}};
        size_t most[2] = {0};
        for (size_t values = 1; values < (size_t)1 << 22; values += 1 + values / 64) {
            const struct fpgz_grid row = fpgz_prans_row(dtypes[i / 2 % 4], values);
            const size_t memory[2] = {codec->memory(&row, &params), codec->decode_memory(&row, &params)};
            CHECK(memory[0] >= most[0] && memory[1] >= most[1]);
            memcpy(most, memory, sizeof most);
        }
    }
}

static size_t decode_much(const struct fpgz_grid *grid, const struct fpgz_params *params)
{
    return fpgz_prans_plain.decode_memory(grid, params) * (grid->extent[1] == 7 ? 2 : 1);
}

/* That a period for which too little was asked is not taken, and decoded all the same. */
static void test_more_memory(void)
{
    static const struct fpgz_grid grid = {FPGZ_U8, 2, {21, 10}};
    static const struct fpgz_params params = {{PRANS_FORMAT_MIDDLE, 0}};
    struct fpgz_codec much = fpgz_prans_plain;
    struct periodic_split split;
    uint8_t stream[PERIODIC_FRONT + 210] = {PRANS_FORMAT_PERIODIC, PERIODIC_SLOWEST}, values[210];
    much.decode_memory = much.memory = decode_much;
    CHECK(fpgz_prans_periodic_split(PERIODIC_SLOWEST, &grid, 7, &split));
    for (unsigned encoding = 0; encoding < 2; encoding++)
        CHECK(
            !fpgz_prans_periodic_fits(PERIODIC_SLOWEST, &much, &grid, &params, &split, encoding) &&
            fpgz_prans_periodic_fits(PERIODIC_SLOWEST, &fpgz_prans_plain, &grid, &params, &split, encoding));
    fpgz_store32(stream + 4, PERIODIC_FRONT - PRANS_HEAD_BYTES);
    fpgz_store32(stream + 8, 7);
    fpgz_store32(stream + 12, 210);
    for (unsigned i = 0; i < 210; i++)
        stream[PERIODIC_FRONT + i] = (uint8_t)(i * 37);
    const struct fpgz_coding coding = {grid, params, NULL, NULL}; /* what is too little is not touched */
    CHECK(!fpgz_prans_periodic_decode(&much, &coding, stream, sizeof stream, 0, 210, values) &&
          !memcmp(values, stream + PERIODIC_FRONT, 210));
}

int main(void)
{
    test_probe();
    test_split();
    test_memory();
    test_memory_of_rows();
    test_more_memory();
    return checks_end();
}
