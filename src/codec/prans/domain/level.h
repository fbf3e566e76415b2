/* SPDX-License-Identifier: MIT
 * The value domains for words of one width: what they share, and float, whose integers are places among all
 * numbers. For width templates. */
#ifndef FPGZ_CODEC_PRANS_DOMAIN_LEVEL_H
#define FPGZ_CODEC_PRANS_DOMAIN_LEVEL_H

#include "codec/prans/domain/crowd.h"
#include "codec/prans/domain/decimal.h"
#include "codec/prans/domain/description.h"
#include "codec/prans/domain/rank.h"
#include "codec/prans/domain/specials.h"

/* Numbers above stand for the want of one: fill values are 1e20, 9.96921e36 and the like. */
#define FILL_LEAST ((FLOAT)1e9)

INLINE bool is_absent(const struct prans_domain *domain, WORD bits)
{
    const FLOAT real = real_of(bits);
    (void)domain;
    return real - real != 0 || real > FILL_LEAST || real < -FILL_LEAST;
}

static void shift_places(const WORD *word, size_t count, unsigned shift, WORD *integer)
{
    for (size_t i = 0; i < count; i++)
        integer[i] = place_of(word[i]) >> shift;
}

/* Takes the shift that the domain has for the right one, and if it is not begins anew. */
static bool enter_float(const void *values, const uint8_t *flag, size_t count,
                        const struct prans_domain_room *room, struct prans_domain *domain, void *y)
{
    const WORD *const word = values;
    WORD *restrict const integer = y;
    WORD all = 0;
    const unsigned shift = domain->shift;
    (void)room;
    domain->id = PRANS_DOMAIN_FLOAT;
    for (size_t i = 0; i < count; i++) {
        all |= flag[i] ? 0 : word[i];
        integer[i] = place_of(word[i]) >> shift;
    }
    domain->shift = all ? (unsigned)__builtin_ctzll(all) : 0;
    if (domain->shift > MANTISSA_BITS - 1)
        domain->shift = MANTISSA_BITS - 1;
    if (domain->shift != shift)
        shift_places(word, count, domain->shift, y);
    return true;
}

static bool enter_rank(const void *values, const uint8_t *flag, size_t count,
                       const struct prans_domain_room *room, struct prans_domain *domain, void *y)
{
    if (!find_distinct(values, flag, count, room, domain))
        return false;
    find_ranks(values, flag, count, room, domain, y);
    return true;
}

static void enter_split(const void *values, size_t count, unsigned shift, struct prans_domain *domain,
                        void *y)
{
    domain->id = PRANS_DOMAIN_SPLIT;
    domain->shift = shift;
    shift_places(values, count, shift, y);
}

static void reals_of(const struct prans_domain *domain, size_t first, const void *values, const void *y,
                     size_t count, void *real)
{
    if (domain->id == PRANS_DOMAIN_FLOAT)
        memcpy(real, values, count * sizeof(FLOAT));
    else if (domain->id == PRANS_DOMAIN_SPLIT)
        for (size_t i = 0; i < count; i++)
            ((WORD *)real)[i] = ((const WORD *)values)[i] >> domain->shift << domain->shift;
    else if (domain->id == PRANS_DOMAIN_SLAB)
        values_of(domain, first, count, memcpy(real, y, count * sizeof(WORD)));
    else
        for (size_t i = 0; i < count; i++)
            ((FLOAT *)real)[i] = (FLOAT)((const SIGNED *)y)[i];
}

/* An integer again, whatever stands there. */
static inline int64_t integer_of(FLOAT real)
{
    return real > (FLOAT)-0x1p52 && real < (FLOAT)0x1p52 ? (int64_t)real : 0;
}

static void leave(const struct prans_domain *domain, const void *real, const uint8_t *flag, size_t count,
                  void *values)
{
    WORD *const out = values;
    const FLOAT *const in = real;
    if (domain->id == PRANS_DOMAIN_FLOAT || domain->id == PRANS_DOMAIN_SLAB ||
        domain->id == PRANS_DOMAIN_SPLIT) {
        memcpy(values, real, count * sizeof(WORD));
    } else if (domain->id == PRANS_DOMAIN_LATTICE) {
        const double power = fpgz_prans_scale_of(domain->scale);
        for (size_t i = 0; i < count; i++) {
            const uint64_t k = (uint64_t)domain->origin + domain->step * (uint64_t)integer_of(in[i]);
            out[i] = bits_of((FLOAT)((double)(int64_t)k / power));
        }
    } else {
        const WORD *const dictionary = domain->dictionary, last = (WORD)(domain->distinct - 1);
        for (size_t i = 0; i < count; i++)
            out[i] = of_rank((WORD)integer_of(in[i]), dictionary, last);
    }
    for (size_t i = 0; i < count && domain->specials; i++)
        out[i] = flag[i] ? (WORD)domain->special[flag[i] - 1] : out[i];
}

#define PRANS_DOMAIN_KERNELS                                                                                 \
    {                                                                                                        \
        .specials = find_specials, .flags = mark_specials,                                                   \
        .enter = {enter_float, enter_lattice, enter_rank, enter_slab, enter_decimal}, .scale = find_scale,   \
        .repeats = repeats, .distinct = find_distinct, .followed = count_followed, .widen = widen_distinct,  \
        .narrow = narrow_distinct, .ranks = find_ranks, .enter_split = enter_split, .reals = reals_of,       \
        .leave = leave, .description = description_cost, .code = code_domain,                                \
    }

#endif
