/* SPDX-License-Identifier: MIT
 * The grids and parameters that kernels are tested on, and ways to damage their streams. */
#include "cases.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "grids.h"

static const struct {
    unsigned dims;
    uint64_t extent[4];
} shapes[] = {
    {1, {1}},          {1, {2}},          {1, {31}},         {1, {33}},           {1, {1000}},
    {1, {4095}},       {1, {4096}},       {1, {8193}},       {1, {20011}},        {2, {1, 1}},
    {2, {5, 7}},       {2, {3, 700}},     {2, {63, 65}},     {2, {64, 64}},       {2, {65, 130}},
    {2, {300, 81}},    {3, {1, 1, 1}},    {3, {3, 4, 5}},    {3, {15, 16, 16}},   {3, {16, 16, 16}},
    {3, {17, 33, 35}}, {3, {20, 48, 51}}, {4, {2, 3, 4, 5}}, {4, {3, 7, 17, 19}}, {4, {2, 16, 33, 32}},
    {2, {1100, 9}},    {3, {300, 7, 19}}, {3, {33, 33, 67}},
};

/* Those that there are of a dtype. */
static const char *const kinds[] = {
    "wave",    "turbulence", "walk",    "noise",      "rand",     "constant",  "zero",
    "spec",    "special",    "weights", "packed",     "counts",   "times",     "mask",
    "repeats", "mirrored",   "station", "calibrated", "network",  "rates",     "symmetric",
    "radians", "levels",     "rain",    "columns",    "channels", "quantized", "coefficients"};

const char *cases_params(const struct fpgz_codec *codec, const struct fpgz_params *params,
                         char text[CASES_PARAMS_TEXT])
{
    int length = 0;
    text[0] = '\0';
    for (unsigned i = 0; i < codec->param_count && length < CASES_PARAMS_TEXT; i++)
        length +=
            snprintf(text + length, (size_t)(CASES_PARAMS_TEXT - length), " %" PRIu32, params->value[i]);
    return text;
}

size_t cases_damage(const uint8_t *stream, size_t length, unsigned which, uint8_t *bytes)
{
    uint64_t random = 0x9E3779B97F4A7C15u * (which + 1) ^ length * 0xBF58476D1CE4E5B9u;
    memcpy(bytes, stream, length);
    if (which == 0 || length == 0) {
        bytes[length] = 1;
        return length + 1;
    }
    if (which == 1)
        return length - 1;
    if (which == 2)
        return length / 2;
    for (unsigned i = 0; i < which; i++) {
        random = random * 6364136223846793005u + 1442695040888963407u;
        /* Half of the changes hit the first bytes, where headers and tables are. */
        const size_t range = i % 2 && length > 64 ? 64 : length;
        bytes[(random >> 33) % range] ^= (uint8_t)(1u << (random >> 61));
    }
    return length;
}

static void check_fitting(const struct fpgz_codec *codec, const struct fpgz_grid *coded,
                          const struct fpgz_params *params, const char *kind, const uint8_t *values,
                          cases_check *check)
{
    struct fpgz_error unfit = {0};
    if (!fpgz_codec_check(codec, coded->dtype, params, &unfit))
        check(codec, coded, params, kind, values);
}

void cases_each_params(const struct fpgz_codec *codec, const struct fpgz_grid *coded, const char *kind,
                       const uint8_t *values, cases_check *check)
{
    struct fpgz_params params;
    fpgz_codec_defaults(codec, &params);
    check_fitting(codec, coded, &params, kind, values, check);
    for (unsigned i = 0; i < codec->param_count; i++) {
        const struct fpgz_param *param = &codec->params[i];
        const uint32_t tried[] = {param->min, param->min + 1, (param->min + param->max) / 2, param->max};
        for (unsigned j = 0; j < sizeof tried / sizeof *tried; j++) {
            bool repeated = tried[j] == param->fallback;
            for (size_t k = 0; k < j; k++)
                repeated |= tried[k] == tried[j];
            fpgz_codec_defaults(codec, &params);
            params.value[i] = tried[j];
            if (!repeated)
                check_fitting(codec, coded, &params, kind, values, check);
        }
    }
}

static void each_grid(const struct fpgz_codec *codec, enum fpgz_dtype dtype, unsigned every,
                      cases_check *check)
{
    unsigned grids = 0;
    static uint64_t source[CASES_MAX_VALUES];
    for (size_t s = 0; s < sizeof shapes / sizeof *shapes; s++) {
        struct fpgz_grid grid = {dtype, shapes[s].dims, {1, 1, 1, 1}}, coded;
        memcpy(grid.extent, shapes[s].extent, sizeof grid.extent);
        for (unsigned d = grid.dims; d < 4; d++)
            grid.extent[d] = 1;
        for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
            struct fpgz_error error = {0};
            if (!grids_fit(kinds[k], dtype) || grids++ % every)
                continue;
            /* Not all kinds know four dimensions; the codec does not mind where rows end. */
            struct fpgz_grid made;
            fpgz_fold_slowest(&grid, 3, &made);
            if (grids_fill(kinds[k], &made, s + 7 * k, source, &error)) {
                fprintf(stderr, "cannot make %s: %s\n", kinds[k], error.text);
                abort();
            }
            /* Both as the codec folds the grid and, where it takes that many dimensions, as it stands. */
            codec->fold(&grid, &coded);
            cases_each_params(codec, &coded, kinds[k], (const uint8_t *)source, check);
            if (grid.dims <= codec->max_dims && grid.dims != coded.dims)
                cases_each_params(codec, &grid, kinds[k], (const uint8_t *)source, check);
        }
    }
}

void cases_each(const struct fpgz_codec *codec, unsigned every, cases_check *check)
{
    for (unsigned dtype = 0; dtype < FPGZ_DTYPES; dtype++)
        if (codec->dtypes >> dtype & 1)
            each_grid(codec, dtype, every, check);
}
