/* SPDX-License-Identifier: MIT
 * What descriptions of all domains begin with. */
#ifndef FPGZ_CODEC_PRANS_DOMAIN_FRONT_H
#define FPGZ_CODEC_PRANS_DOMAIN_FRONT_H

#include "codec/prans/domain/domain.h"

/* Writes or reads the domain's number, which the caller checks, and its special values of `bits` bits. */
static inline void code_front(struct prans_range *r, unsigned bits, struct prans_domain *domain)
{
    domain->id = (enum prans_domain_id)fpgz_prans_range_bits(r, 3, domain->id);
    domain->specials = (unsigned)fpgz_prans_range_bits(r, 3, domain->specials);
    if (domain->specials > PRANS_SPECIALS) {
        r->failed = true;
        domain->specials = 0;
    }
    for (unsigned i = 0; i < domain->specials; i++)
        domain->special[i] = fpgz_prans_range_bits(r, bits, domain->special[i]);
}

/* Writes or reads how many of a float's lowest bits are always 0: less than `most`. */
static inline void code_shift(struct prans_range *r, unsigned most, struct prans_domain *domain)
{
    domain->shift = (unsigned)fpgz_prans_range_bits(r, 6, domain->shift);
    if (domain->shift >= most) {
        r->failed = true;
        domain->shift = 0;
    }
}

#endif
