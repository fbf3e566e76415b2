/* SPDX-License-Identifier: MIT
 * Lossy codecs: codes a chunk within bounds of the error, at the lowest rate that keeps them. */
#include "engine/lossy.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* The error is infinite where a NaN or an infinity changes, and where a finite value becomes one of them. */
static void add_error(double original, double restored, bool same, struct fpgz_errors *errors)
{
    const double error = fabs(original - restored);
    /* Most errors are below the greatest so far. A product, rounded down, shows that faster than a
     * quotient. */
    if (error <= errors->absolute && error <= errors->relative * (1 - 0x1p-50) * fabs(original))
        return;
    if (error == 0 || same)
        return;
    const double absolute = error <= DBL_MAX ? error : INFINITY;
    const double relative = original != 0 ? absolute / fabs(original) : 0;
    errors->absolute = absolute > errors->absolute ? absolute : errors->absolute;
    errors->relative = relative > errors->relative ? relative : errors->relative;
}

static struct fpgz_errors measure(const struct fpgz_grid *grid, const void *original, const void *restored)
{
    const uint64_t values = fpgz_grid_values(grid);
    struct fpgz_errors errors = {0, 0};
    const double *const x = original, *const y = restored;
    const float *const s = original, *const t = restored;
    if (grid->dtype == FPGZ_F64)
        for (uint64_t i = 0; i < values; i++)
            add_error(x[i], y[i], !memcmp(&x[i], &y[i], sizeof x[i]), &errors);
    else
        for (uint64_t i = 0; i < values; i++)
            add_error(s[i], t[i], !memcmp(&s[i], &t[i], sizeof s[i]), &errors);
    return errors;
}

static bool within(const struct fpgz_errors *errors, const struct fpgz_errors *bound)
{
    return errors->absolute <= bound->absolute && errors->relative <= bound->relative;
}

/* Codes with coded->params as they are. */
static enum fpgz_status attempt(struct fpgz_chunk_buffers *buffers, struct fpgz_coded *coded)
{
    const struct fpgz_codec *codec = coded->codec;
    if (!fpgz_buffer_reserve(&buffers->stream, codec->bound(&coded->grid, &coded->params)) ||
        !fpgz_buffer_reserve(&buffers->scratch, codec->memory(&coded->grid, &coded->params)) ||
        !fpgz_buffer_reserve(&buffers->restored, fpgz_grid_bytes(&coded->grid)))
        return FPGZ_MEMORY;
    const struct fpgz_coding coding = {coded->grid, coded->params, buffers->scratch.data, NULL};
    coded->stream = buffers->stream.data;
    const enum fpgz_status status = fpgz_backend_encode(buffers->backend, codec, &coding, &buffers->raw,
                                                        &buffers->stream, &coded->length, NULL);
    if (status)
        return status;
    if (fpgz_backend_decode(buffers->backend, codec, &coding, &buffers->stream, coded->length,
                            &buffers->restored))
        return FPGZ_INTERNAL;
    coded->errors = measure(&coded->grid, buffers->raw.data, buffers->restored.data);
    return FPGZ_OK;
}

/* Tries lower and higher rates by halves. */
static enum fpgz_status encode_within(const struct fpgz_errors *bound, struct fpgz_chunk_buffers *buffers,
                                      struct fpgz_coded *coded, uint32_t *rate)
{
    uint32_t least = 0, most = 0;
    for (*rate = 1; *rate <= coded->codec->rate->max; ++*rate) {
        struct fpgz_error unfit = {0};
        if (fpgz_codec_check(coded->codec, coded->grid.dtype, &coded->params, &unfit))
            continue;
        least = least ? least : *rate;
        most = *rate;
    }
    for (uint32_t tried = 0; tried != least;) {
        *rate = tried = (least + most) / 2;
        const enum fpgz_status status = attempt(buffers, coded);
        if (status)
            return status;
        if (within(&coded->errors, bound))
            most = tried;
        else if (tried == most)
            return FPGZ_LIMIT;
        else
            least = tried + 1;
    }
    return FPGZ_OK;
}

enum fpgz_status fpgz_lossy_encode(const struct fpgz_errors *bound, const struct fpgz_grid *grid,
                                   struct fpgz_chunk_buffers *buffers, struct fpgz_coded *coded)
{
    coded->codec->fold(grid, &coded->grid);
    const bool bounded = bound->absolute < INFINITY || bound->relative < INFINITY;
    uint32_t *const rate = bounded ? fpgz_codec_open_rate(coded->codec, &coded->params) : NULL;
    if (rate)
        return encode_within(bound, buffers, coded, rate);
    const enum fpgz_status status = attempt(buffers, coded);
    return !status && !within(&coded->errors, bound) ? FPGZ_USAGE : status;
}
