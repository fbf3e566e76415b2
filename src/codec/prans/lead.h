/* SPDX-License-Identifier: MIT
 * What a chunk was best coded with, by bins: later chunks of its array, which are mostly like it, begin with
 * that, and choose for themselves only where they turn out to be other than it. */
#ifndef FPGZ_CODEC_PRANS_LEAD_H
#define FPGZ_CODEC_PRANS_LEAD_H

#include "codec/codec.h"
#include "codec/prans/domain/domain.h"
#include "codec/prans/middle/kernels.h"
#include "codec/prans/parted/kernels.h"

enum fpgz_lead_state {
    FPGZ_LEAD_NONE,
    FPGZ_LEAD_SOUGHT,   /* encode() is to find it */
    FPGZ_LEAD_FOUND,    /* encode() has found it */
    FPGZ_LEAD_FOLLOWED, /* encode() is to follow it */
    FPGZ_LEAD_REFUSED,  /* encode() has not: the chunk is other than it. There is no stream, *length is 0 */
};

/* How a stream of bins was made. */
struct prans_way {
    enum prans_domain_id domain;
    bool special;                  /* there are special values, */
    bool apart;                    /* and they stand apart */
    bool equal;                    /* classes of integers that are not predicted are equal */
    struct middle_mode mode, flat; /* as candidates have them (bins/estimate.h) */
    uint64_t cost;                 /* of its values in bits, by a sample */
    uint64_t margin;               /* by so many bits those of chunks that follow may differ */
};

struct fpgz_lead {
    enum fpgz_lead_state state;
    struct fpgz_grid grid; /* of the chunk as it was coded: those that follow have the same */
    struct fpgz_params params;
    bool parted; /* into two streams, which are so long together: */
    size_t length;
    bool unmatched; /* the probe for matches saw too few for a search */
    struct prans_parts parts;
    struct prans_way way[2];
};

#endif
