/* SPDX-License-Identifier: MIT
 * The range coder: carries run through bytes that are held back; reading is the mirror of writing. */
#include "codec/prans/entropy/range.h"

#include "codec/prans/entropy/reading.h"

enum { CHANCE_BITS = RANGE_CHANCE_BITS, ADAPT = RANGE_ADAPT, TOP = RANGE_LEAST };

void fpgz_prans_range_write(struct prans_range *r, uint8_t *at, size_t capacity)
{
    *r = (struct prans_range){.at = at, .end = at + capacity, .range = UINT32_MAX};
}

static void put(struct prans_range *r, uint8_t byte)
{
    if (r->at == r->end)
        r->failed = true;
    else
        *r->at++ = byte;
}

/* The top byte of `low` leaves it. Bytes of all ones are held, and the byte before them, until it is known
 * whether a carry runs through them. */
static void shift_low(struct prans_range *r)
{
    if (r->low < 0xFF000000 || r->low > UINT32_MAX) {
        const uint8_t carry = (uint8_t)(r->low >> 32);
        if (r->begun)
            put(r, (uint8_t)(r->first + carry));
        for (; r->held; r->held--)
            put(r, (uint8_t)(0xFF + carry));
        r->first = (uint8_t)(r->low >> 24);
        r->begun = true;
    } else {
        r->held++;
    }
    r->low = (r->low & 0x00FFFFFF) << 8;
}

uint8_t *fpgz_prans_range_flush(struct prans_range *r)
{
    for (unsigned i = 0; i < 5; i++)
        shift_low(r);
    return r->at;
}

static uint8_t take(struct prans_range *r)
{
    if (r->at == r->end) {
        r->failed = true;
        return 0;
    }
    return *r->at++;
}

void fpgz_prans_range_read(struct prans_range *r, const uint8_t *at, size_t length)
{
    *r = (struct prans_range){.reading = true, .at = (uint8_t *)at, .end = at + length, .range = UINT32_MAX};
    for (unsigned i = 0; i < 4; i++)
        r->code = r->code << 8 | take(r);
}

bool fpgz_prans_range_done(const struct prans_range *r)
{
    return !r->failed && r->at == r->end;
}

void fpgz_prans_chances(uint16_t *chances, size_t count)
{
    for (size_t i = 0; i < count; i++)
        chances[i] = 1 << (CHANCE_BITS - 1);
}

void fpgz_prans_range_normalise(struct prans_range *r)
{
    while (r->range < TOP) {
        r->range <<= 8;
        if (r->reading)
            r->code = r->code << 8 | take(r);
        else
            shift_low(r);
    }
}

unsigned fpgz_prans_range_bit(struct prans_range *r, uint16_t *chance, unsigned bit)
{
    const uint32_t zero = (r->range >> CHANCE_BITS) * *chance;
    if (r->reading)
        bit = r->code >= zero;
    if (bit) {
        r->code -= r->reading ? zero : 0;
        r->low += zero;
        r->range -= zero;
        *chance = (uint16_t)(*chance - (*chance >> ADAPT));
    } else {
        r->range = zero;
        *chance = (uint16_t)(*chance + (((1 << CHANCE_BITS) - *chance) >> ADAPT));
    }
    fpgz_prans_range_normalise(r);
    return bit;
}

uint64_t fpgz_prans_range_equal(struct prans_range *r, unsigned bits, uint64_t value)
{
    uint64_t read = 0;
    for (unsigned done = 0; done < bits;) {
        const unsigned now = bits - done < 16 ? bits - done : 16;
        const uint32_t most = (1u << now) - 1;
        uint32_t part = (uint32_t)(value >> done) & most;
        r->range >>= now;
        if (r->reading) {
            part = r->code / r->range < most ? r->code / r->range : most;
            r->code -= part * r->range;
        }
        r->low += (uint64_t)part * r->range;
        fpgz_prans_range_normalise(r);
        read |= (uint64_t)part << done;
        done += now;
    }
    return read;
}

INLINE struct prans_reading lent(const struct prans_range *r)
{
    return (struct prans_reading){r->range, r->code, r->at, r->end, r->failed};
}

INLINE void give_back(struct prans_range *r, const struct prans_reading *reading)
{
    r->range = reading->range;
    r->code = reading->code;
    r->at = (uint8_t *)reading->at;
    r->failed = reading->failed;
}

void fpgz_prans_range_lend(const struct prans_range *r, struct prans_reading *reading)
{
    *reading = lent(r);
}

void fpgz_prans_range_return(struct prans_range *r, const struct prans_reading *reading)
{
    give_back(r, reading);
}

static unsigned read_tree(struct prans_range *r, uint16_t *chances, unsigned bits)
{
    struct prans_reading s = lent(r);
    const unsigned value = prans_reading_tree(&s, chances, bits);
    give_back(r, &s);
    return value;
}

static uint64_t read_number(struct prans_range *r, uint16_t *chances)
{
    struct prans_reading s = lent(r);
    const uint64_t value = prans_reading_number(&s, chances);
    give_back(r, &s);
    return value;
}

static uint64_t read_bits(struct prans_range *r, unsigned bits)
{
    struct prans_reading s = lent(r);
    const uint64_t value = prans_reading_bits(&s, bits);
    give_back(r, &s);
    return value;
}

uint64_t fpgz_prans_range_bits(struct prans_range *r, unsigned bits, uint64_t value)
{
    if (r->reading)
        return read_bits(r, bits);
    for (unsigned place = bits; place-- > 0;) {
        r->range >>= 1;
        r->low += value >> place & 1 ? r->range : 0;
        fpgz_prans_range_normalise(r);
    }
    return bits < 64 ? value & (((uint64_t)1 << bits) - 1) : value;
}

unsigned fpgz_prans_range_tree(struct prans_range *r, uint16_t *chances, unsigned bits, unsigned value)
{
    unsigned node = 1;
    if (r->reading)
        return read_tree(r, chances, bits);
    for (unsigned place = bits; place-- > 0;)
        node = node << 1 | fpgz_prans_range_bit(r, &chances[node], value >> place & 1);
    return node - (1u << bits);
}

uint64_t fpgz_prans_range_number(struct prans_range *r, uint16_t *chances, uint64_t value)
{
    /* Of value + 1 the place of its leading bit in unary, two bits below that with chances, the rest raw. */
    const uint64_t more = value + 1;
    if (r->reading)
        return read_number(r, chances);
    const unsigned places = 63 - (unsigned)__builtin_clzll(more);
    unsigned top = 0, node = 1;
    while (top < 63 && fpgz_prans_range_bit(r, &chances[top], top < places))
        top++;
    for (unsigned place = top; place-- > 0;) {
        const unsigned bit = (unsigned)(more >> place & 1);
        if (top - place <= 2)
            node = node << 1 | fpgz_prans_range_bit(r, &chances[64 + 4 * top + node], bit);
        else
            fpgz_prans_range_bits(r, 1, bit);
    }
    return value;
}
