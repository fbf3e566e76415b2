/* SPDX-License-Identifier: MIT
 * Matches: runs of values (single ones as well) that stood before in the same band. */
#ifndef FPGZ_CODEC_PRANS_HIGH_MATCH_H
#define FPGZ_CODEC_PRANS_HIGH_MATCH_H

#include "codec/prans/high/encoding.h"

/* Workspace: which hashes of values were seen at all, the last place of values and groups of four with the
 * same hash, and how often distances were taken. */
enum { PRANS_HASH_LEAST = 10, PRANS_HASH_BITS = 17, PRANS_SEEN_MORE = 5, PRANS_DISTANCE_BITS = 12 };
struct prans_matcher {
    uint8_t seen[1 << (PRANS_HASH_BITS + PRANS_SEEN_MORE - 3)];
    uint32_t last[2][1 << PRANS_HASH_BITS];
    uint32_t times[1 << PRANS_DISTANCE_BITS], distance[1 << PRANS_DISTANCE_BITS];
};

/* Finds the matches that are shorter than what they stand for, by e->cost (of each value as it is coded now,
 * in 2^-3 bits). Fills e->copied, match, band_matches, match_histogram and the description's frequent
 * distances. Returns about how many bits that saves; with less than `least` nothing is to be gained. */
uint64_t fpgz_prans_find_matches(const struct prans_field *field, struct prans_encoding *e, uint64_t least,
                                 struct prans_matcher *matcher);

/* Whether many values of a second band, which begins at `second`, stood in the first one and not before in
 * theirs, so that one band would serve matches better; `special` has the marks. */
bool fpgz_prans_matches_across(const void *words, bool is_f64, const uint8_t *special, size_t second,
                               size_t count, struct prans_matcher *matcher);

#endif
