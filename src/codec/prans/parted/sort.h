/* SPDX-License-Identifier: MIT
 * Samples in order. */
#ifndef FPGZ_CODEC_PRANS_PARTED_SORT_H
#define FPGZ_CODEC_PRANS_PARTED_SORT_H

#include <stddef.h>

/* Shellsort: a few hundred numbers are sorted in less time than qsort() takes to compare them. */
static inline void parted_sort(double *real, size_t count)
{
    static const size_t gaps[] = {301, 132, 57, 23, 10, 4, 1};
    for (unsigned g = 0; g < sizeof gaps / sizeof *gaps; g++)
        for (size_t i = gaps[g]; i < count; i++) {
            const double one = real[i];
            size_t at = i;
            for (; at >= gaps[g] && real[at - gaps[g]] > one; at -= gaps[g])
                real[at] = real[at - gaps[g]];
            real[at] = one;
        }
}

#endif
