/* SPDX-License-Identifier: MIT
 * XXH3-64 (xxhash.h, version 0.8) of many spans of a GPU's memory side by side. Within a block of 1024 bytes
 * the sums of all its 16 stripes are added up in any order: a warp a block does that. What happens between
 * blocks goes on from one to the next, for each of the eight accumulators alone: a warp a span. */
#ifndef FPGZ_CUDA_CHECKSUM_CUH
#define FPGZ_CUDA_CHECKSUM_CUH

#include <cuda_runtime.h>
#include <stdint.h>

enum {
    CHECKSUM_WARPS = 8,
    CHECKSUM_BLOCK = 1024,
    CHECKSUM_STRIPE = 64,
    CHECKSUM_ALIGN = 16, /* of what it is taken of */
    CHECKSUM_WORDS = 8,  /* of a stripe; as many accumulators */
    CHECKSUM_SHORT = 240,
    CHECKSUM_AHEAD = 16, /* loads of block sums that a lane has on their way, of a stretch of blocks */
    CHECKSUM_STRETCH = CHECKSUM_AHEAD * 32 / CHECKSUM_WORDS,
    CHECKSUM_SECRET = 192,
};

/* Bytes on the device, which begin at a multiple of 16. */
struct checksum_span {
    const uint8_t *at;
    uint64_t length;
    uint64_t before; /* blocks of the spans before it */
};

/* Blocks that are followed by something. */
static __host__ __device__ __forceinline__ uint64_t checksum_blocks(uint64_t length)
{
    return length > CHECKSUM_SHORT ? (length - 1) / CHECKSUM_BLOCK : 0;
}

static __device__ const __align__(8) uint8_t checksum_secret[CHECKSUM_SECRET] = {
    0xb8, 0xfe, 0x6c, 0x39, 0x23, 0xa4, 0x4b, 0xbe, 0x7c, 0x01, 0x81, 0x2c, 0xf7, 0x21, 0xad, 0x1c,
    0xde, 0xd4, 0x6d, 0xe9, 0x83, 0x90, 0x97, 0xdb, 0x72, 0x40, 0xa4, 0xa4, 0xb7, 0xb3, 0x67, 0x1f,
    0xcb, 0x79, 0xe6, 0x4e, 0xcc, 0xc0, 0xe5, 0x78, 0x82, 0x5a, 0xd0, 0x7d, 0xcc, 0xff, 0x72, 0x21,
    0xb8, 0x08, 0x46, 0x74, 0xf7, 0x43, 0x24, 0x8e, 0xe0, 0x35, 0x90, 0xe6, 0x81, 0x3a, 0x26, 0x4c,
    0x3c, 0x28, 0x52, 0xbb, 0x91, 0xc3, 0x00, 0xcb, 0x88, 0xd0, 0x65, 0x8b, 0x1b, 0x53, 0x2e, 0xa3,
    0x71, 0x64, 0x48, 0x97, 0xa2, 0x0d, 0xf9, 0x4e, 0x38, 0x19, 0xef, 0x46, 0xa9, 0xde, 0xac, 0xd8,
    0xa8, 0xfa, 0x76, 0x3f, 0xe3, 0x9c, 0x34, 0x3f, 0xf9, 0xdc, 0xbb, 0xc7, 0xc7, 0x0b, 0x4f, 0x1d,
    0x8a, 0x51, 0xe0, 0x4b, 0xcd, 0xb4, 0x59, 0x31, 0xc8, 0x9f, 0x7e, 0xc9, 0xd9, 0x78, 0x73, 0x64,
    0xea, 0xc5, 0xac, 0x83, 0x34, 0xd3, 0xeb, 0xc3, 0xc5, 0x81, 0xa0, 0xff, 0xfa, 0x13, 0x63, 0xeb,
    0x17, 0x0d, 0xdd, 0x51, 0xb7, 0xf0, 0xda, 0x49, 0xd3, 0x16, 0x55, 0x26, 0x29, 0xd4, 0x68, 0x9e,
    0x2b, 0x16, 0xbe, 0x58, 0x7d, 0x47, 0xa1, 0xfc, 0x8f, 0xf8, 0xb8, 0xd1, 0x7a, 0xd0, 0x31, 0xce,
    0x45, 0xcb, 0x3a, 0x8f, 0x95, 0x16, 0x04, 0x28, 0xaf, 0xd7, 0xfb, 0xca, 0xbb, 0x4b, 0x40, 0x7e,
};

