/* SPDX-License-Identifier: MIT
 * What the value domains of all dtypes have in common. */
#include "codec/prans/domain/domain.h"

#include "codec/prans/domain/power_pairs.h"

const double fpgz_prans_powers[PRANS_POWERS] = PRANS_POWERS_OF_TEN;
const double fpgz_prans_power_pairs[2 * PRANS_POWERS - 1][2] = PRANS_POWER_PAIRS;

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

uint64_t fpgz_prans_set_integers(struct prans_domain *domain, unsigned bits, uint64_t least, uint64_t step)
{
    const uint64_t sign = (uint64_t)1 << (bits - 1), all = UINT64_MAX >> (64 - bits);
    const bool is_signed = domain->number == PRANS_SIGNED, is_usual = step && !(step >> 62);
    const uint64_t first = is_signed ? least ^ sign : least,
                   below = is_signed && least < sign && is_usual ? ((0 - first) & all) / step : 0;
    domain->id = PRANS_DOMAIN_INTEGER;
    domain->step = is_usual ? step : 1;
    domain->origin = (int64_t)((first + below * step) & all);
    return below;
}

void fpgz_prans_domain_traits(const struct prans_domain *domain, struct fpgz_traits *traits)
{
    static const char *const names[] = {
        [PRANS_DOMAIN_FLOAT] = "float",     [PRANS_DOMAIN_LATTICE] = "lattice",
        [PRANS_DOMAIN_RANK] = "rank",       [PRANS_DOMAIN_SLAB] = "slab",
        [PRANS_DOMAIN_SPLIT] = "split",     [PRANS_DOMAIN_INTEGER] = "integer",
        [PRANS_DOMAIN_DECIMAL] = "decimal",
    };
    traits->domain = names[domain->id];
    traits->specials = domain->specials;
}
