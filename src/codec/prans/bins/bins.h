/* SPDX-License-Identifier: MIT
 * The format of learnt bins, for the binding: the middle setting of all dtypes. */
#ifndef FPGZ_CODEC_PRANS_BINS_BINS_H
#define FPGZ_CODEC_PRANS_BINS_BINS_H

#include "codec/codec.h"

/* With at most PRANS_MAX_VALUES values; as codec.h has these. */
size_t fpgz_prans_bins_bound(const struct fpgz_grid *grid);
size_t fpgz_prans_bins_memory(const struct fpgz_grid *grid, bool encoding);

enum fpgz_status fpgz_prans_bins_encode(const struct fpgz_coding *coding, const void *values, uint8_t *stream,
                                        size_t *length);

/* About the length of that stream, by the samples that domains and predictions are compared on. */
size_t fpgz_prans_bins_estimate(const struct fpgz_coding *coding, const void *values, uint8_t *stream);

/* The same as encode(), with coding->lead, unless the values would be shorter in parts: then it says so in
 * *wanted, if that is not NULL, and there is no stream. aide: NULL, or who codes the segments (aide.h). */
struct prans_parts_wanted;
enum fpgz_status fpgz_prans_bins_try(const struct fpgz_coding *coding, struct fpgz_aide *aide,
                                     const void *values, uint8_t *stream, size_t *length,
                                     struct prans_parts_wanted *wanted);

/* Whether the first bytes say what this reader knows. */
bool fpgz_prans_bins_known(const uint8_t *stream, size_t length);

/* `count` values from `first` on; those before that these are predicted from are decoded too. */
enum fpgz_status fpgz_prans_bins_decode(const struct fpgz_coding *coding, const uint8_t *stream,
                                        size_t length, uint64_t first, uint64_t count, void *values);

/* Reads *traits from a stream's front, which holds its description; false when it is none. */
bool fpgz_prans_bins_describe(const struct fpgz_coding *coding, const uint8_t *front, size_t length,
                              struct fpgz_traits *traits);

#endif
