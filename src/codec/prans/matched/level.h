/* SPDX-License-Identifier: MIT
 * Matches in words of one width: their search, and their parting into literals and differences and back. For
 * width templates. */
#ifndef FPGZ_CODEC_PRANS_MATCHED_LEVEL_H
#define FPGZ_CODEC_PRANS_MATCHED_LEVEL_H

#include <string.h>

#include "codec/prans/domain/place.h"
#include "codec/prans/matched/kernels.h"

#include "codec/prans/matched/probe.h"
#include "codec/prans/matched/search.h"

static void order(enum prans_number number, size_t count, void *words)
{
    WORD *const w = words;
    if (number == PRANS_REAL)
        for (size_t i = 0; i < count; i++)
            w[i] = place_of(w[i]);
}

static void unorder(enum prans_number number, size_t count, void *words)
{
    WORD *const w = words;
    if (number == PRANS_REAL)
        for (size_t i = 0; i < count; i++)
            w[i] = word_of_place(w[i]);
}

static void part(enum prans_number number, const void *ordered, const struct matched_tokens *tokens,
                 void *literals, void *differences)
{
    const WORD *y = ordered;
    WORD *literal = literals, *difference = differences;
    struct matched_recent recent;
    matched_begin(&recent);
    size_t left = tokens->literals;
    for (size_t t = 0; t < tokens->count; t++) {
        const size_t fresh = tokens->field[MATCHED_LITERALS][t],
                     length = (size_t)tokens->field[MATCHED_LENGTH][t] + 1;
        const uint32_t source = tokens->field[MATCHED_SOURCE][t];
        const size_t distance = matched_distance(&recent, source);
        memcpy(literal, y, fresh * sizeof(WORD));
        literal += fresh;
        left -= fresh;
        y += fresh;
        if (difference)
            for (size_t i = 0, from = 0; i < length; i++, from = from + 1 == distance ? 0 : from + 1) {
                const WORD before = *(y - distance + from);
                *difference++ = (WORD)(y[i] - (source & 1 ? negated(number, before) : before));
            }
        y += length;
    }
    memcpy(literal, y, left * sizeof(WORD));
}

/* Words of a cache line, as most tokens have fewer: that many are made where there is room, as branches and
 * calls take longer. What is too many is made again. */
enum { LINE = 64 / sizeof(WORD) };

/* Copies `length` words, and those behind them that are in a line, if there are `room` words at both places.
 */
INLINE void copy_line(WORD *to, const WORD *from, size_t length, size_t room)
{
    if (length <= LINE && room >= LINE)
        memcpy(to, from, LINE * sizeof(WORD));
    else
        memcpy(to, from, length * sizeof(WORD));
}

/* The words of a match are joined: what they are, by what stood before. */
struct joining {
    enum prans_number number;
    bool is_real, differs; /* known where this is called */
};

INLINE WORD joined(const struct joining *as, WORD before, bool turned, WORD difference)
{
    if (!as->is_real)
        return (WORD)((turned ? negated(as->number, before) : before) + (as->differs ? difference : 0));
    const WORD word = before ^ (WORD)(turned ? SIGN_BIT : 0);
    return as->differs ? word_of_place((WORD)(place_of(word) + difference)) : word;
}

/* A match's words, whose sources are the `distance` words before, again and again. `room` words may be
 * written, and read of the differences. */
INLINE void copy(const struct joining *as, WORD *to, size_t length, size_t distance, bool turned,
                 const WORD *difference, size_t room)
{
    if (length <= LINE && length <= distance && room >= LINE) {
        WORD word[LINE];
        memcpy(word, to - distance, sizeof word);
        for (size_t i = 0; i < LINE; i++)
            word[i] = joined(as, word[i], turned, as->differs ? difference[i] : 0);
        memcpy(to, word, sizeof word);
        return;
    }
    for (size_t done = 0; done < length;) {
        const size_t some = length - done < distance ? length - done : distance;
        memcpy(to + done, to - distance, some * sizeof(WORD));
        done += some;
    }
    if (turned || as->differs)
        for (size_t i = 0; i < length; i++)
            to[i] = joined(as, to[i], turned, as->differs ? difference[i] : 0);
}

