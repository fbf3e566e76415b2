/* SPDX-License-Identifier: MIT
 * The accessor of the basis on a GPU: a warp reads a piece of a stored vector, which is some blocks of 32
 * values, and writes a block. Vectors have room for whole pieces, with zeros behind what is stored. */
#ifndef CB_GMRES_BASIS_CUH
#define CB_GMRES_BASIS_CUH

#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include "frsz2_block.cuh"

extern "C" {
#include "storage.h"
}

/* A lane reads values side by side of one block, so that what is the block's is got once for them. A warp
 * reads SIDE blocks at once. */
enum { SIDE = 4, LANES = FRSZ2_BLOCK / SIDE /* of a block */ };

static __device__ __forceinline__ double widen(double number)
{
    return number;
}

static __device__ __forceinline__ double widen(float number)
{
    return number;
}

static __device__ __forceinline__ double widen(__half number)
{
    return __half2float(number);
}

static __device__ __forceinline__ double widen(__nv_bfloat16 number)
{
    return __bfloat162float(number);
}

static __device__ __forceinline__ void narrow(double value, double *number)
{
    *number = value;
}

static __device__ __forceinline__ void narrow(double value, float *number)
{
    *number = __double2float_rn(value);
}

static __device__ __forceinline__ void narrow(double value, __half *number)
{
    *number = __double2half(value);
}

static __device__ __forceinline__ void narrow(double value, __nv_bfloat16 *number)
{
    *number = __float2bfloat16_rn(__double2float_rn(value)); /* in two steps, as on the CPU */
}

/* f64, f32, f16 and bf16. */
template <typename Number> struct plain {
    struct alignas(SIDE * sizeof(Number)) neighbours {
        Number number[SIDE];
    };

    template <unsigned BLOCKS> struct piece {
        neighbours own[BLOCKS / SIDE];

        __device__ __forceinline__ void load(const struct frsz2_layout &, const uint8_t *vector,
                                             uint64_t block)
        {
            const neighbours *const from = (const neighbours *)vector + block * LANES + threadIdx.x % 32;
#pragma unroll
            for (unsigned k = 0; k < BLOCKS / SIDE; k++)
                own[k] = from[k * 32];
        }

        __device__ __forceinline__ void store(uint8_t *vector, uint64_t block) const
        {
            neighbours *const to = (neighbours *)vector + block * LANES + threadIdx.x % 32;
#pragma unroll
            for (unsigned k = 0; k < BLOCKS / SIDE; k++)
                to[k * 32] = own[k];
        }

        __device__ __forceinline__ Number &number(unsigned k)
        {
            return own[k / SIDE].number[k % SIDE];
        }

        __device__ __forceinline__ void get(const struct frsz2_layout &, double *value) const
        {
#pragma unroll
            for (unsigned k = 0; k < BLOCKS; k++)
                value[k] = widen(own[k / SIDE].number[k % SIDE]);
        }
    };

    /* One block; all values can be stored. */
    static __device__ __forceinline__ bool put(const struct frsz2_layout &, uint8_t *vector, uint64_t block,
                                               double value)
    {
        narrow(value, (Number *)vector + block * FRSZ2_BLOCK + threadIdx.x % 32);
        return true;
    }
};

template <unsigned BYTES> struct frsz2_container;
template <> struct frsz2_container<1> {
    typedef uint8_t type;
};
template <> struct frsz2_container<2> {
    typedef uint16_t type;
};
template <> struct frsz2_container<4> {
    typedef uint32_t type;
};
template <> struct frsz2_container<8> {
    typedef uint64_t type;
};

/* Codes of neighbours as they are read; nothing is computed until get(), so that many can be on their way. */
template <typename Code, unsigned CONTAINER> struct neighbours {
    typedef typename frsz2_container<CONTAINER>::type container;
    struct alignas(SIDE *CONTAINER) codes {
        container code[SIDE];
    } own;

    __device__ __forceinline__ void load(const uint8_t *block, uint32_t first, const struct frsz2_code &)
    {
        own = *(const codes *)(block + first * CONTAINER);
    }

    /* At their words' tops. */
    __device__ __forceinline__ void get(uint32_t, const struct frsz2_code &c, Code *code) const
    {
#pragma unroll
        for (unsigned i = 0; i < SIDE; i++)
            code[i] = (Code)own.code[i] << (8 * sizeof(Code) - c.bits);
    }
};

template <typename Code> struct neighbours<Code, FRSZ2_PACKED> {
    static const unsigned WORDS = sizeof(Code) / 4;
    uint32_t word[SIDE * WORDS + 1];

    __device__ __forceinline__ void load(const uint8_t *block, uint32_t first, const struct frsz2_code &c)
    {
#pragma unroll
        for (unsigned i = 0; i < SIDE * WORDS + 1; i++)
            word[i] = ((const uint32_t *)block)[first * c.bits / 32 + i];
    }

    __device__ __forceinline__ void get(uint32_t first, const struct frsz2_code &c, Code *code) const
    {
        const uint32_t width = 8 * sizeof(Code);
        Code all[SIDE] = {};
#pragma unroll
        for (unsigned i = 0; i < SIDE * WORDS; i++)
            all[i / WORDS] |= (Code)__funnelshift_r(word[i], word[i + 1], first * c.bits) << i % WORDS * 32;
#pragma unroll
        for (unsigned i = 0; i < SIDE; i++) {
            code[i] = all[0] << (width - c.bits);
#pragma unroll
            for (unsigned k = 0; k + i + 1 < SIDE; k++)
                all[k] = all[k] >> c.bits | all[k + 1] << (width - c.bits);
        }
    }
};

