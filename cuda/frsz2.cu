/* SPDX-License-Identifier: MIT
 * FRSZ2 on a GPU: a warp codes a block of 32 values at once, and takes 32 blocks, so that a lane holds the
 * exponent of one. Values that are not finite, which are rare, are listed by a kernel of their own. */
#include "codec.cuh"
#include "frsz2_block.cuh"

enum {
    TILE_BLOCKS = 32, /* of a warp */
    TILE_VALUES = TILE_BLOCKS * FRSZ2_BLOCK,
    BATCH = 8, /* blocks whose loads are on their way at once */
    WARPS = 4,
    LIST_THREADS = 256,
};

struct frsz2_task {
    struct frsz2_layout layout;
    void *values;
    uint8_t *stream;
    uint32_t *counts; /* values that are not finite, of each tile */
    struct fpgz_cuda_result *result;
};

/* A warp's 32 blocks, fewer at the grid's end. */
struct tile {
    size_t number, block;
    uint32_t blocks, values;
};

static __device__ __forceinline__ struct tile own_tile(const struct frsz2_layout &l)
{
    struct tile t;
    t.number = (size_t)blockIdx.x * WARPS + threadIdx.x / 32;
    t.block = t.number * TILE_BLOCKS;
    t.blocks = t.block < l.blocks ? (uint32_t)min(l.blocks - t.block, (size_t)TILE_BLOCKS) : 0;
    t.values = t.blocks ? (uint32_t)min(l.values - t.number * TILE_VALUES, (uint64_t)TILE_VALUES) : 0;
    return t;
}

template <typename Word, typename Code, unsigned CONTAINER>
__global__ void __launch_bounds__(32 * WARPS) frsz2_encode(const struct frsz2_task task)
{
    typedef frsz2_format<Word> format;
    const struct frsz2_layout &l = task.layout;
    const uint32_t lane = threadIdx.x % 32;
    const struct tile t = own_tile(l);
    if (blockIdx.x == 0) /* the padding */
        for (size_t at = l.blocks * l.code.exponent_bytes + threadIdx.x; at < l.exponents_bytes;
             at += blockDim.x)
            task.stream[at] = 0;
    if (!t.blocks)
        return;

    const Word *const values = (const Word *)task.values + t.number * TILE_VALUES;
    uint8_t *const codes = task.stream + l.exponents_bytes + t.block * l.code.block_bytes;
    uint32_t exponents = 0, nonfinite = 0; /* of the lane's block; of the lane's values */
    for (uint32_t first = 0; first < t.blocks; first += BATCH) {
        Word value[BATCH];
#pragma unroll
        for (uint32_t k = 0; k < BATCH; k++) {
            const uint32_t at = (first + k) * FRSZ2_BLOCK + lane;
            value[k] = at < t.values ? values[at] : 0;
        }
#pragma unroll
        for (uint32_t k = 0; k < BATCH; k++) {
            if (first + k >= t.blocks)
                break;
            const uint32_t exponent =
                frsz2_put_block<Code, CONTAINER>(value[k], l.code, codes + (first + k) * l.code.block_bytes);
            nonfinite += frsz2_exponent(value[k]) == format::nonfinite;
            exponents = lane == first + k ? exponent : exponents;
        }
    }
    if (lane < t.blocks)
        frsz2_put_exponent<Word>(task.stream, t.block + lane, l.code, exponents);
    nonfinite = __reduce_add_sync(~0u, nonfinite);
    if (lane == 0) {
        task.counts[t.number] = nonfinite;
        if (nonfinite)
            task.result->pad = 1; /* for the next kernel */
    }
}

template <typename Word, typename Code, unsigned CONTAINER>
__global__ void __launch_bounds__(32 * WARPS) frsz2_decode(const struct frsz2_task task)
{
    const struct frsz2_layout &l = task.layout;
    const uint32_t lane = threadIdx.x % 32;
    const struct tile t = own_tile(l);
    if (!t.blocks)
        return;

    Word *const values = (Word *)task.values + t.number * TILE_VALUES;
    const uint8_t *const codes = task.stream + l.exponents_bytes + t.block * l.code.block_bytes;
    uint32_t exponents = 0;
    if (lane < t.blocks && !frsz2_get_exponent<Word>(task.stream, t.block + lane, l.code, &exponents))
        task.result->status = FPGZ_CORRUPT;
    for (uint32_t first = 0; first < t.blocks; first += BATCH) {
        frsz2_raw<Code, CONTAINER> raw[BATCH];
#pragma unroll
        for (uint32_t k = 0; k < BATCH; k++)
            if (first + k < t.blocks)
                frsz2_load_raw(codes + (first + k) * l.code.block_bytes, l.code, &raw[k]);
#pragma unroll
        for (uint32_t k = 0; k < BATCH; k++) {
            const uint32_t at = (first + k) * FRSZ2_BLOCK + lane,
                           exponent = __shfl_sync(~0u, exponents, first + k);
            Word value;
            frsz2_restore(frsz2_code_of(raw[k], l.code), exponent, &value);
            if (at < t.values)
                values[at] = value;
        }
    }
}

