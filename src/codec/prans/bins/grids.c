/* SPDX-License-Identifier: MIT
 * Which classes words have, and what bins of these cost. */
#include "codec/prans/bins/estimate.h"

uint64_t fpgz_prans_bins_bias(const struct bins_work *w, const struct prans_domain *domain)
{
    const bool is_signed = domain->id == PRANS_DOMAIN_LATTICE || domain->id == PRANS_DOMAIN_SLAB ||
                           domain->id == PRANS_DOMAIN_DECIMAL ||
                           (domain->id == PRANS_DOMAIN_INTEGER && domain->number == PRANS_SIGNED);
    return is_signed ? (uint64_t)1 << (w->bits - 1) : 0;
}

struct bins_grid fpgz_prans_bins_equal_grid(uint64_t bias, uint64_t low, uint64_t high, uint64_t most)
{
    struct bins_grid grid = {.equal = true};
    while ((high >> grid.shift) - (low >> grid.shift) >= most)
        grid.shift++;
    /* Classes begin where exponents of floats do. */
    grid.count = (uint32_t)((high >> grid.shift) - (low >> grid.shift)) + 1;
    grid.first = (low >> grid.shift << grid.shift) ^ bias;
    return grid;
}

struct bins_grid fpgz_prans_bins_direct_grid(const struct bins_work *w, const struct prans_domain *domain,
                                             const uint8_t *y, const uint8_t *flag, size_t count,
                                             uint64_t most)
{
    const uint64_t bias = fpgz_prans_bins_bias(w, domain);
    uint64_t low, high;
    if (!w->kernels->range(y, flag, count, bias, &low, &high))
        return (struct bins_grid){true, 0, 1, 0};
    return fpgz_prans_bins_equal_grid(bias, low, high, most);
}

/* All those of bytes have their own. */
struct bins_grid fpgz_prans_bins_residual_grid(const struct bins_work *w)
{
    return (struct bins_grid){w->bits == 8, 0, 256, 0x80};
}

/* Of a bin's price each table has a part: it also loses by rare symbols. */
unsigned fpgz_prans_bins_price(const struct bins_work *w)
{
    return 8 + 12 * fpgz_prans_middle_table_count(w->layout.blocks);
}

void fpgz_prans_bins_relearn(struct bins_work *w)
{
    struct bins_description *const d = &w->description;
    fpgz_prans_bins_learn(&d->grid, w->bits, w->histogram, fpgz_prans_bins_price(w), w->learning, d->bin,
                          &d->bins);
}