/* Fills in how deep the match's sources are; false when that is too deep. Eight at once: what stands behind
 * the match means nothing yet, and bytes that count do not carry. */
INLINE bool deepen(uint8_t *depth, size_t length, size_t distance, unsigned deepest, size_t room)
{
    const uint64_t ones = UINT64_C(0x0101010101010101), tops = ones << 7, below = ones * (0x7F - deepest);
    unsigned most = 0;
    if (length <= distance && room >= length + 7) {
        uint64_t over = 0;
        for (size_t i = 0; i < length; i += 8) {
            const uint64_t deeper = fpgz_load64(depth + i - distance) + ones, rest = length - i;
            fpgz_store64(depth + i, deeper);
            over |= (deeper + below) & (rest < 8 ? ~(UINT64_MAX << 8 * rest) : UINT64_MAX);
        }
        return !(over & tops);
    }
    const size_t first = length < distance ? length : distance;
    for (size_t i = 0; i < first; i++) {
        const uint8_t deeper = (uint8_t)(depth[(ptrdiff_t)i - (ptrdiff_t)distance] + 1);
        most = deeper > most ? deeper : most;
        depth[i] = deeper;
    }
    for (size_t i = first; i < length; i++)
        depth[i] = depth[i - distance];
    return most <= deepest;
}

INLINE bool join_as(const struct joining *as, const struct matched_tokens *tokens, const WORD *literal,
                    const WORD *difference, size_t count, uint8_t *depth, WORD *y)
{
    const uint32_t *const literals = tokens->field[MATCHED_LITERALS],
                          *const lengths = tokens->field[MATCHED_LENGTH],
                          *const sources = tokens->field[MATCHED_SOURCE];
    const unsigned deepest = tokens->deepest;
    const size_t all = tokens->count;
    size_t at = 0, left = tokens->literals;
    struct matched_recent recent;
    matched_begin(&recent);
    for (size_t t = 0; t < all; t++) {
        const size_t fresh = literals[t], length = (size_t)lengths[t] + 1;
        const uint32_t source = sources[t];
        const size_t distance = matched_distance(&recent, source);
        if (fresh > left || length > count - at - left || distance > at + fresh)
            return false;
        copy_line(y + at, literal, fresh, left); /* of what is left of y, `left` words are literals */
        if (fresh <= LINE && count - at >= LINE)
            memset(depth + at, 0, LINE);
        else
            memset(depth + at, 0, fresh);
        literal += fresh;
        left -= fresh;
        at += fresh;
        copy(as, y + at, length, distance, source & 1, difference, count - at - left);
        if (!deepen(depth + at, length, distance, deepest, count - at))
            return false;
        if (as->differs) /* else there are none to point at */
            difference += length;
        at += length;
    }
    if (left != count - at)
        return false;
    memcpy(y + at, literal, left * sizeof(WORD));
    return true;
}

static bool join(enum prans_number number, const struct matched_tokens *tokens, const void *literals,
                 const void *differences, size_t count, uint8_t *depth, void *values)
{
    const bool is_real = number == PRANS_REAL;
    if (is_real && differences)
        return join_as(&(struct joining){number, true, true}, tokens, literals, differences, count, depth,
                       values);
    if (is_real)
        return join_as(&(struct joining){number, true, false}, tokens, literals, NULL, count, depth, values);
    return differences ? join_as(&(struct joining){number, false, true}, tokens, literals, differences, count,
                                 depth, values)
                       : join_as(&(struct joining){number, false, false}, tokens, literals, NULL, count,
                                 depth, values);
}

/* Only what decodes is compiled for words that the encoder does not look for. */
#define SOUGHT(kernel) (sizeof(WORD) < MATCHED_LEAST_SIZE ? NULL : (kernel))

#define PRANS_MATCHED_KERNELS                                                                                \
    {                                                                                                        \
        order, unorder, SOUGHT(price), SOUGHT(probe), SOUGHT(find), SOUGHT(part), join                       \
    }

#endif
