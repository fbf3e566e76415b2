/* SPDX-License-Identifier: MIT
 * What a CPU level does for checksums. */
#ifndef FPGZ_CORE_CHECKSUM_KERNELS_H
#define FPGZ_CORE_CHECKSUM_KERNELS_H

#include <stddef.h>
#include <stdint.h>

#include "core/cpu.h"

struct checksum_kernels {
    uint64_t (*sum)(const void *data, size_t length);
    void (*add)(void *state, const void *data, size_t length); /* to an XXH3_state_t */
    uint32_t (*adler32)(const uint8_t *data, size_t length);
};

extern fpgz_kernels fpgz_checksum_kernels;

#endif
