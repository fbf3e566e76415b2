/* SPDX-License-Identifier: MIT
 * Values in two parts: integers that predict well, and what is left. */
#ifndef FPGZ_CODEC_PRANS_PARTED_KERNELS_H
#define FPGZ_CODEC_PRANS_PARTED_KERNELS_H

#include <stddef.h>
#include <stdint.h>

#include "core/cpu.h"

/* The numbers are the stream's. */
enum prans_parting {
    PRANS_PARTED_PRODUCT = 0,  /* value = integer * base, and the rest in units in the last place */
    PRANS_PARTED_QUOTIENT = 1, /* value = integer / base */
    PRANS_PARTED_BITS = 2,     /* the place of a value: its high bits, and the low ones */
    PRANS_PARTED_UNIT = 3,     /* of f64: value = single * base, whose place is an integer */
    PRANS_PARTINGS = 4,
};

struct prans_parts {
    enum prans_parting parting;
    unsigned shift; /* low bits */
    double base;    /* above 0, finite */
};

/* Of words of one width. */
struct prans_parted_kernels {
    /* The first parts of values, or the second ones. */
    void (*first)(const struct prans_parts *parts, const void *values, size_t count, void *part);
    void (*second)(const struct prans_parts *parts, const void *values, size_t count, void *part);
    /* Values of the first parts, in place of the second ones. */
    void (*join)(const struct prans_parts *parts, const void *part, size_t count, void *values);
};

/* Whether first parts are places, or high bits of these; others are signed. */
static inline bool prans_parts_places(const struct prans_parts *parts)
{
    return parts->parting == PRANS_PARTED_BITS || parts->parting == PRANS_PARTED_UNIT;
}

extern fpgz_word_kernels fpgz_prans_parted_kernels;

#endif
