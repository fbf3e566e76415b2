/* SPDX-License-Identifier: MIT
 * Codes the first values of an array both ways. */
#include "archive/shortening.h"

#include "archive/coder.h"
#include "codec/level.h"
#include "core/bytes.h"
#include "engine/chunk.h"

enum {
    GAIN_PART = 128, /* what shorter chunks must save at the default level to be tried, as such a part */
    MOST_ARRAYS = 2, /* of a file that are looked at, one after the other, before threads begin */
};

/* The first chunk of a part, and what it would be cut into. */
struct look {
    const struct fpgz_intake *intake;
    struct fpgz_chunk_buffers *buffers;
    size_t part, bytes;
    struct fpgz_cut longer, shorter;
};

/* Bytes that chunks of a cut make of the look's values; SIZE_MAX where they cannot be coded. */
static size_t coded(const struct look *look, const struct fpgz_coder *coder, const struct fpgz_cut *cut)
{
    size_t sum = 0;
    for (size_t at = 0; at < look->bytes;) {
        const uint64_t rows = fpgz_min(cut->rows, (look->bytes - at) / cut->row_bytes);
        struct fpgz_intake_chunk chunk = {
            .planned = {.part = look->part, .grid = fpgz_cut_grid(cut, rows), .at = at}};
        struct fpgz_coded made;
        struct fpgz_error none = {0};
        if (!rows || fpgz_intake_load(look->intake, &chunk, look->buffers, &made.raw_checksum, &none) ||
            fpgz_chunk_encode(coder, &chunk.planned.grid, look->buffers, &made))
            return SIZE_MAX;
        sum += made.length;
        at += fpgz_grid_bytes(&chunk.planned.grid);
    }
    return sum;
}

/* Whether shorter chunks save more of the longer one than one of so many shares. */
static bool saves(const struct look *look, const struct fpgz_setup *setup, int level, size_t shares)
{
    struct fpgz_coder coder = fpgz_coder_of(setup, level, &look->intake->content.part[look->part]);
    coder.unverified = true;
    const size_t whole = coded(look, &coder, &look->longer);
    return whole < SIZE_MAX && coded(look, &coder, &look->shorter) < whole - whole / shares;
}

/* Whether the part's first chunk is cut at all in the shorter way. */
static bool is_cut(struct look *look, uint64_t target, uint64_t slab)
{
    struct fpgz_part part = look->intake->content.part[look->part];
    const struct fpgz_cut *const longer = &look->longer, *const shorter = &look->shorter;
    if (!fpgz_plan_cut(&part, target, slab, &look->longer))
        return false;
    part.shortened = true;
    if (!fpgz_plan_cut(&part, target, slab, &look->shorter))
        return false;
    const struct fpgz_grid first = fpgz_cut_grid(longer, fpgz_cut_next(longer, longer->shape.extent[0]));
    look->bytes = fpgz_grid_bytes(&first);
    return shorter->rows * shorter->row_bytes < look->bytes;
}

void fpgz_shorten_chunks(const struct fpgz_setup *setup, int level, uint64_t target, uint64_t slab,
                         struct fpgz_intake *intake)
{
    struct fpgz_content *const content = &intake->content;
    const uint64_t usual_bytes = fpgz_level(FPGZ_LEVEL_DEFAULT)->chunk.learning;
    struct fpgz_chunk_buffers buffers = {0};
    const bool longer = intake->input->sized && !setup->codec && !setup->chunk_given && target > usual_bytes;
    unsigned left = longer ? MOST_ARRAYS : 0;
    for (size_t i = 0; i < content->count && left; i++) {
        struct fpgz_part *const part = &content->part[i];
        if (!fpgz_part_is_array(part) || part->carrier || part->place.bytes <= usual_bytes)
            continue;
        left--;
        struct look look = {.intake = intake, .part = i, .buffers = &buffers};
        /* The default level, which is fast, mostly shows that they do not. */
        part->shortened = is_cut(&look, target, slab) && saves(&look, setup, FPGZ_LEVEL_DEFAULT, GAIN_PART) &&
                          saves(&look, setup, level, SIZE_MAX /* by a byte */);
    }
    fpgz_chunk_buffers_free(&buffers);
}
