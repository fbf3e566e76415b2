/* SPDX-License-Identifier: MIT
 * The encoder of prans' first middle format, which fpgz reads and no longer writes: it makes streams for
 * tests. */
#ifndef TESTS_MIDDLE_ENCODE_H
#define TESTS_MIDDLE_ENCODE_H

#include "codec/codec.h"

/* As codec.h has encode(): f32 and f64, at most PRANS_MAX_VALUES values, fpgz_prans_middle_bound() bytes,
 * fpgz_prans_middle_memory() of scratch. */
enum fpgz_status middle_encode(const struct fpgz_coding *coding, const void *values, uint8_t *stream,
                               size_t *length);

#endif
