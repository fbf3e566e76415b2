/* SPDX-License-Identifier: MIT
 * The format of matches, for the binding: words that stood before are told by their places, and what is left
 * is coded by `inner`, the same codec without this format. As codec.h has these, with at most
 * PRANS_MAX_VALUES values. */
#ifndef FPGZ_CODEC_PRANS_MATCHED_MATCHED_H
#define FPGZ_CODEC_PRANS_MATCHED_MATCHED_H

#include "codec/prans/inner.h"
#include "codec/prans/lead.h"
#include "codec/prans/matched/kernels.h"

size_t fpgz_prans_matched_memory(const struct fpgz_codec *inner, const struct fpgz_grid *grid,
                                 const struct fpgz_params *params, bool encoding);

/* How rough the first probe of a chunk is, in the middle setting; lead: NULL, or what it follows or leads. */
static inline enum matched_roughness matched_roughest(const struct fpgz_lead *lead)
{
    return lead && lead->state == FPGZ_LEAD_FOLLOWED && lead->unmatched ? MATCHED_ROUGHEST : MATCHED_ROUGH;
}

/* The ways to look for matches in so many words of `size` bytes, which take `bits` without them. Returns how
 * many are probed, the first ones. */
unsigned fpgz_prans_matched_aim(size_t count, size_t size, uint64_t bits,
                                struct matched_aim aim[MATCHED_WAYS]);

/* Replaces the *length bytes of `stream` where matches make fewer. `otherwise` is what `inner` makes. aide:
 * NULL, or who may have the values (bins/aide.h). */
void fpgz_prans_matched_encode(const struct fpgz_codec *inner, const struct fpgz_coding *coding,
                               struct fpgz_aide *aide, const void *values, size_t otherwise, uint8_t *stream,
                               size_t *length);

enum { MATCHED_ROUGH_PART = 4 /* of what is to be seen a rough look must see this */ };

/* About the bits that matches save of a row of values, which take `bits` without them; 0 where a rough look,
 * unless it is to be thorough, sees fewer than such a part of `least`. The scratch is that of matches. */
uint64_t fpgz_prans_matched_promise(const struct fpgz_codec *inner, const struct fpgz_coding *coding,
                                    const void *values, uint64_t bits, uint64_t least, bool thorough);

/* Whether the first bytes say what this reader knows. */
bool fpgz_prans_matched_known(const uint8_t *stream, size_t length);

enum { MATCHED_STREAMS = 5 /* literals, the fields of tokens, differences */ };

/* What a stream says before its inner streams. */
struct matched_front {
    bool differs;
    unsigned deepest;
    size_t tokens, literals;
};

/* What the stream is made of; the last row only if it differs. False where it is none. */
bool fpgz_prans_matched_read(const struct fpgz_coding *coding, const uint8_t *stream, size_t length,
                             struct matched_front *front, struct prans_inner row[MATCHED_STREAMS]);

/* `count` values from `first` on; all are decoded. */
enum fpgz_status fpgz_prans_matched_decode(const struct fpgz_codec *inner, const struct fpgz_coding *coding,
                                           const uint8_t *stream, size_t length, uint64_t first,
                                           uint64_t count, void *values);

enum fpgz_status fpgz_prans_matched_describe(const struct fpgz_codec *inner, const struct fpgz_coding *coding,
                                             const uint8_t *stream, size_t length, size_t *needed,
                                             struct fpgz_traits *traits);

#endif
