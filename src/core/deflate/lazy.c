/* SPDX-License-Identifier: MIT
 * zlib's levels 4 to 9: a match is taken only where the next byte has no longer one. */
#include "core/deflate/proof.h"

enum {
    TOO_FAR = 4096,  /* for a match of three bytes */
    MATCHES = 256,   /* after so many it is seen whether searches are long */
    MANY_STEPS = 16, /* for a match: with more, another chain pays */
};

/* The longest match at `at` that is longer than `length`; a length of 0 without one. */
INLINE struct fpgz_deflate_found find(struct fpgz_deflate_coder *coder, const uint8_t *at, unsigned length,
                                      enum fpgz_deflate_chain depth, const bool told)
{
    struct fpgz_deflate_window *const window = &coder->window;
    const struct fpgz_deflate_level *const level = &coder->level;
    const uint64_t word = fpgz_deflate_word(window, at);
    const struct fpgz_deflate_search search = {
        .at = at,
        .word = word,
        .index = (unsigned)(at - window->base),
        .link = window->link[(size_t)(at - window->base) % WINDOW],
        .most = (unsigned)fpgz_min((size_t)(window->end - at), DEFLATE_MAX_MATCH),
        .candidates = length >= level->good ? level->candidates / 4u : level->candidates,
        .nice = level->nice,
    };
    if (length >= level->lazy || length >= search.most)
        return (struct fpgz_deflate_found){0, 0};
    const struct fpgz_deflate_found found = told && depth == CHAIN_3 && at == coder->told.at
                                                ? fpgz_deflate_confirm(window, &search, length, &coder->told)
                                                : fpgz_deflate_find(window, &search, length, depth);
    if (found.distance == 0 || (found.length == DEFLATE_MIN_MATCH && found.distance > TOO_FAR))
        return (struct fpgz_deflate_found){0, 0};
    return found;
}

/* How far the input is coded. */
struct place {
    const uint8_t *at;
    struct fpgz_deflate_found before; /* the match of the byte before */
    bool pending;                     /* that byte is neither a literal nor in a match yet */
};

/* Whether one more chain pays, as the searches for the last matches were long. */
INLINE bool is_deep(struct fpgz_deflate_coder *coder)
{
    const uint64_t steps = coder->window.steps - coder->steps_before;
    if (coder->block.matches % MATCHES)
        return false;
    coder->steps_before = coder->window.steps;
    return steps > MATCHES * MANY_STEPS;
}

/* Goes on until the end, or until one more chain than `depth` pays. */
INLINE enum fpgz_status parse(struct fpgz_deflate_coder *coder, struct place *place,
                              const enum fpgz_deflate_chain depth, const bool told)
{
    struct fpgz_deflate_window *const window = &coder->window;
    struct fpgz_deflate_block *const block = &coder->block;
    const uint8_t *const end = window->end, *at = place->at;
    struct fpgz_deflate_found before = place->before;
    bool pending = place->pending, deep = false;
    while (at < end && !deep) {
        if (at >= window->slide)
            fpgz_deflate_window_slide(window);
        if (at >= window->entered && end - at >= DEFLATE_MIN_MATCH)
            fpgz_deflate_enter_ahead(window, at);
        struct fpgz_deflate_found found = {0, 0};
        bool known = false; /* what is found */
        if (told && before.length == 0) {
            const uint8_t *const next = fpgz_deflate_proof_unmatched(coder, at, block->full);
            if (next > at) {
                for (const uint8_t *byte = at - pending; byte < next - 1; byte++)
                    fpgz_deflate_take_literal(block, *byte);
                at = next;
                pending = true;
            }
            known = depth > CHAIN_3 && at < block->full && fpgz_deflate_proof_short(coder, at, TOO_FAR);
            if (known) {
                if (pending)
                    fpgz_deflate_take_literal(block, at[-1]);
                before = (struct fpgz_deflate_found){coder->told.length, coder->told.distance};
                pending = true;
                at++;
            } else if (at >= window->entered && end - at >= DEFLATE_MIN_MATCH) {
                continue;
            }
        }
        if (!known && end - at >= DEFLATE_MIN_MATCH)
            found = find(coder, at, before.length, depth, told);
        const bool symbol = pending;
        if (before.length > 0 && found.length <= before.length) {
            if (told && !fpgz_deflate_proof_match(coder, at - 1, before))
                return FPGZ_CORRUPT;
            fpgz_deflate_take_match(block, at - 1, before.length, before.distance);
            at += before.length - 1;
            before = (struct fpgz_deflate_found){0, 0};
            pending = false;
            deep = depth < CHAIN_8 && depth < coder->deepest && is_deep(coder);
        } else {
            if (pending && told && at - 1 == coder->told.at)
                return FPGZ_CORRUPT;
            if (pending)
                fpgz_deflate_take_literal(block, at[-1]);
            before = found;
            pending = true;
            at++;
        }
        if (symbol && at - pending == block->full) {
            const enum fpgz_status status = fpgz_deflate_end_block(coder, at - pending, false);
            if (status)
                return status;
        }
    }
    *place = (struct place){at, before, pending};
    return FPGZ_OK;
}

INLINE enum fpgz_status parse_all(struct fpgz_deflate_coder *coder, const bool told)
{
    struct fpgz_deflate_window *const window = &coder->window;
    struct place place = {.at = window->base};
    enum fpgz_status status = FPGZ_OK;
    while (place.at < window->end && !status) {
        status = window->depth == CHAIN_3   ? parse(coder, &place, CHAIN_3, told)
                 : window->depth == CHAIN_4 ? parse(coder, &place, CHAIN_4, told)
                                            : parse(coder, &place, CHAIN_8, told);
        if (place.at < window->end && !status)
            fpgz_deflate_window_deepen(window);
    }
    if (status)
        return status;
    if (place.pending)
        fpgz_deflate_take_literal(&coder->block, window->end[-1]);
    return fpgz_deflate_end_block(coder, window->end, true);
}

enum fpgz_status fpgz_deflate_lazy(struct fpgz_deflate_coder *coder)
{
    return coder->story ? parse_all(coder, true) : parse_all(coder, false);
}
