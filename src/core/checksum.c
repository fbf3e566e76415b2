/* SPDX-License-Identifier: MIT */
#include "core/checksum.h"

#include "core/checksum_levels.h"
#include "core/cpu.h"

uint64_t fpgz_checksum(const void *data, size_t length)
{
#if defined(__x86_64__)
    switch (fpgz_cpu()) {
    case FPGZ_CPU_AVX512:
        return fpgz_checksum_avx512(data, length);
    case FPGZ_CPU_AVX2:
        return fpgz_checksum_avx2(data, length);
    default:
        break;
    }
#endif
    return fpgz_checksum_c(data, length);
}
