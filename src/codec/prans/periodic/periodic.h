/* SPDX-License-Identifier: MIT
 * The format of periods, for periodic.c and entry.c: where values are like those a number of places before on
 * an axis (rows of an image whose length nobody told, seasons, baselines, coordinates in a row), that axis
 * becomes two, by `inner`, a codec with the formats that may be within this one. As codec.h has these, with
 * at most PRANS_MAX_VALUES values. */
#ifndef FPGZ_CODEC_PRANS_PERIODIC_PERIODIC_H
#define FPGZ_CODEC_PRANS_PERIODIC_PERIODIC_H

#include "codec/prans/format.h"
#include "codec/prans/inner.h"

enum { PERIODIC_FRONT = PRANS_HEAD_BYTES + 8 /* bytes before the streams */ };

/* The axis that becomes two. The fastest one does only where it has whole periods, and others are apart
 * within. */
enum periodic_axis { PERIODIC_SLOWEST, PERIODIC_FASTEST };

/* The places of whole periods, and those behind them: on the slowest axis fewer than a period, or none. */
struct periodic_split {
    struct fpgz_grid whole, rest;
    size_t whole_values, rest_values;
};

/* Splits the grid. False where the axis has no two periods, or not such as it may have. */
bool fpgz_prans_periodic_split(enum periodic_axis axis, const struct fpgz_grid *grid, uint64_t period,
                               struct periodic_split *split);

/* The period by a sample; 0 if values seem to have none. */
uint64_t fpgz_prans_periodic_probe(enum periodic_axis axis, const struct fpgz_grid *grid, const void *values,
                                   bool high);

/* Whether it is such a stream. */
static inline bool fpgz_prans_is_periodic(enum periodic_axis axis, const uint8_t *stream, size_t length)
{
    return length > 1 && stream[0] == PRANS_FORMAT_PERIODIC && stream[1] == axis;
}

size_t fpgz_prans_periodic_bound(const struct fpgz_codec *inner, const struct fpgz_grid *grid,
                                 const struct fpgz_params *params);
size_t fpgz_prans_periodic_memory(enum periodic_axis axis, const struct fpgz_codec *inner,
                                  const struct fpgz_grid *grid, const struct fpgz_params *params,
                                  bool encoding);

/* What coding the parts of a split takes, one after the other, and whether `inner` was asked for so much: by
 * hardly any period parts take more than grids by the usual ones do, but by some. */
size_t fpgz_prans_periodic_parts(const struct fpgz_codec *inner, const struct periodic_split *split,
                                 const struct fpgz_params *params, bool encoding);
bool fpgz_prans_periodic_fits(enum periodic_axis axis, const struct fpgz_codec *inner,
                              const struct fpgz_grid *grid, const struct fpgz_params *params,
                              const struct periodic_split *split, bool encoding);

/* Codes the grid by `inner`, as it is or by a period, if that is shorter. */
enum fpgz_status fpgz_prans_periodic_encode(enum periodic_axis axis, const struct fpgz_codec *inner,
                                            const struct fpgz_coding *coding, struct fpgz_aide *aide,
                                            const void *values, uint8_t *stream, size_t *length);

/* A period, and about the bytes of the streams without it and with it. */
struct periodic_found {
    uint64_t period;
    struct periodic_split split;
    size_t whole, by_period;
};

/* Whether a sample shows a period by which, as estimates of all values say, the stream may be shorter. */
bool fpgz_prans_periodic_find(enum periodic_axis axis, const struct fpgz_codec *inner,
                              const struct fpgz_coding *coding, const void *values, uint8_t *stream,
                              struct periodic_found *found);

/* What the stream is made of; the second part has no values where the axis has whole periods. False where it
 * is no such stream. */
bool fpgz_prans_periodic_read(const struct fpgz_coding *coding, const uint8_t *stream, size_t length,
                              struct prans_inner part[2]);

/* `count` values from `first` on. */
enum fpgz_status fpgz_prans_periodic_decode(const struct fpgz_codec *inner, const struct fpgz_coding *coding,
                                            const uint8_t *stream, size_t length, uint64_t first,
                                            uint64_t count, void *values);

enum fpgz_status fpgz_prans_periodic_describe(const struct fpgz_codec *inner,
                                              const struct fpgz_coding *coding, const uint8_t *stream,
                                              size_t length, size_t *needed, struct fpgz_traits *traits);

#endif
