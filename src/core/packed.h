/* SPDX-License-Identifier: MIT
 * Integers of so many bits one behind the other, as GRIB's simple packing has them (fpgz.5, filtered pieces).
 */
#ifndef FPGZ_CORE_PACKED_H
#define FPGZ_CORE_PACKED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Whether integers of so many bits are unpacked: those of 8, 16 and 32 stand in bytes of their own. */
bool fpgz_packed_valid(uint32_t bits);

/* Bytes of an unpacked integer: 1, 2 or 4. */
size_t fpgz_packed_width(uint32_t bits);

/* Bytes of that many packed integers; 0 where they cannot be counted. */
uint64_t fpgz_packed_length(uint32_t bits, uint64_t values);

/* Unpacks `length` bytes to `bytes` bytes of integers, little-endian. False where they are not as many, and
 * where fpgz_packed_make() would not make the same again. */
bool fpgz_packed_undo(uint32_t bits, const uint8_t *packed, size_t length, uint8_t *data, size_t bytes);

/* Packs the integers in `bytes` bytes. False where these are no whole ones, or one has more bits. */
bool fpgz_packed_make(uint32_t bits, const uint8_t *data, size_t bytes, uint8_t *packed, size_t *length);

#endif
