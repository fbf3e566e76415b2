/* SPDX-License-Identifier: MIT
 * ndzip: its launches, and the border that no hypercube covers. */
#include "codec.cuh"

extern "C" {
#include "codec/ndzip/ndzip.h"
}
#include "ndzip_border.cuh"
#include "ndzip_decode.cuh"
#include "ndzip_encode.cuh"

enum {
    BORDER_THREADS = 256,
    BORDER_BLOCKS = 8,     /* a multiprocessor */
    NDZIP_LEAST_CUBES = 6, /* a multiprocessor, for teams of threads; of f64 four times as many */
};

static struct ndzip_border border_of(const struct ndzip_layout *l)
{
    struct ndzip_border b;
    b.row = (uint32_t)l->extent[2];
    b.plane = (uint32_t)(l->extent[1] * l->extent[2]);
    b.covered_x = (uint32_t)l->covered[2];
    b.covered_y = (uint32_t)l->covered[1];
    b.tail = b.row - b.covered_x;
    b.of_plane = b.plane - b.covered_y * b.covered_x;
    b.of_planes = (uint32_t)l->covered[0] * b.of_plane;
    b.of_all = (uint32_t)(l->border_bytes / l->word);
    b.last_planes = (uint32_t)l->covered[0] * b.plane;
    b.in_runs = 0;
    return b;
}

/* From the grid to the stream behind *last words, or (`last` is NULL) right to it: then it is all of the
 * stream. */
template <typename VALUE>
__global__ void encode_border(const struct ndzip_border b, const VALUE *grid, VALUE *stream,
                              const uint32_t *last, struct fpgz_cuda_result *result)
{
    if (last)
        stream += *last;
    else if (blockIdx.x == 0 && threadIdx.x == 0)
        result->length = b.of_all * (uint64_t)sizeof(VALUE);
    for (uint32_t i = blockIdx.x * blockDim.x + threadIdx.x; i < b.of_all; i += gridDim.x * blockDim.x)
        stream[i] = grid[ndzip_border_place(b, i)];
}

static unsigned border_blocks(const struct fpgz_cuda_task *task, const struct ndzip_border *b)
{
    const unsigned blocks = (b->of_all + BORDER_THREADS - 1) / BORDER_THREADS,
                   most = task->multiprocessors * BORDER_BLOCKS;
    return blocks < most ? blocks : most;
}

typedef void encode_kernel(struct ndzip_encoding);
typedef void decode_kernel(struct ndzip_decoding);

/* Indexed by [dtype is f64][dimensions - 1][rows are multiples of 16 bytes], as in one dimension they always
 * are; of 32, a sector of memory, where a decoder has three dimensions. */
static encode_kernel *const encode_kernels[2][3][2] = {
    {{ndzip_encode_kernel<1, 1, true>, ndzip_encode_kernel<1, 1, true>},
     {ndzip_encode_kernel<1, 2, false>, ndzip_encode_kernel<1, 2, true>},
     {ndzip_encode_kernel<1, 3, false>, ndzip_encode_kernel<1, 3, true>}},
    {{ndzip_encode_kernel<2, 1, true>, ndzip_encode_kernel<2, 1, true>},
     {ndzip_encode_kernel<2, 2, false>, ndzip_encode_kernel<2, 2, true>},
     {ndzip_encode_kernel<2, 3, false>, ndzip_encode_kernel<2, 3, true>}},
};
/* Indexed by [dtype is f64][dimensions - 1][where rows begin]. */
static decode_kernel *const decode_kernels[2][3][2] = {
    {{NULL, ndzip_decode_kernel<1, 1, NDZIP_ALIGNED>},
     {ndzip_decode_kernel<1, 2, NDZIP_ANYWHERE>, ndzip_decode_kernel<1, 2, NDZIP_ALIGNED>},
     {ndzip_decode_kernel<1, 3, NDZIP_ANYWHERE>, ndzip_decode_kernel<1, 3, NDZIP_ALIGNED>}},
    {{NULL, ndzip_decode_kernel<2, 1, NDZIP_ALIGNED>},
     {ndzip_decode_kernel<2, 2, NDZIP_ALIGNED>, ndzip_decode_kernel<2, 2, NDZIP_ALIGNED>},
     {ndzip_decode_kernel<2, 3, NDZIP_ANYWHERE>, ndzip_decode_kernel<2, 3, NDZIP_ALIGNED>}},
};
static decode_kernel *const decode_rows[2] = {ndzip_decode_rows<1>, ndzip_decode_rows<2>};

static bool aligned(const struct ndzip_layout *l, unsigned bytes)
{
    return l->extent[2] * l->word % bytes == 0;
}

