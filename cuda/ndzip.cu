/* SPDX-License-Identifier: MIT
 * ndzip: its launches, and the border that no hypercube covers. */
#include "codec.cuh"

extern "C" {
#include "codec/ndzip/ndzip.h"
}
#include "ndzip_decode.cuh"
#include "ndzip_encode.cuh"

enum { BORDER_THREADS = 256, BORDER_BLOCKS = 8 /* a multiprocessor */ };

/* The border in the stream's order: for each plane of the part that hypercubes cover, the ends of its rows,
 * then its last rows; then the last planes. In values, as all fit in 32 bits. */
struct border {
    uint32_t row, plane;                  /* distances */
    uint32_t covered_x, covered_y;        /* values that hypercubes cover */
    uint32_t tail;                        /* of a covered row */
    uint32_t of_plane, of_planes, of_all; /* of a covered plane, of all those, of the grid */
    uint32_t last_planes;                 /* where they begin */
};

/* The place in the grid of value i of the border. */
static __device__ __forceinline__ uint32_t border_place(const struct border &b, uint32_t i)
{
    if (i >= b.of_planes)
        return b.last_planes + (i - b.of_planes);
    const uint32_t z = i / b.of_plane, rest = i % b.of_plane, tails = b.covered_y * b.tail;
    if (rest >= tails)
        return z * b.plane + b.covered_y * b.row + (rest - tails);
    return z * b.plane + rest / b.tail * b.row + b.covered_x + rest % b.tail;
}

static struct border border_of(const struct ndzip_layout *l)
{
    struct border b;
    b.row = (uint32_t)l->extent[2];
    b.plane = (uint32_t)(l->extent[1] * l->extent[2]);
    b.covered_x = (uint32_t)l->covered[2];
    b.covered_y = (uint32_t)l->covered[1];
    b.tail = b.row - b.covered_x;
    b.of_plane = b.plane - b.covered_y * b.covered_x;
    b.of_planes = (uint32_t)l->covered[0] * b.of_plane;
    b.of_all = (uint32_t)(l->border_bytes / l->word);
    b.last_planes = (uint32_t)l->covered[0] * b.plane;
    return b;
}

/* From the grid to the stream behind *last words, or (`last` is NULL) right to it: then it is all of the
 * stream. */
template <typename VALUE>
__global__ void encode_border(const struct border b, const VALUE *grid, VALUE *stream, const uint32_t *last,
                              struct fpgz_cuda_result *result)
{
    if (last)
        stream += *last;
    else if (blockIdx.x == 0 && threadIdx.x == 0)
        result->length = b.of_all * (uint64_t)sizeof(VALUE);
    for (uint32_t i = blockIdx.x * blockDim.x + threadIdx.x; i < b.of_all; i += gridDim.x * blockDim.x)
        stream[i] = grid[border_place(b, i)];
}

template <typename VALUE>
__global__ void decode_border(const struct border b, VALUE *grid, const VALUE *stream)
{
    for (uint32_t i = blockIdx.x * blockDim.x + threadIdx.x; i < b.of_all; i += gridDim.x * blockDim.x)
        grid[border_place(b, i)] = stream[i];
}

static unsigned border_blocks(const struct fpgz_cuda_task *task, const struct border *b)
{
    const unsigned blocks = (b->of_all + BORDER_THREADS - 1) / BORDER_THREADS,
                   most = task->multiprocessors * BORDER_BLOCKS;
    return blocks < most ? blocks : most;
}

typedef void encode_kernel(struct ndzip_encoding);
typedef void decode_kernel(struct ndzip_decoding);

/* Indexed by [dtype is f64][dimensions - 1][rows are multiples of 16 bytes], as in one dimension they always
 * are. */
