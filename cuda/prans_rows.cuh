/* SPDX-License-Identifier: MIT
 * Raw bits to residuals, and sums along rows: a warp a row, or a piece of a long one. */
#ifndef FPGZ_CUDA_PRANS_ROWS_CUH
#define FPGZ_CUDA_PRANS_ROWS_CUH

#include "machine.cuh"
#include "prans_value.cuh"

enum {
    PRANS_PIECE = 4096, /* values of a row that a warp works on */
    PRANS_ROW_WARPS = 8,
};

/* Four values in a row. */
template <typename WORD> struct alignas(4 * sizeof(WORD) < 16 ? 4 * sizeof(WORD) : 16) prans_four {
    WORD word[4];
};

/* How rows are cut: `each` pieces a row. */
struct prans_pieces {
    uint32_t row, each, all;
};

/* Raw bits from number `bit` of the stream on, and bits behind them. */
static __device__ __forceinline__ uint32_t prans_raw(const uint8_t *stream, uint64_t bit, uint32_t)
{
    const uint32_t *const words = (const uint32_t *)stream + bit / 32;
    return __funnelshift_r(words[0], words[1], (uint32_t)bit % 32);
}

static __device__ __forceinline__ uint64_t prans_raw(const uint8_t *stream, uint64_t bit, uint64_t)
{
    const uint64_t *const words = (const uint64_t *)stream + bit / 64;
    const uint32_t shift = (uint32_t)bit % 64;
    return words[0] >> shift | fpgz_shift_left(words[1], 64 - shift);
}

/* What symbols stand for, in shared memory. */
template <typename WIDE> struct prans_meanings {
    WIDE low[PRANS_SYMBOLS];
    uint8_t width[PRANS_SYMBOLS];

    __device__ __forceinline__ void load(const prans_work &k)
    {
        for (unsigned s = threadIdx.x; s < PRANS_SYMBOLS; s += blockDim.x) {
            low[s] = (WIDE)((const uint64_t *)(k.front + k.f.low))[s];
            width[s] = k.front[k.f.width + s];
        }
        __syncthreads();
    }
};

/* The four residuals of each lane, of the block that begins with value `block`; by a whole warp. */
template <typename WIDE>
static __device__ __forceinline__ void prans_residuals(const prans_work &k, const prans_meanings<WIDE> &of,
                                                       uint32_t symbols, uint32_t block, WIDE v[4])
{
    const uint32_t at = block + 4 * (threadIdx.x % 32);
    uint32_t width[4], sum = 0;
#pragma unroll
    for (unsigned i = 0; i < 4; i++) {
        width[i] = at + i < k.f.counted ? of.width[symbols >> 8 * i & 255] : 0;
        sum += width[i];
    }
    uint64_t bit = k.bit[block / MIDDLE_BLOCK] + (warp_scan(sum) - sum);
#pragma unroll
    for (unsigned i = 0; i < 4; i++) {
        const WIDE raw = prans_raw(k.stream, bit, (WIDE)0) & (fpgz_shift_left((WIDE)1, width[i]) - 1);
        const WIDE word = of.low[symbols >> 8 * i & 255] + raw;
        v[i] = k.f.folded ? word >> 1 ^ (0 - (word & 1)) : word;
        bit += width[i];
    }
}

/* Four words from number `at` on to where they belong: those from `begin` to `end`. */
template <typename WORD, typename WIDE>
static __device__ __forceinline__ void prans_put(const prans_work &k, bool leave, uint32_t begin,
                                                 uint32_t end, uint32_t at, uint32_t symbols, const WIDE v[4])
{
    prans_four<WORD> four;
    WORD *const to = (WORD *)(leave ? k.values : k.y);
#pragma unroll
    for (unsigned i = 0; i < 4; i++)
        four.word[i] = leave && at + i < end
                           ? prans_leave<WORD>(k, (WORD)v[i], symbols >> 8 * i & 255, at + i)
                           : (WORD)v[i];
    if (at >= begin && at + 4 <= end && (!leave || k.f.components == 1)) {
        ((prans_four<WORD> *)to)[at / 4] = four;
        return;
    }
#pragma unroll
    for (unsigned i = 0; i < 4; i++)
        if (at + i >= begin && at + i < end)
            to[leave ? prans_place(k, at + i) : at + i] = four.word[i];
}

/* The sums of k.f.order orders of a piece of a row.
 * CODED: of residuals from symbols and raw bits, else from k.y. TOTALS: only what each order ends with, into
 * k.carry, from where the sums go on otherwise. leave: to values in the grid, else into k.y. */
