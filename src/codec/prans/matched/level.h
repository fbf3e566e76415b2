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

/* Words of a cache line, as most tokens have fewer: that many are copied where there is room, as calls take
 * longer. */
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

/* A match's words, whose sources are the `distance` words before, again and again. */
INLINE void copy(WORD *to, size_t length, size_t distance, size_t room)
{
    if (length <= distance && distance >= LINE) {
        copy_line(to, to - distance, length, room);
        return;
    }
    for (size_t done = 0; done < length;) {
        const size_t some = length - done < distance ? length - done : distance;
        memcpy(to + done, to - distance, some * sizeof(WORD));
        done += some;
    }
}

/* Fills in how deep the match's sources are; false when that is too deep. */
static bool deepen(uint8_t *depth, size_t length, size_t distance, unsigned deepest)
{
    unsigned most = 0;
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

static bool join(enum prans_number number, const struct matched_tokens *tokens, const void *literals,
                 const void *differences, size_t count, uint8_t *depth, void *ordered)
{
    const WORD *literal = literals, *difference = differences;
    WORD *const y = ordered;
    size_t at = 0, left = tokens->literals;
    struct matched_recent recent;
    matched_begin(&recent);
    for (size_t t = 0; t < tokens->count; t++) {
        const size_t fresh = tokens->field[MATCHED_LITERALS][t],
                     length = (size_t)tokens->field[MATCHED_LENGTH][t] + 1;
        const uint32_t source = tokens->field[MATCHED_SOURCE][t];
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
        copy(y + at, length, distance, count - at);
        if (source & 1)
            for (size_t i = 0; i < length; i++)
                y[at + i] = negated(number, y[at + i]);
        if (difference)
            for (size_t i = 0; i < length; i++)
                y[at + i] = (WORD)(y[at + i] + *difference++);
        if (!deepen(depth + at, length, distance, tokens->deepest))
            return false;
        at += length;
    }
    if (left != count - at)
        return false;
    memcpy(y + at, literal, left * sizeof(WORD));
    return true;
}

/* Only what decodes is compiled for words that the encoder does not look for. */
#define SOUGHT(kernel) (sizeof(WORD) < MATCHED_LEAST_SIZE ? NULL : (kernel))

#define PRANS_MATCHED_KERNELS                                                                                \
    {                                                                                                        \
        order, unorder, SOUGHT(price), SOUGHT(probe), SOUGHT(find), SOUGHT(part), join                       \
    }

#endif