static constexpr uint64_t checksum_prime32_1 = 0x9E3779B1, checksum_prime32_2 = 0x85EBCA77,
                          checksum_prime32_3 = 0xC2B2AE3D, checksum_prime64_1 = 0x9E3779B185EBCA87,
                          checksum_prime64_2 = 0xC2B2AE3D27D4EB4F, checksum_prime64_3 = 0x165667B19E3779F9,
                          checksum_prime64_4 = 0x85EBCA77C2B2AE63, checksum_prime64_5 = 0x27D4EB2F165667C5;

/* What stands at an address of any alignment. */
static __device__ uint64_t checksum_read(const uint8_t *at, unsigned bytes = 8)
{
    uint64_t value = 0;
    for (unsigned i = 0; i < bytes; i++)
        value |= (uint64_t)at[i] << 8 * i;
    return value;
}

/* The same of the secret, by words. */
static __device__ __forceinline__ uint64_t checksum_key(unsigned word)
{
    return ((const uint64_t *)checksum_secret)[word];
}

static __device__ __forceinline__ uint64_t checksum_fold(uint64_t a, uint64_t b)
{
    return a * b ^ __umul64hi(a, b);
}

static __device__ __forceinline__ uint64_t checksum_shifted(uint64_t hash, unsigned by)
{
    return hash ^ hash >> by;
}

static __device__ __forceinline__ uint64_t checksum_avalanche(uint64_t hash)
{
    return checksum_shifted(checksum_shifted(hash, 37) * 0x165667919E3779F9, 32);
}

static __device__ uint64_t checksum_avalanche64(uint64_t hash)
{
    hash = checksum_shifted(hash, 33) * checksum_prime64_2;
    return checksum_shifted(checksum_shifted(hash, 29) * checksum_prime64_3, 32);
}

static __device__ uint64_t checksum_rotated(uint64_t hash, unsigned by)
{
    return hash << by | hash >> (64 - by);
}

static __device__ uint64_t checksum_mix(const uint8_t *at, unsigned secret)
{
    return checksum_fold(checksum_read(at) ^ checksum_read(checksum_secret + secret),
                         checksum_read(at + 8) ^ checksum_read(checksum_secret + secret + 8));
}

static __device__ uint64_t checksum_16(const uint8_t *at, uint64_t length)
{
    const uint8_t *const last = at + length;
    if (length > 8) {
        const uint64_t low = checksum_read(at) ^ checksum_key(3) ^ checksum_key(4),
                       high = checksum_read(last - 8) ^ checksum_key(5) ^ checksum_key(6);
        const uint64_t swapped = (uint64_t)__byte_perm((uint32_t)low, 0, 0x0123) << 32 |
                                 __byte_perm((uint32_t)(low >> 32), 0, 0x0123);
        return checksum_avalanche(length + swapped + high + checksum_fold(low, high));
    }
    if (length >= 4) {
        uint64_t hash =
            (checksum_read(at, 4) << 32 | checksum_read(last - 4, 4)) ^ checksum_key(1) ^ checksum_key(2);
        hash ^= checksum_rotated(hash, 49) ^ checksum_rotated(hash, 24);
        hash *= 0x9FB21C651E98DF25;
        hash ^= (hash >> 35) + length;
        return checksum_shifted(hash * 0x9FB21C651E98DF25, 28);
    }
    if (!length)
        return checksum_avalanche64(checksum_key(7) ^ checksum_key(8));
    const uint64_t all = (uint64_t)at[0] << 16 | (uint64_t)at[length / 2] << 24 | last[-1] | length << 8;
    return checksum_avalanche64(all ^ (uint32_t)checksum_key(0) ^ checksum_key(0) >> 32);
}

/* Of up to CHECKSUM_SHORT bytes. */
static __device__ uint64_t checksum_short(const uint8_t *at, uint64_t length)
{
    enum { ENDS = 128, FIRST = 8 /* rounds before the first avalanche */, SHIFT = 3, LAST = 119 };
    if (length <= 16)
        return checksum_16(at, length);
    uint64_t hash = length * checksum_prime64_1;
    if (length <= ENDS) {
        for (unsigned i = 0; 32 * i < length; i++)
            hash += checksum_mix(at + 16 * i, 32 * i) + checksum_mix(at + length - 16 * (i + 1), 32 * i + 16);
        return checksum_avalanche(hash);
    }
    for (unsigned i = 0; i < length / 16; i++) {
        hash += checksum_mix(at + 16 * i, i < FIRST ? 16 * i : 16 * (i - FIRST) + SHIFT);
        hash = i == FIRST - 1 ? checksum_avalanche(hash) : hash;
    }
    return checksum_avalanche(hash + checksum_mix(at + length - 16, LAST));
}

