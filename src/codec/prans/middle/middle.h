/* SPDX-License-Identifier: MIT
 * The first format of the middle setting, for the binding, which reads it: bins are what the setting writes.
 * Its encoder makes streams for tests, and stands there (tests/middle). */
#ifndef FPGZ_CODEC_PRANS_MIDDLE_MIDDLE_H
#define FPGZ_CODEC_PRANS_MIDDLE_MIDDLE_H

#include "codec/codec.h"

/* The middle setting, with at most PRANS_MAX_VALUES values; as codec.h has these. */
size_t fpgz_prans_middle_bound(const struct fpgz_grid *grid);
size_t fpgz_prans_middle_memory(const struct fpgz_grid *grid);
enum fpgz_status fpgz_prans_middle_decode(const struct fpgz_coding *coding, const uint8_t *stream,
                                          size_t length, void *values);

/* The same for `count` values from `first` on; those before that these are predicted from are decoded too. */
enum fpgz_status fpgz_prans_middle_decode_range(const struct fpgz_coding *coding, const uint8_t *stream,
                                                size_t length, uint64_t first, uint64_t count, void *values);

/* Reads *traits from a stream's front, which holds its description; false when it is none. */
bool fpgz_prans_middle_describe(const struct fpgz_coding *coding, const uint8_t *front, size_t length,
                                struct fpgz_traits *traits);

#endif
