/* SPDX-License-Identifier: MIT
 * Classes of words and their symbols, for words of one width. For width templates. */
#ifndef FPGZ_CODEC_PRANS_BINS_WORDS_H
#define FPGZ_CODEC_PRANS_BINS_WORDS_H

#include "codec/prans/bins/kernels.h"
#include "codec/prans/middle/before.h"
#include "core/bytes.h"

#if FPGZ_BITS == 64
typedef uint64_t MAGNITUDE;
#else
typedef uint32_t MAGNITUDE;
#endif

/* The first four bits of a magnitude, and where they stand, out of the exponent and mantissa of a float. The
 * bit behind them is cleared, so that rounding does not reach them. Wrong below 8, but not too large. */
INLINE int32_t octaves(MAGNITUDE magnitude)
{
    const MAGNITUDE number = magnitude & ~(magnitude >> 4);
#if FPGZ_BITS == 64
    /* There are vectors of this, but not of the conversion: 2^84 + 2^32 upper, 2^52 + lower. */
    const uint64_t upper = number >> 32 | UINT64_C(0x4530000000000000),
                   lower = (number & UINT32_MAX) | UINT64_C(0x4330000000000000);
    double high, low;
    uint64_t bits;
    memcpy(&high, &upper, sizeof high);
    memcpy(&low, &lower, sizeof low);
    high = high - 0x1.00000001p84 + low;
    memcpy(&bits, &high, sizeof bits);
    return (int32_t)(bits >> 49) - 8 * (1023 + 2);
#else
    const float real = (float)(int32_t)number; /* of 2^31 the negative number */
    uint32_t bits;
    memcpy(&bits, &real, sizeof bits);
    return (int32_t)(bits << 1 >> 21) - 8 * (127 + 2);
#endif
}

/* A magnitude has its own class below 16, then there are eight an octave. */
INLINE uint16_t class_about_zero(WORD word)
{
    enum { ZERO = 8 * WORD_BITS - 24 };
    const SIGNED number = (SIGNED)word;
    const MAGNITUDE signs = number < 0 ? ~(MAGNITUDE)0 : 0, magnitude = ((MAGNITUDE)number ^ signs) - signs;
    const int32_t small = magnitude < 8 ? (int32_t)magnitude : 8, large = octaves(magnitude);
    const int32_t class = small > large ? small : large;
    return (uint16_t)(ZERO + ((class ^ (int32_t)signs) - (int32_t)signs));
}

/* The classes of words, one by one. */
INLINE void classes_one_by_one(const WORD *word, size_t count, uint16_t *restrict class)
{
    for (size_t i = 0; i < count; i++)
        class[i] = class_about_zero(word[i]);
}

/* The same, as each level does it. */
INLINE void classes_about_zero(const WORD *word, size_t count, uint16_t *restrict class);

/* Symbols of classes by their map; of classes that it does not have, any. */
INLINE void map_one_by_one(const uint8_t *map, const uint16_t *class, size_t count, uint8_t *symbol)
{
#pragma GCC unroll 8
    for (size_t i = 0; i < count; i++)
        symbol[i] = map[class[i]];
}

/* The same, as each level does it. */
INLINE void map_classes(const uint8_t *map, const struct bins_numbers *numbers, const uint16_t *class,
                        size_t count, uint8_t *symbol);

/* Special values may have any word: they count as the last class of equal ones. */
INLINE void classes_of(const struct bins_grid *grid, const WORD *word, size_t count, uint16_t *restrict class)
{
    const WORD first = (WORD)grid->first, last = (WORD)(grid->count - 1);
    const unsigned shift = grid->shift;
    if (grid->equal)
        for (size_t i = 0; i < count; i++) {
            const WORD number = (WORD)((WORD)(word[i] - first) >> shift);
            class[i] = (uint16_t)(number < last ? number : last);
        }
    else
        classes_about_zero(word, count, class);
}

static uint32_t class_of_word(const struct bins_grid *grid, uint64_t word)
{
    const WORD one = (WORD)word;
    uint16_t class;
    classes_of(grid, &one, 1, &class);
    return class;
}

static void classes_of_words(const struct bins_grid *grid, const void *words, size_t count, uint16_t *class)
{
    classes_of(grid, words, count, class);
}

