/* SPDX-License-Identifier: MIT
 * Values as planes of their bytes: all first ones, then all second ones, and so on. What is left behind the
 * last whole value stays at the end. */
#ifndef FPGZ_CORE_SHUFFLE_H
#define FPGZ_CORE_SHUFFLE_H

#include <stddef.h>
#include <stdint.h>

/* From `bytes` bytes of values of `width` bytes each (not 0) to planes, and back. */
void fpgz_to_planes(const uint8_t *values, uint8_t *planes, size_t bytes, size_t width);
void fpgz_from_planes(const uint8_t *planes, uint8_t *values, size_t bytes, size_t width);

#endif
