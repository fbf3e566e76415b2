/* SPDX-License-Identifier: MIT
 * Special values: found in a sample, marked. For width templates. */
#ifndef FPGZ_CODEC_PRANS_DOMAIN_SPECIALS_H
#define FPGZ_CODEC_PRANS_DOMAIN_SPECIALS_H

#include <string.h>

#include "codec/prans/domain/domain.h"
#include "codec/sample.h"
#include "codec/width.h"

/* Shares of the sampled values, as one of so many: of a pattern that may be special, and of one that always
 * is.
 */
enum { SPECIAL_PART = 64, FREQUENT_PART = 8 };
/* A pattern comes in runs if of FOLLOWED times that it stands, it stands behind itself more than RUN times.
 */
enum { RUN = 3, FOLLOWED = 5 };

/* Whether a word is no number, or stands for the want of one. Each template has its own. */
INLINE bool is_absent(const struct prans_domain *domain, WORD bits);

/* A pattern of a sample with how often it stood there, and behind itself. */
struct pattern {
    WORD bits;
    uint32_t times, again;
};

/* A frequent pattern is special if it is no number, a number for want of one, or comes in runs. */
static bool is_special(const struct prans_domain *domain, const struct pattern *p, size_t sampled)
{
    return p->times > sampled / SPECIAL_PART &&
           (is_absent(domain, p->bits) || FOLLOWED * (uint64_t)p->again > RUN * (uint64_t)p->times ||
            p->times > sampled / FREQUENT_PART);
}

static void find_specials(const void *values, size_t count, struct prans_domain *domain)
{
    enum { SLOTS = 1024, SAMPLES = PRANS_SPECIAL_SAMPLES, AHEAD = 16 /* for which memory is asked */ };
    const WORD *const word = values;
    struct pattern slot[SLOTS] = {{0}};
    const size_t samples = count < SAMPLES ? count : SAMPLES;
    domain->specials = 0;
    for (size_t i = 0; i < samples; i++) {
        const size_t at = fpgz_sample_place((uint32_t)i, samples, count);
        __builtin_prefetch(&word[fpgz_sample_place((uint32_t)(i + AHEAD), samples, count + AHEAD)]);
        struct pattern *p = &slot[(uint64_t)word[at] * UINT64_C(0x9E3779B97F4A7C15) >> 54];
        if (p->bits != word[at] && p->times) { /* the more frequent one keeps the slot */
            p->times--;
            continue;
        }
        if (p->bits != word[at])
            *p = (struct pattern){word[at], 0, 0};
        p->times++;
        p->again += at && word[at - 1] == word[at];
    }
    for (; domain->specials < PRANS_SPECIALS; domain->specials++) {
        struct pattern *best = NULL;
        for (unsigned i = 0; i < SLOTS; i++)
            if (is_special(domain, &slot[i], samples) && (!best || slot[i].times > best->times))
                best = &slot[i];
        if (!best)
            break;
        domain->special[domain->specials] = best->bits;
        best->times = 0;
    }
}

static void mark_specials(const void *values, size_t count, const struct prans_domain *domain, uint8_t *flag)
{
    const WORD *const word = values;
    WORD special[PRANS_SPECIALS];
    uint8_t number[PRANS_SPECIALS]; /* 0 of those that there are not */
    for (unsigned s = 0; s < PRANS_SPECIALS; s++) {
        special[s] = (WORD)domain->special[s];
        number[s] = s < domain->specials ? (uint8_t)(s + 1) : 0;
    }
    if (!domain->specials)
        memset(flag, 0, count);
    else if (domain->specials == 1)
        for (size_t i = 0; i < count; i++)
            flag[i] = word[i] == special[0];
    else
        for (size_t i = 0; i < count; i++) {
            uint8_t found = 0;
            for (unsigned s = 0; s < PRANS_SPECIALS; s++)
                found |= word[i] == special[s] ? number[s] : 0;
            flag[i] = found;
        }
}

#endif
