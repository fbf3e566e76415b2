/* SPDX-License-Identifier: MIT
 * The scratch of the format of matches, and what encoder and decoder share of the stream. */
#ifndef FPGZ_CODEC_PRANS_MATCHED_WORK_H
#define FPGZ_CODEC_PRANS_MATCHED_WORK_H

#include "codec/codec.h"
#include "codec/prans/matched/kernels.h"
#include "codec/prans/matched/matched.h"

enum {
    MATCHED_DIFFERS = 1,                            /* a flag of byte 1 */
    MATCHED_SIDE_BYTES = 4 * (1 + MATCHED_STREAMS), /* tokens, literals, bytes of all streams but the last */
};

struct matched_work {
    const struct prans_matched_kernels *kernels;
    enum prans_number number;
    size_t count, size; /* values, and bytes of one */
    struct matched_tokens tokens;
    uint8_t *parts; /* as many words: literals, then differences */
    void *scratch;  /* of inner streams; the search comes before these, joining after */
    /* Of the encoder: its stream, with room for any one of the inner ones. */
    uint8_t *stream;
    size_t stream_bytes;
    struct matched_search search;
    /* Of the decoder. */
    uint8_t *depth;
    uint8_t *joined; /* all words, where only some are asked for */
};

/* Lays the work out; returns the bytes of it all. scratch may be NULL. */
size_t fpgz_prans_matched_work(const struct fpgz_codec *inner, const struct fpgz_grid *grid,
                               const struct fpgz_params *params, bool encoding, void *scratch,
                               struct matched_work *work);

/* Lays a decoder's work out again for so many tokens and words in parts, at most what it has room for: on
 * fewer pages, for the system has to clear each that is touched. */
void fpgz_prans_matched_tighten(struct matched_work *work, size_t tokens, size_t words);

/* How inner streams of a format are coded: by the parameters of the whole, but the middle one's by its own.
 */
struct fpgz_params fpgz_prans_matched_params(const struct fpgz_params *params, uint8_t format);

/* By which of the two a writer codes differences of so many bytes: the high setting lifts those of 4 bytes
 * and fewer to wider ones, which takes more memory than all else. */
const struct fpgz_params *fpgz_prans_matched_differing(size_t size, const struct fpgz_params *params,
                                                       const struct fpgz_params *middle);

/* What differences of words of so many bytes are. */
static inline enum fpgz_dtype matched_difference(size_t size)
{
    return size == 1 ? FPGZ_I8 : size == 2 ? FPGZ_I16 : size == 4 ? FPGZ_I32 : FPGZ_I64;
}

#endif
