/* SPDX-License-Identifier: MIT
 * The front of a stream of bins, and where decoding goes on behind it. */
#ifndef FPGZ_CODEC_PRANS_BINS_FRONT_H
#define FPGZ_CODEC_PRANS_BINS_FRONT_H

#include "codec/prans/bins/work.h"

/* A segment: its place among the values, and its raw bits. */
struct bins_segment {
    size_t value, count;
    struct bins_raw raw;
    bool last_bytes; /* whether it was copied for its slack */
};

/* Where decoding is. */
struct bins_progress {
    const uint8_t *lengths, *at, *end; /* of the next segment, and of the stream */
    size_t segment, filled, done; /* segments that were passed, values whose residuals there are, and that
                                     were restored */
    struct bins_segment next[MIDDLE_TOGETHER]; /* whose symbols there are, from at_segment to before ahead */
    unsigned at_segment, ahead;
    struct middle_cursor cursor; /* at the row that is restored */
    struct bins_carry carry;
    /* Where integers stand in the room of the values, as all of these are wanted: how far back rows are
     * predicted from, and how many integers gave way to values. */
    bool in_place;
    size_t reach, left;
};

static inline size_t bins_state_bytes(const struct bins_work *w)
{
    return sizeof(uint32_t) << w->description.lane_bits;
}

/* The bytes of the next segment, and those of its words; the last one takes what is left. 0 if they make no
 * sense. */
size_t fpgz_prans_bins_segment_bytes(const struct bins_work *w, const struct bins_progress *p, size_t *words);

/* Reads what stands before the segments into the scratch. *ids is where the tables' numbers begin, if there
 * are several. False if the stream is none. */
bool fpgz_prans_bins_read_front(const struct fpgz_coding *coding, const uint8_t *stream, size_t length,
                                struct bins_progress *p, const uint8_t **ids);

#endif
