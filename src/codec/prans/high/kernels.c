/* SPDX-License-Identifier: MIT
 * The kernels of the CPU level in force. */
#include "codec/prans/high/kernels.h"

#include "core/cpu.h"

const struct prans_kernels *fpgz_prans_high_kernels(bool is_f64)
{
    return &FPGZ_BY_LEVEL(fpgz_prans_high_c, fpgz_prans_high_avx2, fpgz_prans_high_avx512)[is_f64];
}
