/* SPDX-License-Identifier: MIT
 * The format matched of prans: literals, and values that are told by earlier ones. Where each token's
 * literals and match begin, and how far back its source is, are running sums and a running list over all
 * tokens; then each value follows its sources, of which there are at most MATCHED_DEEPEST. */
#ifndef FPGZ_CUDA_PRANS_MATCHES_CUH
#define FPGZ_CUDA_PRANS_MATCHES_CUH

#include "codec.cuh"
#include "prans_word.cuh"

extern "C" {
#include "codec/prans/matched/tokens.h"
#include "core/bytes.h"
}

enum {
    MATCH_THREADS = 256,
    MATCH_WARPS = MATCH_THREADS / 32,
    MATCH_EACH = 8, /* tokens of a thread */
    MATCH_TILE = MATCH_THREADS * MATCH_EACH,
    MATCH_VALUES = 1024, /* of a block */
};

/* What tokens do to what stands before them. A recent distance is one of before, from MATCH_BEFORE on, or
 * itself, which is less than that. */
static const uint32_t MATCH_BEFORE = UINT32_C(1) << 31;

struct prans_track {
    uint64_t literals, matched; /* values */
    uint32_t recent[MATCHED_RECENT];
};

/* What kernels get. */
struct prans_match {
    const void *literals, *differences; /* differences: NULL if there are none */
    const uint32_t *field[MATCHED_FIELDS];
    uint32_t values, literal_count, tokens, deepest;
    bool is_real;
    struct prans_track *tile; /* of tiles of tokens, then of what stands before them */
    uint32_t *begin, *before; /* values before each token, and literals among them; and behind the last one */
    uint32_t *distance;       /* of each token: twice that, plus 1 where it negates */
    uint32_t *source;         /* of each value: twice its place, plus 1; of literals MATCH_LITERAL */
    void *word;               /* of each value: the ordered literal, or the difference */
    void *to;
    struct fpgz_cuda_result *result;
};

static const uint32_t MATCH_LITERAL = UINT32_MAX;

/* Tracks are associative: what `first` does and then `second`. */
static __device__ __forceinline__ prans_track match_then(const prans_track &first, const prans_track &second)
{
    prans_track both = {first.literals + second.literals, first.matched + second.matched, {}};
#pragma unroll
    for (unsigned i = 0; i < MATCHED_RECENT; i++) {
        const uint32_t of = second.recent[i], number = of - MATCH_BEFORE;
        uint32_t old = first.recent[0];
#pragma unroll
        for (unsigned j = 1; j < MATCHED_RECENT; j++)
            old = number == j ? first.recent[j] : old;
        both.recent[i] = of < MATCH_BEFORE ? of : old;
    }
    return both;
}

static __device__ __forceinline__ prans_track match_nothing()
{
    prans_track nothing = {};
#pragma unroll
    for (unsigned i = 0; i < MATCHED_RECENT; i++)
        nothing.recent[i] = MATCH_BEFORE + i;
    return nothing;
}

/* Puts a source's distance before the others, as matched_distance() does; returns it. */
static __device__ __forceinline__ uint32_t match_remember(uint32_t recent[MATCHED_RECENT], uint32_t source)
{
    const uint32_t number = source >> 1;
    uint32_t distance = number - (MATCHED_RECENT - 1);
#pragma unroll
    for (unsigned i = 0; i < MATCHED_RECENT; i++)
        distance = number == i ? recent[i] : distance;
#pragma unroll
    for (unsigned i = MATCHED_RECENT - 1; i > 0; i--)
        recent[i] = i <= number ? recent[i - 1] : recent[i];
    recent[0] = distance;
    return distance;
}

static __device__ __forceinline__ prans_track match_up(const prans_track &track, unsigned lanes)
{
    prans_track from;
    from.literals = __shfl_up_sync(0xFFFFFFFF, track.literals, lanes);
    from.matched = __shfl_up_sync(0xFFFFFFFF, track.matched, lanes);
#pragma unroll
    for (unsigned i = 0; i < MATCHED_RECENT; i++)
        from.recent[i] = __shfl_up_sync(0xFFFFFFFF, track.recent[i], lanes);
    return from;
}

/* Tracks of all lanes up to each. */
static __device__ __forceinline__ prans_track match_scan(prans_track track)
{
    const unsigned lane = threadIdx.x % 32;
#pragma unroll
    for (unsigned distance = 1; distance < 32; distance *= 2) {
        const prans_track before = match_up(track, distance);
        if (lane >= distance)
            track = match_then(before, track);
    }
    return track;
}

