/* SPDX-License-Identifier: MIT
 * Raw bits to residuals, and sums along rows: a warp a row, or a piece of a long one. */
#ifndef FPGZ_CUDA_PRANS_ROWS_CUH
#define FPGZ_CUDA_PRANS_ROWS_CUH

#include "prans_value.cuh"
#include "scan.cuh"

enum {
    PRANS_PIECE = 4096, /* values of a row that a warp works on */
    PRANS_ROW_WARPS = 8,
};

/* How rows are cut: `each` pieces a row. */
struct prans_pieces {
    uint32_t row, each, all;
};

static __host__ __device__ __forceinline__ prans_pieces prans_cut(const prans_work &k)
{
    const uint32_t row = k.order ? k.f.row : k.f.values, each = (row + PRANS_PIECE - 1) / PRANS_PIECE;
    return {row, each, k.f.values / row * each};
}

/* What symbols stand for, in shared memory. */
template <typename WIDE> struct prans_meanings {
    struct {
        WIDE low;
        uint32_t width;
    } of[PRANS_SYMBOLS];

    __device__ __forceinline__ void load(const prans_work &k)
    {
        for (unsigned s = threadIdx.x; s < PRANS_SYMBOLS; s += blockDim.x) {
            of[s].low = (WIDE)((const uint64_t *)(k.front + k.f.low))[s];
            of[s].width = k.front[k.f.width + s];
        }
        __syncthreads();
    }
};

/* Raw bits of two values, one behind the other, as they are brought from memory. */
template <typename WIDE> struct prans_raw;

template <> struct prans_raw<uint32_t> {
    uint32_t part[3], shift;

    __device__ __forceinline__ void fetch(const uint32_t *words, uint32_t bit, uint32_t)
    {
        const uint32_t *const at = words + bit / 32;
        shift = bit;
#pragma unroll
        for (unsigned i = 0; i < 3; i++)
            part[i] = at[i];
    }

    __device__ __forceinline__ void add(const uint32_t width[2], uint32_t v[2]) const
    {
        const uint32_t low = __funnelshift_r(part[0], part[1], shift),
                       high = __funnelshift_r(part[1], part[2], shift);
        v[0] += low & (fpgz_shift_left(1u, width[0]) - 1);
        v[1] += __funnelshift_rc(low, high, width[0]) & (fpgz_shift_left(1u, width[1]) - 1);
    }
};

template <> struct prans_raw<uint64_t> {
    uint32_t part[2][3], shift;

    __device__ __forceinline__ void fetch(const uint32_t *words, uint32_t bit, uint32_t width)
    {
        const uint32_t *const at[2] = {words + bit / 32, words + (bit + width) / 32};
        shift = bit;
#pragma unroll
        for (unsigned i = 0; i < 6; i++)
            part[i / 3][i % 3] = at[i / 3][i % 3];
    }

    __device__ __forceinline__ void add(const uint32_t width[2], uint64_t v[2]) const
    {
#pragma unroll
        for (unsigned i = 0; i < 2; i++) {
            const uint32_t by = shift + (i ? width[0] : 0);
            const uint32_t low = __funnelshift_r(part[i][0], part[i][1], by),
                           high = __funnelshift_r(part[i][1], part[i][2], by);
            v[i] += ((uint64_t)high << 32 | low) & (fpgz_shift_left((uint64_t)1, width[i]) - 1);
        }
    }
};

/* Residuals of blocks that follow each other; by a whole warp, four values a lane. What is behind is on its
 * way: symbols of one block are brought while another one's raw bits are. */
template <typename WIDE> struct prans_residuals {
    uint32_t symbols, width[4];
    uint64_t bit;
    prans_raw<WIDE> raw[2];
    WIDE low[4];

    /* Symbols of the block that begins with value `block`. */
    __device__ __forceinline__ void begin(const prans_work &k, uint32_t block)
    {
        symbols = ((const uint32_t *)(k.symbol + block))[threadIdx.x % 32];
        bit = k.bit[block / MIDDLE_BLOCK];
    }

    /* Raw bits of that block. */
    __device__ __forceinline__ void fetch(const prans_work &k, const prans_meanings<WIDE> &of, uint32_t block)
    {
        const uint32_t at = block + 4 * (threadIdx.x % 32);
        const uint32_t *const words = (const uint32_t *)k.stream + bit / 32;
#pragma unroll
        for (unsigned i = 0; i < 4; i++) {
            const auto its = of.of[symbols >> 8 * i & 255];
            width[i] = its.width;
            low[i] = its.low;
        }
        if (block + MIDDLE_BLOCK > k.f.counted)
            for (unsigned i = 0; i < 4; i++)
                width[i] = at + i < k.f.counted ? width[i] : 0;
        const uint32_t half = width[0] + width[1], sum = half + width[2] + width[3],
                       first = (uint32_t)bit % 32 + warp_scan(sum) - sum;
        raw[0].fetch(words, first, width[0]);
        raw[1].fetch(words, first + half, width[2]);
    }

    /* Its residuals. */
    __device__ __forceinline__ void take(const prans_work &k, WIDE v[4]) const
    {
#pragma unroll
        for (unsigned i = 0; i < 4; i++)
            v[i] = low[i];
        raw[0].add(width, v);
        raw[1].add(width + 2, v + 2);
        if (k.f.folded)
            for (unsigned i = 0; i < 4; i++)
                v[i] = v[i] >> 1 ^ (0 - (v[i] & 1));
    }
};

/* Zeros for those of four values that are none of a row of `values`; x: where in it the first one is. */
template <typename WIDE>
static __device__ __forceinline__ void prans_clip(uint32_t x, uint32_t values, WIDE v[4])
{
#pragma unroll
    for (unsigned i = 0; i < 4; i++)
        v[i] = x + i < values ? v[i] : 0;
}

