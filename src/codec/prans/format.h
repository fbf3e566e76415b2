/* SPDX-License-Identifier: MIT
 * prans: settings, and what its binding asks of them. */
#ifndef FPGZ_CODEC_PRANS_PRANS_H
#define FPGZ_CODEC_PRANS_PRANS_H

#include "codec/codec.h"

/* A stream's first byte: its format. Numbers are never used again for another one. */
enum { PRANS_FORMAT_MIDDLE = 1, PRANS_FORMAT_HIGH = 2, PRANS_FORMAT_SLOW = 3 };

enum { PRANS_MAX_VALUES = 1 << 28, PRANS_HEAD_BYTES = 8 /* before the description */ };

/* Whether floating-point arithmetic is what streams were made by: found out once a process. */
bool fpgz_prans_arithmetic(void);

/* The middle setting, with at most PRANS_MAX_VALUES values; as codec.h has these. */
size_t fpgz_prans_middle_bound(const struct fpgz_grid *grid);
size_t fpgz_prans_middle_memory(const struct fpgz_grid *grid);
enum fpgz_status fpgz_prans_middle_encode(const struct fpgz_coding *coding, const void *values,
                                          uint8_t *stream, size_t *length);
enum fpgz_status fpgz_prans_middle_decode(const struct fpgz_coding *coding, const uint8_t *stream,
                                          size_t length, void *values);

/* The same for `count` values from `first` on; those before that these are predicted from are decoded too. */
enum fpgz_status fpgz_prans_middle_decode_range(const struct fpgz_coding *coding, const uint8_t *stream,
                                                size_t length, uint64_t first, uint64_t count, void *values);

/* Reads *traits from a stream's front, which holds its description; false when it is none. */
bool fpgz_prans_middle_describe(const struct fpgz_coding *coding, const uint8_t *front, size_t length,
                                struct fpgz_traits *traits);
bool fpgz_prans_high_describe(const struct fpgz_coding *coding, const uint8_t *front, size_t length,
                              struct fpgz_traits *traits);

/* The high setting, with at most PRANS_MAX_VALUES values; as codec.h has these. Decoding takes less memory.
 */
size_t fpgz_prans_high_bound(const struct fpgz_grid *grid);
size_t fpgz_prans_high_memory(const struct fpgz_grid *grid, bool encoding);
enum fpgz_status fpgz_prans_high_encode(const struct fpgz_coding *coding, const void *values, uint8_t *stream,
                                        size_t *length);
enum fpgz_status fpgz_prans_high_decode(const struct fpgz_coding *coding, const uint8_t *stream,
                                        size_t length, void *values);

#endif
