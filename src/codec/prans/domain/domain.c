/* SPDX-License-Identifier: MIT
 * What the value domains of all dtypes have in common. */
#include "codec/prans/domain/domain.h"

void fpgz_prans_put_exceptions(const struct prans_domain *domain, bool is_f64, size_t first, size_t count,
                               void *values)
{
    for (size_t i = 0; i < domain->exceptions; i++) {
        const size_t at = domain->exception[i] - first;
        if (at >= count) /* those before `first` wrap */
            continue;
        if (is_f64)
            ((uint64_t *)values)[at] = ((const uint64_t *)domain->exact)[i];
        else
            ((uint32_t *)values)[at] = ((const uint32_t *)domain->exact)[i];
    }
}

void fpgz_prans_domain_traits(const struct prans_domain *domain, struct fpgz_traits *traits)
{
    static const char *const names[] = {
        [PRANS_DOMAIN_FLOAT] = "float", [PRANS_DOMAIN_LATTICE] = "lattice",
        [PRANS_DOMAIN_RANK] = "rank",   [PRANS_DOMAIN_SLAB] = "slab",
        [PRANS_DOMAIN_SPLIT] = "split", [PRANS_DOMAIN_INTEGER] = "integer",
    };
    traits->domain = names[domain->id];
    traits->specials = domain->specials;
}
