/* SPDX-License-Identifier: MIT
 * Compares blocks with those that a stream has. */
#include "core/deflate/proof.h"

#include "core/bytes.h"

enum { FRONT_MOST = 512 }; /* bytes of a block's description, with room */

/* Remembers where the next block ends, if it is stored. */
static void meet_block(struct fpgz_deflate_coder *coder)
{
    const struct fpgz_deflate_story *const story = coder->story;
    if (coder->blocks < story->blocks && story->block[coder->blocks].kind == DEFLATE_STORED)
        coder->stored = coder->data + story->block[coder->blocks].end;
}

void fpgz_deflate_proof_begin(struct fpgz_deflate_coder *coder, const uint8_t *data,
                              const struct fpgz_deflate_story *story)
{
    coder->story = story;
    coder->data = coder->stored = data;
    coder->blocks = 0;
    coder->told.entry = story->match;
    fpgz_deflate_proof_next(coder, data);
    meet_block(coder);
}

/* Whether the bits from `begin` on, whose byte is filled up by those before, are the front of such a block.
 */
static bool is_front(const struct fpgz_deflate_story *story, uint64_t begin,
                     const struct fpgz_deflate_written *written, size_t bytes, bool last)
{
    uint8_t front[FRONT_MOST];
    const uint8_t *const stream = story->stream + begin / 8;
    const unsigned before = begin % 8;
    struct fpgz_bits out = {.held = before ? *stream & ((1u << before) - 1) : 0,
                            .count = before,
                            .at = front,
                            .end = front + sizeof front};
    fpgz_deflate_write_front(written, bytes, last, &out);
    const size_t whole = (size_t)(out.at - front);
    return whole + (out.count > 0) <= story->length - begin / 8 && memcmp(front, stream, whole) == 0 &&
           (out.count == 0 || ((stream[whole] ^ out.held) & ((1u << out.count) - 1)) == 0);
}

bool fpgz_deflate_proof_block(struct fpgz_deflate_coder *coder, const uint8_t *at, bool last,
                              const struct fpgz_deflate_written *written)
{
    const struct fpgz_deflate_story *const story = coder->story;
    if (coder->blocks == story->blocks)
        return false;
    const struct fpgz_deflate_told *const told = &story->block[coder->blocks++];
    const size_t bytes = (size_t)(at - coder->block.first);
    if (coder->data + told->end != at || told->kind != written->kind ||
        last != (coder->blocks == story->blocks) || !is_front(story, told->begin, written, bytes, last))
        return false;
    meet_block(coder);
    if (!last || written->kind == DEFLATE_STORED)
        return true;
    const uint64_t end = told->begin + DEFLATE_KIND_BITS + written->bits;
    return (end + 7) / 8 == story->length &&
           (end % 8 == 0 || story->stream[story->length - 1] >> end % 8 == 0);
}
