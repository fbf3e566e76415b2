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

#include "async.cuh"
#include "codec.cuh"

enum {
    GFC_SLOTS = 2,
    GFC_RING = 1 << 15, /* bytes: room for some three batches of the longest sub-chunks */
    GFC_STEPS = 4,      /* sub-chunks that are walked along without a look at the ring's end */
    GFC_MIRROR = GFC_STEPS * GFC_LONGEST + 32, /* bytes of its begin that stand behind its end once more */
    GFC_FIRST = 3,                             /* where places begin, so that all others are aligned */
    GFC_PLACES = 36,
    GFC_BATCH = 32, /* sub-chunks */
    GFC_DECODE_THREADS = 4 * GFC_SLOTS * 32,
};

struct gfc_decoding {
    const uint8_t *stream;
    uint64_t length;
    uint64_t *values;
    uint32_t count, runs; /* values and sub-chunks of the grid */
    struct fpgz_cuda_result *result;
};

/* A chunk: its bytes from `begin` to `end`, counted from a 16-byte boundary `from` of the stream, and its
 * sub-chunks. */
struct gfc_part {
    const uint8_t *from;
    uint32_t begin, end, first, runs;
};

/* Pairs are taken by turns. */
struct alignas(16) gfc_slot {
    uint8_t ring[GFC_RING + GFC_MIRROR];
    uint8_t differences[2][GFC_BATCH * GFC_LANES * 8];
    uint32_t place[2][GFC_PLACES], count[2]; /* of a batch's sub-chunks; the first place is set in any case */
    uint32_t ready[2];                       /* bytes of the chunk that are in the ring, or were */
    uint64_t turned; /* hand-over of all a slot's threads: slots do not wait for others */
    bool more[2];    /* whether there is work in the next turn */
    struct gfc_part part;
};

struct gfc_shared {
    struct gfc_slot slot[GFC_SLOTS];
    uint64_t mask[9]; /* of so many bytes */
    unsigned long long before;
};

static_assert(sizeof(struct gfc_shared) <= 99 * 1024, "the least that GPUs have");

static __device__ __forceinline__ uint32_t gfc_load32(const uint8_t *at)
{
    return at[0] | at[1] << 8 | at[2] << 16 | (uint32_t)at[3] << 24;
}

/* By all threads; false where the stream cannot be right. */
static __device__ __forceinline__ bool gfc_find_part(const struct gfc_decoding &d, struct gfc_shared &shared,
                                                     uint32_t part, uint32_t parts, struct gfc_part *found)
{
    const uint8_t *const lengths = d.stream + GFC_HEADER, *const strings = lengths + parts * 4;
    const uint32_t per_part = (d.runs + parts - 1) / parts;
    __syncthreads(); /* all have read what was here */
    if (threadIdx.x == 0)
        shared.before = 0;
    __syncthreads();
    unsigned long long mine = 0;
    for (uint32_t i = threadIdx.x; i < part; i += GFC_DECODE_THREADS)
        mine += gfc_load32(lengths + i * 4);
    if (mine)
        atomicAdd(&shared.before, mine);
    __syncthreads();
    const uint64_t before = shared.before, left = d.length - (uint64_t)(strings - d.stream);
    const uint32_t length = gfc_load32(lengths + part * 4);
    if (before > left || length > left - before || (part + 1 == parts && before + length != left))
        return false;
    const uint8_t *const begin = strings + before;
    found->begin = (uint32_t)((uintptr_t)begin % 16);
    found->from = begin - found->begin;
    found->end = found->begin + length;
    const uint64_t first = (uint64_t)part * per_part, behind = first + per_part;
    found->first = (uint32_t)(first < d.runs ? first : d.runs);
    found->runs = (uint32_t)(behind < d.runs ? behind : d.runs) - found->first;
    return found->runs || !length;
}

/* By two warps, of which this is number `half`: sends for the bytes from *sent (a multiple of 16) up to
 * `limit`, or to the chunk's end. */
static __device__ __forceinline__ void gfc_fetch(struct gfc_slot &slot, const struct gfc_part &part,
                                                 uint32_t half, uint32_t limit, uint32_t *sent)
{
    const uint32_t lane = threadIdx.x % 32;
    limit = limit < part.end ? limit : part.end;
    for (uint32_t at = *sent + half * 512 + lane * 16; at + 16 <= limit; at += 2 * 512) {
        const uint32_t place = at % GFC_RING;
        copy_async<16>(shared_address(slot.ring + place), part.from + at);
        if (place < GFC_MIRROR)
            copy_async<16>(shared_address(slot.ring + GFC_RING + place), part.from + at);
    }
    copy_async_commit();
    const uint32_t rest = limit / 16 * 16 + lane;
    if (!half && limit > *sent && rest < limit) { /* the chunk's end */
        slot.ring[rest % GFC_RING] = part.from[rest];
        if (rest % GFC_RING < GFC_MIRROR)
            slot.ring[GFC_RING + rest % GFC_RING] = part.from[rest];
    }
    *sent = limit > *sent ? (limit + 15) / 16 * 16 : *sent;
}

