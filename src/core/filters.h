/* SPDX-License-Identifier: MIT
 * Which filters formats have for pieces of data, and how a piece went through them. */
#ifndef FPGZ_CORE_FILTERS_H
#define FPGZ_CORE_FILTERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum fpgz_filter {
    FPGZ_FILTER_SHUFFLE = 1,      /* values as planes of their bytes */
    FPGZ_FILTER_DEFLATE = 2,      /* by zlib */
    FPGZ_FILTER_FLETCHER32 = 3,   /* a checksum of 4 bytes behind the data, as HDF5 makes it */
    FPGZ_FILTERS = 3,             /* the most that go together */
    FPGZ_FILTER_ENCODED = 6,      /* as VTK's files in XML hold arrays (core/encoded.h); alone */
    FPGZ_FILTER_PACKED = 7,       /* integers of fewer bits (core/packed.h); alone */
    FPGZ_FILTER_FRONT = 8,        /* bytes in front of the piece; the first */
    FPGZ_FILTER_ENCODED_LAST = 9, /* encoded, as meshio has it (FPGZ_ENCODED_LAST) */
    FPGZ_FILTER_LZF = 10,         /* as h5py writes it (core/lzf.h) */
    FPGZ_FRONT_MOST = 0xFFFF,     /* of these bytes */
};

/* What is done to each piece of an array, one after the other. */
struct fpgz_filters {
    unsigned count;
    struct fpgz_filter_step {
        enum fpgz_filter filter; /* each at most once */
        uint32_t value; /* shuffle: bytes of a value; deflate: whether it is bare, without zlib's header and
                           checksum; encoded: how; packed: bits; front: how many bytes */
    } step[FPGZ_FILTERS];
    uint8_t *front; /* these bytes, which belong to whom the filters do; NULL: there are none */
};

/* What the stored bytes of one piece depend on, beside the raw ones. */
struct fpgz_refiltering {
    uint8_t skipped; /* bit i: step i was left out */
    uint8_t level;   /* of deflate, 1 to 9; 0 without it */
    uint8_t memory_level;
};

/* Bytes that are put in front of a piece. */
static inline size_t fpgz_filters_front(const struct fpgz_filters *filters)
{
    return filters->step[0].filter == FPGZ_FILTER_FRONT ? filters->step[0].value : 0;
}

static inline bool fpgz_filter_is_encoded(const struct fpgz_filter_step *step)
{
    return step->filter == FPGZ_FILTER_ENCODED || step->filter == FPGZ_FILTER_ENCODED_LAST;
}

/* What such a step says to core/encoded.h. */
uint64_t fpgz_filter_encoding(const struct fpgz_filter_step *step);

/* Whether the piece left out this step. */
static inline bool fpgz_filter_skipped(const struct fpgz_refiltering *how, unsigned step)
{
    return how->skipped >> step & 1;
}

/* Whether a piece was deflated. */
bool fpgz_filters_deflate(const struct fpgz_filters *filters, const struct fpgz_refiltering *how);

/* Whether they are some of those above. */
bool fpgz_filters_valid(const struct fpgz_filters *filters);

/* Whether both do the same. */
bool fpgz_filters_alike(const struct fpgz_filters *filters, const struct fpgz_filters *others);

/* Makes *copy the same filters. False without memory, which the caller frees. */
bool fpgz_filters_copy(const struct fpgz_filters *filters, struct fpgz_filters *copy);

/* Whether a piece can have been made so. */
bool fpgz_refiltering_valid(const struct fpgz_filters *filters, const struct fpgz_refiltering *how);

#endif
