/* SPDX-License-Identifier: MIT
 * How a dynamic block describes its codes (RFC 1951, section 3.2.7). */
#ifndef FPGZ_CORE_DEFLATE_DESCRIPTION_H
#define FPGZ_CORE_DEFLATE_DESCRIPTION_H

#include "core/deflate/bits.h"
#include "core/deflate/tree.h"

struct fpgz_deflate_description {
    const struct fpgz_deflate_code *literals, *distances;
    struct fpgz_deflate_code code; /* of the lengths of codes */
    unsigned listed;               /* lengths of that code that are written */
    unsigned count;
    struct fpgz_deflate_item {
        uint8_t symbol, repeats; /* the value of the symbol's extra bits */
    } item[DEFLATE_LITERALS + DEFLATE_DISTANCES];
    uint64_t bits; /* of all of it */
};

void fpgz_deflate_describe(struct fpgz_deflate_description *description,
                           const struct fpgz_deflate_code *literals,
                           const struct fpgz_deflate_code *distances);

void fpgz_deflate_write_description(const struct fpgz_deflate_description *description,
                                    struct fpgz_bits *out);

#endif