/* The track of tokens from `first` on, up to `end`. */
static __device__ __forceinline__ prans_track match_track(const prans_match &m, uint32_t first, uint32_t end)
{
    prans_track track = match_nothing();
    for (uint32_t t = first; t < end; t++) {
        track.literals += m.field[MATCHED_LITERALS][t];
        track.matched += (uint64_t)m.field[MATCHED_LENGTH][t] + 1;
        match_remember(track.recent, m.field[MATCHED_SOURCE][t]);
    }
    return track;
}

/* A tile of tokens a block. TOTALS: only the tile's track, else where its tokens stand. */
template <bool TOTALS>
static __global__ void __launch_bounds__(MATCH_THREADS)
    prans_match_tokens(const __grid_constant__ prans_match m)
{
    __shared__ prans_track total[MATCH_WARPS];
    const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    if (m.result->status)
        return;
    const uint32_t first = min(m.tokens, blockIdx.x * MATCH_TILE + threadIdx.x * MATCH_EACH),
                   end = min(m.tokens, first + MATCH_EACH);
    const prans_track mine = match_scan(match_track(m, first, end));
    if (lane == 31)
        total[warp] = mine;
    __syncthreads();
    prans_track before = TOTALS ? match_nothing() : m.tile[blockIdx.x];
    for (unsigned w = 0; w < (TOTALS ? MATCH_WARPS : warp); w++)
        before = match_then(before, total[w]);
    if (TOTALS) {
        if (threadIdx.x == 0)
            m.tile[blockIdx.x] = before;
        return;
    }
    const prans_track lanes = match_up(mine, 1);
    if (lane)
        before = match_then(before, lanes);
    for (uint32_t t = first; t < end; t++) {
        const uint32_t source = m.field[MATCHED_SOURCE][t];
        m.begin[t] = (uint32_t)(before.literals + before.matched);
        m.before[t] = (uint32_t)before.literals;
        before.literals += m.field[MATCHED_LITERALS][t];
        before.matched += (uint64_t)m.field[MATCHED_LENGTH][t] + 1;
        m.distance[t] = match_remember(before.recent, source) << 1 | (source & 1);
    }
    if (end == m.tokens && first < end) {
        m.begin[end] = (uint32_t)(before.literals + before.matched);
        m.before[end] = (uint32_t)before.literals;
    }
}

/* What stands before each of the tiles, by one warp. As neither sum goes back, tokens are all in the grid if
 * the last one ends there. */
static __global__ void __launch_bounds__(32) prans_match_tiles(const __grid_constant__ prans_match m)
{
    const uint32_t tiles = (m.tokens + MATCH_TILE - 1) / MATCH_TILE;
    prans_track before = {};
    if (m.result->status) /* there are no tracks then */
        return;
#pragma unroll
    for (unsigned i = 0; i < MATCHED_RECENT; i++)
        before.recent[i] = i + 1;
    for (uint32_t first = 0; first < tiles; first += 32) {
        const uint32_t tile = first + threadIdx.x;
        const prans_track all = match_scan(tile < tiles ? m.tile[tile] : match_nothing());
        prans_track lanes = match_up(all, 1);
        if (threadIdx.x == 0)
            lanes = match_nothing();
        if (tile < tiles)
            m.tile[tile] = match_then(before, lanes);
        const prans_track next = match_then(before, all);
        before.literals = __shfl_sync(0xFFFFFFFF, next.literals, 31);
        before.matched = __shfl_sync(0xFFFFFFFF, next.matched, 31);
#pragma unroll
        for (unsigned i = 0; i < MATCHED_RECENT; i++)
            before.recent[i] = __shfl_sync(0xFFFFFFFF, next.recent[i], 31);
    }
    if (threadIdx.x == 0 &&
        (before.literals > m.literal_count || before.matched != m.values - m.literal_count))
        m.result->status = FPGZ_CORRUPT;
}

/* The last of the tokens from `low` to `high` that begins at or before a value; the first one does. */
static __device__ __forceinline__ uint32_t match_find(const uint32_t *begin, uint32_t low, uint32_t high,
                                                      uint32_t value)
{
    while (low < high) {
        const uint32_t middle = low + (high - low + 1) / 2;
        if (begin[middle] <= value)
            low = middle;
        else
            high = middle - 1;
    }
    return low;
}

