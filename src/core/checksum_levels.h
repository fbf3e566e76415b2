/* SPDX-License-Identifier: MIT
 * xxHash's own header, compiled once a CPU level: the same sums, several times the speed. */
#ifndef FPGZ_CORE_CHECKSUM_LEVELS_H
#define FPGZ_CORE_CHECKSUM_LEVELS_H

#include <stddef.h>
#include <stdint.h>

uint64_t fpgz_checksum_c(const void *data, size_t length);
uint64_t fpgz_checksum_avx2(const void *data, size_t length);
uint64_t fpgz_checksum_avx512(const void *data, size_t length);

#endif