static encode_kernel *const encode_kernels[2][3][2] = {
    {{ndzip_encode_kernel<1, 1, true>, ndzip_encode_kernel<1, 1, true>},
     {ndzip_encode_kernel<1, 2, false>, ndzip_encode_kernel<1, 2, true>},
     {ndzip_encode_kernel<1, 3, false>, ndzip_encode_kernel<1, 3, true>}},
    {{ndzip_encode_kernel<2, 1, true>, ndzip_encode_kernel<2, 1, true>},
     {ndzip_encode_kernel<2, 2, false>, ndzip_encode_kernel<2, 2, true>},
     {ndzip_encode_kernel<2, 3, false>, ndzip_encode_kernel<2, 3, true>}},
};
static decode_kernel *const decode_kernels[2][3][2] = {
    {{ndzip_decode_kernel<1, 1, true>, ndzip_decode_kernel<1, 1, true>},
     {ndzip_decode_kernel<1, 2, false>, ndzip_decode_kernel<1, 2, true>},
     {ndzip_decode_kernel<1, 3, false>, ndzip_decode_kernel<1, 3, true>}},
    {{ndzip_decode_kernel<2, 1, true>, ndzip_decode_kernel<2, 1, true>},
     {ndzip_decode_kernel<2, 2, true>, ndzip_decode_kernel<2, 2, true>},
     {ndzip_decode_kernel<2, 3, true>, ndzip_decode_kernel<2, 3, true>}},
};

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

static bool aligned(const struct ndzip_layout *l)
{
    return l->extent[2] * l->word % 16 == 0;
}

static size_t encode_memory(bool is_f64, unsigned stages)
{
    return is_f64 ? ndzip_size<2>::TILE + stages * ndzip_size<2>::STAGED
                  : ndzip_size<1>::TILE + stages * ndzip_size<1>::STAGED;
}

/* Hypercubes that may wait to be copied out: one where the device has little shared memory. */
static cudaError_t encode_stages(bool is_f64, unsigned *stages)
{
    int device, limit;
    cudaError_t status = cudaGetDevice(&device);
    if (!status)
        status = cudaDeviceGetAttribute(&limit, cudaDevAttrMaxSharedMemoryPerBlockOptin, device);
    const size_t fixed = sizeof(struct ndzip_shared<2>);
    *stages =
        !status && encode_memory(is_f64, NDZIP_STAGES) + fixed <= (size_t)limit ? (unsigned)NDZIP_STAGES : 1;
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
    const struct border border = border_of(&l);
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
        encode_kernel *const kernel = encode_kernels[l.is_f64][l.dims - 1][aligned(&l)];
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
    const struct border border = border_of(&l);
    if (task->length < l.table_bytes + l.border_bytes || (!l.cube_count && task->length > l.border_bytes))
        return cudaMemsetAsync(&task->result->status, FPGZ_CORRUPT, 1, task->queue); /* its lowest byte */
    const uint8_t *const words = task->stream + l.table_bytes;
    struct ndzip_decoding d;
    d.cubes = cubes_of(&l);
    d.values = (uint8_t *)task->values;
    d.table = (const uint32_t *)task->stream;
    d.words = words;
    d.length = task->length - l.table_bytes - l.border_bytes;
    d.result = task->result;
    decode_kernel *const kernel = decode_kernels[l.is_f64][l.dims - 1][aligned(&l)];
    if (l.cube_count)
        kernel<<<(unsigned)l.cube_count, 128 * (l.is_f64 + 1), 0, task->queue>>>(d);
    const unsigned blocks = d.length % l.word ? 0 : border_blocks(task, &border);
    if (blocks && l.is_f64)
        decode_border<<<blocks, BORDER_THREADS, 0, task->queue>>>(border, (uint64_t *)task->values,
                                                                  (const uint64_t *)(words + d.length));
    else if (blocks)
        decode_border<<<blocks, BORDER_THREADS, 0, task->queue>>>(border, (uint32_t *)task->values,
                                                                  (const uint32_t *)(words + d.length));
    return cudaGetLastError();
}

/* More than 48 KiB of shared memory has to be asked for. */
static cudaError_t prepare(void)
{
    cudaError_t status = cudaSuccess;
    for (int is_f64 = 0; is_f64 < 2; is_f64++) {
        unsigned stages;
        status = encode_stages(is_f64, &stages);
        for (int i = 0; i < 6 && !status; i++)
            status = cudaFuncSetAttribute(encode_kernels[is_f64][i / 2][i % 2],
                                          cudaFuncAttributeMaxDynamicSharedMemorySize,
                                          (int)encode_memory(is_f64, stages));
    }
    return status;
}

const struct fpgz_cuda_codec fpgz_cuda_ndzip = {FPGZ_CODEC_NDZIP, scratch, encode, decode, prepare};
