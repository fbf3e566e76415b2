/* SPDX-License-Identifier: MIT
 * Decompression. The sub-chunks of a chunk are a chain: where one begins, only the one before tells, and its
 * values are predicted by those of the one before. A block takes a few chunks at a time, each in a slot. A
 * chunk's bytes come through a ring in shared memory, and its sub-chunks pass three kinds of warps in batches
 * of 32, all of which are at work at once, each on a batch of its own:
 *   one walks along the chain, a thread of it for each value's code, which bounds the speed;
 *   in two each thread decodes the differences of half a sub-chunk; they also send for bytes;
 *   one sums up, a thread for each place in the sub-chunk, and stores. */
#ifndef FPGZ_CUDA_GFC_DECODE_CUH
#define FPGZ_CUDA_GFC_DECODE_CUH

#include "gfc_walk.cuh"

/* Bytes of a difference's place in a batch's, so that threads can store sub-chunks and load places at once.
 */
static __device__ __forceinline__ uint32_t gfc_place(uint32_t run, uint32_t at)
{
    return run * (GFC_LANES * 8) + (at ^ (run & 7) << 4);
}

/* A half of the sub-chunk of this thread. */
static __device__ __forceinline__ void gfc_restore_run(const struct gfc_slot &slot, const uint64_t *masks,
                                                       uint32_t place, uint32_t half, uint8_t *differences)
{
    const uint32_t run = threadIdx.x % 32;
    uint32_t codes[4];
    gfc_load_codes(slot.ring, place, codes);
    uint32_t bit = (place % GFC_RING + GFC_CODES) * 8;
    if (half) {
        const uint32_t first = gfc_counts(codes[0]), second = gfc_counts(codes[1]), nibbles = 0x0F0F0F0F;
        bit +=
            __dp4a((first & nibbles) + (second & nibbles) + (first >> 4 & nibbles) + (second >> 4 & nibbles),
                   0x08080808u, 0u);
        codes[0] = codes[2];
        codes[1] = codes[3];
        differences += GFC_LANES / 2 * 8;
    }
#pragma unroll
    for (int word = 0; word < 2; word++) {
        const uint32_t counts = gfc_counts(codes[word]);
#pragma unroll
        for (int i = 0; i < 8; i += 2) {
            uint32_t v[4];
#pragma unroll
            for (int j = 0; j < 2; j++) {
                const int shift = (i + j) * 4;
                const uint32_t bits = (shift ? counts >> (shift - 3) : counts << 3) & 0x78;
                const uint32_t sign = (uint32_t)((int32_t)(codes[word] << (28 - shift)) >> 31);
                const uint32_t *const words = (const uint32_t *)(slot.ring + (bit >> 3 & (GFC_RING - 4)));
                const uint64_t mask = *(const uint64_t *)((const uint8_t *)masks + bits);
                const uint32_t low = __funnelshift_r(words[0], words[1], bit) & (uint32_t)mask;
                const uint32_t high = __funnelshift_r(words[1], words[2], bit) & (uint32_t)(mask >> 32);
                const uint64_t difference =
                    ((uint64_t)(high ^ sign) << 32 | (low ^ sign)) - ((uint64_t)sign << 32 | sign);
                v[2 * j] = (uint32_t)difference;
                v[2 * j + 1] = (uint32_t)(difference >> 32);
                bit += bits;
            }
            *(uint4 *)(differences + gfc_place(run, (word * 8 + i) * 8)) = make_uint4(v[0], v[1], v[2], v[3]);
        }
    }
}

/* The values of a batch of `count` sub-chunks, to `values`, of which `limit` are wanted. *last is what a
 * thread's place in the next sub-chunk is predicted by. STRAIGHT: dim divides 32, so that the place that
 * predicts is predicted by itself. */
template <bool STRAIGHT>
static __device__ __forceinline__ void gfc_sum_up(const uint8_t *differences, uint32_t count, uint32_t dim,
                                                  uint64_t *values, uint64_t limit, uint64_t *last)
{
    const uint32_t lane = threadIdx.x % 32, source = GFC_LANES - dim + lane % dim, ROUND = 8;
    const uint32_t end = limit < count * GFC_LANES ? (uint32_t)limit : count * GFC_LANES;
    uint64_t predicted = *last;
    for (uint32_t begin = 0; begin < count; begin += ROUND) {
        uint64_t value[ROUND], step[ROUND];
#pragma unroll
        for (uint32_t k = 0; k < ROUND; k++) { /* behind the last one stand old ones */
            value[k] = *(const uint64_t *)(differences + gfc_place(begin + k, lane * 8));
            if (STRAIGHT)
                step[k] = *(const uint64_t *)(differences + gfc_place(begin + k, source * 8));
        }
#pragma unroll
        for (uint32_t k = 0; k < ROUND; k++) {
            value[k] += predicted;
            if (begin + k < count)
                predicted = STRAIGHT ? predicted + step[k] : __shfl_sync(0xFFFFFFFF, value[k], source);
        }
        unsigned long long *const to = (unsigned long long *)values + begin * GFC_LANES + lane;
#pragma unroll
        for (uint32_t k = 0; k < ROUND; k++)
            if ((begin + k) * GFC_LANES + lane < end)
                __stcs(to + k * GFC_LANES, value[k]);
    }
    *last = predicted;
}

