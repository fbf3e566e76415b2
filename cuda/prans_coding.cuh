/* SPDX-License-Identifier: MIT
 * Encoding with prans' bins on a GPU: what kernels get, and residuals to symbols. The host chooses domain,
 * prediction and bins, and describes them. */
#ifndef FPGZ_CUDA_PRANS_CODING_CUH
#define FPGZ_CUDA_PRANS_CODING_CUH

#include "move.cuh"
#include "prans_word.cuh"
#include "scan.cuh"

extern "C" {
#include "codec/prans/bins/aide.h"
#include "codec/prans/middle/kernels.h"
}

enum {
    PRANS_CODING_WARPS = 8, /* of a block, where nothing else is said */
};

/* What the host brings besides residuals and flags. */
struct prans_coding_front {
    uint64_t low[PRANS_SYMBOLS], heavy[BINS_HEAVY];
    uint8_t width[PRANS_SYMBOLS], key[PRANS_SYMBOLS];
    uint8_t map[4]; /* of all classes: it goes on behind the struct */
};

/* What the host gets. The numbers of the blocks' tables and the segments' lengths stand behind it. */
struct prans_coding_result {
    uint64_t bytes; /* of all segments */
    uint32_t tables, pad;
    uint16_t frequency[MIDDLE_TABLES][PRANS_SYMBOLS];
};

/* Classes of words. */
struct prans_classes {
    uint32_t equal, shift, last, zero; /* zero: of 0, where they are not equal */
    uint64_t first;
};

static inline struct prans_classes prans_classes_of(const struct bins_grid *grid, size_t classes)
{
    const struct prans_classes of = {grid->equal, grid->shift, grid->count - 1, (uint32_t)classes / 2,
                                     grid->first};
    return of;
}

struct prans_coding {
    uint32_t values, blocks, segments, segment_bits;
    uint32_t step, count; /* blocks that tables are learnt from: every so many; tables that are learnt */
    struct prans_classes of;
    uint32_t bins, heavies;
    const struct prans_coding_front *front;
    const void *residual; /* room for whole blocks */
    const uint8_t *flag;  /* the same; NULL if there are no special values */
    uint8_t *symbol;      /* of whole blocks */
    uint32_t *bits;       /* of each block's raw bits, then those before them in the segment */
    uint8_t *id;          /* of each block's table, as it was learnt */
    uint16_t *cost;       /* prans_costs */
    uint32_t *histogram;  /* [table][symbol] */
    uint2 *code;          /* [table][symbol] of the stream's tables: 2^32 / f, f | symbols below << 16 */
    uint8_t *number;      /* of the stream's tables by those that were learnt */
    uint16_t *words;      /* of each segment, at the end of its room: states, words */
    uint64_t *at;         /* bytes before each segment */
    struct prans_coding_result *result;
    uint8_t *ids;   /* as the stream has them */
    uint2 *length;  /* of each segment: bytes of words, of raw bits */
    uint32_t *body; /* all segments */
    uint8_t *told;  /* in pinned memory: the result and what stands behind it, */
    uint32_t tells; /* so many bytes */
};

/* Numbers of 16 bits in the room of a segment. */
static __host__ __device__ __forceinline__ uint32_t prans_coding_room(uint32_t segment_bits)
{
    return (1u << segment_bits) + 2 * MIDDLE_LANES;
}

/* How many classes a signed number lies from that of 0. */
template <typename WORD> struct prans_signed {
    static __device__ __forceinline__ int32_t octaves(WORD word)
    {
        const int32_t number =
            (int32_t)((uint32_t)word << (32 - 8 * sizeof(WORD))) >> (32 - 8 * sizeof(WORD));
        const uint32_t magnitude = number < 0 ? 0u - (uint32_t)number : (uint32_t)number;
        const int32_t raw = max(28 - __clz((int)magnitude), 0), sign = number >> 31;
        return ((8 * raw + (int32_t)(magnitude >> raw)) ^ sign) - sign;
    }
};
template <> struct prans_signed<uint64_t> {
    static __device__ __forceinline__ int32_t octaves(uint64_t word)
    {
        const int32_t sign = (int32_t)(word >> 32) >> 31;
        const uint64_t magnitude = sign ? 0 - word : word;
        const int32_t raw = max(60 - __clzll((long long)magnitude), 0);
        return ((8 * raw + (int32_t)(magnitude >> raw)) ^ sign) - sign;
    }
};

/* As class_of() of the CPU's kernels, of four words. */
template <typename WORD>
static __device__ __forceinline__ void prans_find_classes(const prans_classes &of, const WORD word[4],
                                                          uint32_t class_of[4])
{
    if (of.equal) {
#pragma unroll
        for (unsigned i = 0; i < 4; i++)
            class_of[i] = (uint32_t)min((WORD)((WORD)(word[i] - (WORD)of.first) >> of.shift), (WORD)of.last);
        return;
    }
#pragma unroll
    for (unsigned i = 0; i < 4; i++)
        class_of[i] = of.zero + (uint32_t)prans_signed<WORD>::octaves(word[i]);
}

/* Symbols of residuals, and the raw bits of each block. The last block is filled up with its last symbol.
 * What other kernels write into is cleared: all of the result is told, written or not. */
template <typename WORD>
static __global__ void __launch_bounds__(32 * PRANS_CODING_WARPS)
    prans_symbols(const __grid_constant__ prans_coding k)
{
    __shared__ WORD heavy[BINS_HEAVY];
    __shared__ uint8_t width[PRANS_SYMBOLS];
    const unsigned lane = threadIdx.x % 32;
    fpgz_clear(k.result, k.tells);
    width[threadIdx.x] = k.front->width[threadIdx.x];
    if (threadIdx.x < k.heavies)
        heavy[threadIdx.x] = (WORD)k.front->heavy[threadIdx.x];
    __syncthreads();
    const WORD *const residual = (const WORD *)k.residual;
    const uint8_t *const map = k.front->map;
    for (uint32_t block = blockIdx.x * PRANS_CODING_WARPS + threadIdx.x / 32; block < k.blocks;
         block += gridDim.x * PRANS_CODING_WARPS) {
        const uint32_t at = block * MIDDLE_BLOCK + 4 * lane;
        uint32_t four = 0, bits = 0, symbol[4];
        WORD word[4];
        prans_load_four(residual, at, k.values, word);
        prans_find_classes(k.of, word, symbol);
#pragma unroll
        for (unsigned i = 0; i < 4; i++) /* where it is special, any */
            symbol[i] = map[symbol[i]];
        for (uint32_t h = 0; h < k.heavies; h++)
#pragma unroll
            for (unsigned i = 0; i < 4; i++)
                symbol[i] = heavy[h] == word[i] ? k.bins + h : symbol[i];
        if (k.flag) {
            uint8_t flag[4];
            prans_load_four(k.flag, at, k.values, flag);
#pragma unroll
            for (unsigned i = 0; i < 4; i++)
                symbol[i] = flag[i] ? k.bins + k.heavies + flag[i] - 1 : symbol[i];
        }
#pragma unroll
        for (unsigned i = 0; i < 4; i++) {
            four |= symbol[i] << 8 * i;
            bits += at + i < k.values ? width[symbol[i]] : 0;
        }
        ((uint32_t *)k.symbol)[at / 4] = four;
        bits = __reduce_add_sync(0xFFFFFFFF, bits);
        if (lane == 0)
            k.bits[block] = bits;
    }
}

#endif
