/* SPDX-License-Identifier: MIT
 * zlib's levels 1 to 3: the first match that is found is taken. */
#include "core/deflate/proof.h"

INLINE struct fpgz_deflate_found find(struct fpgz_deflate_coder *coder, const uint8_t *at, const bool told)
{
    struct fpgz_deflate_window *const window = &coder->window;
    const uint64_t word = fpgz_deflate_word(window, at);
    const struct fpgz_deflate_search search = {
        .at = at,
        .word = word,
        .index = (unsigned)(at - window->base),
        .link = fpgz_deflate_insert(window, at, word),
        .most = (unsigned)fpgz_min((size_t)(window->end - at), DEFLATE_MAX_MATCH),
        .candidates = coder->level.candidates,
        .nice = coder->level.nice,
    };
    return told && at == coder->told.at ? fpgz_deflate_confirm(window, &search, 0, &coder->told)
                                        : fpgz_deflate_find(window, &search, 0, CHAIN_3);
}

INLINE enum fpgz_status parse(struct fpgz_deflate_coder *coder, const bool told)
{
    struct fpgz_deflate_window *const window = &coder->window;
    struct fpgz_deflate_block *const block = &coder->block;
    const uint8_t *const end = window->end;
    for (const uint8_t *at = window->base; at < end;) {
        if (at >= window->slide)
            fpgz_deflate_window_slide(window);
        if (told) {
            const uint8_t *const next = fpgz_deflate_proof_literals(coder, at, block->full - 1);
            while (at < next)
                fpgz_deflate_take_literal(block, *at++);
        }
        struct fpgz_deflate_found found = {0, 0};
        if (end - at >= DEFLATE_MIN_MATCH)
            found = find(coder, at, told);
        if (told && (found.distance > 0 ? !fpgz_deflate_proof_match(coder, at, found) : at == coder->told.at))
            return FPGZ_CORRUPT;
        if (found.distance > 0) {
            fpgz_deflate_take_match(block, at, found.length, found.distance);
            if (found.length <= coder->level.lazy && end - at - found.length >= DEFLATE_MIN_MATCH)
                fpgz_deflate_insert_all(window, at + 1, at + found.length);
            at += found.length;
        } else {
            fpgz_deflate_take_literal(block, *at++);
        }
        if (at == block->full) {
            const enum fpgz_status status = fpgz_deflate_end_block(coder, at, false);
            if (status)
                return status;
        }
    }
    return fpgz_deflate_end_block(coder, end, true);
}

enum fpgz_status fpgz_deflate_fast(struct fpgz_deflate_coder *coder)
{
    return coder->story ? parse(coder, true) : parse(coder, false);
}