/* What a word adds to its accumulator, beside its neighbour's word. */
static __device__ __forceinline__ uint64_t checksum_product(uint64_t word, uint64_t key)
{
    const uint64_t mixed = word ^ key;
    return (mixed & UINT32_MAX) * (mixed >> 32);
}

/* The sum of the warp's lanes that are equal modulo `step` (a power of two), in all of them. */
static __device__ __forceinline__ uint64_t checksum_sum(uint64_t value, unsigned step)
{
    for (; step < 32; step *= 2)
        value += __shfl_xor_sync(0xFFFFFFFF, value, step);
    return value;
}

/* Sums of blocks, eight words each, by `parts` blocks of threads a span. Each lane has two words of a stripe,
 * which also change places between their accumulators. */
static __global__ void checksum_sum_blocks(const checksum_span *spans, unsigned parts, uint64_t *sums)
{
    const checksum_span span = spans[blockIdx.x / parts];
    const uint64_t blocks = checksum_blocks(span.length);
    const unsigned lane = threadIdx.x % 32, pair = lane % 4, stripe = lane / 4;
    uint64_t key[2][2];
    for (unsigned i = 0; i < 4; i++)
        key[i / 2][i % 2] = checksum_key(stripe + 8 * (i / 2) + 2 * pair + i % 2);
    for (uint64_t b = blockIdx.x % parts * CHECKSUM_WARPS + threadIdx.x / 32; b < blocks;
         b += parts * CHECKSUM_WARPS) {
        const ulonglong2 *const at = (const ulonglong2 *)(span.at + b * CHECKSUM_BLOCK) + lane;
        ulonglong2 sum = make_ulonglong2(0, 0);
        for (unsigned half = 0; half < 2; half++) {
            const ulonglong2 words = at[32 * half];
            sum.x += words.y + checksum_product(words.x, key[half][0]);
            sum.y += words.x + checksum_product(words.y, key[half][1]);
        }
        sum.x = checksum_sum(sum.x, 4);
        sum.y = checksum_sum(sum.y, 4);
        if (lane < 4)
            ((ulonglong2 *)(sums + (span.before + b) * CHECKSUM_WORDS))[pair] = sum;
    }
}

/* What an accumulator that has its block's sum goes on as, with the next block's sum: by halves, as little as
 * can be waits for the product of the last step. */
static __device__ __forceinline__ uint64_t checksum_step(uint64_t hash, uint64_t key, uint64_t sum)
{
    const uint32_t prime = (uint32_t)checksum_prime32_1, high = (uint32_t)(hash >> 32),
                   low = (uint32_t)hash ^ high >> 15 ^ (uint32_t)key;
    const uint64_t rest =
        (uint64_t)((high ^ (uint32_t)(key >> 32)) * prime + (uint32_t)(sum >> 32)) << 32 | (uint32_t)sum;
    return (uint64_t)low * prime + rest;
}

/* The steps of a stretch of blocks, whose sums lanes have in turn. */
static __device__ __forceinline__ uint64_t checksum_steps(uint64_t hash, uint64_t key, unsigned word,
                                                          const uint64_t sums[CHECKSUM_AHEAD])
{
#pragma unroll
    for (unsigned i = 0; i < CHECKSUM_AHEAD; i++)
#pragma unroll
        for (unsigned from = 0; from < 32; from += CHECKSUM_WORDS)
            hash = checksum_step(hash, key, __shfl_sync(0xFFFFFFFF, sums[i], from + word));
    return hash;
}

/* The accumulator of the lane's word behind all whole blocks. The loads of the next stretch are on their way
 * while the steps of one are done: a load behind each step would make each step wait for it. */
