/* SPDX-License-Identifier: MIT
 * The format of plateaus, for plateaus.c: grids most of whose values are those before them, as masks,
 * classes, rain, layers and steps are. Where the value changes is told by where it changes around; the new
 * ones are coded by `inner`, the same codec without this format. As codec.h has these, with at most
 * PRANS_MAX_VALUES values. */
#ifndef FPGZ_CODEC_PRANS_PLATEAUS_PLATEAUS_H
#define FPGZ_CODEC_PRANS_PLATEAUS_PLATEAUS_H

#include "codec/codec.h"

size_t fpgz_prans_plateaus_bound(const struct fpgz_codec *inner, const struct fpgz_grid *grid,
                                 const struct fpgz_params *params);

size_t fpgz_prans_plateaus_memory(const struct fpgz_codec *inner, const struct fpgz_grid *grid,
                                  const struct fpgz_params *params, bool encoding);

enum fpgz_status fpgz_prans_plateaus_encode(const struct fpgz_codec *inner, const struct fpgz_coding *coding,
                                            struct fpgz_aide *aide, const void *values, uint8_t *stream,
                                            size_t *length);

/* `count` values from `first` on; all are decoded. */
enum fpgz_status fpgz_prans_plateaus_decode(const struct fpgz_codec *inner, const struct fpgz_coding *coding,
                                            const uint8_t *stream, size_t length, uint64_t first,
                                            uint64_t count, void *values);

enum fpgz_status fpgz_prans_plateaus_describe(const struct fpgz_codec *inner,
                                              const struct fpgz_coding *coding, const uint8_t *stream,
                                              size_t length, size_t *needed, struct fpgz_traits *traits);

#endif
