/* SPDX-License-Identifier: MIT
 * What an encoder with bins may have done elsewhere, by a GPU: what touches all values, once samples have
 * told what the likely domains and predictions are. C and C++ read this header. */
#ifndef FPGZ_CODEC_PRANS_BINS_AIDE_H
#define FPGZ_CODEC_PRANS_BINS_AIDE_H

#include "codec/prans/bins/kernels.h"
#include "codec/prans/domain/domain.h"
#include "codec/prans/parted/kernels.h"
#include "core/buffer.h"

enum {
    BINS_SEGMENT_LEAST = 12, /* log2 of a segment's values; encoders write the other two */
    BINS_SEGMENT_USUAL = 15,
    BINS_SEGMENT_MOST = 16,
    BINS_SAMPLES = 4096, /* residuals that tell which words are heavy */
    BINS_AIDED_ROWS = 5000,
};

/* Segments of 2^bits values that so many make, at most. */
static inline size_t bins_segments_most(uint64_t values, unsigned bits)
{
    return (size_t)(values >> bits) + 1;
}

/* The values of a chunk, and how they are cut. Segments have 32 lanes. */
struct bins_shape {
    size_t values, blocks, segments;
    size_t size; /* bytes of a value, and of a word */
    unsigned segment_bits;
};

/* Values that are to enter a domain. Each but special ones has a place: a floating-point number's or an
 * integer's among all numbers, or its integer on the lattice, plus 2^63. */
struct bins_entry {
    struct bins_shape shape;
    const void *values;      /* in the stream's order */
    enum prans_domain_id id; /* one of those below */
    enum prans_number number;
    double scale; /* of the lattice */
    unsigned specials;
    uint64_t special[PRANS_SPECIALS]; /* words */
    size_t most; /* of so many values that are none of the lattice, the places in the chunk are told */
    uint32_t *exception; /* here, in rising order */
};

/* Whether an aide may enter values into the domain. */
static inline bool bins_is_aided(enum prans_domain_id id)
{
    return id == PRANS_DOMAIN_FLOAT || id == PRANS_DOMAIN_LATTICE || id == PRANS_DOMAIN_INTEGER;
}

/* What they have in common. */
struct bins_common {
    uint64_t least, most; /* places; least > most: no value has one */
    uint64_t step;        /* the greatest common divisor of places' distances; 0 if all are the same */
    uint64_t all;         /* bits that any value has */
    size_t exceptions;    /* values that are none of the lattice */
};

/* How often values return, special ones apart (domain/rank.h): of a sample, how many values there are, and
 * how many of them stand there once. */
struct bins_returns {
    uint64_t sampled, once;
    uint64_t distinct; /* of all values; any number above `most` where they are more than that */
};

/* How places become integers: (place - base) >> shift, times the inverse of an odd number, less `below`.
 * Special values are `absent` at first, the integer of the least place. Values that have no place get the
 * integer before. Where that is a special value's, they get that of the nearest value that is none and has a
 * place, among the PRANS_LOOKED_BACK before, or `absent`; the first ones, too. */
struct bins_line {
    enum prans_domain_id id;
    enum prans_number number;
    double scale;
    unsigned specials;
    uint64_t special[PRANS_SPECIALS];
    uint64_t base, inverse, below, absent;
    unsigned shift;
    size_t exceptions; /* as entering has found them */
};

/* Residuals of integers, and what is counted of them. */
struct bins_counting {
    struct bins_line line;
    struct middle_layout layout; /* of joined rows, where these are */
    unsigned axes, order;
    struct bins_grid grid;
    size_t classes;
    unsigned levels, unit; /* classes of a level; blocks have the level of 16 of their words (levels.h) */
    int64_t zero;          /* from which class levels count */
    uint64_t least;        /* classes from there to the first level */
    uint32_t *histogram;   /* `classes` numbers a level */
    uint64_t *words;       /* of each level */
    uint64_t *specials;    /* of these: special values, which count as 0 */
    void *sample;          /* BINS_SAMPLES residuals, or all: those at fpgz_sample_place() */
};

