/* SPDX-License-Identifier: MIT
 * prans: adaptive prediction, value domains, rANS. The first byte of a stream tells its format: all but that
 * of grids apart, which entry.c adds. */
#include <string.h>

#include "codec/codecs.h"
#include "codec/prans/arithmetic.h"
#include "codec/prans/bins/aide.h"
#include "codec/prans/bins/bins.h"
#include "codec/prans/format.h"
#include "codec/prans/high/high.h"
#include "codec/prans/matched/matched.h"
#include "codec/prans/middle/kernels.h"
#include "codec/prans/middle/middle.h"
#include "codec/prans/outline.h"
#include "codec/prans/parted/parted.h"
#include "codec/prans/whole.h"
#include "core/bytes.h"

/* Only f32 and f64 have the older formats. */
static bool has_old(const struct fpgz_grid *grid)
{
    return FPGZ_FLOATS_32_64 >> grid->dtype & 1;
}

static size_t bound(const struct fpgz_grid *grid, const struct fpgz_params *params)
{
    if (fpgz_grid_values(grid) > PRANS_MAX_VALUES)
        return 0;
    const size_t bins = fpgz_prans_parted_bound(grid);
    if (fpgz_prans_is_high(params))
        return fpgz_max(bins, has_old(grid) ? fpgz_prans_high_bound(grid) : fpgz_prans_lifted_bound(grid));
    return bins;
}

static size_t decode_memory(const struct fpgz_grid *grid, const struct fpgz_params *params)
{
    if (fpgz_grid_values(grid) > PRANS_MAX_VALUES)
        return 0;
    const size_t bins = fpgz_prans_parted_memory(grid, false);
    if (fpgz_prans_is_high(params))
        return fpgz_max(bins, has_old(grid) ? fpgz_prans_high_memory(grid, false)
                                            : fpgz_prans_lifted_memory(grid, false));
    return has_old(grid) ? fpgz_max(bins, fpgz_prans_middle_memory(grid)) : bins;
}

static size_t memory(const struct fpgz_grid *grid, const struct fpgz_params *params)
{
    if (fpgz_grid_values(grid) > PRANS_MAX_VALUES)
        return 0;
    size_t encoding = fpgz_prans_parted_memory(grid, true);
    if (fpgz_prans_is_high(params))
        encoding = fpgz_max(encoding, has_old(grid) ? fpgz_prans_high_memory(grid, true)
                                                    : fpgz_prans_lifted_memory(grid, true));
    return fpgz_max(encoding, decode_memory(grid, params));
}

static enum fpgz_status encode_as_high(const struct fpgz_coding *coding, const void *values, uint8_t *stream,
                                       size_t *length)
{
    return has_old(&coding->grid) ? fpgz_prans_high_encode(coding, values, stream, length)
                                  : fpgz_prans_lifted_encode(coding, values, stream, length);
}

/* Whether the high setting, which takes long, may code many values in fewer than `least` bytes, for all that
 * bins tell it and, where these do not, the first part of a row. *bins are in `stream`, and stay there, or 0
 * if they had to make room. */
static bool may_be_less(const struct fpgz_coding *coding, const void *values, size_t least, uint8_t *stream,
                        size_t *bins)
{
    enum { MANY = 1 << 15, GAIN_PART = 16 /* about what is saved of a row */, FIRST_PART = 4 };
    struct fpgz_coding first = *coding;
    size_t bytes;
    first.grid.extent[0] /= FIRST_PART;
    if (fpgz_grid_values(&coding->grid) < MANY || *bins - *bins / GAIN_PART < least)
        return true;
    if (coding->grid.dims > 1)
        return false;
    if (*bins > bound(&coding->grid, &coding->params) - bound(&first.grid, &first.params))
        *bins = 0;
    return !encode_as_high(&first, values, stream + *bins, &bytes) && bytes < least / FIRST_PART;
}

/* In the high setting, or by bins where that is shorter, or seems to be for `least` bytes. For want of room
 * bins are made again where the other way was in vain. */
static enum fpgz_status encode_high(const struct fpgz_coding *coding, struct fpgz_aide *aide,
                                    const void *values, size_t least, uint8_t *stream, size_t *length)
{
    const enum fpgz_status status = fpgz_prans_parted_encode(coding, aide, values, stream, length);
    const size_t bins = status ? SIZE_MAX : *length;
    size_t kept = bins;
    if (status || may_be_less(coding, values, least, stream, &kept)) {
        const enum fpgz_status high = encode_as_high(coding, values, stream, length);
        if (status || (!high && *length <= bins))
            return high;
        kept = 0;
    }
    *length = kept;
    return kept ? FPGZ_OK : fpgz_prans_parted_encode(coding, aide, values, stream, length);
}

static enum fpgz_status encode_least(const struct fpgz_coding *coding, struct fpgz_aide *aide,
                                     const void *values, size_t least, uint8_t *stream, size_t *length)
{
    if (fpgz_grid_values(&coding->grid) > PRANS_MAX_VALUES)
        return FPGZ_LIMIT;
    if (!fpgz_prans_arithmetic())
        return FPGZ_UNSUPPORTED;
    if (fpgz_prans_is_high(&coding->params))
        return encode_high(coding, aide, values, least, stream, length);
    return fpgz_prans_parted_encode(coding, aide, values, stream, length);
}

