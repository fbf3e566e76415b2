/* SPDX-License-Identifier: MIT
 * Symmetries of prans: which maps the probe finds, that kernels at all levels follow them as single values
 * do, and that differences take no more scratch than values. */
#include <stdlib.h>

#include "../checks.h"
#include "codec/prans/symmetric/kernels.h"
#include "codec/prans/symmetric/symmetric.h"
#include "codec/prans/whole.h"
#include "core/bytes.h"
#include "grids.h"

/* What the probe finds in a generated grid. */
static struct symmetric_maps probe(const char *kind, const struct fpgz_grid *grid)
{
    struct fpgz_error error = {0};
    struct symmetric_maps maps = {.dims = 0};
    void *const values = malloc(fpgz_grid_bytes(grid));
    CHECK(values && !grids_fill(kind, grid, 1, values, &error));
    if (!values || !fpgz_prans_symmetric_probe(grid, values, &maps))
        maps.count = 0;
    free(values);
    return maps;
}

static void test_probe(void)
{
    static const char *const without[] = {"wave",    "turbulence", "noise",    "constant",
                                          "special", "weights",    "counts",   "times",
                                          "sensors", "mirrored",   "particles"};
    static const struct fpgz_grid grids[] = {{FPGZ_F32, 1, {20011}},        {FPGZ_F64, 2, {100, 100}},
                                             {FPGZ_F32, 2, {100, 99}},      {FPGZ_F16, 3, {7, 30, 31}},
                                             {FPGZ_F64, 4, {5, 4, 30, 30}}, {FPGZ_I16, 3, {20, 20, 20}},
                                             {FPGZ_U64, 1, {2000}}};
    for (size_t g = 0; g < sizeof grids / sizeof *grids; g++) {
        const struct fpgz_grid *const grid = &grids[g];
        const struct symmetric_maps maps = probe("symmetric", grid);
        unsigned reflected = 0, exchanges = 0;
        for (unsigned m = 0; m < maps.count; m++) {
            reflected |= maps.map[m].reflected;
            exchanges += maps.map[m].a != maps.map[m].b;
        }
        CHECK(maps.dims == grid->dims && reflected == (1u << grid->dims) - 1);
        CHECK((exchanges > 0) ==
              (grid->dims > 1 && grid->extent[grid->dims - 2] == grid->extent[grid->dims - 1]));
        for (unsigned axis = 0; axis < maps.dims; axis++)
            CHECK(maps.centre[axis] == grid->extent[axis] - 1);
        for (size_t k = 0; k < sizeof without / sizeof *without; k++)
            if (grids_fit(without[k], grid->dtype))
                CHECK(probe(without[k], grid).count == 0);
    }
    const struct fpgz_grid few = {FPGZ_F32, 2, {30, 30}}, thin = {FPGZ_F32, 2, {4000, 15}};
    CHECK(probe("symmetric", &few).count == 0 && probe("symmetric", &thin).count == 0);
}

/* Maps that a stream may have. */
static struct symmetric_maps random_maps(const struct fpgz_grid *grid, bool negates)
{
    struct symmetric_maps maps = fpgz_prans_symmetric_none(grid);
    const uint32_t centre = random_under(maps.extent[maps.dims - 1]);
    for (unsigned axis = 0; axis < maps.dims; axis++)
        maps.centre[axis] = (uint32_t)fpgz_min(centre, maps.extent[axis] - 1);
    for (maps.count = 0; maps.count < SYMMETRIC_MAPS && (!maps.count || random_under(4)); maps.count++) {
        struct symmetric_map map = {(uint8_t)random_under(maps.dims), (uint8_t)random_under(maps.dims),
                                    (uint8_t)(1 + random_under((1u << maps.dims) - 1)),
                                    (uint8_t)(negates && random_under(2))};
        if (maps.extent[map.a] != maps.extent[map.b])
            map.a = map.b = 0;
        maps.map[maps.count] = map;
    }
    return maps;
}

static uint64_t word_at(const uint8_t *values, size_t size, size_t at)
{
    return fpgz_load_word(values + at * size, size);
}

