/* SPDX-License-Identifier: MIT
 * The first half of gfc's decompression: chunks in slots of shared memory, their bytes that come through a
 * ring, and the walk along the chain of their sub-chunks. */
#ifndef FPGZ_CUDA_GFC_WALK_CUH
#define FPGZ_CUDA_GFC_WALK_CUH

#include "codec.cuh"
#include "machine.cuh"

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
    uint32_t from = 0, at = 0, begin = 0; /* addresses: the walk has no time for another addition */
#pragma unroll
    for (uint32_t k = 0; k < STEPS; k++) {
        if (k % GFC_STEPS == 0) {
            from = k ? next[k ? k - 1 : 0] : place;
            at = begin = shared_address(slot.ring + from % GFC_RING + lane / 2);
        }
        const uint32_t code = load_shared_byte(at) & mask, behind = at + GFC_CODES;
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

#endif
