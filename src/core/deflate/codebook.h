/* SPDX-License-Identifier: MIT
 * Tables by which a reader of deflate knows symbols from the next bits. */
#ifndef FPGZ_CORE_DEFLATE_CODEBOOK_H
#define FPGZ_CORE_DEFLATE_CODEBOOK_H

#include <stdbool.h>
#include <stdint.h>

/* An entry: bits that it takes, with those behind the code, in the lowest byte; of the code, in 4 bits; one
 * of these kinds; and the value in the upper half: a byte, the least length or distance, or the table's place
 * where codes of more bits go on, which the lowest byte counts. */
enum {
    CODEBOOK_CODE_SHIFT = 8,
    CODEBOOK_INVALID = 1 << 12,
    CODEBOOK_END = 1 << 13,
    CODEBOOK_LONGER = 1 << 14,
    CODEBOOK_LITERAL = 1 << 15,
    CODEBOOK_VALUE_SHIFT = 16,

    /* Bits of the first tables, and room for all: no complete code needs more (a search over all codes;
     * zlib's examples/enough.c is one). */
    CODEBOOK_LENGTHS_ROOT = 7,
    CODEBOOK_LITERALS_ROOT = 11,
    CODEBOOK_DISTANCES_ROOT = 8,
    CODEBOOK_LITERALS_ROOM = 2342,
    CODEBOOK_DISTANCES_ROOM = 402,
};

struct fpgz_deflate_codebook {
    uint32_t lengths[1 << CODEBOOK_LENGTHS_ROOT]; /* of codes: the code that a block's description has */
    uint32_t literals[CODEBOOK_LITERALS_ROOM];
    uint32_t distances[CODEBOOK_DISTANCES_ROOM];
};

enum fpgz_deflate_alphabet { ALPHABET_LENGTHS, ALPHABET_LITERALS, ALPHABET_DISTANCES };

/* Makes the table of an alphabet by the lengths of its codes, at most 15 (7 of ALPHABET_LENGTHS). False where
 * zlib refuses them: no code is so, or more could be had. */
bool fpgz_deflate_codebook_make(struct fpgz_deflate_codebook *book, enum fpgz_deflate_alphabet alphabet,
                                const uint8_t *lengths, unsigned symbols);

#endif
