/* SPDX-License-Identifier: MIT
 * Where classes begin. */
#include "codec/prans/bins/classes.h"

/* The number of the class of 0: as many are below. */
static size_t zero_of(unsigned bits)
{
    return 8 * (size_t)bits - 24;
}

size_t fpgz_prans_bins_classes(const struct bins_grid *grid, unsigned bits)
{
    return grid->equal ? grid->count : 2 * zero_of(bits);
}

/* The least magnitude of a class: the inverse of magnitude_class() (kernels_c_tmpl.c). */
static uint64_t magnitude_of(size_t class)
{
    if (class < 16)
        return class;
    const size_t raw = class / 8 - 1;
    return (uint64_t)(class - 8 * raw) << raw;
}

uint64_t fpgz_prans_bins_begin(const struct bins_grid *grid, unsigned bits, size_t class)
{
    const size_t zero = zero_of(bits);
    if (grid->equal)
        return grid->first + ((uint64_t) class << grid->shift);
    if (class >= zero)
        return magnitude_of(class - zero);
    return class ? 1 - magnitude_of(zero - class + 1) : -((uint64_t)1 << (bits - 1));
}

unsigned fpgz_prans_bins_width(const struct bins_grid *grid, unsigned bits, size_t first, size_t end)
{
    const uint64_t rest =
        fpgz_prans_bins_begin(grid, bits, end) - 1 - fpgz_prans_bins_begin(grid, bits, first);
    return rest ? 64 - (unsigned)__builtin_clzll(rest) : 0;
}
