/* SPDX-License-Identifier: MIT
 * What streams say of a domain, written and read. For width templates. */
#ifndef FPGZ_CODEC_PRANS_DOMAIN_DESCRIPTION_H
#define FPGZ_CODEC_PRANS_DOMAIN_DESCRIPTION_H

#include "codec/prans/domain/slab.h"

static uint64_t description_cost(const struct prans_domain *domain)
{
    uint64_t bits = 0;
    if (domain->id == PRANS_DOMAIN_LATTICE || domain->id == PRANS_DOMAIN_SLAB)
        bits = domain->exceptions * (WORD_BITS + 5);
    if (domain->id == PRANS_DOMAIN_SLAB)
        bits += domain->slabs * (WORD_BITS + 3);
    const WORD *const dictionary = domain->dictionary;
    WORD gap = 0;
    for (size_t i = 1; domain->id == PRANS_DOMAIN_RANK && i < domain->distinct; i++) {
        const SIGNED difference = (SIGNED)(dictionary[i] - dictionary[i - 1] - gap);
        gap = dictionary[i] - dictionary[i - 1];
        bits += 66 - (unsigned)__builtin_clzll((uint64_t)(difference < 0 ? ~difference : difference) | 1);
    }
    return bits;
}

static void code_exceptions(struct prans_range *r, size_t count, const struct prans_domain_room *room,
                            struct prans_domain *domain)
{
    uint16_t gaps[PRANS_NUMBER_CHANCES];
    fpgz_prans_chances(gaps, PRANS_NUMBER_CHANCES);
    domain->exceptions = (size_t)fpgz_prans_range_bits(r, 28, domain->exceptions);
    if (r->reading) {
        domain->exception = room->exception;
        domain->exact = room->exact;
        r->failed |= domain->exceptions > count / PRANS_EXCEPTION_PART;
    }
    uint64_t next = 0; /* the first place that the next exception may have */
    for (size_t i = 0; i < domain->exceptions && !r->failed; i++) {
        next += fpgz_prans_range_number(r, gaps, domain->exception[i] - next);
        if (next >= count) {
            r->failed = true;
            return;
        }
        domain->exception[i] = (uint32_t)next++;
        ((WORD *)domain->exact)[i] = (WORD)fpgz_prans_range_bits(r, WORD_BITS, ((WORD *)domain->exact)[i]);
    }
}

static void code_lattice(struct prans_range *r, struct prans_domain *domain)
{
    domain->scale = (unsigned)fpgz_prans_range_bits(r, 7, domain->scale);
    domain->origin = (int64_t)fpgz_prans_range_bits(r, 64, (uint64_t)domain->origin);
    domain->step = fpgz_prans_range_bits(r, 64, domain->step);
}

/* Each place as its distance to the one before, by how that differs from the distance before. */
static void code_rank(struct prans_range *r, size_t count, const struct prans_domain_room *room,
                      struct prans_domain *domain)
{
    uint16_t chances[2][PRANS_NUMBER_CHANCES], sign[2];
    fpgz_prans_chances(&chances[0][0], sizeof chances / sizeof(uint16_t));
    fpgz_prans_chances(sign, 2);
    domain->distinct = (size_t)fpgz_prans_range_bits(r, 28, domain->distinct);
    if (r->reading) {
        domain->dictionary = room->dictionary;
        r->failed |= !domain->distinct || domain->distinct > count / PRANS_DISTINCT_PART;
    }
    WORD *const dictionary = domain->dictionary, before = 0, gap_before = 0;
    unsigned small = 0;
    for (size_t i = 0; i < domain->distinct && !r->failed; i++) {
        const WORD gap = dictionary[i] - before, difference = gap - gap_before;
        unsigned negative = (unsigned)(difference >> (WORD_BITS - 1));
        uint64_t size =
            fpgz_prans_range_number(r, chances[small], (WORD)(negative ? -difference : difference) >> 1);
        size = size << 1 | fpgz_prans_range_bit(r, &sign[1], (negative ? -difference : difference) & 1);
        if (size)
            negative = fpgz_prans_range_bit(r, &sign[0], negative);
        small = size < 4;
        gap_before += negative && size ? (WORD) - (WORD)size : (WORD)size;
        before += gap_before;
        dictionary[i] = before;
    }
}

static void code_domain(struct prans_range *r, size_t count, const struct prans_domain_room *room,
                        struct prans_domain *domain)
{
    const unsigned id = (unsigned)fpgz_prans_range_bits(r, 3, domain->id);
    if (id > PRANS_DOMAIN_SPLIT) {
        r->failed = true;
        return;
    }
    domain->id = (enum prans_domain_id)id;
    domain->specials = (unsigned)fpgz_prans_range_bits(r, 3, domain->specials);
    if (domain->specials > PRANS_SPECIALS) {
        r->failed = true;
        domain->specials = 0;
    }
    for (unsigned i = 0; i < domain->specials; i++)
        domain->special[i] = fpgz_prans_range_bits(r, WORD_BITS, domain->special[i]);
    if (domain->id == PRANS_DOMAIN_FLOAT || domain->id == PRANS_DOMAIN_SPLIT) {
        domain->shift = (unsigned)fpgz_prans_range_bits(r, 6, domain->shift);
        if (domain->shift > MANTISSA_BITS - 1) {
            r->failed = true;
            domain->shift = 0;
        }
    }
    if (domain->id == PRANS_DOMAIN_SLAB)
        code_slabs(r, count, room, domain);
    if (domain->id == PRANS_DOMAIN_LATTICE)
        code_lattice(r, domain);
    if (domain->id == PRANS_DOMAIN_LATTICE || domain->id == PRANS_DOMAIN_SLAB)
        code_exceptions(r, count, room, domain);
    if (domain->id == PRANS_DOMAIN_RANK)
        code_rank(r, count, room, domain);
}

#endif