/* Entries are as far apart as whole 32-bit words: an index, then the word. */
template <typename Word>
static __device__ __forceinline__ void store_exception(uint32_t *entry, uint64_t index, Word word)
{
    entry[0] = (uint32_t)index;
    entry[1] = (uint32_t)(index >> 32);
    entry[2] = (uint32_t)word;
    if (sizeof(Word) == 8)
        entry[3] = (uint32_t)((uint64_t)word >> 32);
}

/* Exclusive sums over the CTA's threads; *total gets the sum of all. `shared` holds LIST_THREADS / 32. */
static __device__ uint32_t scan_threads(uint32_t count, uint32_t *shared, uint32_t *total)
{
    const uint32_t lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    uint32_t sum = count, before = 0;
    for (uint32_t step = 1; step < 32; step *= 2) {
        const uint32_t other = __shfl_up_sync(~0u, sum, step);
        sum += lane >= step ? other : 0;
    }
    __syncthreads();
    if (lane == 31)
        shared[warp] = sum;
    __syncthreads();
    *total = 0;
    for (uint32_t w = 0; w < LIST_THREADS / 32; w++) {
        before += w < warp ? shared[w] : 0;
        *total += shared[w];
    }
    return before + sum - count;
}

/* Lists the values of the tiles from `first` on that are not finite, LIST_THREADS tiles at once. */
template <typename Word>
static __device__ uint32_t list_tiles(const struct frsz2_task &task, size_t first, size_t end,
                                      uint32_t listed, uint32_t *list, uint32_t *shared, uint32_t *starts)
{
    const uint32_t lane = threadIdx.x % 32;
    const Word *const values = (const Word *)task.values;
    for (; first < end; first += LIST_THREADS) {
        const size_t own = first + threadIdx.x;
        const uint32_t count = own < end ? task.counts[own] : 0;
        uint32_t total;
        starts[threadIdx.x] = listed + scan_threads(count, shared, &total);
        starts[LIST_THREADS + threadIdx.x] = count;
        listed += total;
        __syncthreads();
        for (uint32_t i = threadIdx.x / 32; i < LIST_THREADS && first + i < end; i += LIST_THREADS / 32) {
            if (!starts[LIST_THREADS + i])
                continue;
            uint32_t at = starts[i];
            for (uint64_t index = (first + i) * TILE_VALUES + lane;
                 index < (first + i + 1) * TILE_VALUES + lane; index += 32) {
                const Word word = index < task.layout.values ? values[index] : 0;
                const bool listed_here = frsz2_exponent(word) == frsz2_format<Word>::nonfinite;
                const uint32_t lanes = __ballot_sync(~0u, listed_here);
                if (listed_here)
                    store_exception(list + (size_t)(at + __popc(lanes & ((1u << lane) - 1))) *
                                               (2 + sizeof(Word) / 4),
                                    index, word);
                at += __popc(lanes);
            }
        }
        __syncthreads();
    }
    return listed;
}

/* The stream's end: no list, or the list of all values that are not finite. Each CTA takes a run of tiles,
 * and sums up for itself what the tiles before them have. */
template <typename Word>
__global__ void __launch_bounds__(LIST_THREADS) frsz2_list(const struct frsz2_task task)
{
    __shared__ uint32_t shared[LIST_THREADS / 32], starts[2 * LIST_THREADS];
    const struct frsz2_layout &l = task.layout;
    if (!task.result->pad) {
        if (blockIdx.x == 0 && threadIdx.x == 0)
            task.result->length = l.body_bytes;
        return;
    }
    const size_t tiles = (l.blocks + TILE_BLOCKS - 1) / TILE_BLOCKS,
                 share = (tiles + gridDim.x - 1) / gridDim.x;
    const size_t first = min(blockIdx.x * share, tiles), end = min(first + share, tiles);
    uint32_t mine = 0, before;
    for (size_t tile = threadIdx.x; tile < first; tile += LIST_THREADS)
        mine += task.counts[tile];
    scan_threads(mine, shared, &before);
    uint32_t *const list = (uint32_t *)(task.stream + l.body_bytes);
    const uint32_t listed = list_tiles<Word>(task, first, end, before, list + 2, shared, starts);
    if (blockIdx.x == gridDim.x - 1 && threadIdx.x == 0) {
        list[0] = listed;
        list[1] = 0;
        task.result->length = l.body_bytes + 8 + (uint64_t)listed * (8 + sizeof(Word));
    }
}

