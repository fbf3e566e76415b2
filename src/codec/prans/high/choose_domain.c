/* SPDX-License-Identifier: MIT
 * The choice of a value domain: what the values would take in each, estimated from a sample of tiles. */
#include "codec/prans/high/choose_domain.h"

#include <string.h>

#include "codec/prans/domain/low_bits.h"
#include "codec/prans/high/match.h"
#include "codec/prans/high/stream.h"

/* Special values are for predictions what stands at their point before. */
static void carry(struct prans_work *w, unsigned band, size_t size)
{
    const struct prans_field *const field = &w->field;
    const ptrdiff_t x = (ptrdiff_t)field->model.axes.phases;
    uint8_t *const real = field->real[band], *const y = (uint8_t *)w->y + field->first[band] * size;
    const uint64_t zero =
        field->model.kind != PRANS_FLOAT ? 0 : (uint64_t)1 << (8 * size - 1) >> field->model.shift;
    const size_t count = field->first[band + 1] - field->first[band];
    for (ptrdiff_t i = 0; i < (ptrdiff_t)count; i++) {
        if (!field->special[band][i])
            continue;
        memcpy(real + i * (ptrdiff_t)size, real + (i - x) * (ptrdiff_t)size, size);
        memcpy(y + i * (ptrdiff_t)size, i < x ? (const uint8_t *)&zero : y + (i - x) * (ptrdiff_t)size, size);
    }
}

bool fpgz_prans_enter_domain(struct prans_work *w, const struct prans_domain_kernels *k,
                             enum prans_domain_id id, const void *values, size_t count, size_t size)
{
    if (id == PRANS_DOMAIN_SPLIT)
        k->enter_split(values, count, w->domain.shift, &w->domain, w->y);
    else if (!k->enter[id](values, w->flag, count, &w->room, &w->domain, w->y))
        return false;
    fpgz_prans_set_kind(w);
    for (unsigned b = 0; b < w->field.bands; b++) {
        const size_t first = w->field.first[b];
        k->reals(&w->domain, first, (const uint8_t *)values + first * size,
                 (const uint8_t *)w->y + first * size, w->field.first[b + 1] - first, w->field.real[b]);
        if (w->domain.specials)
            carry(w, b, size);
    }
    return true;
}

/* The number of low bits that are worth a split, if that beats `least` bits well; else 0. */
static unsigned choose_split(struct prans_work *w, const struct prans_domain_kernels *k, const void *values,
                             size_t count, size_t size, uint64_t least)
{
    enum {
        SURVEY_PART = 16, /* surveys tell too little by about such a part, the cost of low bits does not */
        GAIN_PART = 64,   /* what a split must save, as such a part of all */
    };
    static const uint8_t shifts[2][5] = {{10, 14, 18}, {24, 32, 36, 40, 44}};
    const bool is_f64 = w->field.is_f64;
    unsigned best = 0;
    least += least / SURVEY_PART;
    least -= least / GAIN_PART;
    for (unsigned i = 0; i < 5 && shifts[is_f64][i]; i++) {
        const uint64_t low = fpgz_prans_low_bits_cost(values, is_f64, shifts[is_f64][i], count, w->flag,
                                                      least, w->encoding->matcher->last[0]);
        if (low >= least)
            continue;
        w->domain.shift = shifts[is_f64][i];
        fpgz_prans_enter_domain(w, k, PRANS_DOMAIN_SPLIT, values, count, size);
        const uint64_t high = fpgz_prans_survey(&w->field, w->y), bits = high + high / SURVEY_PART + low;
        if (bits < least) {
            least = bits;
            best = w->domain.shift;
        }
    }
    return best;
}

void fpgz_prans_choose_domain(struct prans_work *w, const struct prans_domain_kernels *k, const void *values,
                              size_t count, size_t size)
{
    static const enum prans_domain_id ids[PRANS_DOMAINS] = {PRANS_DOMAIN_LATTICE, PRANS_DOMAIN_RANK,
                                                            PRANS_DOMAIN_SLAB, PRANS_DOMAIN_FLOAT};
    /* Besides a lattice of all values, if it is that short, ranks: nothing else is shorter. */
    enum { BESIDE_EXACT = 2, SHORT_PART = 4 };
    unsigned tried = PRANS_DOMAINS;
    uint64_t least = UINT64_MAX;
    enum prans_domain_id best = PRANS_DOMAIN_FLOAT;
    for (unsigned i = 0; i < tried; i++) {
        if (!fpgz_prans_enter_domain(w, k, ids[i], values, count, size))
            continue;
        const uint64_t bits = fpgz_prans_survey(&w->field, w->y) + k->description(&w->domain);
        if (ids[i] == PRANS_DOMAIN_LATTICE && !w->domain.exceptions && bits < 8 * count * size / SHORT_PART)
            tried = BESIDE_EXACT;
        if (bits < least) {
            least = bits;
            best = ids[i];
        }
    }
    const bool apart = best == PRANS_DOMAIN_FLOAT || best == PRANS_DOMAIN_RANK;
    const unsigned split = apart ? choose_split(w, k, values, count, size, least) : 0;
    if (split) {
        best = PRANS_DOMAIN_SPLIT;
        w->domain.shift = split;
    }
    if (best != w->domain.id || split)
        fpgz_prans_enter_domain(w, k, best, values, count, size);
}
