/* SPDX-License-Identifier: MIT
 * prans' row in the table of codecs: all formats, with or without a period of the fastest axis. */
#include "codec/codecs.h"
#include "codec/prans/layer.h"
#include "codec/prans/lead.h"
#include "codec/prans/looked.h"
#include "codec/prans/matched/matched.h"
#include "codec/prans/middle/kernels.h"
#include "codec/prans/parted/parted.h"
#include "codec/prans/periodic/periodic.h"
#include "codec/prans/whole.h"

static void fold(const struct fpgz_grid *grid, struct fpgz_grid *coded)
{
    *coded = *grid;
}

static size_t bound_of(const struct fpgz_codec *inner, const struct fpgz_grid *grid,
                       const struct fpgz_params *params)
{
    return fpgz_grid_values(grid) > PRANS_MAX_VALUES ? 0 : fpgz_prans_periodic_bound(inner, grid, params);
}

static size_t memory_for(const struct fpgz_codec *inner, const struct fpgz_grid *grid,
                         const struct fpgz_params *params, bool encoding)
{
    return fpgz_grid_values(grid) > PRANS_MAX_VALUES
               ? 0
               : fpgz_prans_periodic_memory(PERIODIC_FASTEST, inner, grid, params, encoding);
}

/* By what the lead says. Where it leaves matches, they are sought: they need not be in all chunks. */
static enum fpgz_status follow(const struct fpgz_coding *coding, struct fpgz_aide *aide, const void *values,
                               uint8_t *stream, size_t *length)
{
    const enum fpgz_status status = fpgz_prans_parted_encode(coding, aide, values, stream, length);
    if (!status && *length)
        fpgz_prans_matched_encode(&fpgz_prans_plain, coding, aide, values, *length, stream, length);
    return status;
}

static enum fpgz_status encode_by(const struct fpgz_codec *inner, const struct fpgz_coding *coding,
                                  struct fpgz_aide *aide, const void *values, uint8_t *stream, size_t *length)
{
    struct fpgz_lead *const lead = coding->lead;
    if (fpgz_grid_values(&coding->grid) > PRANS_MAX_VALUES)
        return FPGZ_LIMIT;
    if (lead && lead->state == FPGZ_LEAD_FOLLOWED)
        return follow(coding, aide, values, stream, length);
    const enum fpgz_status status =
        fpgz_prans_periodic_encode(PERIODIC_FASTEST, inner, coding, aide, values, stream, length);
    /* Streams of other formats say more than a lead does. */
    if (lead && lead->state == FPGZ_LEAD_FOUND &&
        (status || stream[0] != (lead->parted ? PRANS_FORMAT_PARTED : PRANS_FORMAT_BINS)))
        lead->state = FPGZ_LEAD_NONE;
    return status;
}

static const struct prans_layer layer = {
    .inner = &fpgz_prans_summed,
    .name = "periodic",
    .first = {PRANS_FORMAT_PERIODIC, PERIODIC_FASTEST},
    .first_length = 2,
    .bound = bound_of,
    .memory = memory_for,
    .encode = encode_by,
    .decode = fpgz_prans_periodic_decode,
    .describe = fpgz_prans_periodic_describe,
};

/* Of the high setting whole chunks alone are decoded. */
static bool takes_ranges(const struct fpgz_params *params)
{
    return params->value[PRANS_SETTING] == PRANS_FORMAT_MIDDLE && !params->value[PRANS_EFFORT];
}

static const char *const settings[] = {"middle", "high", NULL}, *const efforts[] = {"normal", "max", NULL};

static const struct fpgz_param params[] = {
    [PRANS_SETTING] = {"setting", PRANS_FORMAT_MIDDLE, PRANS_FORMAT_HIGH, PRANS_FORMAT_MIDDLE,
                       "speed or size", settings},
    [PRANS_EFFORT] = {"effort", 0, 1, 0, "max: high, and predictions that learn where they pay", efforts},
};

const struct fpgz_codec fpgz_prans = {
    .id = FPGZ_CODEC_PRANS,
    .name = "prans",
    .summary = "our own, for size: value domains, adaptive prediction, rANS",
    .dtypes = FPGZ_ALL_DTYPES,
    .max_dims = 4,
    .lossless = true,
    .verified = true,
    .learns = true,
    .kernels = &fpgz_prans_middle_kernels[FPGZ_WORD_32],
    .params = params,
    .param_count = sizeof params / sizeof *params,
    .fold = fold,
    PRANS_LAYER,
    .looked = fpgz_prans_looked,
    .takes_ranges = takes_ranges,
};
