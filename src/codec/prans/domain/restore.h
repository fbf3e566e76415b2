/* SPDX-License-Identifier: MIT
 * From integers to values. For width templates. */
#ifndef FPGZ_CODEC_PRANS_DOMAIN_RESTORE_H
#define FPGZ_CODEC_PRANS_DOMAIN_RESTORE_H

#include "codec/prans/domain/domain.h"
#include "codec/prans/domain/real.h"
#include "core/bytes.h"

/* What a lattice's integer is before it is scaled. */
INLINE double numerator_of(WORD integer, uint64_t origin, uint64_t step)
{
    return (double)(int64_t)(origin + step * (uint64_t)(int64_t)(SIGNED)integer);
}

/* A rank that is none is the largest. */
INLINE WORD of_rank(WORD rank, const WORD *dictionary, WORD last)
{
    return word_of_place(dictionary[rank < last ? rank : last]);
}

INLINE WORD of_slab(WORD integer, const struct prans_lattice *lattice)
{
    return bits_of((FLOAT)(lattice->origin + (double)(SIGNED)integer * lattice->step));
}

/* Makes `count` integers values, in place. The first one is number `first` of the domain's. */
static void values_of(const struct prans_domain *domain, size_t first, size_t count, void *integers)
{
    WORD *const y = integers;
    if (domain->id == PRANS_DOMAIN_FLOAT) {
        const unsigned shift = domain->shift;
        const WORD mask = (WORD)(~(WORD)0 << shift);
        for (size_t i = 0; i < count; i++)
            y[i] = word_of_place((WORD)(y[i] << shift)) & mask;
    } else if (domain->id == PRANS_DOMAIN_LATTICE) {
        const double scale = fpgz_prans_scale_of(domain->scale), inverse = 1 / scale;
        const uint64_t origin = (uint64_t)domain->origin, step = domain->step;
        if (!domain->scale || domain->scale >= PRANS_DECIMALS) /* a power of two, so that this is exact */
            for (size_t i = 0; i < count; i++)
                y[i] = bits_of((FLOAT)(numerator_of(y[i], origin, step) * inverse));
        else
            for (size_t i = 0; i < count; i++)
                y[i] = bits_of((FLOAT)(numerator_of(y[i], origin, step) / scale));
    } else if (domain->id == PRANS_DOMAIN_SLAB) {
        for (size_t i = 0; i < count;) {
            const size_t slab = (first + i) / domain->slab,
                         end = fpgz_min(count, (slab + 1) * domain->slab - first);
            const struct prans_lattice lattice = domain->lattice[slab];
            for (; i < end; i++)
                y[i] = of_slab(y[i], &lattice);
        }
    } else {
        const WORD *const dictionary = domain->dictionary, last = (WORD)(domain->distinct - 1);
        for (size_t i = 0; i < count; i++)
            y[i] = dictionary[y[i] < last ? y[i] : last];
        for (size_t i = 0; i < count; i++) /* by vectors, unlike what the dictionary has */
            y[i] = word_of_place(y[i]);
    }
}

#endif