static __device__ uint64_t checksum_walk(const uint64_t *sums, uint64_t blocks, unsigned lane, uint64_t begin)
{
    const unsigned word = lane % CHECKSUM_WORDS;
    const uint64_t key = checksum_key(16 + word);
    const uint64_t *at = sums + CHECKSUM_WORDS; /* of the next block */
    if (!blocks)
        return begin;
    uint64_t hash = begin + sums[word], left = blocks - 1, next[CHECKSUM_AHEAD];
    if (left >= CHECKSUM_STRETCH) {
#pragma unroll
        for (unsigned i = 0; i < CHECKSUM_AHEAD; i++)
            next[i] = at[32 * i + lane];
        for (; left >= 2 * CHECKSUM_STRETCH; left -= CHECKSUM_STRETCH) {
            uint64_t now[CHECKSUM_AHEAD];
            at += CHECKSUM_STRETCH * CHECKSUM_WORDS;
#pragma unroll
            for (unsigned i = 0; i < CHECKSUM_AHEAD; i++)
                now[i] = next[i];
#pragma unroll
            for (unsigned i = 0; i < CHECKSUM_AHEAD; i++)
                next[i] = at[32 * i + lane];
            hash = checksum_steps(hash, key, word, now);
        }
        hash = checksum_steps(hash, key, word, next);
        at += CHECKSUM_STRETCH * CHECKSUM_WORDS;
        left -= CHECKSUM_STRETCH;
    }
    for (; left; left--, at += CHECKSUM_WORDS)
        hash = checksum_step(hash, key, at[word]);
    return checksum_step(hash, key, 0);
}

static __global__ void checksum_finish(const checksum_span *spans, const uint64_t *sums, uint64_t *checksums)
{
    const checksum_span span = spans[blockIdx.x];
    const unsigned lane = threadIdx.x, word = lane % CHECKSUM_WORDS;
    if (span.length <= CHECKSUM_SHORT) {
        if (lane == 0)
            checksums[blockIdx.x] = checksum_short(span.at, span.length);
        return;
    }
    const uint64_t begin[CHECKSUM_WORDS] = {checksum_prime32_3, checksum_prime64_1, checksum_prime64_2,
                                            checksum_prime64_3, checksum_prime64_4, checksum_prime32_2,
                                            checksum_prime64_5, checksum_prime32_1};
    const uint64_t blocks = checksum_blocks(span.length);
    uint64_t hash = checksum_walk(sums + span.before * CHECKSUM_WORDS, blocks, lane, begin[word]), rest = 0;
    const uint64_t *const stripe = (const uint64_t *)(span.at + blocks * CHECKSUM_BLOCK);
    const unsigned stripes = (unsigned)((span.length - 1) % CHECKSUM_BLOCK / CHECKSUM_STRIPE);
    for (unsigned s = lane / CHECKSUM_WORDS; s < stripes; s += 32 / CHECKSUM_WORDS)
        rest += stripe[s * CHECKSUM_WORDS + (word ^ 1)] +
                checksum_product(stripe[s * CHECKSUM_WORDS + word], checksum_key(s + word));
    hash += checksum_sum(rest, CHECKSUM_WORDS);
    const uint8_t *const last = span.at + span.length - CHECKSUM_STRIPE;
    hash += checksum_read(last + 8 * (word ^ 1)) +
            checksum_product(checksum_read(last + 8 * word), checksum_read(checksum_secret + 121 + 8 * word));
    hash ^= checksum_read(checksum_secret + 11 + 8 * word);
    const uint64_t folded = checksum_fold(hash, __shfl_xor_sync(0xFFFFFFFF, hash, 1));
    const uint64_t all = folded + __shfl_xor_sync(0xFFFFFFFF, folded, 2);
    const uint64_t merged = all + __shfl_xor_sync(0xFFFFFFFF, all, 4);
    if (lane == 0)
        checksums[blockIdx.x] = checksum_avalanche(merged + span.length * checksum_prime64_1);
}

/* Enqueues the checksums of `count` spans, at least one. `blocks` of them there are in all, for which `sums`
 * has room: CHECKSUM_WORDS words each. All pointers are of the device. */
static inline cudaError_t checksum_enqueue(const checksum_span *spans, unsigned count, uint64_t blocks,
                                           uint64_t *sums, uint64_t *checksums, cudaStream_t queue)
{
    enum { MOST = 64, LEAST = 8 /* blocks a warp */ };
    const uint64_t wanted = blocks / count / (LEAST * CHECKSUM_WARPS) + 1;
    const unsigned parts = wanted < MOST ? (unsigned)wanted : (unsigned)MOST;
    if (blocks)
        checksum_sum_blocks<<<count * parts, 32 * CHECKSUM_WARPS, 0, queue>>>(spans, parts, sums);
    checksum_finish<<<count, 32, 0, queue>>>(spans, sums, checksums);
    return cudaGetLastError();
}

#endif
