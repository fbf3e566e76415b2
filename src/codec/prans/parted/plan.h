/* SPDX-License-Identifier: MIT
 * Whether values are better coded in two parts. */
#ifndef FPGZ_CODEC_PRANS_PARTED_PLAN_H
#define FPGZ_CODEC_PRANS_PARTED_PLAN_H

#include "codec/prans/parted/kernels.h"

enum { PRANS_PLANS = 6 };

/* A way to part values, and what their second parts would cost: bits a value. */
struct prans_plan {
    struct prans_parts parts;
    double second;
};

/* What an encoder of one part found to be better. */
struct prans_parts_wanted {
    size_t first;  /* told to it: bytes of the first part, if these values are the second one; else 0 */
    bool thorough; /* told to it: time matters less */
    bool any;
    struct prans_parts parts;
    uint64_t about;   /* bits that parts would take, about */
    size_t otherwise; /* bytes that one part would take, about */
};

/* Lists ways that a sample of the values (words of `size` bytes; marks: a byte a value, 0 for those that are
 * not special) makes worth a trial, with `thorough` less likely ones, too. Returns their number. */
unsigned fpgz_prans_plan(const void *values, const uint8_t *marks, size_t count, size_t size, double bits,
                         bool thorough, struct prans_plan plan[PRANS_PLANS]);

#endif
