/* SPDX-License-Identifier: MIT
 * The low bits of the split domain: as they stand, or as the distance to where the same ones stood last. */
#include "codec/prans/domain/low_bits.h"

#include <string.h>

#include "codec/prans/domain/word.h"
#include "codec/prans/entropy/frequencies.h"
#include "codec/prans/entropy/number.h"

void fpgz_prans_low_bits_begin(struct prans_low_bits *low, bool is_f64, unsigned bits)
{
    *low = (struct prans_low_bits){.is_f64 = is_f64, .bits = bits};
    fpgz_prans_chances(low->stood, 4);
    fpgz_prans_chances(low->distance, PRANS_LOW_BITS_SYMBOLS);
}

static inline uint64_t field_at(const void *values, bool is_f64, unsigned bits, size_t at)
{
    return prans_word_at(values, is_f64, at) & (((uint64_t)1 << bits) - 1);
}

/* How far back the field stood last, less 1, and enters it; SIZE_MAX when that is not known, or too far to be
 * worth saying. */
static inline size_t find(const void *values, bool is_f64, unsigned bits, size_t at, uint32_t *slots)
{
    const uint64_t field = field_at(values, is_f64, bits, at);
    uint32_t *const slot = &slots[field * UINT64_C(0x9E3779B97F4A7C15) >> (64 - PRANS_LOW_BITS_SLOT_BITS)];
    const size_t last = *slot;
    *slot = (uint32_t)at + 1;
    if (!last || field_at(values, is_f64, bits, last - 1) != field)
        return SIZE_MAX;
    const size_t back = at - last;
    return back >> (bits - 1) ? SIZE_MAX : back;
}

static size_t code_distance(struct prans_low_bits *low, struct prans_range *r, size_t back)
{
    unsigned bits;
    uint32_t raw;
    unsigned symbol = prans_number_symbol(r->reading ? 0 : (uint32_t)back, &bits, &raw);
    symbol = fpgz_prans_range_tree(r, low->distance, 7, symbol);
    if (symbol < 16)
        return symbol;
    bits = 2 + (symbol - 16) / 4;
    const size_t rest = (size_t)fpgz_prans_range_equal(r, bits, raw);
    return (size_t)(4 + symbol % 4) << bits | rest;
}

void fpgz_prans_low_bits_code(struct prans_low_bits *low, struct prans_range *r, void *values, size_t first,
                              size_t count, const uint8_t *special, uint32_t *slots)
{
    for (size_t i = 0; i < count && !r->failed; i++) {
        const size_t at = first + i;
        if (special[i])
            continue;
        size_t back = r->reading ? 0 : find(values, low->is_f64, low->bits, at, slots);
        const unsigned stood = fpgz_prans_range_bit(r, &low->stood[low->before], back != SIZE_MAX);
        low->before = (low->before << 1 | stood) & 3;
        uint64_t field = r->reading ? 0 : field_at(values, low->is_f64, low->bits, at);
        if (!stood) {
            field = fpgz_prans_range_equal(r, low->bits, field);
        } else {
            back = code_distance(low, r, back);
            r->failed |= back >= at;
            if (r->reading && !r->failed)
                field = field_at(values, low->is_f64, low->bits, at - 1 - back);
        }
        if (r->reading && low->is_f64)
            ((uint64_t *)values)[at] |= field;
        else if (r->reading)
            ((uint32_t *)values)[at] |= (uint32_t)field;
    }
}

/* The bits of symbols that each have a length of their own, without what is raw. */
static uint64_t entropy(const uint32_t *count, size_t symbols)
{
    uint64_t sum = 0, bits = 0;
    for (size_t s = 0; s < symbols; s++)
        sum += count[s];
    for (size_t s = 0; s < symbols && sum; s++)
        if (count[s])
            bits += (uint64_t)count[s] * (fpgz_prans_log2((uint32_t)sum) - fpgz_prans_log2(count[s]));
    return bits >> 16;
}

/* What is counted of low bits. */
struct low_bits_count {
    uint32_t stood[4][2], symbols[PRANS_LOW_BITS_SYMBOLS];
    uint64_t raw;
};

static uint64_t cost_of(const struct low_bits_count *c)
{
    uint64_t bits = c->raw + entropy(c->symbols, PRANS_LOW_BITS_SYMBOLS);
    for (unsigned context = 0; context < 4; context++)
        bits += entropy(c->stood[context], 2);
    return bits;
}

uint64_t fpgz_prans_low_bits_cost(const void *values, bool is_f64, unsigned bits, size_t count,
                                  const uint8_t *special, uint64_t least, uint32_t *slots)
{
    enum { TRIED = 1 << 16, LEAST_PART = 4, GAIN_PART = 48 };
    struct low_bits_count c = {0};
    size_t ordinary = 0, known = 0, same = 0;
    unsigned before = 0;
    memset(slots, 0, sizeof *slots << PRANS_LOW_BITS_SLOT_BITS);
    for (size_t i = 0; i < count; i++) {
        if (special[i])
            continue;
        if (++ordinary % TRIED == 0) {
            const uint64_t cost = cost_of(&c), most = (uint64_t)ordinary * bits;
            if (known < ordinary / LEAST_PART || cost > most - most / GAIN_PART ||
                (double)cost * (double)count > (double)least * (double)i)
                return UINT64_MAX;
        }
        const size_t back = find(values, is_f64, bits, i, slots);
        c.stood[before][back != SIZE_MAX]++;
        before = (before << 1 | (back != SIZE_MAX)) & 3;
        unsigned more = bits;
        if (back != SIZE_MAX) {
            uint32_t rest;
            c.symbols[prans_number_symbol((uint32_t)back, &more, &rest)]++;
            known++;
            same += prans_word_at(values, is_f64, i) == prans_word_at(values, is_f64, i - 1 - back);
        }
        c.raw += more;
    }
    return known < ordinary / LEAST_PART || same > known / 2 ? UINT64_MAX : cost_of(&c);
}
