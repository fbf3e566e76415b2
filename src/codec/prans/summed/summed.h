/* SPDX-License-Identifier: MIT
 * The format of sums, for summed.c: times, ramps, axes and numbers of nodes, whose steps return where the
 * values do not. The differences between values, or between these, are a row that `inner` codes, the same
 * codec without this format. As codec.h has these, with at most PRANS_MAX_VALUES values. */
#ifndef FPGZ_CODEC_PRANS_SUMMED_SUMMED_H
#define FPGZ_CODEC_PRANS_SUMMED_SUMMED_H

#include "codec/codec.h"

size_t fpgz_prans_summed_bound(const struct fpgz_codec *inner, const struct fpgz_grid *grid,
                               const struct fpgz_params *params);

size_t fpgz_prans_summed_memory(const struct fpgz_codec *inner, const struct fpgz_grid *grid,
                                const struct fpgz_params *params, bool encoding);

enum fpgz_status fpgz_prans_summed_encode(const struct fpgz_codec *inner, const struct fpgz_coding *coding,
                                          struct fpgz_aide *aide, const void *values, uint8_t *stream,
                                          size_t *length);

/* `count` values from `first` on; all are decoded. */
enum fpgz_status fpgz_prans_summed_decode(const struct fpgz_codec *inner, const struct fpgz_coding *coding,
                                          const uint8_t *stream, size_t length, uint64_t first,
                                          uint64_t count, void *values);

enum fpgz_status fpgz_prans_summed_describe(const struct fpgz_codec *inner, const struct fpgz_coding *coding,
                                            const uint8_t *stream, size_t length, size_t *needed,
                                            struct fpgz_traits *traits);

#endif