/* All chunks that are in slots. */
static __device__ __forceinline__ void gfc_decode_slots(const struct gfc_decoding &d,
                                                        struct gfc_shared &shared, uint32_t dim,
                                                        uint32_t *parity)
{
    const uint32_t warp = threadIdx.x / 32, lane = threadIdx.x % 32, task = warp / GFC_SLOTS;
    const bool fetching = task < 2, walking = task == 3, summing = task == 2;
    struct gfc_slot &slot = shared.slot[warp % GFC_SLOTS];
    const struct gfc_part part = slot.part;
    struct gfc_walk walk = {part.begin, part.runs};
    uint32_t turns = 0, sent = 0, done = 0, decoded = 0;
    uint64_t last = 0;
    if (fetching) {
        gfc_fetch(slot, part, task, GFC_RING, &sent);
        copy_async_wait();
        if (task == 0 && lane == 0) {
            slot.ready[0] = sent < part.end ? sent : part.end;
            slot.count[1] = 0;
            slot.place[1][GFC_FIRST] = part.begin;
        }
    }
    __syncthreads();
    bool more = true;
    for (uint32_t turn = 0; more; turn ^= 1) {
        const uint32_t other = turn ^ 1, count = slot.count[other];
        if (walking) {
            gfc_walk_turn(d, slot, turn, part.end, &walk, &turns);
        } else if (summing) {
            const uint64_t first = (uint64_t)(part.first + done) * GFC_LANES;
            if (GFC_LANES % dim == 0)
                gfc_sum_up<true>(slot.differences[turn], decoded, dim, d.values + first, d.count - first,
                                 &last);
            else
                gfc_sum_up<false>(slot.differences[turn], decoded, dim, d.values + first, d.count - first,
                                  &last);
            done += decoded;
            decoded = count;
        } else {
            const uint32_t ready = sent < part.end ? sent : part.end;
            const uint32_t *const places = slot.place[other] + GFC_FIRST;
            gfc_fetch(slot, part, task, places[0] / 16 * 16 + GFC_RING, &sent);
            if (lane < count)
                gfc_restore_run(slot, shared.mask, places[lane], task, slot.differences[other]);
            copy_async_wait_but<1>();
            if (task == 0 && lane == 0)
                slot.ready[other] = ready;
        }
        handover_arrive(&slot.turned);
        handover_wait(&slot.turned, *parity);
        *parity ^= 1;
        more = slot.more[turn];
    }
    copy_async_wait(); /* a chunk that is not right may have left some, and the ring is used again */
}

static __global__ void __launch_bounds__(GFC_DECODE_THREADS, 2) gfc_decode_kernel(const struct gfc_decoding d)
{
    extern __shared__ uint4 memory[];
    struct gfc_shared &shared = *(struct gfc_shared *)memory;
    const uint32_t parts = d.stream[0] * d.stream[1], dim = d.stream[2];
    if (!parts || d.stream[1] > GFC_MAX_WARPS || !dim || dim > GFC_MAX_DIM ||
        gfc_load32(d.stream + 3) != d.count || (d.length - GFC_HEADER) / 4 < parts) {
        d.result->status = FPGZ_CORRUPT;
        return;
    }
    if (threadIdx.x < GFC_SLOTS)
        handover_make(&shared.slot[threadIdx.x].turned, GFC_DECODE_THREADS / GFC_SLOTS);
    uint32_t parity = 0; /* of the slot's turn */
    if (threadIdx.x < 9)
        shared.mask[threadIdx.x] = threadIdx.x ? ~(uint64_t)0 >> (64 - threadIdx.x * 8) : 0;
    for (uint32_t i = blockIdx.x; i < parts; i += GFC_SLOTS * gridDim.x) {
        for (uint32_t s = 0; s < GFC_SLOTS; s++) {
            struct gfc_part part = {};
            if (i + s * gridDim.x < parts && !gfc_find_part(d, shared, i + s * gridDim.x, parts, &part)) {
                d.result->status = FPGZ_CORRUPT;
                return;
            }
            if (threadIdx.x == 0)
                shared.slot[s].part = part;
        }
        __syncthreads();
        gfc_decode_slots(d, shared, dim, &parity);
    }
}

#endif
