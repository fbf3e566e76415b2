/* SPDX-License-Identifier: MIT
 * The description of a stream of bins, written and read, and what its symbols stand for. */
#include <string.h>

#include "codec/prans/bins/work.h"

static void code_grid(struct prans_range *r, unsigned bits, struct bins_grid *grid)
{
    grid->equal = fpgz_prans_range_bits(r, 1, grid->equal);
    if (!grid->equal)
        return;
    grid->shift = (unsigned)fpgz_prans_range_bits(r, 6, grid->shift);
    grid->first = fpgz_prans_range_bits(r, bits, grid->first);
    grid->count = 1 + (uint32_t)fpgz_prans_range_bits(r, 16, grid->count - 1);
    r->failed |= grid->shift >= bits || (grid->count - 1) > UINT64_MAX >> (64 - bits) >> (grid->shift & 63);
}

/* Each bin as the classes that it leaves out behind the one before, and those that it has besides one. */
static void code_bins(struct prans_range *r, unsigned bits, struct bins_description *d)
{
    uint16_t gaps[PRANS_NUMBER_CHANCES], lengths[PRANS_NUMBER_CHANCES];
    const size_t classes = fpgz_prans_bins_classes(&d->grid, bits);
    fpgz_prans_chances(gaps, PRANS_NUMBER_CHANCES);
    fpgz_prans_chances(lengths, PRANS_NUMBER_CHANCES);
    d->bins = (unsigned)fpgz_prans_range_bits(r, 8, d->bins);
    uint64_t at = 0;
    for (unsigned b = 0; b < d->bins && !r->failed; b++) {
        const uint64_t gap = fpgz_prans_range_number(r, gaps, d->bin[b].first - at);
        const uint64_t more = fpgz_prans_range_number(r, lengths, d->bin[b].end - d->bin[b].first - 1);
        if (gap >= classes - at || more >= classes - at - gap) {
            r->failed = true;
            return;
        }
        d->bin[b].first = (uint32_t)(at + gap);
        at += gap + more + 1;
        d->bin[b].end = (uint32_t)at;
    }
}

void fpgz_prans_bins_code_description(struct prans_range *r, struct bins_work *w)
{
    struct bins_description *const d = &w->description;
    w->domains->code(r, w->layout.values, &w->room, &d->domain);
    r->failed |= d->domain.id == PRANS_DOMAIN_SPLIT;
    d->mode.joined = fpgz_prans_range_bits(r, 1, d->mode.joined);
    if (d->mode.joined)
        w->layout = fpgz_prans_middle_joined(&w->layout);
    d->mode.axes = (unsigned)fpgz_prans_range_bits(r, MIDDLE_AXES, d->mode.axes);
    d->mode.order = (unsigned)fpgz_prans_range_bits(r, 3, d->mode.order);
    r->failed |= d->mode.axes >> w->layout.axes || d->mode.order >= BINS_ORDERS;
    code_grid(r, w->bits, &d->grid);
    if (r->failed)
        return;
    code_bins(r, w->bits, d);
    d->heavies = (unsigned)fpgz_prans_range_bits(r, 6, d->heavies);
    if (d->heavies > BINS_HEAVY || bins_special(d) + d->domain.specials > BINS_LIMIT || r->failed) {
        r->failed = true;
        return;
    }
    for (unsigned h = 0; h < d->heavies; h++)
        d->heavy[h] = fpgz_prans_range_bits(r, w->bits, d->heavy[h]);
    d->tables = 1 + (unsigned)fpgz_prans_range_bits(r, 4, d->tables - 1);
    fpgz_prans_code_frequencies(r, d->frequency, d->tables);
    for (unsigned t = 0; t < d->tables; t++)
        for (unsigned s = bins_special(d) + d->domain.specials; s < PRANS_SYMBOLS; s++)
            r->failed |= d->frequency[t][s];
}

void fpgz_prans_bins_symbols(struct bins_work *w)
{
    const struct bins_description *const d = &w->description;
    memset(&w->symbols, 0, sizeof w->symbols);
    w->symbols.count = bins_special(d) + d->domain.specials;
    for (unsigned b = 0; b < d->bins; b++) {
        w->symbols.low[b] = fpgz_prans_bins_begin(&d->grid, w->bits, d->bin[b].first);
        w->symbols.width[b] =
            (uint8_t)fpgz_prans_bins_width(&d->grid, w->bits, d->bin[b].first, d->bin[b].end);
    }
    for (unsigned h = 0; h < d->heavies; h++)
        w->symbols.low[d->bins + h] = d->heavy[h];
}

int64_t fpgz_prans_bins_zero(const struct bins_work *w, const struct bins_grid *grid,
                             const struct prans_domain *domain, const struct middle_mode *mode)
{
    const uint64_t half = (uint64_t)1 << (w->bits - 1);
    if (!grid->equal)
        return (int64_t)fpgz_prans_bins_classes(grid, w->bits) / 2;
    if (mode->axes || mode->order)
        return grid->count / 2;
    const int64_t zero = (int64_t)((half >> domain->shift) - grid->first) >> grid->shift;
    if (domain->id != PRANS_DOMAIN_FLOAT || zero < 0)
        return 0;
    return zero < grid->count ? zero : grid->count - 1;
}
