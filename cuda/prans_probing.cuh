/* SPDX-License-Identifier: MIT
 * Encoding with prans on a GPU: what the roughest probe for matches sees (matched/probe.h) of the words that
 * hashes have chosen. */
#ifndef FPGZ_CUDA_PRANS_PROBING_CUH
#define FPGZ_CUDA_PRANS_PROBING_CUH

#include "prans_choosing.cuh"

enum {
    PRANS_PROBE_THREADS = 512,
    PRANS_LOOK_THREADS = 128,
    PRANS_LOOK_BLOCKS = 32,
    PRANS_PROBE_BITS_MOST =
        MATCHED_TABLE_BITS_MOST - MATCHED_PROBE_BITS_LESS - MATCHED_ROUGHLY_LOG * MATCHED_ROUGHEST,
    PRANS_PROBE_SLOTS = 1 << PRANS_PROBE_BITS_MOST,
    PRANS_PROBE_PARTS = 4, /* of the words, one behind the other, each with a table: a warp a part and way */
};
static_assert((int)MATCHED_PROBE_BITS_LEAST <= (int)PRANS_PROBE_BITS_MOST &&
              (int)PRANS_PROBE_THREADS == 32 * (int)MATCHED_WAYS * (int)PRANS_PROBE_PARTS);

/* Of each way the groups that were looked at, and what they save, in 1/16 bits. */
struct prans_sight {
    uint64_t count; /* of words that were chosen: where they are too many, the others mean nothing */
    unsigned long long groups[MATCHED_WAYS], saved[MATCHED_WAYS];
    uint32_t arrived; /* blocks of threads */
};

struct prans_probing {
    uint32_t values, places;    /* places: room for so many words */
    uint32_t most;              /* groups of a stretch that are looked at */
    uint32_t shift, ways, step; /* of hashes to places of the table; of samples */
    enum prans_number number;
    struct matched_aim aim[MATCHED_WAYS];
    uint64_t bits;
    const void *value;
    const struct prans_chosen *chosen;
    const uint32_t *place;
    uint64_t *hash;   /* of each group, way by way, */
    uint32_t *before; /* and which one was the last before it in its place of the table, plus 1, or 0 */
    struct prans_sight *sight, *told; /* on the device, and in pinned memory */
};

/* What follows is that of matched/search.h. */
template <typename WORD>
static __device__ __forceinline__ WORD prans_ordered(enum prans_number number, WORD word)
{
    return number == PRANS_REAL ? prans_placed(word) : word;
}

template <typename WORD>
static __device__ __forceinline__ WORD prans_negated(enum prans_number number, WORD ordered)
{
    return (WORD)(number == PRANS_REAL ? ~ordered : 0 - ordered);
}

template <typename WORD>
static __device__ __forceinline__ bool prans_is_negative(enum prans_number number, WORD ordered)
{
    const bool top = ordered >> (8 * sizeof(WORD) - 1);
    return number == PRANS_REAL ? !top : number == PRANS_SIGNED && top;
}

template <typename WORD>
static __device__ __forceinline__ uint64_t prans_group_hash(enum prans_number number, const WORD *word,
                                                            const struct matched_aim &aim)
{
    uint64_t hash = 0;
    bool turn = false;
    for (unsigned i = 0; i < aim.group; i++) {
        const WORD y = prans_ordered(number, word[i]);
        turn = i ? turn : prans_is_negative(number, y);
        hash = (hash ^ (WORD)((turn ? prans_negated(number, y) : y) >> aim.drop)) * MATCHED_FACTOR;
        hash ^= hash >> 32;
    }
    return hash * MATCHED_HASH_END;
}

static __device__ __forceinline__ int32_t prans_length_cost(uint32_t length)
{
    return length < 3 ? 3 * MATCHED_COST : (4 + 3 * (31 - __clz((int)length)) / 2) * MATCHED_COST;
}

static __device__ __forceinline__ int32_t prans_gain_of(int32_t cost, int32_t differing)
{
    const int32_t gain = cost - differing;
    return gain < cost / MATCHED_FAR_PART ? gain - MATCHED_FAR_COST : gain;
}