/* Sums of a block's values, four a lane, and of `run`, which the last sum becomes. */
template <typename WIDE> static __device__ __forceinline__ void prans_sum(WIDE v[4], WIDE *run)
{
    v[1] += v[0], v[2] += v[1], v[3] += v[2];
    const WIDE before = warp_scan(v[3]) - v[3] + *run;
#pragma unroll
    for (unsigned i = 0; i < 4; i++)
        v[i] += before;
    *run = __shfl_sync(0xFFFFFFFF, v[3], 31);
}

/* The sums of k.order orders of a piece of a row.
 * CODED: of residuals from symbols and raw bits, else from k.y. TOTALS: only what each order ends with, into
 * k.carry, from where the sums go on otherwise. */
template <typename WORD, bool CODED, bool TOTALS>
static __global__ void __launch_bounds__(32 * PRANS_ROW_WARPS, sizeof(WORD) < 8 ? 5 : 4)
    prans_rows(const __grid_constant__ prans_batch batch)
{
    typedef typename prans_types<WORD>::wide WIDE;
    typedef prans_some<WORD, 4> FOUR;
    __shared__ prans_meanings<WIDE> of;
    uint32_t number;
    const prans_work &k = prans_of(batch, &number);
    if (k.result->status)
        return;
    if (CODED)
        of.load(k);
    const prans_pieces pieces = prans_cut(k);
    const unsigned lane = threadIdx.x % 32;
    const uint32_t piece = number * PRANS_ROW_WARPS + threadIdx.x / 32;
    if (piece >= pieces.all)
        return;
    const uint32_t row = piece / pieces.each, begin = row * pieces.row + piece % pieces.each * PRANS_PIECE,
                   end = min(begin + PRANS_PIECE, (row + 1) * pieces.row);
    uint64_t *const carry = k.carry + (size_t)PRANS_ORDERS * piece;
    WIDE run[PRANS_ORDERS] = {};
    uint32_t block = begin / MIDDLE_BLOCK * MIDDLE_BLOCK;
    prans_residuals<WIDE> residuals;
    if (CODED) {
        residuals.begin(k, block);
        residuals.fetch(k, of, block);
        if (block + MIDDLE_BLOCK < end)
            residuals.begin(k, block + MIDDLE_BLOCK);
    }
    for (; block < end; block += MIDDLE_BLOCK) {
        const uint32_t at = block + 4 * lane;
        WIDE v[4];
        if (CODED) {
            residuals.take(k, v);
            if (block + MIDDLE_BLOCK < end)
                residuals.fetch(k, of, block + MIDDLE_BLOCK);
            if (block + 2 * MIDDLE_BLOCK < end)
                residuals.begin(k, block + 2 * MIDDLE_BLOCK);
        } else {
            const FOUR four = at < end ? ((const FOUR *)k.y)[at / 4] : FOUR();
            for (unsigned i = 0; i < 4; i++)
                v[i] = four.word[i];
        }
        prans_clip(at - begin, end - begin, v);
#pragma unroll
        for (unsigned o = 0; o < PRANS_ORDERS; o++) {
            if (o >= k.order)
                break;
            if (!TOTALS && pieces.each > 1 && block <= begin) /* the carry comes with the first value */
                for (unsigned i = 0; i < 4; i++)
                    v[i] += at + i == begin ? (WIDE)carry[o] : 0;
            prans_sum(v, &run[o]);
            if (TOTALS && end - block <= MIDDLE_BLOCK) {
                const uint32_t last = end - 1 - at;
                if (last < 4)
                    carry[o] = last == 0 ? v[0] : last == 1 ? v[1] : last == 2 ? v[2] : v[3];
            }
        }
        if (!TOTALS)
            prans_put<WORD, 1, 4>(k, begin, end, at, 0, 1, &v);
    }
}

/* From the totals of pieces to the sums before them: a warp a row. Behind a piece of n values, the sum of an
 * order has grown by its own total and those of lower orders times n, n (n + 1) / 2, ... */
static __global__ void __launch_bounds__(32) prans_carries(const __grid_constant__ prans_batch batch)
{
    uint32_t number;
    const prans_work &k = prans_of(batch, &number);
    const prans_pieces pieces = prans_cut(k);
    const uint64_t n = PRANS_PIECE,
                   grown[PRANS_ORDERS] = {1, n, n * (n + 1) / 2, n * (n + 1) / 2 * (n + 2) / 3};
    uint64_t *const row = k.carry + (size_t)PRANS_ORDERS * pieces.each * number;
    uint64_t sum[PRANS_ORDERS] = {};
    if (k.result->status)
        return;
    for (uint32_t first = 0; first < pieces.each; first += 32) {
        const uint32_t mine = first + threadIdx.x;
        uint64_t total[PRANS_ORDERS], before[PRANS_ORDERS] = {};
        for (unsigned o = 0; o < PRANS_ORDERS; o++)
            total[o] = o < k.order && mine < pieces.each ? row[PRANS_ORDERS * mine + o] : 0;
        for (unsigned i = 0; i < 32; i++) {
            for (unsigned o = PRANS_ORDERS; o-- > 0;) {
                if (o >= k.order)
                    continue;
                before[o] = i == threadIdx.x ? sum[o] : before[o];
                for (unsigned j = 0; j < o; j++)
                    sum[o] += grown[o - j] * sum[j];
                sum[o] += __shfl_sync(0xFFFFFFFF, total[o], i);
            }
        }
        for (unsigned o = 0; o < PRANS_ORDERS; o++)
            if (o < k.order && mine < pieces.each)
                row[PRANS_ORDERS * mine + o] = before[o];
    }
}

#endif