template <typename WORD, bool CODED, bool TOTALS>
static __global__ void __launch_bounds__(32 * PRANS_ROW_WARPS)
    prans_rows(const __grid_constant__ prans_work k, const prans_pieces pieces, const bool leave)
{
    typedef typename prans_types<WORD>::wide WIDE;
    typedef prans_four<WORD> FOUR;
    __shared__ prans_meanings<WIDE> of;
    if (k.result->status)
        return;
    if (CODED)
        of.load(k);
    const unsigned lane = threadIdx.x % 32, all = 0xFFFFFFFF;
    const uint32_t piece = blockIdx.x * PRANS_ROW_WARPS + threadIdx.x / 32;
    if (piece >= pieces.all)
        return;
    const uint32_t row = piece / pieces.each, begin = row * pieces.row + piece % pieces.each * PRANS_PIECE,
                   end = min(begin + PRANS_PIECE, (row + 1) * pieces.row);
    uint64_t *const carry = k.carry + (size_t)PRANS_ORDERS * piece;
    WIDE run[PRANS_ORDERS] = {0, 0, 0, 0};
    const bool reads = CODED || k.f.special < PRANS_SYMBOLS;
    uint32_t next =
        reads ? *(const uint32_t *)(k.symbol + begin / MIDDLE_BLOCK * MIDDLE_BLOCK + 4 * lane) : 0;
    for (uint32_t block = begin / MIDDLE_BLOCK * MIDDLE_BLOCK; block < end; block += MIDDLE_BLOCK) {
        const uint32_t at = block + 4 * lane;
        const uint32_t symbols = next;
        WIDE v[4];
        if (reads && block + MIDDLE_BLOCK < end)
            next = *(const uint32_t *)(k.symbol + at + MIDDLE_BLOCK);
        if (CODED) {
            prans_residuals(k, of, symbols, block, v);
        } else {
            const FOUR four = at < end ? ((const FOUR *)k.y)[at / 4] : FOUR();
            for (unsigned i = 0; i < 4; i++)
                v[i] = four.word[i];
        }
#pragma unroll
        for (unsigned i = 0; i < 4; i++)
            v[i] = at + i >= begin && at + i < end ? v[i] : 0;
#pragma unroll
        for (unsigned o = 0; o < PRANS_ORDERS; o++) {
            if (o >= k.f.order)
                break;
            if (!TOTALS && pieces.each > 1 && block <= begin) /* the carry comes with the first value */
                for (unsigned i = 0; i < 4; i++)
                    v[i] += at + i == begin ? (WIDE)carry[o] : 0;
            v[1] += v[0], v[2] += v[1], v[3] += v[2];
            const WIDE before = warp_scan(v[3]) - v[3] + run[o];
            for (unsigned i = 0; i < 4; i++)
                v[i] += before;
            run[o] = __shfl_sync(all, v[3], 31);
            if (TOTALS && end - block <= MIDDLE_BLOCK) {
                const uint32_t last = end - 1 - at;
                if (last < 4)
                    carry[o] = last == 0 ? v[0] : last == 1 ? v[1] : last == 2 ? v[2] : v[3];
            }
        }
        if (!TOTALS)
            prans_put<WORD>(k, leave, begin, end, at, symbols, v);
    }
}

/* From the totals of pieces to the sums before them: a warp a row. Behind a piece of n values, the sum of an
 * order has grown by its own total and those of lower orders times n, n (n + 1) / 2, ... */
static __global__ void __launch_bounds__(32)
    prans_carries(const __grid_constant__ prans_work k, const prans_pieces pieces)
{
    const uint64_t n = PRANS_PIECE,
                   grown[PRANS_ORDERS] = {1, n, n * (n + 1) / 2, n * (n + 1) / 2 * (n + 2) / 3};
    uint64_t *const row = k.carry + (size_t)PRANS_ORDERS * pieces.each * blockIdx.x;
    uint64_t sum[PRANS_ORDERS] = {0, 0, 0, 0};
    if (k.result->status)
        return;
    for (uint32_t first = 0; first < pieces.each; first += 32) {
        const uint32_t mine = first + threadIdx.x;
        uint64_t total[PRANS_ORDERS], before[PRANS_ORDERS] = {0, 0, 0, 0};
        for (unsigned o = 0; o < PRANS_ORDERS; o++)
            total[o] = o < k.f.order && mine < pieces.each ? row[PRANS_ORDERS * mine + o] : 0;
        for (unsigned i = 0; i < 32; i++) {
            for (unsigned o = PRANS_ORDERS; o-- > 0;) {
                if (o >= k.f.order)
                    continue;
                before[o] = i == threadIdx.x ? sum[o] : before[o];
                for (unsigned j = 0; j < o; j++)
                    sum[o] += grown[o - j] * sum[j];
                sum[o] += __shfl_sync(0xFFFFFFFF, total[o], i);
            }
        }
        for (unsigned o = 0; o < PRANS_ORDERS; o++)
            if (o < k.f.order && mine < pieces.each)
                row[PRANS_ORDERS * mine + o] = before[o];
    }
}

#endif
