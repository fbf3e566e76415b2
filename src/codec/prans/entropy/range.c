/* SPDX-License-Identifier: MIT
 * The range coder: carries run through bytes that are held back; reading is the mirror of writing. */
#include "codec/prans/entropy/range.h"

enum { CHANCE_BITS = 12, ADAPT = 4, TOP = 1 << 24 };

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

uint64_t fpgz_prans_range_bits(struct prans_range *r, unsigned bits, uint64_t value)
{
    uint64_t read = 0;
    while (bits-- > 0) {
        unsigned bit = (unsigned)(value >> bits & 1);
        r->range >>= 1;
        if (r->reading)
            bit = r->code >= r->range;
        if (bit) {
            r->code -= r->reading ? r->range : 0;
            r->low += r->range;
        }
        fpgz_prans_range_normalise(r);
        read = read << 1 | bit;
    }
    return read;
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

/* The same as for writing, but what each bit takes of the one before stays in registers. */
static unsigned read_tree(struct prans_range *r, uint16_t *chances, unsigned bits)
{
    uint32_t range = r->range, code = r->code;
    unsigned node = 1;
    for (unsigned place = bits; place-- > 0;) {
        const uint32_t chance = chances[node], zero = (range >> CHANCE_BITS) * chance;
        if (code >= zero) {
            chances[node] = (uint16_t)(chance - (chance >> ADAPT));
            code -= zero;
            range -= zero;
            node = node << 1 | 1;
        } else {
            chances[node] = (uint16_t)(chance + (((1 << CHANCE_BITS) - chance) >> ADAPT));
            range = zero;
            node <<= 1;
        }
        for (; range < TOP; range <<= 8)
            code = code << 8 | take(r);
    }
    r->range = range;
    r->code = code;
    return node - (1u << bits);
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
    unsigned top = 0;
    const unsigned places = r->reading ? 63 : 63 - (unsigned)__builtin_clzll(more);
    while (top < 63 && fpgz_prans_range_bit(r, &chances[top], top < places))
        top++;
    uint64_t read = 1;
    unsigned node = 1;
    for (unsigned place = top; place-- > 0;) {
        unsigned bit = (unsigned)(more >> place & 1);
        if (top - place <= 2) {
            bit = fpgz_prans_range_bit(r, &chances[64 + 4 * top + node], bit);
            node = node << 1 | bit;
        } else {
            bit = (unsigned)fpgz_prans_range_bits(r, 1, bit);
        }
        read = read << 1 | bit;
    }
    return read - 1;
}
