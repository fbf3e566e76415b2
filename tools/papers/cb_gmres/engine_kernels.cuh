/* SPDX-License-Identifier: MIT
 * The kernels of GMRES on a GPU. Sums are taken in an order that the grid of blocks decides: results are the
 * same in each run on one device. */
#ifndef CB_GMRES_ENGINE_KERNELS_CUH
#define CB_GMRES_ENGINE_KERNELS_CUH

#include "basis.cuh"

enum {
    WARPS = 4,
    THREADS = 32 * WARPS,
    GROUP = 8,   /* vectors that a warp multiplies with what it holds of w */
    PIECE = 8,   /* blocks of 32 values that a warp takes at once; vectors are whole multiples of it */
    HELD = 5,    /* blocks of threads that a multiprocessor is to hold */
    BATCH = 8,   /* parts of a sum, on their way at once */
    ENTRIES = 8, /* of a row, on their way at once */
};

/* The vectors as they are stored. */
struct basis {
    uint8_t *vectors;
    size_t room;     /* of a vector */
    uint64_t blocks; /* in whole pieces */
    struct frsz2_layout layout;
};

/* Where sums go, which the last block of a kernel adds up. */
struct sums {
    double *partial;
    unsigned *ticket; /* 0 before and after a kernel */
    double *sum;      /* for kernels */
    double *answer;   /* the same in the host's memory */
};

/* Rows in slices of 32, a lane a row, padded to the slice's longest: entry k of a slice's rows lies at
 * start + 32 k. Padding has the value 0. */
struct slices {
    uint64_t count;
    const uint64_t *start;
    const uint32_t *column;
    const double *value;
};

static __device__ __forceinline__ double sum_warp(double value)
{
#pragma unroll
    for (unsigned distance = 16; distance; distance /= 2)
        value += __shfl_xor_sync(~0u, value, distance);
    return value;
}

/* Whether this is the last of `blocks` to come here; it then sees what all have written before. */
static __device__ __forceinline__ bool is_last(unsigned *ticket, unsigned blocks)
{
    __shared__ bool last;
    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0) {
        last = atomicAdd(ticket, 1) == blocks - 1;
        if (last)
            *ticket = 0;
    }
    __syncthreads();
    __threadfence();
    return last;
}

/* The sum of a row of blocks' parts from the first-th on, each stride-th. All loads of a batch are on their
 * way at once. */
static __device__ __forceinline__ double sum_parts(const double *part, unsigned first, unsigned stride)
{
    double sum = 0;
    for (unsigned i = first; i < gridDim.x; i += BATCH * stride) {
        double batch[BATCH];
#pragma unroll
        for (unsigned k = 0; k < BATCH; k++)
            batch[k] = i + k * stride < gridDim.x ? part[i + k * stride] : 0;
#pragma unroll
        for (unsigned k = 0; k < BATCH; k++)
            sum += batch[k];
    }
    return sum;
}

/* The sum over all threads of all blocks. */
static __device__ void add_up(double value, const struct sums &sums)
{
    __shared__ double shared[WARPS];
    const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    double sum = sum_warp(value);
    if (lane == 0)
        shared[warp] = sum;
    __syncthreads();
    if (threadIdx.x == 0)
        sums.partial[blockIdx.x] = (shared[0] + shared[1]) + (shared[2] + shared[3]);
    if (!is_last(sums.ticket, gridDim.x))
        return;
    sum = sum_warp(sum_parts(sums.partial, threadIdx.x, THREADS));
    __syncthreads();
    if (lane == 0)
        shared[warp] = sum;
    __syncthreads();
    if (threadIdx.x == 0)
        *sums.answer = *sums.sum = (shared[0] + shared[1]) + (shared[2] + shared[3]);
}

