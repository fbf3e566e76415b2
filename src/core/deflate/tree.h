/* SPDX-License-Identifier: MIT
 * Huffman codes as zlib builds them, ties and all. */
#ifndef FPGZ_CORE_DEFLATE_TREE_H
#define FPGZ_CORE_DEFLATE_TREE_H

#include <stdint.h>

#include "core/deflate/symbols.h"

struct fpgz_deflate_code {
    unsigned used; /* symbols up to the last one that has a code */
    uint16_t bits[DEFLATE_CODES];
    uint8_t length[DEFLATE_CODES]; /* 0: no code */
};

/* The lengths of the code of `symbols` symbols (at most DEFLATE_LITERALS) by their counts, which together are
 * below 2^16, with no code longer than `longest` (at most 15). At least two symbols get one. The bits are not
 * assigned: who only wants to know what a block takes does not need them. */
void fpgz_deflate_build(const uint32_t *counts, unsigned symbols, unsigned longest,
                        struct fpgz_deflate_code *code);

/* The bits of codes whose lengths are given, as RFC 1951 assigns them (section 3.2.2). */
void fpgz_deflate_assign(struct fpgz_deflate_code *code);

#endif