/* Puts the listed values in their places; their indexes must rise. */
template <typename Word> __global__ void frsz2_unlist(const struct frsz2_task task, uint64_t count)
{
    const uint32_t *const list = (const uint32_t *)(task.stream + task.layout.body_bytes);
    const uint64_t i = (uint64_t)blockIdx.x * blockDim.x + threadIdx.x;
    const uint32_t *const entry = list + 2 + i * (2 + sizeof(Word) / 4), *const before =
                                                                             entry - (2 + sizeof(Word) / 4);
    if (i >= count)
        return;
    const uint64_t index = (uint64_t)entry[1] << 32 | entry[0];
    Word word = entry[2];
    if (sizeof(Word) == 8)
        word |= (Word)((uint64_t)entry[3] << 32);
    const bool rises = !i || ((uint64_t)before[1] << 32 | before[0]) < index;
    if (((uint64_t)list[1] << 32 | list[0]) != count || index >= task.layout.values || !rises ||
        frsz2_exponent(word) != frsz2_format<Word>::nonfinite)
        task.result->status = FPGZ_CORRUPT;
    else
        ((Word *)task.values)[index] = word;
}

typedef void frsz2_kernel(const struct frsz2_task);

template <typename Word, typename Code, unsigned CONTAINER> static frsz2_kernel *pick(bool decoding)
{
    return decoding ? frsz2_decode<Word, Code, CONTAINER> : frsz2_encode<Word, Code, CONTAINER>;
}

template <typename Word> static frsz2_kernel *pick_narrow(unsigned bits, bool decoding)
{
    return bits == 8    ? pick<Word, uint32_t, 1>(decoding)
           : bits == 16 ? pick<Word, uint32_t, 2>(decoding)
           : bits == 32 ? pick<Word, uint32_t, 4>(decoding)
                        : pick<Word, uint32_t, FRSZ2_PACKED>(decoding);
}

static frsz2_kernel *pick_kernel(const struct frsz2_layout *l, bool decoding)
{
    const unsigned bits = l->code.bits;
    return !l->is_f64  ? pick_narrow<uint32_t>(bits, decoding)
           : bits < 33 ? pick_narrow<uint64_t>(bits, decoding)
           : bits < 64 ? pick<uint64_t, uint64_t, FRSZ2_PACKED>(decoding)
                       : pick<uint64_t, uint64_t, 8>(decoding);
}

static size_t tiles(const struct frsz2_layout *l)
{
    return (l->blocks + TILE_BLOCKS - 1) / TILE_BLOCKS;
}

static struct frsz2_task task_of(const struct fpgz_cuda_task *task)
{
    return {fpgz_frsz2_lay_out(&task->grid, &task->params), task->values, task->stream,
            (uint32_t *)task->scratch, task->result};
}

static unsigned main_grid(const struct frsz2_layout *l)
{
    return (unsigned)((tiles(l) + WARPS - 1) / WARPS) + !l->blocks;
}

static size_t scratch(const struct fpgz_grid *grid, const struct fpgz_params *params, bool decoding)
{
    const struct frsz2_layout l = fpgz_frsz2_lay_out(grid, params);
    return decoding ? 0 : tiles(&l) * sizeof(uint32_t);
}

static cudaError_t encode(const struct fpgz_cuda_task *task)
{
    const struct frsz2_task t = task_of(task);
    pick_kernel(&t.layout, false)<<<main_grid(&t.layout), 32 * WARPS, 0, task->queue>>>(t);
    frsz2_kernel *const list = t.layout.is_f64 ? frsz2_list<uint64_t> : frsz2_list<uint32_t>;
    list<<<2 * (unsigned)task->multiprocessors, LIST_THREADS, 0, task->queue>>>(t);
    return cudaGetLastError();
}

static cudaError_t decode(const struct fpgz_cuda_task *task)
{
    const struct frsz2_task t = task_of(task);
    const size_t body = t.layout.body_bytes, entry = sizeof(uint64_t) + t.layout.word;
    const uint64_t list = task->length > body ? task->length - body : 0,
                   count = list > sizeof(uint64_t) ? (list - sizeof(uint64_t)) / entry : 0;
    if (task->length < body ||
        (list && (!count || count > t.layout.values || list != sizeof(uint64_t) + count * entry)))
        return cudaMemsetAsync(&task->result->status, FPGZ_CORRUPT, 1, task->queue);
    pick_kernel(&t.layout, true)<<<main_grid(&t.layout), 32 * WARPS, 0, task->queue>>>(t);
    if (count) {
        const unsigned grid = (unsigned)((count + LIST_THREADS - 1) / LIST_THREADS);
        if (t.layout.is_f64)
            frsz2_unlist<uint64_t><<<grid, LIST_THREADS, 0, task->queue>>>(t, count);
        else
            frsz2_unlist<uint32_t><<<grid, LIST_THREADS, 0, task->queue>>>(t, count);
    }
    return cudaGetLastError();
}

extern "C" const struct fpgz_cuda_codec fpgz_cuda_frsz2 = {FPGZ_CODEC_FRSZ2, scratch, encode, decode, NULL};
