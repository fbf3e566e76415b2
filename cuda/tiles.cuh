/* SPDX-License-Identifier: MIT
 * Compression of a grid in tiles, to streams whose pieces follow each other without gaps. Blocks stay and
 * take tiles by tickets. While the computing warps code one, the next is on its way into shared memory, and a
 * warp of its own looks back for the place of the one before and copies it out.
 *
 * A CODER is what a codec brings: the state of one thread between the steps that its tile takes, and
 *   WARPS    computing warps of a block; each codes its part of a tile to an image of its own
 *   BLOCKS   that a multiprocessor should hold
 *   TILE     bytes of shared memory for a tile
 *   IMAGE    bytes of shared memory for a warp's image
 *   APART    whether a warp reads nothing of the tile but what it fetched
 *   task     what the kernel is called with, with a `struct tiles tiles`
 *   clear()    by all computing threads, before the first tile
 *   fetch()    sends for a tile
 *   read()     takes what it needs of the tile, which the next one may then overwrite
 *   measure()  the length of the warp's image, in units of the codec's own: below 2^28 for all warps
 *   write()    the image
 *   copy_out() by the copying warp: the images, to place `start` of the stream, in the same units */
#ifndef FPGZ_CUDA_TILES_CUH
#define FPGZ_CUDA_TILES_CUH

#include "codec.cuh"
#include "lookback.cuh"
#include "machine.cuh"

enum {
    TILES_STAGES = 2,                /* tiles that may wait to be copied out */
    TILES_COUNTS = TILES_STAGES + 1, /* and that may be measured: computing warps are never further ahead */
    TILES_NONE = 0xFFFFFFFF,
    TILES_COMPUTING = 1, /* the barrier's id */
};

struct tiles {
    uint32_t count;
    uint32_t stages;       /* TILES_STAGES, or 1 where the device has little shared memory */
    uint32_t *ticket;      /* zero at first, as the descriptors are */
    uint64_t *descriptors; /* one a tile */
};

static inline size_t tiles_scratch(size_t count)
{
    return (count + 1) * sizeof(uint64_t);
}

/* Tiles with tickets and descriptors at `scratch`, which are cleared. */
static inline cudaError_t tiles_start(struct tiles *tiles, size_t count, void *scratch, cudaStream_t queue)
{
    tiles->count = (uint32_t)count;
    tiles->ticket = (uint32_t *)scratch;
    tiles->descriptors = (uint64_t *)scratch + 1;
    return cudaMemsetAsync(scratch, 0, tiles_scratch(count), queue);
}

template <int WARPS> struct tiles_shared {
    /* Hand-overs: of lengths, with which looking back can begin, and of images, there and back. */
    uint64_t counted[TILES_COUNTS], full[TILES_STAGES], empty[TILES_STAGES];
    uint32_t tile[TILES_COUNTS], length[TILES_COUNTS][WARPS];
    uint32_t next[2];  /* tiles; by turns, as the first thread may be one tile ahead */
    uint32_t measured; /* sum of the images' lengths, and above it how many these are */
};

/* For copy_out(): `count` units from shared memory to the stream at `to`, in whole lines of 128 bytes where
 * it can. source.from(i) is where unit i is found, and source.unit(source.from(i), k) is unit i + 32k. */
template <typename UNIT, class SOURCE>
static __device__ __forceinline__ void tiles_copy(const SOURCE &source, uint32_t count, UNIT *to)
{
    const uint32_t ROUND = 8, LINE = 128 / sizeof(UNIT), lane = threadIdx.x % 32;
    const uint32_t unaligned = (uint32_t)((uintptr_t)to / sizeof(UNIT)) % LINE,
                   ahead = (LINE - unaligned) % LINE;
    uint32_t i = (ahead < count ? ahead : count) + lane;
    if (lane < ahead && lane < count)
        to[lane] = source.unit(source.from(lane), 0);
    for (; i - lane + 32 * ROUND <= count; i += 32 * ROUND) {
        UNIT unit[ROUND];
#pragma unroll
        for (uint32_t k = 0; k < ROUND; k++)
            unit[k] = source.unit(source.from(i), k);
#pragma unroll
        for (uint32_t k = 0; k < ROUND; k++)
            to[i + 32 * k] = unit[k];
    }
#pragma unroll
    for (uint32_t k = 0; k < ROUND; k++)
        if (i + 32 * k < count)
            to[i + 32 * k] = source.unit(source.from(i), k);
}

template <class CODER>
static __device__ __forceinline__ void tiles_copying_warp(const typename CODER::task &task,
                                                          struct tiles_shared<CODER::WARPS> &shared,
                                                          const uint8_t *stages)
{
    for (uint32_t count = 0, counted = 0, stage = 0, parity = 0;;) {
        handover_wait(&shared.counted[count], counted);
        const uint32_t tile = shared.tile[count];
        if (tile == TILES_NONE)
            return;
        uint32_t length[CODER::WARPS], own = 0;
#pragma unroll
        for (int w = 0; w < CODER::WARPS; w++)
            own += length[w] = shared.length[count][w];
        count = count + 1 == TILES_COUNTS ? 0 : count + 1;
        counted ^= count == 0;
        const uint32_t start = lookback_sum(task.tiles.descriptors, tile, own);
        handover_wait(&shared.full[stage], parity);
        CODER::copy_out(task, tile, stages + stage * (CODER::WARPS * CODER::IMAGE), length, start);
        handover_arrive(&shared.empty[stage]);
        stage = stage + 1 == task.tiles.stages ? 0 : stage + 1;
        parity ^= stage == 0;
    }
}

