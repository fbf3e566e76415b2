/* SPDX-License-Identifier: MIT
 * What a probe for matches looks at, and what it makes of that, on the CPU and on a GPU. C and C++ read this
 * header. */
#ifndef FPGZ_CODEC_PRANS_MATCHED_PROBING_H
#define FPGZ_CODEC_PRANS_MATCHED_PROBING_H

#include "codec/prans/bins/aide.h"

#ifdef __CUDACC__
#define MATCHED_BOTH static __host__ __device__ inline
#else
#define MATCHED_BOTH static inline
#endif

enum {
    MATCHED_COST = 16,                    /* costs are in 1/16 bits */
    MATCHED_CHEAP = 2 * MATCHED_COST,     /* matches begin at words that cost more */
    MATCHED_PATIENCE = 16 * MATCHED_COST, /* how much words may cost more than they save, within a match */
    MATCHED_FAR_PART = 6,                 /* a source that saves less than one part of so many is not close */
    MATCHED_FAR_COST = 10 * MATCHED_COST,
    MATCHED_GROUP_MOST = 8,
    MATCHED_CLOSE_BITS = 3, /* of each byte: low bits in which words that are close may differ */
    MATCHED_PROBED = 32,    /* of so many hashes one chooses a word for the probe, */
    MATCHED_PROBED_OF_FEW = 4,
    MATCHED_PROBE_MANY = 1 << 16,            /* words */
    MATCHED_PROBE_LENGTH = 64,               /* words that a match of the probe may have */
    MATCHED_PROBE_MARGIN = 6 * MATCHED_COST, /* what it must save, for the search takes many that save less in
                                              * the end */
    MATCHED_PROBE_STRETCH = 1024,            /* words; of each stretch as many groups are looked at */
    MATCHED_USUAL_STEP = 61,
    MATCHED_ROUGHLY_LOG = 3,    /* of so many of these words, as bits, a rough probe looks at one */
    MATCHED_ROUGH_LOOKS = 4096, /* groups that it looks at where there are more, about */
    MATCHED_ROUGH_DOUBT = 2, /* it tells nothing if hashes choose less than such a part of what they should */
    MATCHED_LEAST_LOOKS = 2, /* of a stretch */
    MATCHED_TABLE_BITS_LEAST = 10, /* places of a search's table, as a power of two: */
    MATCHED_TABLE_BITS_MOST = 20,
    MATCHED_PROBE_BITS_LESS = 4, /* the thorough probe's table has fewer, rough ones' still fewer, */
    MATCHED_PROBE_BITS_LEAST = 3,
};

/* A way to look for matches: by groups of words, exactly or with differences. */
struct matched_aim {
    bool differs;   /* sources may be close: the differences are coded */
    unsigned drop;  /* low bits of words that keys leave out */
    unsigned group; /* words of the key */
};

#define MATCHED_FACTOR UINT64_C(0x9E3779B97F4A7C15) /* of hashes */
#define MATCHED_HASH_END UINT64_C(0xD6E8FEB86659FD93)

/* Of so many hashes one chooses a word: a probe looks at about one word of 1 << MATCHED_ROUGHLY_LOG that the
 * less rough one before it does. */
static inline uint32_t matched_probed_part(size_t count, enum matched_roughness roughness)
{
    return (uint32_t)(count < MATCHED_PROBE_MANY ? MATCHED_PROBED_OF_FEW : MATCHED_PROBED)
           << MATCHED_ROUGHLY_LOG * roughness;
}

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

/* The places of a search's table for so many words, as a power of two, and of a probe's. */
static inline unsigned matched_table_bits(size_t count)
{
    unsigned bits = MATCHED_TABLE_BITS_LEAST;
    while (bits < MATCHED_TABLE_BITS_MOST && count >> bits)
        bits++;
    return bits;
}

static inline unsigned matched_probe_bits(unsigned table_bits, enum matched_roughness roughness)
{
    const unsigned less = MATCHED_PROBE_BITS_LESS + (unsigned)MATCHED_ROUGHLY_LOG * roughness,
                   least = less + MATCHED_PROBE_BITS_LEAST;
    return (table_bits > least ? table_bits : least) - less;
}

/* Groups of a stretch that a probe looks at, at most. */
static inline size_t matched_probe_most(size_t count, enum matched_roughness roughness)
{
    const size_t part = matched_probed_part(count, roughness), least = MATCHED_LEAST_LOOKS,
                 fair = 2 * MATCHED_PROBE_STRETCH / part, usual = fair > least ? fair : least,
                 few = 1 + (size_t)MATCHED_ROUGH_LOOKS * MATCHED_PROBE_STRETCH / (count + 1);
    return roughness && few < usual ? few : usual;
}

/* One of so many words tells a probe what words cost, with the word before, from the second word on. */
static inline size_t matched_usual_step(enum matched_roughness roughness)
{
    return (size_t)MATCHED_USUAL_STEP << MATCHED_ROUGHLY_LOG * roughness;
}

/* By what raw costs are multiplied so that `sum` of them are `bits`, in 2^-16. */
MATCHED_BOTH uint32_t matched_scale(uint64_t bits, double sum)
{
    const double scale = (double)bits * MATCHED_COST * 0x10000 / sum;
    return scale < UINT32_MAX ? (uint32_t)scale : UINT32_MAX;
}

/* The same for `count` words, of which samples that stand so far from each other cost `usual`. */
MATCHED_BOTH uint32_t matched_sampled_scale(uint64_t bits, uint64_t count, uint64_t step, uint64_t usual)
{
    const uint64_t samples = (count + step - 2) / step;
    const double each = samples ? (double)usual / (double)samples : (double)MATCHED_COST;
    return matched_scale(bits, each * (double)count);
}

/* About the bits that matches save in `all` words, which take `bits`: those of `groups` save so much in 1/16
 * bits. */
static inline uint64_t matched_seen(size_t all, uint32_t part, enum matched_roughness roughness,
                                    uint64_t groups, uint64_t saved, uint64_t bits)
{
    if (roughness && groups <= all / part / MATCHED_ROUGH_DOUBT)
        return bits;
    return groups ? saved * all / groups / MATCHED_COST : 0;
}

#endif