template <typename WORD>
static __device__ __forceinline__ int32_t prans_scaled(WORD difference, uint32_t scale)
{
    const uint64_t cost = (uint64_t)(prans_cost_of(difference) + MATCHED_COST) * scale >> 16,
                   most = (8 * sizeof(WORD) + 2) * MATCHED_COST;
    return (int32_t)(cost < most ? cost : most);
}

/* saved_each() of matched/probe.h. */
template <typename WORD>
static __device__ __forceinline__ uint32_t prans_saved_each(const prans_probing &k, bool differs, uint32_t at,
                                                            uint32_t from, uint32_t scale)
{
    const WORD *const value = (const WORD *)k.value;
    const uint32_t most = min(k.values - at, (uint32_t)MATCHED_PROBE_LENGTH);
    const bool turn = prans_is_negative(k.number, prans_ordered(k.number, value[at])) !=
                      prans_is_negative(k.number, prans_ordered(k.number, value[from]));
    int32_t saved = -(MATCHED_PROBE_MARGIN + (34 - __clz((int)(at - from))) * MATCHED_COST), best = 0;
    const int32_t least = saved - MATCHED_PATIENCE;
    uint32_t longest = 1;
    WORD last = at ? prans_ordered(k.number, value[at - 1]) : 0;
    for (uint32_t length = 0; length < most && saved > least; length++) {
        const WORD y = prans_ordered(k.number, value[at + length]),
                   before = prans_ordered(k.number, value[from + length]),
                   difference = (WORD)(y - (turn ? prans_negated(k.number, before) : before));
        const int32_t cost = prans_scaled((WORD)(y - last), scale);
        if ((!length && cost <= MATCHED_CHEAP) || (!differs && difference))
            break;
        saved += differs ? prans_gain_of(cost, (int32_t)prans_cost_of(difference)) : cost;
        if (saved - prans_length_cost(length + 1) > best) {
            best = saved - prans_length_cost(length + 1);
            longest = length + 1;
        }
        last = y;
    }
    return (uint32_t)best / longest;
}

/* Whether the group that begins with a chosen word ends within the values. */
static __device__ __forceinline__ bool prans_is_group(const prans_probing &k, unsigned way, uint32_t i,
                                                      uint32_t count)
{
    return i < count && k.aim[way].group <= k.values - k.place[i];
}

/* The place of the table for a group, or UINT32_MAX, as it is none. */
static __device__ __forceinline__ uint32_t prans_group_slot(const prans_probing &k, const uint64_t *hash,
                                                            unsigned way, uint32_t i, uint32_t count)
{
    return prans_is_group(k, way, i, count) ? (uint32_t)(hash[i] >> k.shift) : UINT32_MAX;
}

/* Notes for each group of a part which one of the part was the last before it in its place of the table, plus
 * 1, or 0: by a warp, 32 at once. In the table are the last ones then. */
static __device__ __forceinline__ void prans_enter_part(const prans_probing &k, unsigned way, uint32_t first,
                                                        uint32_t end, uint32_t count, uint16_t *table)
{
    const uint32_t lane = threadIdx.x % 32;
    const uint64_t *const hash = k.hash + (size_t)way * count;
    uint32_t *const before = k.before + (size_t)way * count;
    uint32_t slot = prans_group_slot(k, hash, way, first + lane, end);
    for (uint32_t i = first + lane; i - lane < end; i += 32) {
        const uint32_t next = prans_group_slot(k, hash, way, i + 32, end);
        const bool there = slot != UINT32_MAX;
        const uint32_t same = __match_any_sync(0xFFFFFFFF, slot), lower = same & ((1u << lane) - 1),
                       near = i - lane + 32 - (uint32_t)__clz((int)lower),
                       last = !there  ? 0
                              : lower ? near
                                      : table[slot];
        __syncwarp();
        if (there && same >> lane == 1)
            table[slot] = (uint16_t)(i + 1);
        if (i < end)
            before[i] = last;
        __syncwarp();
        slot = next;
    }
}

