/* SPDX-License-Identifier: MIT
 * The format of ranks, for the binding: values as numbers in a dictionary that may have half as many, where
 * the rank domain has a fifth; numbers and dictionary are coded by `inner`, the same codec without this
 * format. As codec.h has these, with at most PRANS_MAX_VALUES values. */
#ifndef FPGZ_CODEC_PRANS_RANKED_RANKED_H
#define FPGZ_CODEC_PRANS_RANKED_RANKED_H

#include "codec/prans/inner.h"

size_t fpgz_prans_ranked_memory(const struct fpgz_codec *inner, const struct fpgz_grid *grid,
                                const struct fpgz_params *params, bool encoding);

/* Replaces the *length bytes of `stream`, which are those of `inner`, where ranks make fewer. aide: NULL, or
 * who is told when this takes long. */
void fpgz_prans_ranked_encode(const struct fpgz_codec *inner, const struct fpgz_coding *coding,
                              struct fpgz_aide *aide, const void *values, uint8_t *stream, size_t *length);

/* What the stream is made of: numbers, of which there may be too large ones, and the dictionary's words.
 * False where it is none. */
bool fpgz_prans_ranked_read(const struct fpgz_coding *coding, const uint8_t *stream, size_t length,
                            struct prans_inner *ranks, struct prans_inner *dictionary);

/* `count` values from `first` on; all are decoded. */
enum fpgz_status fpgz_prans_ranked_decode(const struct fpgz_codec *inner, const struct fpgz_coding *coding,
                                          const uint8_t *stream, size_t length, uint64_t first,
                                          uint64_t count, void *values);

enum fpgz_status fpgz_prans_ranked_describe(const struct fpgz_codec *inner, const struct fpgz_coding *coding,
                                            const uint8_t *stream, size_t length, size_t *needed,
                                            struct fpgz_traits *traits);

#endif