/* FRSZ2 with the codec's own code of a block. */
template <typename Code, unsigned CONTAINER, unsigned EXPONENT_BYTES> struct frsz2 {
    /* With what is constant here, so that nothing is decided at run time. */
    static __device__ __forceinline__ struct frsz2_code code_of(const struct frsz2_layout &layout)
    {
        struct frsz2_code c = layout.code;
        c.exponent_bytes = EXPONENT_BYTES;
        if (CONTAINER != FRSZ2_PACKED) {
            c.bits = 8 * CONTAINER;
            c.block_bytes = FRSZ2_BLOCK * CONTAINER;
        }
        return c;
    }

    template <unsigned BLOCKS> struct piece {
        neighbours<Code, CONTAINER> own[BLOCKS / SIDE];
        int32_t exponent; /* of the lane-th of its own blocks, or of the last one for those behind it */

        __device__ __forceinline__ void load(const struct frsz2_layout &layout, const uint8_t *vector,
                                             uint64_t block)
        {
            const struct frsz2_code c = code_of(layout);
            const uint32_t lane = threadIdx.x % 32, part = lane / LANES;
            const uint8_t *const codes = vector + layout.exponents_bytes + (block + part) * c.block_bytes;
            exponent = (int32_t)frsz2_load_signed(
                vector, min(block + lane % (BLOCKS / SIDE) * SIDE + part, (uint64_t)layout.blocks - 1),
                c.exponent_bytes);
#pragma unroll
            for (unsigned k = 0; k < BLOCKS / SIDE; k++)
                own[k].load(codes + k * SIDE * c.block_bytes, lane % LANES * SIDE, c);
        }

        __device__ __forceinline__ void get(const struct frsz2_layout &layout, double *value) const
        {
            const struct frsz2_code c = code_of(layout);
            const uint32_t first = threadIdx.x % LANES * SIDE,
                           biased = (uint32_t)(exponent + frsz2_format<uint64_t>::bias);
            if (sizeof(Code) == 4 && __all_sync(~0u, frsz2_expands(biased)))
                restore<true>(c, first, biased, value);
            else
                restore<false>(c, first, biased, value);
        }

        template <bool EXPANDS>
        __device__ __forceinline__ void restore(const struct frsz2_code &c, uint32_t first, uint32_t biased,
                                                double *value) const
        {
#pragma unroll
            for (unsigned k = 0; k < BLOCKS / SIDE; k++) {
                const uint32_t shared = __shfl_sync(~0u, biased, k, LANES);
                Code code[SIDE];
                own[k].get(first, c, code);
#pragma unroll
                for (unsigned i = 0; i < SIDE; i++) {
                    if constexpr (EXPANDS)
                        value[SIDE * k + i] = frsz2_expand((uint32_t)code[i], shared);
                    else {
                        uint64_t word;
                        frsz2_restore(code[i], shared, &word);
                        value[SIDE * k + i] = __longlong_as_double((long long)word);
                    }
                }
            }
        }
    };

    /* One block; whether its values are finite. */
    static __device__ __forceinline__ bool put(const struct frsz2_layout &layout, uint8_t *vector,
                                               uint64_t block, double value)
    {
        const uint64_t word = (uint64_t)__double_as_longlong(value);
        const struct frsz2_code c = code_of(layout);
        if (block >= layout.blocks)
            return true;
        const uint32_t exponent = frsz2_put_block<Code, CONTAINER>(
            word, c, vector + layout.exponents_bytes + block * c.block_bytes);
        if (threadIdx.x % 32 == 0)
            frsz2_put_exponent<uint64_t>(vector, block, c, exponent);
        return frsz2_exponent(word) != frsz2_format<uint64_t>::nonfinite;
    }
};

/* Calls visit() with an object of the class that a storage has here. */
template <class Visit> static auto with_storage(const struct storage *storage, Visit visit)
{
    switch (storage->kind) {
    case STORAGE_F64:
        return visit(plain<double>());
    case STORAGE_F32:
        return visit(plain<float>());
    case STORAGE_F16:
        return visit(plain<__half>());
    case STORAGE_BF16:
        return visit(plain<__nv_bfloat16>());
    default:
        break;
    }
    return storage->bits == 8    ? visit(frsz2<uint32_t, 1, 2>())
           : storage->bits == 16 ? visit(frsz2<uint32_t, 2, 2>())
           : storage->bits == 32 ? visit(frsz2<uint32_t, 4, 4>())
           : storage->bits < 16  ? visit(frsz2<uint32_t, FRSZ2_PACKED, 2>())
           : storage->bits < 32  ? visit(frsz2<uint32_t, FRSZ2_PACKED, 4>())
           : storage->bits < 64  ? visit(frsz2<uint64_t, FRSZ2_PACKED, 8>())
                                 : visit(frsz2<uint64_t, 8, 8>());
}

#endif