/* What the symbols of a chunk's residuals are. */
struct bins_task {
    struct bins_shape shape;
    const void *residual; /* NULL: those that were counted last, and their flags */
    const uint8_t *flag;  /* NULL, or a byte a value: which special value it is, or 0 */
    struct bins_grid grid;
    const uint8_t *map; /* symbols of `classes` classes */
    size_t classes;
    unsigned bins, heavies; /* symbols are those of bins, heavy words, special values */
    const uint64_t *heavy;
    const uint8_t *key; /* of PRANS_SYMBOLS symbols, as tables are chosen by (middle/tables.h) */
    const struct bins_symbols *symbols;
};

/* What stands in a stream before its segments, and how long these are. */
struct bins_outcome {
    unsigned tables;
    const uint16_t (*frequency)[PRANS_SYMBOLS];
    const uint8_t *ids;      /* of the blocks' tables, four bits each */
    const uint32_t *lengths; /* two for each segment: bytes of words, and of raw bits */
    size_t bytes;            /* of all segments */
};

/* How rough a probe for matches is (matched/kernels.h). */
enum matched_roughness { MATCHED_THOROUGH, MATCHED_ROUGH, MATCHED_ROUGHEST };

enum { MATCHED_WAYS = 4 /* to look for them, at most (matched/probing.h) */ };

/* Words that a probe looks at, and what it takes as the usual cost. */
struct matched_chosen {
    const uint32_t *place; /* of `count` words, in rising order */
    size_t count;
    uint64_t usual; /* what its samples of words cost, all together */
};

/* Any call may be the first one of a chunk, but count() comes behind enter(), and find() behind count(). What
 * they know of the chunk is kept until drop(), or until one of them says that it fails: then, and where it is
 * not asked, the caller does all of it. Behind take() only values are, if they are all of an encoder's. Who
 * works long without the aide drops it before, for others wait. */
struct fpgz_aide {
    /* The values that the encoder reads. Of a chunk that follows another one there may be only those that
     * codec->looked() lists: before it reads others, it has the buffer completed. NULL: all are there. */
    struct fpgz_buffer *raw;
    /* Says that what stands at `at` are the first or the second parts of the chunk's `values`: whoever has
     * these need not be brought their parts. */
    void (*part)(struct fpgz_aide *aide, const struct prans_parts *parts, bool second, const void *values,
                 const void *at);
    /* Finds what values have in common. Those of a chunk are brought once. next: NULL, or what count() will
     * be asked for if values are as a sample has them: it is done at once, as long as `common` is not known.
     */
    bool (*enter)(struct fpgz_aide *aide, const struct bins_entry *entry, const struct bins_counting *next,
                  struct bins_common *common);
    /* Finds how often values of 4 or 8 bytes return; `most` of the entry is of distinct values, and its
     * domain means nothing. Those of a chunk are brought once. */
    bool (*distinct)(struct fpgz_aide *aide, const struct bins_entry *entry, struct bins_returns *returns);
    /* Counts classes of residuals. There are special values only with order 1, and no more rows than
     * BINS_AIDED_ROWS if axes predict; or without any prediction. is_next: it is what enter() was told. */
    bool (*count)(struct fpgz_aide *aide, const struct bins_counting *counting, bool is_next);
    /* How often words of a list, of at least one, are among the residuals. */
    bool (*find)(struct fpgz_aide *aide, const uint64_t *heavy, unsigned heavies, uint32_t *times);
    /* Codes the segments. The outcome stays valid until take(), which puts them to `out`. */
    bool (*code)(struct fpgz_aide *aide, const struct bins_task *task, struct bins_outcome *outcome);
    bool (*take)(struct fpgz_aide *aide, uint8_t *out);
    /* Words that the probe for matches is to look at. NULL where it has no values of the chunk, they are too
     * many, or it fails. Stays valid until the next call. */
    const struct matched_chosen *(*choose)(struct fpgz_aide *aide, const void *values,
                                           enum prans_number number, enum matched_roughness roughness);
    /* The roughest probe itself: about the bits that matches save in each way, where the values take `bits`
     * without them. False where choose() would be NULL. */
    bool (*probe)(struct fpgz_aide *aide, const void *values, enum prans_number number, uint64_t bits,
                  uint64_t seen[MATCHED_WAYS]);
    /* Forgets the chunk. */
    void (*drop)(struct fpgz_aide *aide);
};

#endif
