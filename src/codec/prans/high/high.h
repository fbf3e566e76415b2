/* SPDX-License-Identifier: MIT
 * The high setting, and the refined one that effort=max may make of it, for the binding. */
#ifndef FPGZ_CODEC_PRANS_HIGH_HIGH_H
#define FPGZ_CODEC_PRANS_HIGH_HIGH_H

#include "codec/codec.h"

/* The high setting, with at most PRANS_MAX_VALUES values; as codec.h has these. Decoding takes less
 * memory. Encoding is FPGZ_LIMIT where the stream would be longer than the bound, or the room: longer than
 * the values, so that it is of no use. */
size_t fpgz_prans_high_bound(const struct fpgz_grid *grid);
size_t fpgz_prans_high_memory(const struct fpgz_grid *grid, bool encoding);
enum fpgz_status fpgz_prans_high_encode(const struct fpgz_coding *coding, const void *values, uint8_t *stream,
                                        size_t *length);
enum fpgz_status fpgz_prans_high_encode_in(const struct fpgz_coding *coding, const void *values,
                                           uint8_t *stream, size_t room, size_t *length);
enum fpgz_status fpgz_prans_high_decode(const struct fpgz_coding *coding, const uint8_t *stream,
                                        size_t length, void *values);

/* The same for all other dtypes. Encoding is FPGZ_UNSUPPORTED where 64-bit integers spread too far. */
size_t fpgz_prans_lifted_bound(const struct fpgz_grid *grid);
size_t fpgz_prans_lifted_memory(const struct fpgz_grid *grid, bool encoding);
enum fpgz_status fpgz_prans_lifted_encode(const struct fpgz_coding *coding, const void *values,
                                          uint8_t *stream, size_t *length);
enum fpgz_status fpgz_prans_lifted_decode(const struct fpgz_coding *coding, const uint8_t *stream,
                                          size_t length, void *values);

/* Reads *traits from a stream's front, which holds its description; false when it is none. */
bool fpgz_prans_high_describe(const struct fpgz_coding *coding, const uint8_t *front, size_t length,
                              struct fpgz_traits *traits);
bool fpgz_prans_lifted_describe(const struct fpgz_coding *coding, const uint8_t *front, size_t length,
                                struct fpgz_traits *traits);

#endif