/* Copies and cleared values of all levels against those of one value after the other. */
static void test_maps(const struct fpgz_grid *grid)
{
    const size_t size = fpgz_dtype_size(grid->dtype), count = (size_t)fpgz_grid_values(grid);
    const struct symmetric_maps maps = random_maps(grid, fpgz_dtypes[grid->dtype].kind == 'f');
    const struct prans_symmetric_kernels *const kernels =
        fpgz_cpu_choose_word(fpgz_prans_symmetric_kernels, size);
    const uint64_t top = (uint64_t)1 << (8 * size - 1);
    uint8_t *const values = malloc(3 * count * size), *const copies = values + count * size,
                   *const cleared = copies + count * size;
    unsigned wrong = 0;
    CHECK(values);
    if (!values)
        return;
    for (size_t i = 0; i < count * size; i++)
        values[i] = (uint8_t)random_under(256);
    memcpy(copies, values, count * size);
    memcpy(cleared, values, count * size);
    kernels->copy(&maps, copies);
    kernels->clear(&maps, 0, cleared);
    for (uint32_t i = 0; i < count; i++) {
        bool negated = false;
        const uint32_t source = symmetric_source(&maps, i, &negated);
        const uint64_t word = word_at(values, size, source);
        wrong += word_at(copies, size, i) != (negated ? word ^ top : word);
        wrong += word_at(cleared, size, i) != (source == i ? word : 0);
    }
    CHECK(!wrong);
    /* Differences bring the values back. */
    uint8_t *const differences = cleared;
    memcpy(differences, copies, count * size);
    const bool any = kernels->subtract(prans_number_of(grid->dtype), count, values, differences);
    CHECK(any == (memcmp(values, copies, count * size) != 0));
    kernels->add(prans_number_of(grid->dtype), count, differences, copies);
    CHECK(!memcmp(values, copies, count * size));
    free(values);
}

/* Layers ask what values take, and not what their differences do, in no setting, nor as the middle one: no
 * more. What codes either without matches does so in the middle setting. */
static void test_scratch(const struct fpgz_grid *grid, uint32_t setting)
{
    static const struct fpgz_codec *const inner[] = {
        &fpgz_prans_plain,    &fpgz_prans_whole,     &fpgz_prans_single, &fpgz_prans_plateaus,
        &fpgz_prans_periodic, &fpgz_prans_symmetric, &fpgz_prans_scaled, &fpgz_prans_apart};
    const struct fpgz_params params = {.value = {[PRANS_SETTING] = setting}},
                             middle = {.value = {[PRANS_SETTING] = PRANS_FORMAT_MIDDLE}},
                             differing = fpgz_prans_symmetric_differing(grid, &params);
    const struct fpgz_grid difference = symmetric_difference(grid);
    for (size_t i = setting == PRANS_FORMAT_HIGH; i < sizeof inner / sizeof *inner; i++) {
        const size_t most = inner[i]->memory(grid, &params), decode = inner[i]->decode_memory(grid, &params);
        CHECK(most && inner[i]->memory(&difference, &differing) <= most);
        CHECK(inner[i]->memory(grid, &middle) <= most && inner[i]->memory(&difference, &middle) <= most);
        CHECK(decode && inner[i]->decode_memory(&difference, &params) <= decode);
    }
}

/* A grid of any dtype and shape with at most 2^21 values. */
static struct fpgz_grid random_grid(void)
{
    struct fpgz_grid grid = {.dims = 1 + random_under(FPGZ_MAX_CODING_DIMS)};
    do
        grid.dtype = random_under(FPGZ_DTYPES);
    while (!fpgz_dtypes[grid.dtype].size);
    unsigned bits = 21;
    for (unsigned d = 0; d < grid.dims; d++) {
        const unsigned own = random_under(bits + 1);
        grid.extent[d] = ((uint64_t)1 << own) - random_under((uint64_t)1 << own) / 2;
        bits -= own;
    }
    return grid;
}

int main(void)
{
    static const struct fpgz_grid grids[] = {
        {FPGZ_F32, 1, {5000}},        {FPGZ_F64, 2, {37, 37}},    {FPGZ_F16, 2, {3, 2500}},
        {FPGZ_BF16, 3, {13, 13, 13}}, {FPGZ_I32, 3, {7, 11, 11}}, {FPGZ_U8, 4, {9, 5, 9, 5}},
        {FPGZ_F64, 4, {6, 6, 6, 6}},  {FPGZ_I64, 2, {1, 40}},     {FPGZ_U16, 3, {2, 2049, 2}}};
    test_probe();
    for (unsigned trial = 0; trial < 200; trial++) {
        const struct fpgz_grid grid = random_grid();
        test_scratch(&grid, PRANS_FORMAT_MIDDLE);
        test_scratch(&grid, PRANS_FORMAT_HIGH);
    }
    for (enum fpgz_cpu_level level = FPGZ_CPU_C; level <= fpgz_cpu_best(); level++) {
        fpgz_cpu_set(level);
        for (size_t g = 0; g < sizeof grids / sizeof *grids; g++)
            for (unsigned trial = 0; trial < 40; trial++)
                test_maps(&grids[g]);
    }
    return checks_end();
}
