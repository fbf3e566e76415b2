/* SPDX-License-Identifier: MIT
 * xxHash's own header, compiled once a CPU level: the same sums, several times the speed. */
#ifndef FPGZ_CORE_CHECKSUM_LEVELS_H
#define FPGZ_CORE_CHECKSUM_LEVELS_H

#include <stddef.h>
#include <stdint.h>

uint64_t fpgz_checksum_c(const void *data, size_t length);
uint64_t fpgz_checksum_avx2(const void *data, size_t length);
uint64_t fpgz_checksum_avx512(const void *data, size_t length);

/* Add to an XXH3_state_t. */
void fpgz_checksum_add_c(void *state, const void *data, size_t length);
void fpgz_checksum_add_avx2(void *state, const void *data, size_t length);
void fpgz_checksum_add_avx512(void *state, const void *data, size_t length);

#endif