/* Literals and differences to where they belong, and the source of each value. */
template <typename WORD>
static __global__ void __launch_bounds__(MATCH_THREADS)
    prans_match_words(const __grid_constant__ prans_match m)
{
    __shared__ uint32_t some[2];
    __shared__ bool stop;
    const uint32_t begin = blockIdx.x * MATCH_VALUES, end = min(m.values, begin + MATCH_VALUES);
    if (threadIdx.x % 32 == 0 && threadIdx.x < 64)
        some[threadIdx.x / 32] = match_find(m.begin, 0, m.tokens, threadIdx.x ? end - 1 : begin);
    if (threadIdx.x == 0)
        stop = m.result->status != 0; /* other blocks may set it, so that threads may see different ones */
    __syncthreads();
    if (stop)
        return;
    for (uint32_t i = begin + threadIdx.x; i < end; i += MATCH_THREADS) {
        const uint32_t t = match_find(m.begin, some[0], some[1], i), into = i - m.begin[t];
        const uint32_t fresh = t < m.tokens ? m.field[MATCHED_LITERALS][t] : UINT32_MAX;
        WORD word = 0;
        uint32_t source = MATCH_LITERAL;
        if (into < fresh) {
            word = ((const WORD *)m.literals)[m.before[t] + into];
            word = m.is_real ? prans_placed(word) : word;
        } else {
            const uint32_t at = into - fresh, match = i - at, distance = m.distance[t] >> 1;
            if (distance > match) {
                m.result->status = FPGZ_CORRUPT;
                return;
            }
            source = (match - distance + at % distance) << 1 | (m.distance[t] & 1);
            if (m.differences)
                word = ((const WORD *)m.differences)[m.begin[t] - m.before[t] + at];
        }
        m.source[i] = source;
        ((WORD *)m.word)[i] = word;
    }
}

/* Values of their sources: the word is sign * that of the source + `add`. Sources stand before what they
 * tell, so that this ends. */
template <typename WORD>
static __global__ void __launch_bounds__(MATCH_THREADS)
    prans_match_follow(const __grid_constant__ prans_match m)
{
    const uint32_t i = blockIdx.x * MATCH_THREADS + threadIdx.x;
    if (i >= m.values || m.result->status)
        return;
    const WORD *const word = (const WORD *)m.word;
    const WORD one = m.is_real; /* -v - 1 negates the place of a floating-point number */
    bool negative = false;
    WORD add = 0;
    uint32_t at = i, depth = 0;
    for (uint32_t source; (source = m.source[at]) != MATCH_LITERAL; at = source >> 1) {
        if (++depth > m.deepest) {
            m.result->status = FPGZ_CORRUPT;
            return;
        }
        const WORD own = (WORD)(word[at] - (source & 1 ? one : 0));
        add = (WORD)(negative ? add - own : add + own);
        negative ^= source & 1;
    }
    const WORD y = (WORD)(negative ? add - word[at] : add + word[at]);
    ((WORD *)m.to)[i] = m.is_real ? prans_unplaced<WORD>(PRANS_REAL, y) : y;
}

/* Lays the scratch out, of which *bytes are needed. */
static inline void prans_match_lay(uint32_t values, uint32_t tokens, size_t size, uint8_t *scratch,
                                   struct prans_match *m, size_t *bytes)
{
    const size_t tiles = ((size_t)tokens + MATCH_TILE - 1) / MATCH_TILE;
    *bytes = 0;
    m->tile = (struct prans_track *)fpgz_cuda_take(tiles * sizeof *m->tile, scratch, bytes);
    m->begin = (uint32_t *)fpgz_cuda_take(((size_t)tokens + 1) * sizeof *m->begin, scratch, bytes);
    m->before = (uint32_t *)fpgz_cuda_take(((size_t)tokens + 1) * sizeof *m->before, scratch, bytes);
    m->distance = (uint32_t *)fpgz_cuda_take(tokens * sizeof *m->distance, scratch, bytes);
    m->source = (uint32_t *)fpgz_cuda_take(values * sizeof *m->source, scratch, bytes);
    m->word = fpgz_cuda_take(values * size, scratch, bytes);
}

template <typename WORD>
static void prans_match_all(struct prans_match m, uint8_t *scratch, cudaStream_t queue)
{
    const uint32_t tiles = (m.tokens + MATCH_TILE - 1) / MATCH_TILE;
    size_t bytes;
    prans_match_lay(m.values, m.tokens, sizeof(WORD), scratch, &m, &bytes);
    prans_match_tokens<true><<<tiles, MATCH_THREADS, 0, queue>>>(m);
    prans_match_tiles<<<1, 32, 0, queue>>>(m);
    prans_match_tokens<false><<<tiles, MATCH_THREADS, 0, queue>>>(m);
    prans_match_words<WORD><<<(m.values + MATCH_VALUES - 1) / MATCH_VALUES, MATCH_THREADS, 0, queue>>>(m);
    prans_match_follow<WORD><<<(m.values + MATCH_THREADS - 1) / MATCH_THREADS, MATCH_THREADS, 0, queue>>>(m);
}

#endif