static enum fpgz_status encode_shorter(const struct fpgz_coding *coding, const void *values, size_t least,
                                       uint8_t *stream, size_t *length)
{
    return encode_least(coding, NULL, values, least, stream, length);
}

static enum fpgz_status encode_aided(const struct fpgz_coding *coding, struct fpgz_aide *aide,
                                     const void *values, uint8_t *stream, size_t *length)
{
    return encode_least(coding, aide, values, SIZE_MAX, stream, length);
}

static enum fpgz_status encode(const struct fpgz_coding *coding, const void *values, uint8_t *stream,
                               size_t *length)
{
    return encode_aided(coding, NULL, values, stream, length);
}

/* Whether a stream of a format that is known, but is not bins, may stand under its parameters. */
static bool fits(const struct fpgz_coding *coding, const uint8_t *stream, size_t length)
{
    const bool max = coding->params.value[PRANS_EFFORT];
    if (!has_old(&coding->grid))
        return stream[0] == PRANS_FORMAT_LIFTED && fpgz_prans_is_high(&coding->params) &&
               (max || (length >= PRANS_HEAD_BYTES && !stream[1] && !stream[2]));
    return (stream[0] == PRANS_FORMAT_REFINED && max) ||
           stream[0] == (fpgz_prans_is_high(&coding->params) ? PRANS_FORMAT_HIGH : PRANS_FORMAT_MIDDLE);
}

static const char *const formats[] = {
    [PRANS_FORMAT_MIDDLE] = "middle", [PRANS_FORMAT_HIGH] = "high",     [PRANS_FORMAT_REFINED] = "refined",
    [PRANS_FORMAT_BINS] = "bins",     [PRANS_FORMAT_LIFTED] = "lifted", [PRANS_FORMAT_PARTED] = "parted"};

/* Whether the stream may be read by what its parameters say. */
static enum fpgz_status check_stream(const struct fpgz_coding *coding, const uint8_t *stream, size_t length)
{
    if (fpgz_grid_values(&coding->grid) > PRANS_MAX_VALUES || !length)
        return FPGZ_CORRUPT;
    if (stream[0] >= sizeof formats / sizeof *formats || !formats[stream[0]] || !fpgz_prans_arithmetic())
        return FPGZ_UNSUPPORTED;
    if (stream[0] == PRANS_FORMAT_PARTED)
        return has_old(&coding->grid) ? FPGZ_OK : FPGZ_CORRUPT;
    if (stream[0] == PRANS_FORMAT_BINS)
        return fpgz_prans_bins_known(stream, length) ? FPGZ_OK : FPGZ_UNSUPPORTED;
    return fits(coding, stream, length) ? FPGZ_OK : FPGZ_CORRUPT;
}

static enum fpgz_status decode_range(const struct fpgz_coding *coding, const uint8_t *stream, size_t length,
                                     uint64_t first, uint64_t count, void *values)
{
    const enum fpgz_status status = check_stream(coding, stream, length);
    if (status)
        return status;
    if (stream[0] == PRANS_FORMAT_PARTED)
        return fpgz_prans_parted_decode(coding, stream, length, first, count, values);
    return stream[0] == PRANS_FORMAT_BINS
               ? fpgz_prans_bins_decode(coding, stream, length, first, count, values)
               : fpgz_prans_middle_decode_range(coding, stream, length, first, count, values);
}

static enum fpgz_status decode(const struct fpgz_coding *coding, const uint8_t *stream, size_t length,
                               void *values)
{
    const enum fpgz_status status = check_stream(coding, stream, length);
    if (status)
        return status;
    switch (stream[0]) {
    case PRANS_FORMAT_HIGH:
    case PRANS_FORMAT_REFINED:
        return fpgz_prans_high_decode(coding, stream, length, values);
    case PRANS_FORMAT_LIFTED:
        return fpgz_prans_lifted_decode(coding, stream, length, values);
    default:
        return decode_range(coding, stream, length, 0, fpgz_grid_values(&coding->grid), values);
    }
}

size_t fpgz_prans_segments_most(uint64_t values)
{
    return bins_segments_most(values, BINS_SEGMENT_LEAST);
}

enum fpgz_status fpgz_prans_outline(const struct fpgz_coding *coding, const uint8_t *stream, size_t length,
                                    struct prans_outline *outline, struct prans_segment *segment)
{
    const enum fpgz_status status = check_stream(coding, stream, length);
    if (status)
        return status;
    switch (stream[0]) {
    case PRANS_FORMAT_MIDDLE:
        return fpgz_prans_middle_outline(coding, stream, length, outline, segment);
    case PRANS_FORMAT_BINS:
        return fpgz_prans_bins_outline(coding, stream, length, outline, segment);
    default:
        return FPGZ_UNSUPPORTED;
    }
}

