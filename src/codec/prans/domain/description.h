/* SPDX-License-Identifier: MIT
 * What streams say of a domain, written and read. For width templates. */
#ifndef FPGZ_CODEC_PRANS_DOMAIN_DESCRIPTION_H
#define FPGZ_CODEC_PRANS_DOMAIN_DESCRIPTION_H

#include "codec/prans/domain/front.h"
#include "codec/prans/domain/rank.h"
#include "codec/prans/domain/restore.h"
#include "codec/prans/domain/slab.h"

static uint64_t description_cost(const struct prans_domain *domain)
{
    uint64_t bits = 0;
    if (fpgz_prans_has_exceptions(domain->id))
        bits = domain->exceptions * (WORD_BITS + 5);
    if (domain->id == PRANS_DOMAIN_SLAB)
        bits += domain->slabs * (WORD_BITS + 3);
    if (domain->id == PRANS_DOMAIN_RANK)
        bits = rank_cost(domain);
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

static void code_decimals(struct prans_range *r, struct prans_domain *domain)
{
    domain->digits = (unsigned)fpgz_prans_range_bits(r, 4, domain->digits);
    domain->decade =
        (int)fpgz_prans_range_bits(r, 7, (uint64_t)(domain->decade + PRANS_POWERS)) - PRANS_POWERS;
    if (!domain->digits || domain->digits > DIGITS_MOST || domain->decade == -PRANS_POWERS) {
        r->failed = true;
        domain->digits = 1;
        domain->decade = 0;
    }
}

static void code_domain(struct prans_range *r, size_t count, const struct prans_domain_room *room,
                        struct prans_domain *domain)
{
    const bool nearest = domain->id == PRANS_DOMAIN_DECIMAL && domain->nearest;
    domain->id = nearest ? PRANS_DOMAIN_NEAREST : domain->id;
    code_front(r, WORD_BITS, domain);
    domain->nearest = domain->id == PRANS_DOMAIN_NEAREST && WORD_BITS == 64;
    domain->id = domain->nearest ? PRANS_DOMAIN_DECIMAL : domain->id;
    if (domain->id > PRANS_DOMAIN_SPLIT && domain->id != PRANS_DOMAIN_DECIMAL) {
        r->failed = true;
        return;
    }
    if (domain->id == PRANS_DOMAIN_FLOAT || domain->id == PRANS_DOMAIN_SPLIT)
        code_shift(r, MANTISSA_BITS, domain);
    if (domain->id == PRANS_DOMAIN_SLAB)
        code_slabs(r, count, room, domain);
    if (domain->id == PRANS_DOMAIN_LATTICE)
        code_lattice(r, domain);
    if (domain->id == PRANS_DOMAIN_DECIMAL)
        code_decimals(r, domain);
    if (fpgz_prans_has_exceptions(domain->id))
        code_exceptions(r, count, room, domain);
    if (domain->id == PRANS_DOMAIN_RANK)
        code_rank(r, count, room, domain);
}

#endif
