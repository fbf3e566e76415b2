/* SPDX-License-Identifier: MIT
 * The chunks that a file's parts are cut into, in the order of their first bytes in the file, so that it is
 * read, and later restored, from front to back as far as can be. */
#ifndef FPGZ_ENGINE_PLAN_H
#define FPGZ_ENGINE_PLAN_H

#include "core/content.h"
#include "core/heap.h"
#include "engine/cut.h"

/* In bytes. Chunks end at gaps, so that a file's bytes come in their order. A chunk of opaque bytes ends
 * where the next ones are farther away than this, unless the file's bytes come out of order in any case. A
 * chunk of pieces ends at a gap if the stretches without gaps are longer than this. The bytes in the gap then
 * come in their order, at the price of one more section. */
enum { FPGZ_PLAN_GAP = 1 << 20 };

struct fpgz_plan {
    const struct fpgz_content *content;
    struct fpgz_plan_part {
        struct fpgz_cut cut;
        uint64_t gap; /* a longer gap, in bytes, ends a chunk */
        uint64_t row; /* of its next chunk */
    } * part;
    struct fpgz_heap heap;
};

/* A chunk as it is planned. */
struct fpgz_planned {
    size_t part;
    struct fpgz_grid grid;
    uint64_t at; /* of its bytes in the sequence of its part */
    bool last;   /* of its part; a pipe does not tell */
};

/* Finds how a part is cut: chunks of about `target` bytes, slabs of at most `slab` (engine/cut.h). */
bool fpgz_plan_cut(const struct fpgz_part *part, uint64_t target, uint64_t slab, struct fpgz_cut *cut);

/* Plans the parts of `content`, which must not change meanwhile. False without memory, or where a part
 * cannot be cut. */
bool fpgz_plan_begin(struct fpgz_plan *plan, const struct fpgz_content *content, uint64_t target,
                     uint64_t slab);

/* The next chunk; false behind the last one. */
bool fpgz_plan_next(struct fpgz_plan *plan, struct fpgz_planned *chunk);

/* The grid of the values that are less than a row. */
struct fpgz_grid fpgz_plan_rest(enum fpgz_dtype dtype, uint64_t bytes);

/* Whether the chunks, from the next to the last, bring the file's bytes out of order. Puts the plan back
 * to its beginning. */
bool fpgz_plan_scattered(struct fpgz_plan *plan);

/* Whether there is one chunk, as far as that is known. Puts the plan back to its beginning. */
bool fpgz_plan_is_lone(struct fpgz_plan *plan);

/* The most raw bytes that a chunk of the part has. */
uint64_t fpgz_plan_largest(const struct fpgz_plan *plan, size_t part);

void fpgz_plan_free(struct fpgz_plan *plan);

#endif