static bool describe_as(const struct fpgz_coding *coding, const uint8_t *front, size_t length,
                        struct fpgz_traits *traits)
{
    switch (front[0]) {
    case PRANS_FORMAT_MIDDLE:
        return fpgz_prans_middle_describe(coding, front, length, traits);
    case PRANS_FORMAT_PARTED:
        return fpgz_prans_parted_describe(coding, front, length, traits);
    case PRANS_FORMAT_BINS:
        return fpgz_prans_bins_describe(coding, front, length, traits);
    case PRANS_FORMAT_LIFTED:
        return fpgz_prans_lifted_describe(coding, front, length, traits);
    default:
        return fpgz_prans_high_describe(coding, front, length, traits);
    }
}

static enum fpgz_status describe(const struct fpgz_coding *coding, const uint8_t *stream, size_t length,
                                 size_t *needed, struct fpgz_traits *traits)
{
    *needed = length < PRANS_HEAD_BYTES ? PRANS_HEAD_BYTES : PRANS_HEAD_BYTES + fpgz_load32(stream + 4);
    if (length && stream[0] == PRANS_FORMAT_PARTED)
        *needed = fpgz_prans_parted_front(stream, length);
    if (length < *needed)
        return FPGZ_TRUNCATED;
    const enum fpgz_status status = check_stream(coding, stream, length);
    if (status)
        return status;
    traits->setting = formats[stream[0]];
    return describe_as(coding, stream, *needed, traits) ? FPGZ_OK : FPGZ_CORRUPT;
}

/* Of the middle setting, without matches. */
static size_t estimate(const struct fpgz_coding *coding, const void *values, uint8_t *stream)
{
    const bool any = fpgz_grid_values(&coding->grid) <= PRANS_MAX_VALUES && fpgz_prans_arithmetic();
    return any ? fpgz_prans_bins_estimate(coding, values, stream) : fpgz_grid_bytes(&coding->grid);
}

/* All formats but that of matches, whose inner streams have these. */
const struct fpgz_codec fpgz_prans_plain = {
    .bound = bound,
    .memory = memory,
    .decode_memory = decode_memory,
    .encode = encode,
    .encode_shorter = encode_shorter,
    .encode_aided = encode_aided,
    .estimate = estimate,
    .decode = decode,
    .describe = describe,
};

static const struct fpgz_codec *const plain = &fpgz_prans_plain;

static size_t decode_memory_of_all(const struct fpgz_grid *grid, const struct fpgz_params *params)
{
    return fpgz_grid_values(grid) > PRANS_MAX_VALUES
               ? 0
               : fpgz_max(decode_memory(grid, params), fpgz_prans_matched_memory(plain, grid, params, false));
}

static size_t memory_of_all(const struct fpgz_grid *grid, const struct fpgz_params *params)
{
    return fpgz_grid_values(grid) > PRANS_MAX_VALUES
               ? 0
               : fpgz_max(memory(grid, params),
                          fpgz_max(fpgz_prans_matched_memory(plain, grid, params, false),
                                   fpgz_prans_matched_memory(plain, grid, params, true)));
}

static enum fpgz_status encode_shortest(const struct fpgz_coding *coding, const void *values, uint8_t *stream,
                                        size_t *length)
{
    const enum fpgz_status status = encode(coding, values, stream, length);
    if (!status)
        fpgz_prans_matched_encode(plain, coding, NULL, values, *length, stream, length);
    return status;
}

static bool is_matched(const struct fpgz_coding *coding, const uint8_t *stream, size_t length)
{
    return length && stream[0] == PRANS_FORMAT_MATCHED && fpgz_grid_values(&coding->grid) <= PRANS_MAX_VALUES;
}

static enum fpgz_status decode_some(const struct fpgz_coding *coding, const uint8_t *stream, size_t length,
                                    uint64_t first, uint64_t count, void *values)
{
    return is_matched(coding, stream, length)
               ? fpgz_prans_matched_decode(plain, coding, stream, length, first, count, values)
               : decode_range(coding, stream, length, first, count, values);
}

static enum fpgz_status decode_any(const struct fpgz_coding *coding, const uint8_t *stream, size_t length,
                                   void *values)
{
    return is_matched(coding, stream, length)
               ? decode_some(coding, stream, length, 0, fpgz_grid_values(&coding->grid), values)
               : decode(coding, stream, length, values);
}

static enum fpgz_status describe_any(const struct fpgz_coding *coding, const uint8_t *stream, size_t length,
                                     size_t *needed, struct fpgz_traits *traits)
{
    if (!is_matched(coding, stream, length))
        return describe(coding, stream, length, needed, traits);
    const enum fpgz_status status =
        fpgz_prans_matched_describe(plain, coding, stream, length, needed, traits);
    traits->setting = "matched";
    return status;
}

/* All formats but those of ranks and of grids apart, whose inner streams have these. */
const struct fpgz_codec fpgz_prans_whole = {
    .bound = bound,
    .memory = memory_of_all,
    .decode_memory = decode_memory_of_all,
    .encode = encode_shortest,
    .estimate = estimate,
    .decode = decode_any,
    .describe = describe_any,
    .decode_range = decode_some,
};
