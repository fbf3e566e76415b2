/* SPDX-License-Identifier: MIT
 * The accessor of the basis on a GPU: a warp reads and writes a piece of a stored vector, which is some
 * blocks of 32 values, one a lane. Vectors have room for whole pieces, with zeros behind what is stored. */
#ifndef CB_GMRES_BASIS_CUH
#define CB_GMRES_BASIS_CUH

#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include "frsz2_block.cuh"

extern "C" {
#include "storage.h"
}

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
    template <unsigned BLOCKS> struct piece {
        Number number[BLOCKS];

        __device__ __forceinline__ void load(const struct frsz2_layout &, const uint8_t *vector,
                                             uint64_t block)
        {
            const Number *const from = (const Number *)vector + block * FRSZ2_BLOCK + threadIdx.x % 32;
#pragma unroll
            for (unsigned k = 0; k < BLOCKS; k++)
                number[k] = from[k * FRSZ2_BLOCK];
        }

        __device__ __forceinline__ void get(const struct frsz2_layout &, double *value) const
        {
#pragma unroll
            for (unsigned k = 0; k < BLOCKS; k++)
                value[k] = widen(number[k]);
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

/* FRSZ2 with the codec's own code of a block. load() only loads, so that the next piece is on its way while
 * get() works on this one. */
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
        frsz2_raw<Code, CONTAINER> raw[BLOCKS];
        int32_t exponent; /* of block lane % BLOCKS, or of the last one for those behind it */

        __device__ __forceinline__ void load(const struct frsz2_layout &layout, const uint8_t *vector,
                                             uint64_t block)
        {
            const struct frsz2_code c = code_of(layout);
            const uint8_t *const codes = vector + layout.exponents_bytes + block * c.block_bytes;
            exponent = (int32_t)frsz2_load_signed(
                vector, min(block + threadIdx.x % BLOCKS, (uint64_t)layout.blocks - 1), c.exponent_bytes);
#pragma unroll
            for (unsigned k = 0; k < BLOCKS; k++)
                frsz2_load_raw(codes + k * c.block_bytes, c, &raw[k]);
        }

        __device__ __forceinline__ void get(const struct frsz2_layout &layout, double *value) const
        {
            const struct frsz2_code c = code_of(layout);
            const uint32_t biased = (uint32_t)(exponent + frsz2_format<uint64_t>::bias),
                           own = sizeof(Code) == 4 ? frsz2_scale(biased) : biased;
#pragma unroll
            for (unsigned k = 0; k < BLOCKS; k++) {
                const uint32_t shared = __shfl_sync(~0u, own, k);
                if constexpr (sizeof(Code) == 4)
                    value[k] = frsz2_expand(frsz2_code_of(raw[k], c), shared);
                else {
                    uint64_t word;
                    frsz2_restore(frsz2_code_of(raw[k], c), shared, &word);
                    value[k] = __longlong_as_double((long long)word);
                }
            }
            if (sizeof(Code) == 4 && __any_sync(~0u, biased <= FRSZ2_SUBNORMAL))
#pragma unroll
                for (unsigned k = 0; k < BLOCKS; k++)
                    value[k] = frsz2_weigh(value[k]);
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
