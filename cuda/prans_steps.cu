/* SPDX-License-Identifier: MIT
 * Streams of prans on a GPU: the steps of a plan, whose kernels run one after the other. */
#include "prans_joins.cuh"
#include "prans_matches.cuh"
#include "prans_tree.cuh"

extern "C" {
#include "core/bytes.h"
}

static uint8_t *place(const struct fpgz_cuda_task *task, uint64_t at)
{
    return at == prans_in_grid ? (uint8_t *)task->values : (uint8_t *)task->scratch + at;
}

static const uint8_t *behind(const struct prans_step *step)
{
    return (const uint8_t *)step + fpgz_cuda_align(sizeof *step);
}

static uint32_t values_of(const struct prans_step *step)
{
    return (uint32_t)fpgz_grid_values(&step->grid);
}

static uint32_t blocks_for(uint32_t values)
{
    return (values + PRANS_JOIN_THREADS - 1) / PRANS_JOIN_THREADS;
}

/* The task of a stream that no others are in. It is read by whole words from where these are aligned. */
static struct fpgz_cuda_task leaf_of(const struct fpgz_cuda_task *task, const struct prans_step *step)
{
    const uint64_t before = step->inner.at % FPGZ_CUDA_ALIGN;
    struct fpgz_cuda_task leaf = *task;
    leaf.grid = step->grid;
    leaf.params = step->inner.params;
    leaf.values = place(task, step->to);
    leaf.stream = task->stream + step->inner.at - before;
    leaf.length = before + step->inner.length;
    leaf.scratch = place(task, step->inner.scratch);
    leaf.front = behind(step);
    return leaf;
}

static cudaError_t copy(const struct fpgz_cuda_task *task, const struct prans_step *step)
{
    return cudaMemcpyAsync(place(task, step->to), task->stream + step->inner.at, fpgz_grid_bytes(&step->grid),
                           cudaMemcpyDeviceToDevice, task->queue);
}

static cudaError_t bring(const struct fpgz_cuda_task *task, const struct prans_step *step)
{
    return cudaMemcpyAsync(place(task, step->to), behind(step), fpgz_grid_bytes(&step->grid),
                           cudaMemcpyHostToDevice, task->queue);
}

static cudaError_t append(const struct fpgz_cuda_task *task, const struct prans_step *step)
{
    return cudaMemcpyAsync(place(task, step->to) + step->before, place(task, step->from[0]),
                           fpgz_grid_bytes(&step->grid), cudaMemcpyDeviceToDevice, task->queue);
}

template <typename WORD> static void join(const struct fpgz_cuda_task *task, const struct prans_step *step)
{
    const uint32_t count = values_of(step);
    prans_join<WORD><<<blocks_for(count), PRANS_JOIN_THREADS, 0, task->queue>>>(
        step->parts, (const WORD *)place(task, step->from[0]), (WORD *)place(task, step->to), count,
        task->result);
}

template <typename WORD> static void look_up(const struct fpgz_cuda_task *task, const struct prans_step *step)
{
    const uint32_t count = values_of(step);
    prans_look_up<WORD><<<blocks_for(count), PRANS_JOIN_THREADS, 0, task->queue>>>(
        (const uint32_t *)place(task, step->from[0]), (const WORD *)place(task, step->from[1]),
        step->distinct, (WORD *)place(task, step->to), count, task->result);
}

template <typename WORD>
static void put_parts(const struct fpgz_cuda_task *task, const struct prans_step *step)
{
    const uint32_t count = values_of(step);
    prans_put_parts<WORD><<<blocks_for(count), PRANS_JOIN_THREADS, 0, task->queue>>>(
        (const WORD *)place(task, step->from[0]), step->apart.step / sizeof(WORD), step->apart.middle,
        step->apart.fast, (WORD *)place(task, step->to), count, task->result);
}

template <typename WORD> static void unfold(const struct fpgz_cuda_task *task, const struct prans_step *step)
{
    const uint32_t count = values_of(step);
    prans_unfold<WORD><<<blocks_for(count), PRANS_JOIN_THREADS, 0, task->queue>>>(
        step->symmetric.maps, fpgz_dtypes[step->grid.dtype].kind == 'f', step->symmetric.differs,
        (const WORD *)place(task, step->from[0]), (WORD *)place(task, step->to), count, task->result);
}

template <typename WORD, typename SCALE>
static void scale(const struct fpgz_cuda_task *task, const struct prans_step *step)
{
    const uint32_t count = values_of(step);
    prans_scale<WORD, SCALE><<<blocks_for(count), PRANS_JOIN_THREADS, 0, task->queue>>>(
        step->scaled.runs, step->scaled.differs, (const WORD *)place(task, step->from[0]),
        (const SCALE *)place(task, step->from[1]), (WORD *)place(task, step->to), count, task->result);
}

size_t fpgz_prans_match_scratch(const struct fpgz_grid *grid, size_t tokens)
{
    struct prans_match m;
    size_t bytes;
    prans_match_lay((uint32_t)fpgz_grid_values(grid), (uint32_t)tokens, fpgz_dtype_size(grid->dtype), NULL,
                    &m, &bytes);
    return bytes;
}

