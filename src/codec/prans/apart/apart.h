/* SPDX-License-Identifier: MIT
 * The format of parts, for the binding: axes that are short, slowest or fastest, name things of different
 * kinds (columns of a table, variables), whose grids are coded apart, each by `inner`, the same codec without
 * this format. As codec.h has these, with at most PRANS_MAX_VALUES values. */
#ifndef FPGZ_CODEC_PRANS_APART_APART_H
#define FPGZ_CODEC_PRANS_APART_APART_H

#include "codec/prans/apart/split.h"
#include "codec/prans/inner.h"

size_t fpgz_prans_apart_bound(const struct fpgz_codec *inner, const struct fpgz_grid *grid,
                              const struct fpgz_params *params);
size_t fpgz_prans_apart_memory(const struct fpgz_codec *inner, const struct fpgz_grid *grid,
                               const struct fpgz_params *params, bool encoding);

/* Codes the grid by `inner`, as a whole or, where that is shorter, apart. */
enum fpgz_status fpgz_prans_apart_encode(const struct fpgz_codec *inner, const struct fpgz_coding *coding,
                                         struct fpgz_aide *aide, const void *values, uint8_t *stream,
                                         size_t *length);

/* What the stream is made of: split->slow * split->fast parts. False where it is none. */
bool fpgz_prans_apart_read(const struct fpgz_coding *coding, const uint8_t *stream, size_t length,
                           struct apart_split *split, struct prans_inner part[APART_MOST]);

/* `count` values from `first` on; all are decoded. */
enum fpgz_status fpgz_prans_apart_decode(const struct fpgz_codec *inner, const struct fpgz_coding *coding,
                                         const uint8_t *stream, size_t length, uint64_t first, uint64_t count,
                                         void *values);

enum fpgz_status fpgz_prans_apart_describe(const struct fpgz_codec *inner, const struct fpgz_coding *coding,
                                           const uint8_t *stream, size_t length, size_t *needed,
                                           struct fpgz_traits *traits);

#endif