/* How blocks share a decoder's work, where one restores up to `run` hypercubes of a row, or one. */
static struct ndzip_slabs slabs_of(const struct ndzip_layout *l, const struct ndzip_border *b, uint32_t run)
{
    struct ndzip_slabs slabs = {(uint32_t)l->cube_count, 1, 1, run, 0, 0, NDZIP_SHARE * run};
    if (l->cube_count && l->dims > 1) {
        slabs.count = (uint32_t)l->cubes[3 - l->dims];
        slabs.runs = (uint32_t)l->cube_count / slabs.count;
        if (b->in_runs) {
            slabs.segments = ((uint32_t)l->cubes[2] + run - 1) / run;
            slabs.runs = (uint32_t)l->cubes[1] * slabs.segments;
        }
        slabs.values = l->dims == 2 ? 64 * b->tail : (b->of_planes - b->in_runs) / slabs.count;
        slabs.blocks = (slabs.values + slabs.share - 1) / slabs.share;
    }
    return slabs;
}

/* Where rows begin. Teams pay where there is enough for all multiprocessors. */
static int rows_of(const struct ndzip_layout *l, int multiprocessors)
{
    const bool is_3d = l->dims == 3;
    if (l->dims == 1 || aligned(l, is_3d ? 32 : 16))
        return NDZIP_ALIGNED;
    return is_3d && l->extent[1] * l->extent[2] * l->word % 32 == 0 &&
                   l->cube_count >= ((size_t)multiprocessors * NDZIP_LEAST_CUBES) << 2 * l->is_f64
               ? NDZIP_ALIKE
               : NDZIP_ANYWHERE;
}

/* Bytes of shared memory of a block that decodes `run` hypercubes of a row and what is behind them. */
static size_t rows_memory(const struct ndzip_layout *l, uint32_t run)
{
    const size_t tile = l->is_f64 ? ndzip_size<2>::STAGED : ndzip_size<1>::STAGED;
    return run * tile + 256 * (l->extent[2] % 16) * l->word;
}

/* Hypercubes that such a block restores: as many in all of a row, and so that a multiprocessor holds two
 * blocks. */
static cudaError_t rows_run(const struct ndzip_layout *l, uint32_t *run)
{
    size_t limit;
    const cudaError_t status = fpgz_cuda_shared_limit(&limit);
    const uint32_t across = (uint32_t)l->cubes[2];
    uint32_t most = l->is_f64 ? ndzip_size<2>::TEAMS : ndzip_size<1>::TEAMS;
    while (most > 1 && rows_memory(l, most) > limit / 2 - 1024)
        most--;
    const uint32_t segments = (across + most - 1) / most;
    *run = (across + segments - 1) / segments;
    return status;
}

static struct ndzip_cubes cubes_of(const struct ndzip_layout *l)
{
    struct ndzip_cubes cubes;
    cubes.count = (uint32_t)l->cube_count;
    cubes.across = (uint32_t)l->cubes[2];
    cubes.down = (uint32_t)l->cubes[1];
    cubes.row = l->extent[2] * l->word;
    cubes.plane = l->extent[1] * cubes.row;
    return cubes;
}

static size_t encode_memory(bool is_f64, unsigned stages)
{
    return is_f64 ? ndzip_size<2>::TILE + stages * ndzip_size<2>::STAGED
                  : ndzip_size<1>::TILE + stages * ndzip_size<1>::STAGED;
}

/* Hypercubes that may wait to be copied out: one where the device has little shared memory. */
static cudaError_t encode_stages(bool is_f64, unsigned *stages)
{
    size_t limit;
    const cudaError_t status = fpgz_cuda_shared_limit(&limit);
    const size_t fixed = sizeof(struct ndzip_shared<2>);
    *stages = encode_memory(is_f64, NDZIP_STAGES) + fixed <= limit ? (unsigned)NDZIP_STAGES : 1;
    return status;
}

static size_t scratch(const struct fpgz_grid *grid, const struct fpgz_params *params, bool decoding)
{
    (void)params;
    return decoding ? 0 : (fpgz_ndzip_layout(grid).cube_count + 1) * sizeof(uint64_t);
}

