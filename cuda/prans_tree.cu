/* SPDX-License-Identifier: MIT
 * Streams of prans on a GPU: what the host reads of them. It walks to those that no other streams are in, and
 * notes what kernels are to do. */
#include "prans_walk.cuh"

extern "C" {
#include "codec/prans/apart/akin.h"
#include "codec/prans/apart/apart.h"
#include "codec/prans/format.h"
#include "codec/prans/outline.h"
#include "codec/prans/parted/parted.h"
#include "codec/prans/periodic/periodic.h"
#include "codec/prans/ranked/ranked.h"
#include "codec/prans/scaled/scaled.h"
#include "codec/prans/symmetric/symmetric.h"
}

/* Formats of streams that others are in. */
enum {
    PARTED = 1,
    MATCHED = 2,
    RANKED = 4,
    PERIODIC = 8,
    SYMMETRIC = 16,
    APART = 32,
    SCALED = 64,
    ROWS = 128, /* periods in rows */
};

static enum fpgz_status visit(struct walk *w, const struct prans_inner *in, unsigned formats, uint64_t to);

/* A stream within another one, which may be its values. */
static enum fpgz_status visit_inner(struct walk *w, const struct prans_inner *in, unsigned formats,
                                    uint64_t to)
{
    if (!fpgz_prans_inner_is_stored(in))
        return visit(w, in, formats, to);
    add_stream(w, PRANS_COPY, in, to, 0);
    return FPGZ_OK;
}

/* The second parts stand where the values will. */
static enum fpgz_status visit_parted(struct walk *w, const struct prans_inner *in, uint64_t to)
{
    const struct fpgz_coding coding = {in->grid, in->params, NULL, NULL};
    struct prans_parts parts;
    struct prans_inner first, second;
    if (!fpgz_prans_parted_read(&coding, in->stream, in->length, &parts, &first, &second))
        return FPGZ_CORRUPT;
    const uint64_t at = take(w, fpgz_grid_bytes(&in->grid));
    enum fpgz_status status = visit(w, &first, 0, at);
    if (!status)
        status = visit(w, &second, 0, to);
    if (status)
        return status;
    struct prans_step *const step = add(w, PRANS_JOIN, &in->grid, to, 0);
    step->from[0] = at;
    step->parts = parts;
    return FPGZ_OK;
}

static enum fpgz_status visit_ranked(struct walk *w, const struct prans_inner *in, uint64_t to)
{
    const struct fpgz_coding coding = {in->grid, in->params, NULL, NULL};
    struct prans_inner ranks, dictionary;
    if (!fpgz_prans_ranked_read(&coding, in->stream, in->length, &ranks, &dictionary))
        return FPGZ_CORRUPT;
    const uint64_t number = take(w, fpgz_grid_bytes(&ranks.grid)),
                   word = take(w, fpgz_grid_bytes(&dictionary.grid));
    enum fpgz_status status = visit_inner(w, &ranks, PARTED | MATCHED, number);
    if (!status)
        status = visit_inner(w, &dictionary, PARTED | MATCHED, word);
    if (status)
        return status;
    struct prans_step *const step = add(w, PRANS_NUMBER, &in->grid, to, 0);
    step->from[0] = number;
    step->from[1] = word;
    step->distinct = (uint32_t)dictionary.grid.extent[0];
    return FPGZ_OK;
}

/* `formats` are those that may be within. What is behind the last period comes by the scratch: kernels write
 * to aligned places. */
static enum fpgz_status visit_periodic(struct walk *w, const struct prans_inner *in, unsigned formats,
                                       uint64_t to)
{
    const struct fpgz_coding coding = {in->grid, in->params, NULL, NULL};
    struct prans_inner part[2];
    if (!fpgz_prans_periodic_read(&coding, in->stream, in->length, part))
        return FPGZ_CORRUPT;
    enum fpgz_status status = visit_inner(w, &part[0], formats, to);
    if (status || !fpgz_grid_values(&part[1].grid))
        return status;
    const uint64_t rest = take(w, fpgz_grid_bytes(&part[1].grid));
    status = visit_inner(w, &part[1], formats, rest);
    if (status)
        return status;
    struct prans_step *const step = add(w, PRANS_APPEND, &part[1].grid, to, 0);
    step->from[0] = rest;
    step->before = fpgz_grid_bytes(&part[0].grid);
    return FPGZ_OK;
}

/* Part i of those from `from` on, `bytes` each, by one before: it is its own source, but for differences. */
static enum fpgz_status visit_akin(struct walk *w, const struct prans_inner *part, size_t i, uint64_t from,
                                   uint64_t bytes)
{
    struct prans_inner differences;
    size_t other;
    if (!fpgz_prans_akin_read(part, i, &other, &differences))
        return FPGZ_CORRUPT;
    const uint64_t to = from + i * bytes;
    const unsigned formats = PARTED | MATCHED | RANKED | PERIODIC | SCALED | SYMMETRIC;
    const enum fpgz_status status = differences.length ? visit_inner(w, &differences, formats, to) : FPGZ_OK;
    if (status)
        return status;
    struct prans_step *const step = add(w, PRANS_UNFOLD, &part->grid, to, 0);
    step->from[0] = from + other * bytes;
    step->symmetric.maps = fpgz_prans_symmetric_none(&part->grid);
    step->symmetric.differs = differences.length > 0;
    return FPGZ_OK;
}