/* to = A from, or b - A from; its square. */
static __global__ void __launch_bounds__(THREADS)
    multiply(struct slices a, const double *from, const double *b, double *to, struct sums sums)
{
    const unsigned lane = threadIdx.x % 32;
    double square = 0;
    for (uint64_t slice = (uint64_t)blockIdx.x * WARPS + threadIdx.x / 32; slice < a.count;
         slice += (uint64_t)gridDim.x * WARPS) {
        double sum = 0;
        const uint64_t end = a.start[slice + 1];
        for (uint64_t i = a.start[slice] + lane; i < end; i += 32 * ENTRIES) {
            uint32_t column[ENTRIES];
            double value[ENTRIES];
#pragma unroll
            for (unsigned k = 0; k < ENTRIES; k++) {
                const bool is_there = i + 32 * k < end;
                column[k] = is_there ? a.column[i + 32 * k] : 0;
                value[k] = is_there ? a.value[i + 32 * k] : 0;
            }
#pragma unroll
            for (unsigned k = 0; k < ENTRIES; k++)
                sum += value[k] * from[column[k]];
        }
        const uint64_t row = slice * 32 + lane;
        to[row] = b ? b[row] - sum : sum;
        square += to[row] * to[row];
    }
    add_up(square, sums);
}

/* What a group's blocks have summed up, to one factor a vector. */
static __device__ void add_up_group(const double *sum, unsigned first, unsigned size, const struct sums &sums)
{
    __shared__ double shared[GROUP][WARPS];
    const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
#pragma unroll
    for (unsigned j = 0; j < GROUP; j++) {
        const double all = sum_warp(sum[j]);
        if (lane == 0)
            shared[j][warp] = all;
    }
    __syncthreads();
    if (threadIdx.x < size) {
        const double *const part = shared[threadIdx.x];
        sums.partial[(first + threadIdx.x) * gridDim.x + blockIdx.x] =
            (part[0] + part[1]) + (part[2] + part[3]);
    }
    if (!is_last(sums.ticket + blockIdx.y, gridDim.x))
        return;
    for (unsigned j = warp; j < size; j += WARPS) {
        const double all = sum_warp(sum_parts(sums.partial + (first + j) * gridDim.x, lane, 32));
        if (lane == 0)
            sums.sum[first + j] = sums.answer[first + j] = all;
    }
}

/* Storages of few bits have their registers for more threads. */
template <class Storage> static constexpr bool NARROW = Storage::SIDE == 8;
template <class Storage>
static constexpr unsigned PIECE_BYTES = sizeof(typename Storage::template piece<PIECE>);
/* Pieces that a lane of project() has on their way. */
template <class Storage>
static constexpr unsigned LEAD = PIECE_BYTES<Storage> <= (NARROW<Storage> ? 24 : 48) ? 2 : 1;
/* Pieces that a lane of combine() loads together: the compiler brings no load forward over a branch. */
template <class Storage>
static constexpr unsigned AT_ONCE = !Storage::BRANCHES || PIECE_BYTES<Storage> > 48 ? 1
                                    : PIECE_BYTES<Storage> > 24                     ? 2
                                                                                    : 4;

/* sum[j] = answer[j] = v_j . w of `count` vectors, which groups of blocks (gridDim.y) share. */
template <class Storage>
static __global__ void __launch_bounds__(THREADS, HELD + NARROW<Storage>)
    project(struct basis basis, const double *w, unsigned count, struct sums sums)
{
    const unsigned first = count * blockIdx.y / gridDim.y,
                   size = count * (blockIdx.y + 1) / gridDim.y - first;
    const size_t begin = first * basis.room;
    const uint64_t stride = (uint64_t)gridDim.x * WARPS * PIECE;
    constexpr unsigned AHEAD = LEAD<Storage>;
    typename Storage::template piece<PIECE> piece[AHEAD];
    uint64_t block = ((uint64_t)blockIdx.x * WARPS + threadIdx.x / 32) * PIECE;
    double sum[GROUP] = {};
    if (block < basis.blocks) {
#pragma unroll
        for (unsigned j = 0; j < AHEAD; j++)
            if (j < size)
                piece[j].load(basis.layout, basis.vectors + begin + j * basis.room, block);
    }
    for (; block < basis.blocks; block += stride) {
        typename plain<double, Storage::SIDE>::template piece<PIECE> own;
        const uint64_t next = block + stride < basis.blocks ? block + stride : block;
        size_t vector = begin + AHEAD % GROUP * basis.room;
        own.load(basis.layout, (const uint8_t *)w, block);
#pragma unroll
        for (unsigned j = 0; j < GROUP; j++) {
            double value[PIECE];
            if (j < size)
                piece[j % AHEAD].template get<PIECE>(basis.layout, 0, value);
            if ((j + AHEAD) % GROUP < size)
                piece[j % AHEAD].load(basis.layout, basis.vectors + vector, j + AHEAD < GROUP ? block : next);
            if (j < size)
#pragma unroll
                for (unsigned k = 0; k < PIECE; k++)
                    sum[j] += value[k] * own.number(k);
            vector = (j + AHEAD + 1) % GROUP ? vector + basis.room : begin;
            asm volatile("" : "+l"(vector)); /* or registers would hold the addresses of all vectors */
        }
    }
    add_up_group(sum, first, size, sums);
}

