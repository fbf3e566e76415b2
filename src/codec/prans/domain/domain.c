/* SPDX-License-Identifier: MIT
 * The value domains of both dtypes, and what does not depend on the dtype. */
#include "codec/prans/domain/domain.h"

#include <stdlib.h>
#include <string.h>

#include "codec/sample.h"
#include "core/bytes.h"

#define INLINE static inline

#define REAL float
#define WORD uint32_t
#define SIGNED int32_t
#define MANTISSA 23
#define EXPONENT_MAX 0xFF
#define NAME(name) name##_f32
#include "codec/prans/domain/restore_tmpl.h"

#include "codec/prans/domain/domain_tmpl.h"
#undef REAL
#undef WORD
#undef SIGNED
#undef MANTISSA
#undef EXPONENT_MAX
#undef NAME

#define REAL double
#define WORD uint64_t
#define SIGNED int64_t
#define MANTISSA 52
#define EXPONENT_MAX 0x7FF
#define NAME(name) name##_f64
#include "codec/prans/domain/restore_tmpl.h"

#include "codec/prans/domain/domain_tmpl.h"

#define KERNELS(dtype)                                                                                       \
    {                                                                                                        \
        specials_##dtype, flags_##dtype,                                                                     \
            {enter_float_##dtype, enter_lattice_##dtype, enter_rank_##dtype, enter_slab_##dtype},            \
            reals_##dtype, leave_##dtype, description_##dtype, code_##dtype                                  \
    }
const struct prans_domain_kernels fpgz_prans_domains[2] = {KERNELS(f32), KERNELS(f64)};

void fpgz_prans_enter_split(struct prans_domain *domain, bool is_f64, unsigned shift, const void *values,
                            size_t count, void *y)
{
    domain->id = PRANS_DOMAIN_SPLIT;
    domain->shift = shift;
    if (is_f64)
        shift_places_f64(values, count, shift, y);
    else
        shift_places_f32(values, count, shift, y);
}

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
        [PRANS_DOMAIN_FLOAT] = "float", [PRANS_DOMAIN_LATTICE] = "lattice", [PRANS_DOMAIN_RANK] = "rank",
        [PRANS_DOMAIN_SLAB] = "slab",   [PRANS_DOMAIN_SPLIT] = "split",
    };
    traits->domain = names[domain->id];
    traits->specials = domain->specials;
}
