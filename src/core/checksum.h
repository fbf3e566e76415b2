/* SPDX-License-Identifier: MIT
 * The container's checksum: XXH3-64, seed 0. Nothing else includes xxhash.h. */
#ifndef FPGZ_CORE_CHECKSUM_H
#define FPGZ_CORE_CHECKSUM_H

#include <stddef.h>
#include <stdint.h>

uint64_t fpgz_checksum(const void *data, size_t length);

#endif