static struct prans_match match_of(const struct fpgz_cuda_task *task, const struct prans_step *step)
{
    const struct matched_front *const front = &step->matched.front;
    struct prans_match m = {};
    m.literals = place(task, step->from[0]);
    for (unsigned i = 0; i < MATCHED_FIELDS; i++)
        m.field[i] = (const uint32_t *)place(task, step->from[1 + i]);
    m.differences = front->differs ? place(task, step->from[MATCHED_STREAMS - 1]) : NULL;
    m.values = values_of(step);
    m.literal_count = (uint32_t)front->literals;
    m.tokens = (uint32_t)front->tokens;
    m.deepest = front->deepest;
    m.is_real = fpgz_dtypes[step->grid.dtype].kind == 'f';
    m.to = place(task, step->to);
    m.result = task->result;
    return m;
}

template <typename WORD> static void match(const struct fpgz_cuda_task *task, const struct prans_step *step)
{
    prans_match_all<WORD>(match_of(task, step), place(task, step->matched.scratch), task->queue);
}

template <typename WORD> static void make(const struct fpgz_cuda_task *task, const struct prans_step *step)
{
    switch (step->action) {
    case PRANS_NUMBER:
        look_up<WORD>(task, step);
        break;
    case PRANS_PUT:
        put_parts<WORD>(task, step);
        break;
    case PRANS_UNFOLD:
        unfold<WORD>(task, step);
        break;
    default:
        match<WORD>(task, step);
    }
}

static cudaError_t launch(const struct fpgz_cuda_task *task, const struct prans_step *step)
{
    const size_t size = fpgz_dtype_size(step->grid.dtype);
    if (step->action == PRANS_JOIN)
        (size == 8 ? join<uint64_t> : join<uint32_t>)(task, step);
    else if (step->action == PRANS_MULTIPLY)
        (size == 8   ? scale<uint64_t, uint64_t>
         : size == 4 ? scale<uint32_t, uint32_t>
                     : scale<uint16_t, uint32_t>)(task, step);
    else
        prans_by_size(size, [&](auto word) { make<decltype(word)>(task, step); });
    return cudaGetLastError();
}

static const struct prans_step *first_step(const struct fpgz_cuda_task *task)
{
    return (const struct prans_step *)((const uint8_t *)task->front +
                                       fpgz_cuda_align(sizeof(struct prans_plan)));
}

/* NULL behind the last one. */
static const struct prans_step *next_step(const struct fpgz_cuda_task *task, const struct prans_step *step)
{
    const uint8_t *const next = (const uint8_t *)step + step->bytes, *const plan =
                                                                         (const uint8_t *)task->front;
    return next < plan + ((const struct prans_plan *)plan)->bytes ? (const struct prans_step *)next : NULL;
}

/* Streams of values of so many bytes, in the first task's queue: they need nothing of each other. */
static cudaError_t decode_leaves(const struct fpgz_cuda_task *const *tasks, unsigned count, size_t size)
{
    struct fpgz_cuda_task leaf[PRANS_LEAVES];
    unsigned leaves = 0;
    cudaError_t status = cudaSuccess;
    for (unsigned i = 0; i < count; i++)
        for (const struct prans_step *step = first_step(tasks[i]); step; step = next_step(tasks[i], step)) {
            if (step->action != PRANS_DECODE || fpgz_dtype_size(step->grid.dtype) != size)
                continue;
            leaf[leaves] = leaf_of(tasks[i], step);
            leaf[leaves++].queue = tasks[0]->queue;
            if (leaves < PRANS_LEAVES)
                continue;
            status = status ? status : fpgz_prans_leaf_decode(leaf, leaves);
            leaves = 0;
        }
    return status || !leaves ? status : fpgz_prans_leaf_decode(leaf, leaves);
}

/* Values are made of others only where these stand already. */
static cudaError_t decode_many(const struct fpgz_cuda_task *const *tasks, unsigned count)
{
    cudaError_t status = cudaSuccess;
    for (size_t size = 1; size <= sizeof(uint64_t) && !status; size *= 2)
        status = decode_leaves(tasks, count, size);
    for (unsigned i = 0; i < count; i++) {
        struct fpgz_cuda_task task = *tasks[i];
        task.queue = tasks[0]->queue;
        for (const struct prans_step *step = first_step(&task); step && !status;
             step = next_step(&task, step))
            status = step->action == PRANS_DECODE   ? cudaSuccess
                     : step->action == PRANS_COPY   ? copy(&task, step)
                     : step->action == PRANS_BRING  ? bring(&task, step)
                     : step->action == PRANS_APPEND ? append(&task, step)
                                                    : launch(&task, step);
    }
    return status;
}

static cudaError_t decode(const struct fpgz_cuda_task *task)
{
    return decode_many(&task, 1);
}

/* Only decode() has scratch, which open() measures. */
static size_t no_scratch(const struct fpgz_grid *, const struct fpgz_params *, bool)
{
    return 0;
}

/* clang-format off */
const struct fpgz_cuda_codec fpgz_cuda_prans = {
    FPGZ_CODEC_PRANS, no_scratch, NULL, decode, fpgz_prans_leaf_prepare, fpgz_prans_tree_front,
    fpgz_prans_tree_open, decode_many, &fpgz_cuda_prans_aide, fpgz_prans_tree_reach, fpgz_prans_tree_opened,
};
/* clang-format on */