/* to += sign * sum of factor[j] v_j; its square. From the end on, which project() has read last. */
template <class Storage>
static __global__ void __launch_bounds__(THREADS, HELD)
    combine(struct basis basis, double *to, unsigned count, const double *factor, double sign,
            struct sums sums)
{
    typedef typename Storage::template piece<PIECE> piece;
    constexpr unsigned TOGETHER = AT_ONCE<Storage>;
    double square = 0;
    for (uint64_t passed = ((uint64_t)blockIdx.x * WARPS + threadIdx.x / 32) * PIECE; passed < basis.blocks;
         passed += (uint64_t)gridDim.x * WARPS * PIECE) {
        const uint64_t block = basis.blocks - PIECE - passed;
        typename plain<double, Storage::SIDE>::template piece<PIECE> own;
        piece next[TOGETHER];
        own.load(basis.layout, (const uint8_t *)to, block);
#pragma unroll
        for (unsigned j = 0; j < TOGETHER; j++)
            next[j].load(basis.layout, basis.vectors + min(j, count - 1) * basis.room, block);
#pragma unroll(TOGETHER == 1 ? 4 : 1)
        for (unsigned begin = 0; begin < count; begin += TOGETHER) {
            piece now[TOGETHER];
            double f[TOGETHER];
#pragma unroll
            for (unsigned j = 0; j < TOGETHER; j++) {
                const unsigned then = min(begin + TOGETHER + j, count - 1); /* the last one again */
                now[j] = next[j];
                next[j].load(basis.layout, basis.vectors + then * basis.room, block);
                f[j] = begin + j < count ? sign * factor[begin + j] : 0;
            }
#pragma unroll
            for (unsigned j = 0; j < TOGETHER; j++) {
                double value[PIECE];
                now[j].template get<PIECE>(basis.layout, 0, value);
#pragma unroll
                for (unsigned k = 0; k < PIECE; k++)
                    own.number(k) += f[j] * value[k];
            }
        }
        own.store((uint8_t *)to, block);
#pragma unroll
        for (unsigned k = 0; k < PIECE; k++)
            square += own.number(k) * own.number(k);
    }
    add_up(square, sums);
}

/* v = w / norm, or divided by the root of *square, and the same stored. *bad where that cannot be. */
template <class Storage>
static __global__ void __launch_bounds__(THREADS)
    append(struct basis basis, const double *w, double norm, const double *square, double *v, unsigned number,
           unsigned *bad)
{
    uint8_t *const vector = basis.vectors + number * basis.room;
    norm = square ? __dsqrt_rn(*square) : norm;
    for (uint64_t block = (uint64_t)blockIdx.x * WARPS + threadIdx.x / 32; block < basis.blocks;
         block += (uint64_t)gridDim.x * WARPS) {
        const uint64_t at = block * FRSZ2_BLOCK + threadIdx.x % 32;
        const double value = __ddiv_rn(w[at], norm);
        v[at] = value;
        if (!Storage::put(basis.layout, vector, block, value))
            *bad = 1;
    }
}

#endif
