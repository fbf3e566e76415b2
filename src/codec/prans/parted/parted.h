/* SPDX-License-Identifier: MIT
 * The format of values in two parts, for the binding: f32 and f64, a stream of bins for each part. */
#ifndef FPGZ_CODEC_PRANS_PARTED_PARTED_H
#define FPGZ_CODEC_PRANS_PARTED_PARTED_H

#include "codec/prans/inner.h"
#include "codec/prans/parted/kernels.h"

/* With at most PRANS_MAX_VALUES values; as codec.h has these. */
size_t fpgz_prans_parted_bound(const struct fpgz_grid *grid);
size_t fpgz_prans_parted_memory(const struct fpgz_grid *grid, bool encoding);

/* Encodes in two parts where that is estimated to be shorter, else in one: as a stream of bins. All dtypes.
 * Knows coding->lead.
 * aide: NULL, or whom encoders of bins may have. */
enum fpgz_status fpgz_prans_parted_encode(const struct fpgz_coding *coding, struct fpgz_aide *aide,
                                          const void *values, uint8_t *stream, size_t *length);

/* What the stream is made of: two streams of bins. False where it is none. */
bool fpgz_prans_parted_read(const struct fpgz_coding *coding, const uint8_t *stream, size_t length,
                            struct prans_parts *parts, struct prans_inner *first, struct prans_inner *second);

/* `count` values from `first` on. */
enum fpgz_status fpgz_prans_parted_decode(const struct fpgz_coding *coding, const uint8_t *stream,
                                          size_t length, uint64_t first, uint64_t count, void *values);

/* How many first bytes describe() needs, or at least to tell that. */
size_t fpgz_prans_parted_front(const uint8_t *stream, size_t length);
bool fpgz_prans_parted_describe(const struct fpgz_coding *coding, const uint8_t *front, size_t length,
                                struct fpgz_traits *traits);

#endif
