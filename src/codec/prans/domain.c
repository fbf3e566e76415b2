/* SPDX-License-Identifier: MIT */
#include "codec/prans/domain.h"

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
#include "codec/prans/domain_restore_tmpl.h"
#include "codec/prans/domain_tmpl.h"
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
#include "codec/prans/domain_restore_tmpl.h"
#include "codec/prans/domain_tmpl.h"

#define KERNELS(dtype)                                                                                       \
    {                                                                                                        \
        specials_##dtype, flags_##dtype,                                                                     \
            {enter_float_##dtype, enter_lattice_##dtype, enter_rank_##dtype, enter_slab_##dtype},            \
            reals_##dtype, leave_##dtype, description_##dtype, code_##dtype                                  \
    }
const struct prans_domain_kernels fpgz_prans_domains[2] = {KERNELS(f32), KERNELS(f64)};

void fpgz_prans_put_exceptions(const struct prans_domain *domain, bool is_f64, void *values)
{
    for (size_t i = 0; i < domain->exceptions; i++) {
        if (is_f64)
            ((uint64_t *)values)[domain->exception[i]] = ((const uint64_t *)domain->exact)[i];
        else
            ((uint32_t *)values)[domain->exception[i]] = ((const uint32_t *)domain->exact)[i];
    }
}
