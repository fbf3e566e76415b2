/* SPDX-License-Identifier: MIT
 * What stands between a chunk's words and its tokens, compiled once a width of words. Ordered words are
 * integers in the order of the values: places of floating-point numbers (domain/place.h), integers as they
 * are. */
#ifndef FPGZ_CODEC_PRANS_MATCHED_KERNELS_H
#define FPGZ_CODEC_PRANS_MATCHED_KERNELS_H

#include "codec/prans/bins/aide.h"
#include "codec/prans/domain/domain.h"
#include "codec/prans/matched/tokens.h"
#include "core/cpu.h"

enum {
    MATCHED_LEAST_SIZE = 2, /* of words that the encoder looks for: bytes are rather for other codecs */
    MATCHED_COST = 16,      /* costs are in 1/16 bits */
    MATCHED_GROUP_MOST = 8,
    MATCHED_CLOSE_BITS = 3, /* of each byte: low bits in which words that are close may differ */
    MATCHED_TABLES = 2,     /* of single words, and of groups */
    MATCHED_WAYS = 4,       /* to search that the probe compares (encode.c) */
    MATCHED_PROBED = 32,    /* of so many hashes one chooses a word for the probe, */
    MATCHED_PROBED_OF_FEW = 4,
    MATCHED_PROBE_MANY = 1 << 16, /* words */
    MATCHED_PROBE_LENGTH = 64,    /* words that a match of the probe may have */
    MATCHED_USUAL_STEP = 61,
    MATCHED_ROUGHLY_LOG = 3, /* of so many of these words, as bits, a rough probe looks at one */
};

/* Of so many hashes one chooses a word: a probe looks at about one word of 1 << MATCHED_ROUGHLY_LOG that the
 * less rough one before it does. */
static inline uint32_t matched_probed_part(size_t count, enum matched_roughness roughness)
{
    return (uint32_t)(count < MATCHED_PROBE_MANY ? MATCHED_PROBED_OF_FEW : MATCHED_PROBED)
           << MATCHED_ROUGHLY_LOG * roughness;
}

/* One of so many words tells a probe what words cost, with the word before, from the second word on. */
static inline size_t matched_usual_step(enum matched_roughness roughness)
{
    return (size_t)MATCHED_USUAL_STEP << MATCHED_ROUGHLY_LOG * roughness;
}

#define MATCHED_FACTOR UINT64_C(0x9E3779B97F4A7C15) /* of hashes */

/* What the hashes of those words are below, and those of the words behind them. The roughest probe takes
 * words of the thorough one, where the hash of the word behind is one of few, too: many words have the same
 * hash, and few such hashes would be no sample. */
static inline uint64_t matched_probed_below(size_t count, enum matched_roughness roughness)
{
    const enum matched_roughness first = roughness == MATCHED_ROUGHEST ? MATCHED_THOROUGH : roughness;
    return (uint64_t)(UINT32_MAX / matched_probed_part(count, first)) << 32;
}

static inline uint64_t matched_next_below(enum matched_roughness roughness)
{
    return roughness == MATCHED_ROUGHEST ? (uint64_t)1 << (64 - 2 * MATCHED_ROUGHLY_LOG) : UINT64_MAX;
}

/* Ordered words, and where the encoder finds words that stood before. */
struct matched_search {
    void *ordered;
    size_t count;
    enum prans_number number;
    bool differs;   /* sources may be close: the differences are coded */
    unsigned drop;  /* low bits of words that keys leave out */
    unsigned group; /* words of the longer key */
    bool fresh;     /* the probe leaves out words that are as the one before */
    uint16_t *cost; /* of each word, if it is a literal */
    uint8_t *depth;
    uint32_t *table[MATCHED_TABLES];
    uint32_t *literal; /* a table of single words that are literals */
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