/* For eight values' codes, four bits each: how many bytes they take. Code 2 and those above stand for one
 * more than themselves. */
static __device__ __forceinline__ uint32_t gfc_counts(uint32_t codes)
{
    const uint32_t counts = codes & 0x77777777;
    return counts + (((counts + 0x66666666) & 0x88888888) >> 3);
}

/* The codes of the sub-chunk at a place of the ring. */
static __device__ __forceinline__ void gfc_load_codes(const uint8_t *ring, uint32_t place,
                                                      uint32_t (&codes)[4])
{
    const uint32_t *const words = (const uint32_t *)(ring + (place & (GFC_RING - 4)));
    uint32_t word[5];
#pragma unroll
    for (int i = 0; i < 5; i++)
        word[i] = words[i];
#pragma unroll
    for (int i = 0; i < 4; i++)
        codes[i] = __funnelshift_r(word[i], word[i + 1], place * 8);
}

/* From an address in shared memory, as instructions take it: the walk has no time for another addition. */
static __device__ __forceinline__ uint32_t gfc_load_byte(uint32_t shared)
{
    uint32_t byte;
    asm volatile("ld.shared.u8 %0, [%1];" : "=r"(byte) : "r"(shared) : "memory");
    return byte;
}

/* A chunk as its walking warp sees it. */
struct gfc_walk {
    uint32_t place, left; /* of the next sub-chunk; sub-chunks */
};

/* Walks along STEPS sub-chunks, whose bytes must be ready, from the one at `place`: where each ends. */
template <uint32_t STEPS>
static __device__ __forceinline__ void gfc_walk_steps(const struct gfc_slot &slot, uint32_t place,
                                                      uint32_t (&next)[STEPS])
{
    const uint32_t lane = threadIdx.x % 32;
    /* A code c is for (9c + 6) / 8 bytes. */
    const uint32_t mask = lane % 2 ? 0x70 : 7, six = lane % 2 ? 6 << 4 : 6, shift = lane % 2 ? 7 : 3;
    uint32_t from = 0, at = 0, begin = 0;
#pragma unroll
    for (uint32_t k = 0; k < STEPS; k++) {
        if (k % GFC_STEPS == 0) {
            from = k ? next[k ? k - 1 : 0] : place;
            at = begin = shared_address(slot.ring + from % GFC_RING + lane / 2);
        }
        const uint32_t code = gfc_load_byte(at) & mask, behind = at + GFC_CODES;
        at = behind + __reduce_add_sync(0xFFFFFFFF, (code * 9 + six) >> shift);
        next[k] = from + (at - begin);
    }
}

/* Finds the next batch. False where the chunk's codes cannot be right. */
static __device__ __forceinline__ bool gfc_walk_batch(struct gfc_slot &slot, uint32_t turn, uint32_t end,
                                                      struct gfc_walk *walk)
{
    const uint32_t lane = threadIdx.x % 32, ready = slot.ready[turn], ROUND = 2 * GFC_STEPS;
    const uint32_t most = walk->left < GFC_BATCH ? walk->left : (uint32_t)GFC_BATCH;
    uint32_t place = walk->place, count = 0;
    uint32_t *const places = slot.place[turn] + GFC_FIRST;
    if (lane == 0)
        places[0] = place;
    while (count + ROUND <= most && place + ROUND * GFC_LONGEST <= ready) {
        uint32_t next[ROUND];
        gfc_walk_steps(slot, place, next);
        if (lane == 0)
#pragma unroll
            for (uint32_t k = 0; k < ROUND; k += 4)
                *(uint4 *)(places + count + k + 1) =
                    make_uint4(next[k], next[k + 1], next[k + 2], next[k + 3]);
        place = next[ROUND - 1];
        count += ROUND;
    }
    /* Close to what may still be on its way, one by one. */
    while (count < most && place + GFC_CODES <= ready) {
        uint32_t next[1];
        gfc_walk_steps(slot, place, next);
        if (next[0] > ready)
            break;
        place = next[0];
        count++;
        if (lane == 0)
            places[count] = place;
    }
    if (lane == 0)
        slot.count[turn] = count;
    walk->place = place;
    walk->left -= count;
    /* At the end of a chunk all bytes are ready: there nothing can be missing. */
    return walk->left ? count || ready < end : place == end;
}

/* The walking warp's part of a turn. */
static __device__ __forceinline__ void gfc_walk_turn(const struct gfc_decoding &d, struct gfc_slot &slot,
                                                     uint32_t turn, uint32_t end, struct gfc_walk *walk,
                                                     uint32_t *turns)
{
    const bool active = walk->left;
    if (active && !gfc_walk_batch(slot, turn, end, walk)) {
        d.result->status = FPGZ_CORRUPT;
        walk->left = 0;
    }
    *turns = active ? 2 : *turns - (*turns > 0); /* that the batch still takes */
    if (threadIdx.x % 32 == 0) {
        slot.count[turn] = active ? slot.count[turn] : 0;
        slot.more[turn] = *turns;
    }
}

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
