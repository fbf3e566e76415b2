/* SPDX-License-Identifier: MIT
 * Streams of prans on a GPU: the plan that the host makes while it walks through a stream, step by step. For
 * prans_tree.cu. */
#ifndef FPGZ_CUDA_PRANS_WALK_CUH
#define FPGZ_CUDA_PRANS_WALK_CUH

#include "prans_tree.cuh"

extern "C" {
#include "codec/prans/inner.h"
#include "codec/prans/whole.h"
#include "core/bytes.h"
}

/* Bytes of values that the host decodes of a chunk, where kernels cannot: streams so short that they have few
 * lanes. */
enum { HOST_BYTES = 1 << 21 };

struct walk {
    const struct fpgz_coding *coding; /* of it all */
    const uint8_t *stream;
    uint8_t *front; /* NULL: it is only measured, what kernels cannot decode as if they could */
    size_t bytes, scratch;
    size_t host_bytes; /* that are left */
    struct prans_step measured;
};

/* Some scratch, with bytes behind it that may be read. */
static uint64_t take(struct walk *w, size_t bytes)
{
    const size_t at = w->scratch;
    w->scratch += fpgz_cuda_align(bytes) + FPGZ_CUDA_ALIGN;
    return at;
}

/* Where the next step will be. */
static struct prans_step *next_step(struct walk *w)
{
    return w->front ? (struct prans_step *)(w->front + w->bytes) : &w->measured;
}

static uint8_t *behind(struct prans_step *step)
{
    return (uint8_t *)step + fpgz_cuda_align(sizeof *step);
}

/* The next step, with so many bytes behind it. */
static struct prans_step *add(struct walk *w, enum prans_action action, const struct fpgz_grid *grid,
                              uint64_t to, size_t bytes)
{
    struct prans_step *const step = next_step(w);
    memset(step, 0, sizeof *step);
    step->bytes = fpgz_cuda_align(sizeof *step) + fpgz_cuda_align(bytes);
    step->action = action;
    step->grid = *grid;
    step->to = to;
    w->bytes += step->bytes;
    return step;
}

static void add_stream(struct walk *w, enum prans_action action, const struct prans_inner *in, uint64_t to,
                       size_t bytes)
{
    struct prans_step *const step = add(w, action, &in->grid, to, bytes);
    step->inner.params = in->params;
    step->inner.at = (uint64_t)(in->stream - w->stream);
    step->inner.length = in->length;
    if (action == PRANS_DECODE)
        step->inner.scratch = take(w, fpgz_prans_leaf_scratch(&in->grid));
}

/* A stream that no others are in. */
static enum fpgz_status add_leaf(struct walk *w, const struct prans_inner *in, uint64_t to)
{
    const struct fpgz_coding coding = {in->grid, in->params, w->coding->scratch, NULL};
    const size_t raw = fpgz_grid_bytes(&in->grid), front = fpgz_prans_leaf_front(&in->grid);
    const bool is_inner = in->stream != w->stream;
    if (!w->front) {
        add_stream(w, PRANS_DECODE, in, to, is_inner && raw <= HOST_BYTES ? fpgz_max(front, raw) : front);
        return FPGZ_OK;
    }
    uint8_t *const out = behind(next_step(w));
    const enum fpgz_status status = fpgz_prans_leaf_open(
        &coding, in->stream, in->length, (uint32_t)((size_t)(in->stream - w->stream) % FPGZ_CUDA_ALIGN), out);
    if (status == FPGZ_OK)
        add_stream(w, PRANS_DECODE, in, to, fpgz_prans_leaf_opened(out));
    if (status != FPGZ_UNSUPPORTED || !is_inner || raw > w->host_bytes)
        return status;
    if (fpgz_prans_summed.decode(&coding, in->stream, in->length, out))
        return FPGZ_CORRUPT;
    add_stream(w, PRANS_BRING, in, to, raw);
    w->host_bytes -= raw;
    return FPGZ_OK;
}

#endif
