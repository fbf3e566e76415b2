/* SPDX-License-Identifier: MIT
 * What stands between a chunk's words and its tokens, compiled once a width of words. Ordered words are
 * integers in the order of the values: places of floating-point numbers (domain/place.h), integers as they
 * are. */
#ifndef FPGZ_CODEC_PRANS_MATCHED_KERNELS_H
#define FPGZ_CODEC_PRANS_MATCHED_KERNELS_H

#include "codec/prans/domain/domain.h"
#include "codec/prans/matched/probing.h"
#include "codec/prans/matched/tokens.h"
#include "core/cpu.h"

enum {
    MATCHED_LEAST_SIZE = 2, /* of words that the encoder looks for: bytes are rather for other codecs */
    MATCHED_TABLES = 2,     /* of single words, and of groups */
};

/* Places of words, plus 1, with one key: of the last one, and of the last that is a literal. They stand
 * together, for the table is far from the caches, and each place in it takes long to reach. */
struct matched_single {
    uint32_t last, literal;
};

/* Ordered words, and where the encoder finds words that stood before. */
struct matched_search {
    void *ordered;
    size_t count;
    enum prans_number number;
    struct matched_aim aim; /* of the longer key */
    bool fresh;             /* the probe leaves out words that are as the one before */
    uint16_t *cost;         /* of each word, if it is a literal */
    uint8_t *depth;
    struct matched_single *single;
    uint32_t *group;
    unsigned table_bits;
    void *probed; /* the probe's tables, of twice as many bytes as a table has places */
};

/* Words smaller than MATCHED_LEAST_SIZE are only put in order, and joined. `saved` is about what the tokens
 * save, in 1/16 bits. */
struct prans_matched_kernels {
    void (*order)(enum prans_number number, size_t count, void *words);
    void (*unorder)(enum prans_number number, size_t count, void *words);

    /* Costs of words as literals; all together they cost `bits`. */
    void (*price)(const struct matched_search *search, uint64_t bits);

    /* About the bits that tokens save in each of at most MATCHED_WAYS ways to search, by the groups of a
     * sample that hashes choose, or by few of these, if roughly. Without ordered words, costs and depths; all
     * words together cost `bits`. chosen: NULL, or that sample. */
    void (*probe)(const struct matched_search *ways, unsigned count, const void *words,
                  const struct matched_chosen *chosen, uint64_t bits, enum matched_roughness roughness,
                  uint64_t *saved);

    /* Finds tokens. */
    uint64_t (*find)(const struct matched_search *search, struct matched_tokens *tokens);

    /* Writes literals and, where `differences` is not NULL, those. */
    void (*part)(enum prans_number number, const void *ordered, const struct matched_tokens *tokens,
                 void *literals, void *differences);

    /* Puts `count` words together again, as values have them, out of such literals. `depth` has room for as
     * many. False if a token makes no sense. */
    bool (*join)(enum prans_number number, const struct matched_tokens *tokens, const void *literals,
                 const void *differences, size_t count, uint8_t *depth, void *values);
};

extern fpgz_word_kernels fpgz_prans_matched_kernels;

#endif
