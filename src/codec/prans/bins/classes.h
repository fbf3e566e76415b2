/* SPDX-License-Identifier: MIT
 * Fine classes of words, neighbours of which become bins. Classes lie about 0, as fine as three bits behind
 * the leading one of a magnitude, or they are all equally wide. */
#ifndef FPGZ_CODEC_PRANS_BINS_CLASSES_H
#define FPGZ_CODEC_PRANS_BINS_CLASSES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    BINS_CLASSES = 1 << 16, /* at most */
};

struct bins_grid {
    bool equal;
    /* Of equal ones: */
    unsigned shift; /* a class has 2^shift words */
    uint32_t count; /* of classes */
    uint64_t first; /* the first word of class 0 */
};

/* How many classes words of `bits` bits have. */
size_t fpgz_prans_bins_classes(const struct bins_grid *grid, unsigned bits);

/* The first word of a class, in 64 bits; that of the number of classes stands behind the last word. Words
 * of classes about 0 are signed. */
uint64_t fpgz_prans_bins_begin(const struct bins_grid *grid, unsigned bits, size_t number);

/* Raw bits that tell the words of the classes from `first` to before `end` apart. */
unsigned fpgz_prans_bins_width(const struct bins_grid *grid, unsigned bits, size_t first, size_t end);

#endif
