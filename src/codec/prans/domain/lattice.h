/* SPDX-License-Identifier: MIT
 * The lattice domain: integers times a step, divided by a power of ten or two. For width templates. */
#ifndef FPGZ_CODEC_PRANS_DOMAIN_LATTICE_H
#define FPGZ_CODEC_PRANS_DOMAIN_LATTICE_H

#include <string.h>

#include "codec/prans/domain/domain.h"
#include "codec/prans/domain/real.h"
#include "codec/sample.h"
#include "core/bytes.h"

#define INTEGERS (WORD_BITS == 32 ? (double)(1 << 24) : 0x1p51) /* that all are exact, and their sums */

/* The integer of a value; it is one of the lattice where the value comes back. */
static inline bool to_lattice(FLOAT real, double scale, int64_t *integer)
{
    const double product = (double)real * scale, magic = 0x1.8p52;
    if (!(product > -INTEGERS && product < INTEGERS))
        return false;
    const double rounded = (product + magic) - magic;
    *integer = (int64_t)rounded;
    return bits_of((FLOAT)(rounded / scale)) == bits_of(real);
}

/* The smallest scale that fits a sample but for its exceptions; false when none does. */
static bool find_scale(const FLOAT *real, const uint8_t *flag, size_t count, unsigned *found)
{
    enum { SAMPLES = 2048, SCALES = PRANS_DECIMALS + 32 + 64 };
    const size_t samples = count < SAMPLES ? count : SAMPLES;
    for (unsigned scale = 0; scale < SCALES; scale++) {
        if (scale == (sizeof(WORD) == 4 ? 8 : PRANS_DECIMALS))
            scale = PRANS_DECIMALS;
        const double power = fpgz_prans_scale_of(scale);
        size_t misfits = 0, looked_at = 0;
        for (size_t i = 0; i < samples && misfits * PRANS_EXCEPTION_PART <= samples; i++) {
            const size_t at = fpgz_sample_place((uint32_t)i, samples, count);
            int64_t integer;
            looked_at += !flag[at];
            misfits += !flag[at] && !to_lattice(real[at], power, &integer);
        }
        if (looked_at && misfits * PRANS_EXCEPTION_PART <= looked_at) {
            *found = scale;
            return true;
        }
    }
    return false;
}

static bool enter_lattice(const void *values, const uint8_t *flag, size_t count,
                          const struct prans_domain_room *room, struct prans_domain *domain, void *y)
{
    const FLOAT *const real = values;
    SIGNED *const integer = y;
    domain->id = PRANS_DOMAIN_LATTICE;
    domain->exceptions = 0;
    domain->exception = room->exception;
    domain->exact = room->exact;
    if (!find_scale(real, flag, count, &domain->scale))
        return false;
    const double power = fpgz_prans_scale_of(domain->scale);
    int64_t least = INT64_MAX, first = 0;
    uint64_t step = 0;
    for (size_t i = 0; i < count; i++) {
        int64_t k = 0;
        if (!flag[i] && to_lattice(real[i], power, &k)) {
            first = least == INT64_MAX ? k : first;
            least = k < least ? k : least;
            if (step != 1)
                step = fpgz_common_divisor(step, (uint64_t)(k < first ? first - k : k - first));
        } else if (!flag[i]) {
            if ((domain->exceptions + 1) * PRANS_EXCEPTION_PART > count)
                return false;
            domain->exception[domain->exceptions] = (uint32_t)i;
            ((WORD *)domain->exact)[domain->exceptions++] = bits_of(real[i]);
        }
        integer[i] = (SIGNED)k;
    }
    if (least == INT64_MAX)
        return false;
    /* Integers keep their zero, so that what is about zero stays so; their origin is what the step leaves. */
    domain->step = step ? step : 1;
    domain->origin = least % (int64_t)domain->step;
    if (domain->origin < 0)
        domain->origin += (int64_t)domain->step;
    if (domain->step > 1)
        for (size_t i = 0; i < count; i++)
            integer[i] = (SIGNED)(((int64_t)integer[i] - domain->origin) / (int64_t)domain->step);
    for (size_t i = 0; i < domain->exceptions; i++) {
        const size_t at = domain->exception[i];
        integer[at] = at ? integer[at - 1] : 0;
    }
    return true;
}

#endif
