/* SPDX-License-Identifier: MIT
 * The checksum of HDF5's filter. */
#ifndef FPGZ_CORE_FLETCHER32_H
#define FPGZ_CORE_FLETCHER32_H

#include <stddef.h>
#include <stdint.h>

/* Fletcher's checksum of big-endian words of 16 bits, the last one filled up with a zero byte. */
uint32_t fpgz_fletcher32(const uint8_t *data, size_t bytes);

#endif