static enum fpgz_status visit_apart(struct walk *w, const struct prans_inner *in, uint64_t to)
{
    const struct fpgz_coding coding = {in->grid, in->params, NULL, NULL};
    struct apart_split split;
    struct prans_inner part[APART_MOST];
    if (!fpgz_prans_apart_read(&coding, in->stream, in->length, &split, part))
        return FPGZ_CORRUPT;
    const size_t parts = split.slow * split.fast,
                 bytes = fpgz_cuda_align(fpgz_grid_bytes(&split.part)) + FPGZ_CUDA_ALIGN;
    const uint64_t from = take(w, parts * bytes);
    for (size_t i = 0; i < parts; i++) {
        const unsigned formats = PARTED | MATCHED | RANKED | PERIODIC | SCALED | SYMMETRIC;
        const enum fpgz_status status = fpgz_prans_is_akin(&part[i])
                                            ? visit_akin(w, &part[i], i, from, bytes)
                                            : visit_inner(w, &part[i], formats, from + i * bytes);
        if (status)
            return status;
    }
    struct prans_step *const step = add(w, PRANS_PUT, &in->grid, to, 0);
    step->from[0] = from;
    step->apart = {(uint32_t)split.slow, (uint32_t)split.middle, (uint32_t)split.fast, bytes};
    return FPGZ_OK;
}

/* Any of the values may be read by others, so that these do not stand where the first ones do. */
static enum fpgz_status visit_symmetric(struct walk *w, const struct prans_inner *in, uint64_t to)
{
    const struct fpgz_coding coding = {in->grid, in->params, NULL, NULL};
    const unsigned formats = PARTED | MATCHED | RANKED | PERIODIC;
    struct symmetric_maps maps;
    struct prans_inner part[2];
    if (!fpgz_prans_symmetric_read(&coding, in->stream, in->length, &maps, part))
        return FPGZ_CORRUPT;
    const uint64_t from = take(w, fpgz_grid_bytes(&in->grid));
    enum fpgz_status status = visit_inner(w, &part[0], formats, from);
    if (!status && part[1].length)
        status = visit_inner(w, &part[1], formats, to);
    if (status)
        return status;
    struct prans_step *const step = add(w, PRANS_UNFOLD, &in->grid, to, 0);
    step->from[0] = from;
    step->symmetric.maps = maps;
    step->symmetric.differs = part[1].length > 0;
    return FPGZ_OK;
}

/* Differences stand where the values will. */
static enum fpgz_status visit_scaled(struct walk *w, const struct prans_inner *in, uint64_t to)
{
    const struct fpgz_coding coding = {in->grid, in->params, NULL, NULL};
    const unsigned formats = PARTED | MATCHED | RANKED | PERIODIC;
    struct scaled_runs runs;
    struct prans_inner part[3];
    if (!fpgz_prans_scaled_read(&coding, in->stream, in->length, &runs, part))
        return FPGZ_CORRUPT;
    const uint64_t from[] = {take(w, fpgz_grid_bytes(&part[0].grid)),
                             take(w, fpgz_grid_bytes(&part[1].grid))};
    enum fpgz_status status = visit_inner(w, &part[0], formats, from[0]);
    if (!status)
        status = visit_inner(w, &part[1], formats, from[1]);
    if (!status && part[2].length)
        status = visit_inner(w, &part[2], formats, to);
    if (status)
        return status;
    struct prans_step *const step = add(w, PRANS_MULTIPLY, &in->grid, to, 0);
    step->from[0] = from[0];
    step->from[1] = from[1];
    step->scaled.runs = runs;
    step->scaled.differs = part[2].length > 0;
    return FPGZ_OK;
}

static enum fpgz_status visit_matched(struct walk *w, const struct prans_inner *in, uint64_t to)
{
    const struct fpgz_coding coding = {in->grid, in->params, NULL, NULL};
    struct matched_front front;
    struct prans_inner row[MATCHED_STREAMS];
    uint64_t from[MATCHED_STREAMS] = {};
    if (!fpgz_prans_matched_known(in->stream, in->length))
        return FPGZ_UNSUPPORTED;
    if (!fpgz_prans_matched_read(&coding, in->stream, in->length, &front, row))
        return FPGZ_CORRUPT;
    const unsigned rows = front.differs ? MATCHED_STREAMS : MATCHED_STREAMS - 1;
    for (unsigned i = 0; i < rows; i++) {
        from[i] = take(w, fpgz_grid_bytes(&row[i].grid));
        const enum fpgz_status status = visit_inner(w, &row[i], PARTED, from[i]);
        if (status)
            return status;
    }
    struct prans_step *const step = add(w, PRANS_MATCH, &in->grid, to, 0);
    memcpy(step->from, from, sizeof from);
    step->matched.front = front;
    step->matched.scratch = take(w, fpgz_prans_match_scratch(&in->grid, front.tokens));
    return FPGZ_OK;
}

