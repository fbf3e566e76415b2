/* SPDX-License-Identifier: MIT
 * The format of scaled grids, for scaled.c: floating-point numbers that are few-bit numbers times a scale of
 * each row, column or block, as weights are that were quantized. Quotients by the scales are a grid, scales
 * are a row, and where products are not quite the values, differences are a second grid. All are streams of
 * fpgz_prans_periodic; `inner` codes grids without scales. As codec.h has these, with at most
 * PRANS_MAX_VALUES values. */
#ifndef FPGZ_CODEC_PRANS_SCALED_SCALED_H
#define FPGZ_CODEC_PRANS_SCALED_SCALED_H

#include "codec/prans/format.h"
#include "codec/prans/inner.h"
#include "codec/prans/scaled/rounding.h"
#include "codec/prans/symmetric/symmetric.h"

enum {
    SCALED_LENGTHS = PRANS_HEAD_BYTES, /* where those of the first two streams stand, u32 each, */
    SCALED_RUN = SCALED_LENGTHS + 8,   /* and behind them runs.h */
    SCALED_FRONT = SCALED_RUN + 8,     /* bytes before the streams */
    SCALED_LEAST = 8,                  /* values a scale */
};

/* Whether grids of such values have the format. */
static inline bool scaled_takes(const struct fpgz_grid *grid)
{
    return fpgz_dtypes[grid->dtype].kind == 'f';
}

/* What products of the grid's dtype may be rounded to. */
static inline bool scaled_rounds(const struct fpgz_grid *grid, uint32_t rounding)
{
    return grid->dtype == FPGZ_F64   ? rounding == SCALED_WHOLE || rounding == SCALED_SINGLE
           : grid->dtype == FPGZ_F32 ? rounding == SCALED_WHOLE || scaled_is_coarse(rounding)
           : grid->dtype == FPGZ_F16 ? rounding == SCALED_HALF
                                     : grid->dtype == FPGZ_BF16 && rounding == SCALED_BFLOAT;
}

/* The dtype of scales. */
static inline enum fpgz_dtype scaled_scale(const struct fpgz_grid *grid)
{
    return grid->dtype == FPGZ_F64 ? FPGZ_F64 : FPGZ_F32;
}

/* Bytes of the room for scales. It stands behind that for values (symmetric_room()), and before the scratch
 * of the streams within. */
static inline size_t scaled_scales_room(const struct fpgz_grid *grid)
{
    const size_t scales = (size_t)(fpgz_grid_values(grid) / SCALED_LEAST);
    return fpgz_round_up(scales * fpgz_dtype_size(scaled_scale(grid)) + 64, 64);
}

/* Finds what values share scales: by a sample of rows, columns and blocks. False where scales hardly differ,
 * or values are no products of few bits. */
bool fpgz_prans_scaled_probe(const struct fpgz_grid *grid, const void *values, struct scaled_runs *runs);

/* About what values that share scales take, as a part of the grid's bytes; 1 where these are none. */
double fpgz_prans_scaled_ratio(const struct fpgz_grid *grid, const void *values);

/* Fills in the scale of each run, 1 where there is none. Whether most of them have one. */
bool fpgz_prans_scaled_scales(const struct fpgz_grid *grid, const void *values,
                              const struct scaled_runs *runs, void *scales);

size_t fpgz_prans_scaled_bound(const struct fpgz_codec *inner, const struct fpgz_grid *grid,
                               const struct fpgz_params *params);
size_t fpgz_prans_scaled_memory(const struct fpgz_codec *inner, const struct fpgz_grid *grid,
                                const struct fpgz_params *params, bool encoding);

/* Codes the grid by its scales if that seems shorter or, in the high setting, is; else by `inner`. */
enum fpgz_status fpgz_prans_scaled_encode(const struct fpgz_codec *inner, const struct fpgz_coding *coding,
                                          struct fpgz_aide *aide, const void *values, uint8_t *stream,
                                          size_t *length);

/* What the stream is made of: quotients, scales, and differences of all values, which have no length where
 * there are none. False where it is no such stream. */
bool fpgz_prans_scaled_read(const struct fpgz_coding *coding, const uint8_t *stream, size_t length,
                            struct scaled_runs *runs, struct prans_inner part[3]);

/* `count` values from `first` on; all are decoded. */
enum fpgz_status fpgz_prans_scaled_decode(const struct fpgz_codec *inner, const struct fpgz_coding *coding,
                                          const uint8_t *stream, size_t length, uint64_t first,
                                          uint64_t count, void *values);

enum fpgz_status fpgz_prans_scaled_describe(const struct fpgz_codec *inner, const struct fpgz_coding *coding,
                                            const uint8_t *stream, size_t length, size_t *needed,
                                            struct fpgz_traits *traits);

#endif