/* What groups of a stretch save, of which word i is the first one that was chosen, and how many there are. */
template <typename WORD>
static __device__ __forceinline__ void prans_look(const prans_probing &k, unsigned way, uint32_t i,
                                                  uint32_t count, uint32_t scale, uint64_t *groups,
                                                  uint64_t *saved)
{
    const uint64_t *const hash = k.hash + (size_t)way * count;
    const uint32_t *const before = k.before + (size_t)way * count;
    const uint32_t stretch = k.place[i] / MATCHED_PROBE_STRETCH;
    uint32_t there = 0;
    uint64_t sum = 0;
    for (; prans_is_group(k, way, i, count) && k.place[i] / MATCHED_PROBE_STRETCH == stretch; i++, there++)
        if (there < k.most && before[i] && (uint32_t)hash[before[i] - 1] == (uint32_t)hash[i])
            sum += prans_saved_each<WORD>(k, k.aim[way].differs, k.place[i], k.place[before[i] - 1], scale);
    *saved += there > k.most ? sum * there / k.most : sum;
    *groups += there;
}

/* Finds which groups may have stood before, by one block of threads: that hangs on all before. */
template <typename WORD>
static __global__ void __launch_bounds__(PRANS_PROBE_THREADS)
    prans_probe(const __grid_constant__ prans_probing k)
{
    __shared__ uint16_t table[MATCHED_WAYS][PRANS_PROBE_PARTS][PRANS_PROBE_SLOTS];
    const uint32_t count = (uint32_t)min(k.chosen->count, (uint64_t)k.places + 1),
                   each = (count + PRANS_PROBE_PARTS - 1) / PRANS_PROBE_PARTS;
    const unsigned mine = threadIdx.x / 32 / PRANS_PROBE_PARTS, part = threadIdx.x / 32 % PRANS_PROBE_PARTS;
    if (threadIdx.x == 0)
        *k.sight = {count, {}, {}, 0};
    if (count > k.places)
        return;
    for (uint32_t i = threadIdx.x; i < sizeof table / sizeof(uint32_t); i += PRANS_PROBE_THREADS)
        ((uint32_t *)table)[i] = 0;
    for (uint32_t i = threadIdx.x; i < count; i += PRANS_PROBE_THREADS)
        for (unsigned way = 0; way < k.ways; way++)
            if (prans_is_group(k, way, i, count))
                k.hash[(size_t)way * count + i] =
                    prans_group_hash(k.number, (const WORD *)k.value + k.place[i], k.aim[way]);
    __syncthreads();
    if (mine < k.ways)
        prans_enter_part(k, mine, part * each, min(part * each + each, count), count, table[mine][part]);
    __syncthreads();
    for (unsigned way = 0; way < k.ways; way++)
        for (uint32_t i = each + threadIdx.x; i < count; i += PRANS_PROBE_THREADS) {
            uint32_t *const before = &k.before[(size_t)way * count + i];
            const uint32_t slot = prans_group_slot(k, k.hash + (size_t)way * count, way, i, count);
            for (unsigned p = i / each; p-- > 0 && slot != UINT32_MAX && !*before;)
                *before = table[way][p][slot];
        }
}

/* What they save, behind that. */
template <typename WORD>
static __global__ void __launch_bounds__(PRANS_LOOK_THREADS)
    prans_look_at_all(const __grid_constant__ prans_probing k)
{
    __shared__ uint32_t last;
    const uint32_t count = (uint32_t)k.sight->count, threads = gridDim.x * PRANS_LOOK_THREADS;
    const uint32_t scale = matched_sampled_scale(k.bits, k.values, k.step, k.chosen->usual);
    for (unsigned way = 0; way < k.ways && count <= k.places; way++) {
        uint64_t groups = 0, saved = 0;
        for (uint32_t i = blockIdx.x * PRANS_LOOK_THREADS + threadIdx.x; i < count; i += threads)
            if (!i || k.place[i - 1] / MATCHED_PROBE_STRETCH != k.place[i] / MATCHED_PROBE_STRETCH)
                prans_look<WORD>(k, way, i, count, scale, &groups, &saved);
        groups = warp_scan(groups);
        saved = warp_scan(saved);
        if (threadIdx.x % 32 == 31 && groups) {
            atomicAdd(&k.sight->groups[way], groups);
            atomicAdd(&k.sight->saved[way], saved);
        }
    }
    if (is_last_block(&k.sight->arrived, &last) && threadIdx.x == 0)
        *k.told = *k.sight;
}

#endif
