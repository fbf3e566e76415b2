/* SPDX-License-Identifier: MIT
 * Parts of a grid apart that are like earlier ones: the same, as polarisations that were made of one another,
 * or near, as columns that were corrected. Their stream is the number of that part, and the differences to
 * it, if there are any. */
#ifndef FPGZ_CODEC_PRANS_APART_AKIN_H
#define FPGZ_CODEC_PRANS_APART_AKIN_H

#include "codec/prans/apart/work.h"
#include "codec/prans/symmetric/symmetric.h"

enum { AKIN_FRONT = PRANS_HEAD_BYTES + 4 };

/* Takes the samples of all parts, which are together in the grid, or stand behind each other. */
void fpgz_prans_akin_look(const struct apart_split *split, const uint8_t *values, bool together,
                          const struct apart_work *w);

/* Whether any part of the grid seems to take half as much by an earlier one. */
bool fpgz_prans_akin_any(const struct apart_split *split, const uint8_t *values, const struct apart_work *w);

/* About the bytes of part i, with samples taken: by an earlier one, if that is less. */
size_t fpgz_prans_akin_estimate(const struct fpgz_codec *inner, const struct fpgz_coding *part,
                                const struct apart_work *w, const uint8_t *parts, size_t i, uint8_t *stream);

/* Codes part i, with samples taken, by an earlier one, if that seems to be shorter. Returns the bytes; 0
 * where it does not, or `room` bytes may be too few. */
size_t fpgz_prans_akin_encode(const struct fpgz_codec *inner, const struct fpgz_coding *part,
                              const struct apart_work *w, const uint8_t *parts, size_t i, size_t room,
                              uint8_t *stream);

/* Whether a part's stream is of this format. */
static inline bool fpgz_prans_is_akin(const struct prans_inner *part)
{
    return part->length && part->stream[0] == PRANS_FORMAT_AKIN && !fpgz_prans_inner_is_stored(part);
}

/* What the stream of part i is made of: another part's number, and differences, of which there may be none.
 * False where it is none. */
bool fpgz_prans_akin_read(const struct prans_inner *part, size_t i, size_t *other,
                          struct prans_inner *differences);

/* Restores part i of those at `parts`, behind all before it. */
bool fpgz_prans_akin_decode(const struct fpgz_codec *inner, const struct prans_inner *part, size_t i,
                            const struct apart_work *w, uint8_t *parts);

#endif
