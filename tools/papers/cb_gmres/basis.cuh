/* SPDX-License-Identifier: MIT
 * The accessor of the basis on a GPU: a warp reads a piece of a stored vector, which is some blocks of 32
 * values, and writes a block. Vectors have room for whole pieces, with zeros behind what is stored. */
#ifndef CB_GMRES_BASIS_CUH
#define CB_GMRES_BASIS_CUH

#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <type_traits>

#include "frsz2_block.cuh"

extern "C" {
#include "storage.h"
}

/* What a lane has of a piece: SIDE values side by side of each of its blocks, which are neighbours, so that
 * what is the blocks' comes with one load and serves SIDE values. */
template <unsigned SIDE, unsigned BLOCKS> struct share {
    static const unsigned LANES = FRSZ2_BLOCK / SIDE /* of a block */, OWN = BLOCKS / SIDE /* blocks */;

    static __device__ __forceinline__ uint32_t block()
    {
        return threadIdx.x % 32 / LANES * OWN;
    }

    static __device__ __forceinline__ uint32_t first()
    {
        return threadIdx.x % LANES * SIDE;
    }
};

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
template <typename Number, unsigned SIDE_ = 16 / sizeof(Number)> struct plain {
    static const unsigned SIDE = SIDE_;
    static const bool BRANCHES = false; /* get() does */
    struct alignas(SIDE * sizeof(Number)) neighbours {
        Number number[SIDE];
    };

    template <unsigned BLOCKS> struct piece {
        typedef share<SIDE, BLOCKS> mine;
        neighbours own[mine::OWN];

        static __device__ __forceinline__ uint64_t place(uint64_t block)
        {
            return ((block + mine::block()) * FRSZ2_BLOCK + mine::first()) / SIDE;
        }

        __device__ __forceinline__ void load(const struct frsz2_layout &, const uint8_t *vector,
                                             uint64_t block)
        {
            const neighbours *const from = (const neighbours *)vector + place(block);
#pragma unroll
            for (unsigned k = 0; k < mine::OWN; k++)
                own[k] = from[k * mine::LANES];
        }

        __device__ __forceinline__ void store(uint8_t *vector, uint64_t block) const
        {
            neighbours *const to = (neighbours *)vector + place(block);
#pragma unroll
            for (unsigned k = 0; k < mine::OWN; k++)
                to[k * mine::LANES] = own[k];
        }

        __device__ __forceinline__ Number &number(unsigned k)
        {
            return own[k / SIDE].number[k % SIDE];
        }

        /* COUNT values from the lane's first-th on. */
        template <unsigned COUNT>
        __device__ __forceinline__ void get(const struct frsz2_layout &, unsigned first, double *value) const
        {
#pragma unroll
            for (unsigned i = 0; i < COUNT; i++)
                value[i] = widen(own[(first + i) / SIDE].number[i % SIDE]);
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
template <typename Code, unsigned CONTAINER, unsigned SIDE> struct neighbours {
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

template <typename Code, unsigned SIDE> struct neighbours<Code, FRSZ2_PACKED, SIDE> {
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

/* The same of packed codes whose bits are known here: each is cut out of two words by one shift. */
template <unsigned SIDE, unsigned BITS> struct packed_neighbours {
    static const unsigned WORDS = (SIDE * BITS + 31) / 32;
    uint32_t word[WORDS + 1];

    __device__ __forceinline__ void load(const uint8_t *block, uint32_t first, const struct frsz2_code &)
    {
#pragma unroll
        for (unsigned i = 0; i < WORDS + 1; i++)
            word[i] = ((const uint32_t *)block)[first * BITS / 32 + i];
    }

    __device__ __forceinline__ void get(uint32_t first, const struct frsz2_code &, uint32_t *code) const
    {
        uint32_t all[WORDS + 1] = {}; /* from the first code's first bit on */
#pragma unroll
        for (unsigned i = 0; i < WORDS; i++)
            all[i + 1] = __funnelshift_r(word[i], word[i + 1], first * BITS);
#pragma unroll
        for (unsigned i = 0; i < SIDE; i++) {
            const unsigned end = (i + 1) * BITS;
            code[i] = __funnelshift_r(all[end / 32], all[end / 32 < WORDS ? end / 32 + 1 : WORDS], end % 32) &
                      ~0u << (32 - BITS);
        }
    }
};

/* FRSZ2 with the codec's own code of a block. BITS are those of packed codes, or 0 where only the device
 * knows them. */
template <typename Code, unsigned CONTAINER, unsigned EXPONENT_BYTES, unsigned BITS = 0> struct frsz2 {
    static const bool BRANCHES = true;
    static const unsigned SIDE = BITS                        ? 8
                                 : CONTAINER == FRSZ2_PACKED ? 4
                                 : CONTAINER == 1            ? 8
                                                             : 16 / CONTAINER;

    /* With what is constant here, so that nothing is decided at run time. */
    static __device__ __forceinline__ struct frsz2_code code_of(const struct frsz2_layout &layout)
    {
        struct frsz2_code c = layout.code;
        c.exponent_bytes = EXPONENT_BYTES;
        if (CONTAINER != FRSZ2_PACKED || BITS) {
            c.bits = BITS ? BITS : 8 * CONTAINER;
            c.block_bytes = FRSZ2_BLOCK * c.bits / 8;
        }
        return c;
    }

    template <unsigned BLOCKS> struct piece {
        typedef share<SIDE, BLOCKS> mine;
        static const unsigned BYTES = mine::OWN * EXPONENT_BYTES;
        typename std::conditional<BITS != 0, packed_neighbours<SIDE, BITS>,
                                  neighbours<Code, CONTAINER, SIDE>>::type own[mine::OWN];
        /* Of the lane's blocks. Those behind the last block have any, and codes of zero. */
        struct alignas(BYTES < 16 ? BYTES : 16) exponents {
            typename frsz2_container<EXPONENT_BYTES>::type block[mine::OWN];
        } exponent;

        __device__ __forceinline__ void load(const struct frsz2_layout &layout, const uint8_t *vector,
                                             uint64_t block)
        {
            const struct frsz2_code c = code_of(layout);
            const uint64_t first = block + mine::block();
            const uint8_t *const codes = vector + layout.exponents_bytes + first * c.block_bytes;
            exponent = *(const exponents *)(vector + first * EXPONENT_BYTES);
#pragma unroll
            for (unsigned k = 0; k < mine::OWN; k++)
                own[k].load(codes + k * c.block_bytes, mine::first(), c);
        }

        /* The exponent of the lane's k-th block, biased. */
        __device__ __forceinline__ uint32_t biased(unsigned k) const
        {
            const uint32_t narrow = (uint32_t)exponent.block[k];
            return (uint32_t)frsz2_format<uint64_t>::bias +
                   (EXPONENT_BYTES == 2 ? (uint32_t)(int16_t)narrow : narrow);
        }

        /* COUNT values from the lane's first-th on. */
        template <unsigned COUNT>
        __device__ __forceinline__ void get(const struct frsz2_layout &layout, unsigned first,
                                            double *value) const
        {
            const struct frsz2_code c = code_of(layout);
            bool expands = true;
#pragma unroll
            for (unsigned i = 0; i < COUNT; i += SIDE) {
                const uint32_t shared = biased((first + i) / SIDE);
                Code code[SIDE];
                own[(first + i) / SIDE].get(mine::first(), c, code);
                expands &= frsz2_expands(shared);
#pragma unroll
                for (unsigned at = 0; at < SIDE; at++)
                    if constexpr (sizeof(Code) == 4)
                        value[i + at] = frsz2_expand(code[at], shared);
                    else {
                        uint64_t word;
                        frsz2_restore(code[at], shared, &word);
                        value[i + at] = __longlong_as_double((long long)word);
                    }
            }
            if (sizeof(Code) == 4 && !expands)
#pragma unroll
                for (unsigned i = 0; i < COUNT; i++)
                    value[i] *= frsz2_correction(biased((first + i) / SIDE));
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
           : storage->bits == 21 ? visit(frsz2<uint32_t, FRSZ2_PACKED, 4, 21>())
           : storage->bits < 32  ? visit(frsz2<uint32_t, FRSZ2_PACKED, 4>())
           : storage->bits < 64  ? visit(frsz2<uint64_t, FRSZ2_PACKED, 8>())
                                 : visit(frsz2<uint64_t, 8, 8>());
}

#endif
