/* SPDX-License-Identifier: MIT
 * What symmetries do to all values of a grid, compiled once a width of words. */
#ifndef FPGZ_CODEC_PRANS_SYMMETRIC_KERNELS_H
#define FPGZ_CODEC_PRANS_SYMMETRIC_KERNELS_H

#include "codec/prans/domain/domain.h"
#include "codec/prans/symmetric/maps.h"
#include "core/cpu.h"

struct prans_symmetric_kernels {
    /* Sets values that are copies (maps.h) to those that they are copies of. */
    void (*copy)(const struct symmetric_maps *maps, void *values);

    /* Sets them to a word. */
    void (*clear)(const struct symmetric_maps *maps, uint64_t word, void *values);

    /* Turns `count` copies into differences of the values to them, in the order of values, modulo the word.
     * Whether any is not 0. */
    bool (*subtract)(enum prans_number number, size_t count, const void *values, void *copies);

    /* Makes values of copies. */
    void (*add)(enum prans_number number, size_t count, const void *differences, void *copies);
};

extern fpgz_word_kernels fpgz_prans_symmetric_kernels;

#endif
