/* SPDX-License-Identifier: MIT
 * Counts of symbols to frequencies that add up to 4096, and tables of these in a stream. */
#include "codec/prans/entropy/frequencies.h"

#include <string.h>

#include "codec/prans/entropy/reading.h"

enum { CLASSES = PRANS_SCALE_BITS + 2, LEAD_BITS = 3 };

/* Four significant bits at most. */
static uint32_t shorten(uint32_t frequency)
{
    const unsigned top = 31 - (unsigned)__builtin_clz(frequency);
    return top > LEAD_BITS ? frequency >> (top - LEAD_BITS) << (top - LEAD_BITS) : frequency;
}

void fpgz_prans_scale(const uint32_t count[PRANS_SYMBOLS], uint16_t frequency[PRANS_SYMBOLS])
{
    uint64_t total = 0;
    unsigned largest = 0;
    for (unsigned s = 0; s < PRANS_SYMBOLS; s++) {
        total += count[s];
        largest = count[s] > count[largest] ? s : largest;
    }
    /* The largest takes what rounding leaves; where small ones took too much, all shrink. */
    for (uint64_t scale = PRANS_SCALE;; scale -= scale / 16) {
        int64_t left = PRANS_SCALE;
        uint32_t next = 0;
        for (unsigned s = 0; s < PRANS_SYMBOLS; s++) {
            uint32_t f = total ? (uint32_t)((count[s] * scale + total / 2) / total) : 0;
            f = count[s] && !f ? 1 : f;
            if (f > 1 << LEAD_BITS) { /* to the nearest of the short ones */
                const unsigned top = 31 - (unsigned)__builtin_clz(f);
                f = shorten(f + (1u << (top - LEAD_BITS) >> 1));
            }
            frequency[s] = (uint16_t)f;
            left -= s == largest ? 0 : f;
            next = s != largest && f > next ? f : next;
        }
        if (left < 1 || (uint32_t)left <= next)
            continue;
        frequency[largest] = (uint16_t)left;
        return;
    }
}

/* A number by a tree, read or written, which is known where this is called. */
INLINE unsigned code_tree(struct prans_range *r, struct prans_reading *reading, uint16_t *chances,
                          unsigned bits, unsigned value)
{
    return reading ? prans_reading_tree(reading, chances, bits)
                   : fpgz_prans_range_tree(r, chances, bits, value);
}

/* How many symbols from `first` on have the class 0 below others of that class: most of a table. */
INLINE unsigned read_zeros(struct prans_reading *reading, uint16_t chances[16],
                           const uint8_t above[PRANS_SYMBOLS], unsigned largest, unsigned first)
{
    unsigned end = first;
    while (end < PRANS_SYMBOLS && !above[end] && end != largest)
        end++;
    return prans_reading_zeros(reading, chances, end - first);
}

/* A table is its largest symbol, which takes what the others leave, and the others as classes (the number of
 * bits) under the classes of the symbol before and of the same symbol in the table before, with up to three
 * bits below the leading one. Returns whether what was read makes no sense. */
INLINE bool code_tables(struct prans_range *r, struct prans_reading *reading,
                        uint16_t (*frequency)[PRANS_SYMBOLS], unsigned tables)
{
    uint16_t classes[CLASSES][CLASSES][16], largest_bits[PRANS_SYMBOLS], below[CLASSES][8];
    uint8_t above[PRANS_SYMBOLS] = {0};
    bool failed = false;
    fpgz_prans_chances(&classes[0][0][0], sizeof classes / sizeof(uint16_t));
    fpgz_prans_chances(largest_bits, PRANS_SYMBOLS);
    fpgz_prans_chances(&below[0][0], sizeof below / sizeof(uint16_t));
    for (unsigned t = 0; t < tables; t++) {
        uint16_t *const f = frequency[t];
        unsigned largest = 0, before = 0;
        for (unsigned s = 0; s < PRANS_SYMBOLS && !reading; s++)
            largest = f[s] > f[largest] ? s : largest;
        largest = code_tree(r, reading, largest_bits, 8, largest);
        uint32_t sum = 0;
        for (unsigned s = 0; s < PRANS_SYMBOLS; s++) {
            if (reading && !before && !above[s] && s != largest) {
                const unsigned zeros = read_zeros(reading, classes[0][0], above, largest, s);
                memset(f + s, 0, zeros * sizeof *f);
                s += zeros;
                if (s == PRANS_SYMBOLS)
                    break;
            }
            unsigned class = s == largest ? CLASSES - 1 : 0;
            if (s != largest) {
                class = reading || !f[s] ? 0 : 32 - (unsigned)__builtin_clz(f[s]);
                class = code_tree(r, reading, classes[above[s]][before], 4, class);
                failed |= class > PRANS_SCALE_BITS;
                class = class > PRANS_SCALE_BITS ? 0 : class;
                const unsigned shift = class > LEAD_BITS + 1 ? class - LEAD_BITS - 1 : 0,
                               bits = class > 1 ? class - 1 - shift : 0, lead = bits ? 1u << bits : class;
                const unsigned rest =
                    bits ? code_tree(r, reading, below[class], bits, f[s] >> shift & (lead - 1)) : 0;
                f[s] = (uint16_t)((bits ? lead | rest : lead) << shift);
                sum += f[s];
            }
            above[s] = (uint8_t) class;
            before = class;
        }
        failed |= sum >= PRANS_SCALE;
        f[largest] = (uint16_t)(sum < PRANS_SCALE ? PRANS_SCALE - sum : 1);
    }
    return failed;
}

void fpgz_prans_code_frequencies(struct prans_range *r, uint16_t (*frequency)[PRANS_SYMBOLS], unsigned tables)
{
    if (r->reading) {
        struct prans_reading lent, reading;
        fpgz_prans_range_lend(r, &lent);
        reading = lent; /* whose place nobody else knows */
        reading.failed |= code_tables(r, &reading, frequency, tables);
        lent = reading;
        fpgz_prans_range_return(r, &lent);
    } else {
        r->failed |= code_tables(r, NULL, frequency, tables);
    }
}