static cudaError_t encode(const struct fpgz_cuda_task *task)
{
    const struct ndzip_layout l = fpgz_ndzip_layout(&task->grid);
    const struct ndzip_border border = border_of(&l);
    uint32_t *const table = (uint32_t *)task->stream;
    uint8_t *const words = task->stream + l.table_bytes;
    if (l.cube_count) {
        unsigned stages;
        const size_t state = (l.cube_count + 1) * sizeof(uint64_t);
        cudaError_t status = encode_stages(l.is_f64, &stages);
        if (!status)
            status = cudaMemsetAsync(task->scratch, 0, state, task->queue);
        if (status)
            return status;
        struct ndzip_encoding e;
        e.cubes = cubes_of(&l);
        e.values = (const uint8_t *)task->values;
        e.table = table;
        e.words = words;
        e.ticket = (uint32_t *)task->scratch;
        e.descriptors = (uint64_t *)task->scratch + 1;
        e.stages = stages;
        e.border_bytes = l.border_bytes;
        e.result = task->result;
        const unsigned most = task->multiprocessors * (l.is_f64 ? 2 : 4);
        const unsigned blocks = l.cube_count < most ? (unsigned)l.cube_count : most;
        const size_t memory = encode_memory(l.is_f64, stages);
        encode_kernel *const kernel = encode_kernels[l.is_f64][l.dims - 1][aligned(&l, 16)];
        kernel<<<blocks, 128 * (l.is_f64 + 1) + 32, memory, task->queue>>>(e);
    }
    const unsigned blocks = border_blocks(task, &border);
    const uint32_t *const last = l.cube_count ? table + l.cube_count - 1 : NULL;
    if (blocks && l.is_f64)
        encode_border<<<blocks, BORDER_THREADS, 0, task->queue>>>(border, (const uint64_t *)task->values,
                                                                  (uint64_t *)words, last, task->result);
    else if (blocks)
        encode_border<<<blocks, BORDER_THREADS, 0, task->queue>>>(border, (const uint32_t *)task->values,
                                                                  (uint32_t *)words, last, task->result);
    return cudaGetLastError();
}

static cudaError_t decode(const struct fpgz_cuda_task *task)
{
    const struct ndzip_layout l = fpgz_ndzip_layout(&task->grid);
    const uint64_t least = l.table_bytes + l.border_bytes;
    if (task->length < least || (task->length - least) % l.word || (!l.cube_count && task->length > least))
        return cudaMemsetAsync(&task->result->status, FPGZ_CORRUPT, 1, task->queue); /* its lowest byte */
    const uint8_t *const words = task->stream + l.table_bytes;
    struct ndzip_decoding d;
    d.cubes = cubes_of(&l);
    d.values = (uint8_t *)task->values;
    d.table = (const uint32_t *)task->stream;
    d.words = words;
    d.length = task->length - least;
    d.result = task->result;
    d.border = border_of(&l);
    const int rows = rows_of(&l, task->multiprocessors);
    uint32_t run = 1;
    size_t memory = 0;
    decode_kernel *kernel = decode_kernels[l.is_f64][l.dims - 1][rows == NDZIP_ALIGNED];
    if (rows == NDZIP_ALIKE) {
        const cudaError_t status = rows_run(&l, &run);
        if (status)
            return status;
        memory = rows_memory(&l, run);
        kernel = decode_rows[l.is_f64];
        d.border.in_runs = (uint32_t)(l.covered[0] * l.covered[1]) * d.border.tail;
    }
    d.slabs = slabs_of(&l, &d.border, run);
    const uint32_t rest = d.border.of_all - d.border.in_runs - d.slabs.count * d.slabs.values;
    const unsigned blocks =
        d.slabs.count * (d.slabs.runs + d.slabs.blocks) + (rest + d.slabs.share - 1) / d.slabs.share;
    if (blocks)
        kernel<<<blocks, run * 128 * (l.is_f64 + 1), memory, task->queue>>>(d);
    return cudaGetLastError();
}

static cudaError_t rows_prepare(bool is_f64)
{
    size_t limit;
    cudaError_t status = fpgz_cuda_shared_limit(&limit);
    if (!status)
        status = cudaFuncSetAttribute(decode_rows[is_f64], cudaFuncAttributeMaxDynamicSharedMemorySize,
                                      (int)limit - 1024);
    return status;
}

/* More than 48 KiB of shared memory has to be asked for. */
static cudaError_t prepare(void)
{
    cudaError_t status = cudaSuccess;
    for (int is_f64 = 0; is_f64 < 2; is_f64++) {
        unsigned stages;
        status = encode_stages(is_f64, &stages);
        if (!status)
            status = rows_prepare(is_f64);
        for (int i = 0; i < 6 && !status; i++)
            status = cudaFuncSetAttribute(encode_kernels[is_f64][i / 2][i % 2],
                                          cudaFuncAttributeMaxDynamicSharedMemorySize,
                                          (int)encode_memory(is_f64, stages));
    }
    return status;
}

const struct fpgz_cuda_codec fpgz_cuda_ndzip = {FPGZ_CODEC_NDZIP, scratch, encode, decode, prepare};