template <class CODER>
__global__ void __launch_bounds__(CODER::WARPS * 32 + 32, CODER::BLOCKS)
    tiles_encode_kernel(const typename CODER::task task)
{
    const int COMPUTING = CODER::WARPS * 32;
    extern __shared__ uint4 memory[];
    __shared__ struct tiles_shared<CODER::WARPS> shared;
    uint8_t *const tile_memory = (uint8_t *)memory, *const stages = tile_memory + CODER::TILE;
    const uint32_t thread = threadIdx.x, lane = thread % 32, warp = thread / 32;

    if (thread == 0) {
        for (int i = 0; i < TILES_COUNTS; i++)
            handover_make(&shared.counted[i], CODER::WARPS);
        for (int i = 0; i < TILES_STAGES; i++) {
            handover_make(&shared.full[i], CODER::WARPS * 32);
            handover_make(&shared.empty[i], 32);
        }
        shared.measured = 0;
        shared.next[0] = atomicAdd(task.tiles.ticket, 1);
    }
    if (warp < CODER::WARPS)
        CODER::clear(tile_memory);
    __syncthreads();
    if (warp == CODER::WARPS) {
        tiles_copying_warp<CODER>(task, shared, stages);
        return;
    }

    uint32_t tile = shared.next[0], turn = 0, count = 0, stage = 0, parity = 1;
    if (tile < task.tiles.count)
        CODER::fetch(task, tile, tile_memory);
    while (tile < task.tiles.count) {
        turn ^= 1;
        copy_async_wait();
        if (CODER::APART)
            __syncwarp();
        else
            barrier<TILES_COMPUTING, COMPUTING>();
        /* Not earlier: who has a ticket is looked back at. */
        uint32_t ticket = 0;
        if (thread == 0)
            ticket = atomicAdd(task.tiles.ticket, 1);
        CODER coder;
        coder.read(task, tile, tile_memory);
        if (thread == 0)
            shared.next[turn] = ticket;
        barrier<TILES_COMPUTING, COMPUTING>();
        const uint32_t next = shared.next[turn];
        if (next < task.tiles.count)
            CODER::fetch(task, next, tile_memory);

        const uint32_t length = coder.measure(task, tile);
        if (lane == 0) {
            shared.length[count][warp] = length;
            if (warp == 0)
                shared.tile[count] = tile;
            handover_arrive(&shared.counted[count]);
            const uint32_t sum = atomicAdd(&shared.measured, 1u << 28 | length) + length;
            if (sum >> 28 == CODER::WARPS - 1) { /* the others have */
                shared.measured = 0;
                lookback_publish(task.tiles.descriptors, tile, sum & ((1u << 28) - 1));
            }
        }
        count = count + 1 == TILES_COUNTS ? 0 : count + 1;
        handover_wait(&shared.empty[stage], parity);
        coder.write(task, tile, stages + (stage * CODER::WARPS + warp) * CODER::IMAGE);
        handover_arrive(&shared.full[stage]);
        stage = stage + 1 == task.tiles.stages ? 0 : stage + 1;
        parity ^= stage == 0;
        tile = next;
    }
    if (thread == 0)
        shared.tile[count] = TILES_NONE;
    if (lane == 0)
        handover_arrive(&shared.counted[count]);
}

/* How many stages there is room for, and the bytes of shared memory that they take with the tile. */
template <class CODER> static inline cudaError_t tiles_memory(uint32_t *stages, size_t *bytes)
{
    size_t limit;
    const cudaError_t status = fpgz_cuda_shared_limit(&limit);
    const size_t images = (size_t)CODER::WARPS * CODER::IMAGE;
    *stages = TILES_STAGES;
    *bytes = CODER::TILE + TILES_STAGES * images;
    if (*bytes + sizeof(struct tiles_shared<CODER::WARPS>) > limit) {
        *stages = 1;
        *bytes = CODER::TILE + images;
    }
    return status;
}

/* More than 48 KiB of shared memory has to be asked for, once a device. */
template <class CODER> static inline cudaError_t tiles_prepare()
{
    uint32_t stages;
    size_t bytes;
    const cudaError_t status = tiles_memory<CODER>(&stages, &bytes);
    return status ? status
                  : cudaFuncSetAttribute(tiles_encode_kernel<CODER>,
                                         cudaFuncAttributeMaxDynamicSharedMemorySize, (int)bytes);
}

template <class CODER>
static inline cudaError_t tiles_encode(typename CODER::task coding, const struct fpgz_cuda_task *task)
{
    size_t bytes;
    const cudaError_t status = tiles_memory<CODER>(&coding.tiles.stages, &bytes);
    if (status)
        return status;
    const unsigned most = (unsigned)task->multiprocessors * CODER::BLOCKS;
    const unsigned blocks = coding.tiles.count < most ? coding.tiles.count : most;
    tiles_encode_kernel<CODER><<<blocks, CODER::WARPS * 32 + 32, bytes, task->queue>>>(coding);
    return cudaGetLastError();
}

#endif
