/* SPDX-License-Identifier: MIT
 * Writes inputs of the codec target into a folder: a valid stream for every codec, setting, dtype and
 * dimensionality, and of prans, whose streams have parts by what the values are, for several kinds of grids.
 * usage: seeds FOLDER */
#include <stdio.h>
#include <stdlib.h>

#include "../middle/encode.h"
#include "codec/codecs.h"
#include "codec/prans/format.h"
#include "codec/prans/high/high.h"
#include "codec_head.h"
#include "grids.h"

struct seed_kind {
    const char *name, *grid;
    double step; /* of which values become multiples, where it is not 0 */
    bool middle; /* only in the middle setting */
};

static const struct seed_kind kinds[] = {
    {"wave", "wave", 0, false},
    {"special", "special", 0, false},
    {"constant", "constant", 0, false},
    {"turbulence", "turbulence", 0, false},
    {"decimal", "wave", 0.001, false},         /* prans' lattices */
    {"few", "turbulence", 0.25, false},        /* its dictionaries */
    {"repeats", "repeats", 0, true},           /* its matches */
    {"mirrored", "mirrored", 0, true},         /* and their differences */
    {"gain", "turbulence", 0.0137131, false},  /* its parts */
    {"station", "station", 0, true},           /* grids apart */
    {"columns", "columns", 0, true},           /* and their kin */
    {"channels", "channels", 0, true},         /* or their scales */
    {"quantized", "quantized", 0, true},       /* scales of rows */
    {"calibrated", "calibrated", 0, true},     /* and its ranks */
    {"network", "network", 0, true},           /* and its periods */
    {"rates", "rates", 0, true},               /* its decimals */
    {"coefficients", "coefficients", 0, true}, /* and those of large powers */
    {"symmetric", "symmetric", 0, true},       /* and its symmetries */
    {"radians", "radians", 0, true},           /* its singles in other units */
    {"rain", "rain", 0, true},                 /* and its plateaus */
    {"clock", "clock", 0, true},               /* and its sums */
    {"noise", "noise", 0, true},               /* nothing */
};

static void quantize(const struct fpgz_grid *grid, double step, void *values)
{
    for (uint64_t i = 0; i < fpgz_grid_values(grid); i++)
        if (grid->dtype == FPGZ_F32)
            ((float *)values)[i] = (float)((double)(int64_t)((double)((float *)values)[i] / step) * step);
        else
            ((double *)values)[i] = (double)(int64_t)(((double *)values)[i] / step) * step;
}

static void write_seed(const char *folder, const struct fpgz_codec *codec, enum fpgz_dtype dtype,
                       unsigned dims, uint32_t setting, const struct seed_kind *kind)
{
    static const uint64_t extents[][4] = {{4100, 1, 1, 1}, {65, 66, 1, 1}, {16, 17, 18, 1}, {2, 8, 16, 17}};
    struct fpgz_coding coding = {.grid = {dtype, dims, {0}}};
    struct fpgz_error error = {0};
    memcpy(coding.grid.extent, extents[dims - 1], sizeof extents[0]);
    fpgz_codec_defaults(codec, &coding.params);
    if (setting == PRANS_FORMAT_REFINED)
        coding.params.value[PRANS_EFFORT] = 1;
    else if (setting)
        coding.params.value[PRANS_SETTING] = setting;
    const char *const grid = grids_fit(kind->grid, dtype) ? kind->grid
                             : grids_fit("packed", dtype) ? "packed"
                                                          : "noise";
    void *values = malloc(fpgz_grid_bytes(&coding.grid));
    uint8_t *stream = malloc(CODEC_HEAD + codec->bound(&coding.grid, &coding.params));
    coding.scratch = aligned_alloc(64, codec->memory(&coding.grid, &coding.params) / 64 * 64 + 64);
    size_t length = 0;
    char path[4096];
    snprintf(path, sizeof path, "%s/%s-%s-%u-%u-%s", folder, codec->name, fpgz_dtype_name(dtype), dims,
             setting, kind->name);
    FILE *file = fopen(path, "wb");
    bool ok =
        values && stream && coding.scratch && file && !grids_fill(grid, &coding.grid, 1, values, &error);
    if (ok && kind->step > 0 && FPGZ_FLOATS_32_64 >> dtype & 1)
        quantize(&coding.grid, kind->step, values);
    const bool old = FPGZ_FLOATS_32_64 >> dtype & 1;
    ok = ok && !(!setting                         ? codec->encode
                 : setting == PRANS_FORMAT_MIDDLE ? middle_encode
                 : old                            ? fpgz_prans_high_encode
                       : fpgz_prans_lifted_encode)(&coding, values, stream + CODEC_HEAD, &length);
    if (!ok) {
        fprintf(stderr, "cannot make %s: %s\n", path, error.text);
        exit(1);
    }
    codec_head_write(stream, codec, &coding);
    fwrite(stream, 1, CODEC_HEAD + length, file);
    fclose(file);
    free(coding.scratch);
    free(stream);
    free(values);
}

int main(int argc, char **argv)
{
    if (argc != 2) {
        fprintf(stderr, "usage: seeds FOLDER\n");
        return 1;
    }
    for (unsigned i = 0; fpgz_codecs[i]; i++) {
        const bool prans = fpgz_codecs[i]->id == FPGZ_CODEC_PRANS;
        for (unsigned dims = 1; dims <= fpgz_codecs[i]->max_dims; dims++)
            for (unsigned dtype = 0; dtype < FPGZ_DTYPES; dtype++)
                for (unsigned kind = 0; kind < (prans ? sizeof kinds / sizeof *kinds : 1); kind++)
                    if (fpgz_codecs[i]->dtypes >> dtype & 1 &&
                        (!kind || grids_fit(kinds[kind].grid, dtype))) {
                        write_seed(argv[1], fpgz_codecs[i], dtype, dims, 0, &kinds[kind]);
                        const bool old = FPGZ_FLOATS_32_64 >> dtype & 1;
                        for (uint32_t setting = old ? PRANS_FORMAT_MIDDLE : PRANS_FORMAT_HIGH;
                             prans && !kinds[kind].middle && setting <= PRANS_FORMAT_REFINED; setting++)
                            write_seed(argv[1], fpgz_codecs[i], dtype, dims, setting, &kinds[kind]);
                    }
    }
    return 0;
}