/* formats: those that it may have of streams that others are in. */
static enum fpgz_status visit(struct walk *w, const struct prans_inner *in, unsigned formats, uint64_t to)
{
    if (!in->length || fpgz_grid_values(&in->grid) > PRANS_MAX_VALUES)
        return FPGZ_CORRUPT;
    switch (in->stream[0]) {
    case PRANS_FORMAT_PARTED:
        return formats & PARTED ? visit_parted(w, in, to) : FPGZ_CORRUPT;
    case PRANS_FORMAT_MATCHED:
        return formats & MATCHED ? visit_matched(w, in, to) : FPGZ_CORRUPT;
    case PRANS_FORMAT_RANKED:
        return formats & RANKED ? visit_ranked(w, in, to) : FPGZ_CORRUPT;
    case PRANS_FORMAT_PERIODIC:
        if (fpgz_prans_is_periodic(PERIODIC_FASTEST, in->stream, in->length))
            return formats & ROWS ? visit_periodic(w, in, formats & ~(unsigned)ROWS, to) : FPGZ_CORRUPT;
        if (fpgz_prans_is_periodic(PERIODIC_SLOWEST, in->stream, in->length))
            return formats & PERIODIC ? visit_periodic(w, in, PARTED | MATCHED | RANKED, to) : FPGZ_CORRUPT;
        return add_leaf(w, in, to); /* of another axis: nobody knows it */
    case PRANS_FORMAT_SCALED:
        return formats & SCALED ? visit_scaled(w, in, to) : FPGZ_CORRUPT;
    case PRANS_FORMAT_SYMMETRIC:
        return formats & SYMMETRIC ? visit_symmetric(w, in, to) : FPGZ_CORRUPT;
    case PRANS_FORMAT_APART:
        return formats & APART ? visit_apart(w, in, to) : FPGZ_CORRUPT;
    case PRANS_FORMAT_PLATEAUS: /* for the host: each value hangs on the one before */
        return formats & RANKED ? add_leaf(w, in, to) : FPGZ_CORRUPT;
    case PRANS_FORMAT_SUMMED: /* as well */
        return formats & APART ? add_leaf(w, in, to) : FPGZ_CORRUPT;
    default:
        return add_leaf(w, in, to);
    }
}

static struct walk begin(const struct fpgz_coding *coding, const uint8_t *stream, uint8_t *front)
{
    struct walk w = {};
    w.coding = coding;
    w.stream = stream;
    w.front = front;
    w.bytes = fpgz_cuda_align(sizeof(struct prans_plan));
    w.host_bytes = HOST_BYTES;
    return w;
}

static enum fpgz_status visit_all(struct walk *w, size_t length)
{
    const struct prans_inner all = {w->coding->grid, w->coding->params, w->stream, length};
    return visit(w, &all, PARTED | MATCHED | RANKED | PERIODIC | SCALED | SYMMETRIC | APART | ROWS,
                 prans_in_grid);
}

size_t fpgz_prans_tree_front(const struct fpgz_coding *coding, const uint8_t *stream, size_t length)
{
    struct walk w = begin(coding, stream, NULL);
    visit_all(&w, length);
    return w.bytes;
}

enum fpgz_status fpgz_prans_tree_open(const struct fpgz_coding *coding, const uint8_t *stream, size_t length,
                                      void *front, size_t *scratch)
{
    struct walk w = begin(coding, stream, (uint8_t *)front);
    const enum fpgz_status status = visit_all(&w, length);
    ((struct prans_plan *)front)->bytes = w.bytes;
    *scratch = w.scratch;
    return status;
}

size_t fpgz_prans_tree_opened(const void *front)
{
    return ((const struct prans_plan *)front)->bytes;
}

/* Description, tables' numbers and segments' lengths. In streams of other formats the inner ones are
 * anywhere. */
size_t fpgz_prans_tree_reach(const struct fpgz_grid *grid, const uint8_t *stream, size_t length)
{
    if (length < PRANS_HEAD_BYTES || (stream[0] != PRANS_FORMAT_MIDDLE && stream[0] != PRANS_FORMAT_BINS))
        return length;
    return fpgz_min(length, PRANS_HEAD_BYTES + (uint64_t)fpgz_load32(stream + 4) +
                                (fpgz_prans_middle_layout(grid).blocks + 1) / 2 +
                                fpgz_prans_segments_most(fpgz_grid_values(grid)) * 2 * sizeof(uint32_t));
}
