/* SPDX-License-Identifier: MIT
 * How often a chunk is coded, by which codecs, and whether its stream is decoded: planned before, from the
 * coder alone. fpgz_chunk_encode() follows the plan; fpgz_need_encode() adds up the memory that it takes. */
#ifndef FPGZ_ENGINE_PASSES_H
#define FPGZ_ENGINE_PASSES_H

#include "engine/coded.h"

enum { FPGZ_MAX_PASSES = 12 };

/* One coding of the whole chunk. */
struct fpgz_pass {
    const struct fpgz_level
        *sampled; /* the level whose sample chooses the codec; NULL: the coder's codec is taken */
    const struct fpgz_level *weighed; /* the level by whose weights the best candidate is chosen */
    unsigned runner_up; /* takes the smallest of the other samples (1), the next one (2) and so on, where it
                           is close enough */
    bool presumed;      /* takes prans as the level has it, which codes first where it presumes that */
};

/* The passes of a chunk, of which the shortest stream is kept. Passes by the same sample follow each
 * other. */
struct fpgz_passes {
    unsigned count; /* with more than one, two streams are held at a time */
    struct fpgz_pass pass[FPGZ_MAX_PASSES];
    /* The stream may be decoded, for its errors or to verify it. The cut of chunks under a memory limit
     * depends on this, so the dtype makes no difference but at levels that have prans for some: containers
     * stay the same. */
    bool restores;
};

struct fpgz_passes fpgz_passes_plan(const struct fpgz_coder *coder, enum fpgz_dtype dtype);

/* The candidate that codes a chunk of the grid in a pass with this choice; NULL where there is none. */
const struct fpgz_auto_candidate *fpgz_pass_pick(const struct fpgz_pass *pass, const struct fpgz_grid *grid,
                                                 const struct fpgz_auto_choice *choice);

/* Whether the candidate is one of those that were tried. */
bool fpgz_pass_was_tried(const struct fpgz_auto_candidate *candidate, const struct fpgz_auto_candidate *tried,
                         unsigned count);

#endif