static void symbols_of(const struct bins_grid *grid, const uint8_t *map, const void *words,
                       const uint8_t *flag, const struct bins_numbers *numbers, size_t count, uint8_t *symbol)
{
    const WORD *word = words;
    const uint8_t special = (uint8_t)(numbers->special - 1), heavy = (uint8_t)(numbers->heavy - 1);
    for (size_t part; count; word += part, symbol += part, count -= part) {
        uint16_t class[PIECE];
        uint8_t plain[PIECE], *const place = numbers->marked ? plain : symbol;
        part = fpgz_min(count, PIECE);
        classes_of(grid, word, part, class);
        map_classes(map, numbers, class, part, place);
        if (numbers->marked)
            for (size_t i = 0; i < part; i++)
                symbol[i] = symbol[i] ? (uint8_t)(heavy + symbol[i]) : plain[i];
        if (flag) {
            for (size_t i = 0; i < part; i++)
                symbol[i] = flag[i] ? (uint8_t)(special + flag[i]) : symbol[i];
            flag += part;
        }
    }
}

enum {
    SLOT_BITS = 10,
    SLOTS = 1 << SLOT_BITS,
    FEW_HEAVY = 8 /* words are compared with each of so few */
};

/* A hash table without chains: words that find their slot taken are not in it. */
struct slots {
    uint64_t factor;
    WORD word[SLOTS];
    uint8_t mark[SLOTS];
};

INLINE unsigned slot_of(const struct slots *slots, WORD word)
{
    return (unsigned)(word * slots->factor >> (64 - SLOT_BITS));
}

/* Puts words into slots with a factor under which all have one, or the last one tried. Returns those that
 * have none, as bits. Slots without a word have one that belongs elsewhere. */
static uint64_t fill_slots(const uint64_t *heavy, unsigned heavies, struct slots *slots)
{
    uint64_t left = 1;
    slots->factor = UINT64_C(0x9E3779B97F4A7C15);
    for (unsigned tried = 0; left && tried < 4; tried++) {
        slots->factor = slots->factor * UINT64_C(6364136223846793005) + 2;
        memset(slots->mark, 0, sizeof slots->mark);
        left = 0;
        for (unsigned h = 0; h < heavies; h++) {
            const unsigned at = slot_of(slots, (WORD)heavy[h]);
            left |= (uint64_t)(slots->mark[at] != 0) << h;
            slots->mark[at] = slots->mark[at] ? slots->mark[at] : (uint8_t)(h + 1);
            slots->word[at] = (WORD)heavy[slots->mark[at] - 1];
        }
    }
    for (unsigned at = 0; at < SLOTS; at++)
        slots->word[at] = slots->mark[at] ? slots->word[at] : (WORD)heavy[0];
    return left;
}

/* Marks words of the list by the slots, and those that have none one by one. */
INLINE void mark_heavy(const struct slots *slots, uint64_t without, bool any_slots, const uint64_t *heavy,
                       const WORD *word, size_t count, uint8_t *mark)
{
    if (!any_slots)
        memset(mark, 0, count);
    else
        for (size_t i = 0; i < count; i++) {
            const unsigned at = slot_of(slots, word[i]);
            mark[i] = (uint8_t)(slots->mark[at] & -(unsigned)(slots->word[at] == word[i]));
        }
    for (uint64_t left = without; left; left &= left - 1) {
        const unsigned h = (unsigned)__builtin_ctzll(left);
        for (size_t i = 0; i < count; i++)
            mark[i] = word[i] == (WORD)heavy[h] ? (uint8_t)(h + 1) : mark[i];
    }
}

static void find_heavy(const uint64_t *heavy, unsigned heavies, const void *words, const uint8_t *flag,
                       size_t count, uint8_t *mark, uint32_t *times)
{
    const WORD *word = words;
    struct slots slots;
    uint32_t found[4][BINS_HEAVY + 1] = {{0}};
    const bool any_slots = heavies > FEW_HEAVY;
    const uint64_t without = any_slots ? fill_slots(heavy, heavies, &slots) : ((uint64_t)1 << heavies) - 1;
    for (size_t part; count; word += part, mark += part, count -= part) {
        part = fpgz_min(count, PIECE);
        mark_heavy(&slots, without, any_slots, heavy, word, part, mark);
        if (flag) {
            for (size_t i = 0; i < part; i++)
                mark[i] = flag[i] ? 0 : mark[i];
            flag += part;
        }
        size_t i = 0;
        for (; i + 4 <= part; i += 4)
            for (unsigned k = 0; k < 4; k++)
                found[k][mark[i + k]]++;
        for (; i < part; i++)
            found[0][mark[i]]++;
    }
    for (unsigned h = 1; h <= heavies; h++)
        times[h - 1] = found[0][h] + found[1][h] + found[2][h] + found[3][h];
}

#endif
