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

/* A look at a part. */
struct look {
    const struct fpgz_intake *intake;
    const struct fpgz_coder *coder;
    size_t part;
    struct fpgz_chunk_buffers *buffers;
};

/* Bytes that chunks of a cut make of the part's first ones, about; SIZE_MAX where they cannot be coded. */
static size_t coded(const struct look *look, const struct fpgz_cut *cut, size_t bytes)
{
    size_t sum = 0;
    for (size_t at = 0; at < bytes;) {
        const uint64_t rows = fpgz_min(cut->rows, (bytes - at) / cut->row_bytes);
        struct fpgz_intake_chunk chunk = {
            .planned = {.part = look->part, .grid = fpgz_cut_grid(cut, rows), .at = at}};
        struct fpgz_coded made;
        struct fpgz_error none = {0};
        if (!rows || fpgz_intake_load(look->intake, &chunk, look->buffers, &made.raw_checksum, &none) ||
            fpgz_chunk_encode(look->coder, &chunk.planned.grid, look->buffers, &made))
            return SIZE_MAX;
        sum += made.length;
        at += fpgz_grid_bytes(&chunk.planned.grid);
    }
    return sum;
}

/* Whether the first of the longer chunks is longer than shorter ones of its values: mostly the default level,
 * which is fast, shows that it is not. */
static bool gains(struct look *look, const struct fpgz_coder *usual, const struct fpgz_coder *own,
                  uint64_t target, uint64_t slab)
{
    const struct fpgz_coder *const coders[] = {usual, own};
    struct fpgz_part part = look->intake->content.part[look->part];
    struct fpgz_cut longer, shorter;
    if (!fpgz_plan_cut(&part, target, slab, &longer))
        return false;
    part.shortened = true;
    if (!fpgz_plan_cut(&part, target, slab, &shorter))
        return false;
    const struct fpgz_grid first = fpgz_cut_grid(&longer, fpgz_cut_next(&longer, longer.shape.extent[0]));
    const size_t bytes = fpgz_grid_bytes(&first);
    bool shortens = shorter.rows * shorter.row_bytes < bytes;
    for (unsigned i = 0; i < 2 && shortens; i++) {
        look->coder = coders[i];
        const size_t whole = coded(look, &longer, bytes), least = i ? 0 : whole / GAIN_PART;
        shortens = whole < SIZE_MAX && coded(look, &shorter, bytes) < whole - least;
    }
    return shortens;
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
        struct fpgz_coder usual = fpgz_coder_of(setup, FPGZ_LEVEL_DEFAULT, part),
                          own = fpgz_coder_of(setup, level, part);
        usual.unverified = own.unverified = true;
        struct look look = {.intake = intake, .part = i, .buffers = &buffers};
        part->shortened = gains(&look, &usual, &own, target, slab);
    }
    fpgz_chunk_buffers_free(&buffers);
}
