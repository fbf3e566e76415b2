/* SPDX-License-Identifier: MIT
 * The arithmetic coder of one block, as codec/arith/kernels.h has it, for one thread with its block. */
#ifndef FPGZ_CUDA_ARITH_CODER_CUH
#define FPGZ_CUDA_ARITH_CODER_CUH

#include <stdint.h>

enum { VALUE_BITS = 31, HALF = 1 << 30, QUARTER = 1 << 29, TOTAL_BITS = 15, TOTAL = 1 << TOTAL_BITS };

struct interval {
    uint32_t low, range;
};

/* A symbol's share of the total: its start in the lower half, its end in the upper one. */
static __device__ __forceinline__ struct interval narrow(struct interval i, uint32_t share)
{
    const uint32_t first = (uint32_t)((uint64_t)i.range * (share & 0xffff) >> TOTAL_BITS),
                   end = (uint32_t)((uint64_t)i.range * (share >> 16) >> TOTAL_BITS);
    return {i.low + first, end - first};
}

static __device__ __forceinline__ uint32_t count_doublings(struct interval i)
{
    const uint32_t high = i.low + i.range - 1;
    const uint32_t halves = (uint32_t)__clz((int)(i.low ^ high)) - (32 - VALUE_BITS);
    return halves + (uint32_t)__clz((int)~((i.low & ~high) << halves << 2));
}

static __device__ __forceinline__ struct interval enlarge(struct interval i, uint32_t doublings)
{
    return {i.low << doublings & (HALF - 1), i.range << doublings};
}

static __device__ __forceinline__ uint32_t swap_bytes(uint32_t word)
{
    return __byte_perm(word, 0, 0x0123);
}

/* Code is low as one long number: `low` has its last 31 bits, `out` has `held` bits before them, fewer than
 * 32 between two symbols, and above those perhaps a carry, and `last` the word before, which is not yet
 * stored since a carry may reach it. */
struct bit_writer {
    uint32_t *at;
    uint64_t out;
    uint32_t held, low, last;
};

static __device__ __forceinline__ void put_word(struct bit_writer *w)
{
    w->held -= 32;
    const uint64_t word = w->out >> w->held;
    const uint32_t carry = (uint32_t)(word >> 32);
    w->out ^= word << w->held;
    w->last += carry;
    if (carry && !w->last) { /* it goes through words that are stored already */
        uint32_t *carried = w->at;
        do {
            --carried;
            *carried = swap_bytes(swap_bytes(*carried) + 1);
        } while (*carried == 0);
    }
    *w->at++ = swap_bytes(w->last);
    w->last = (uint32_t)word;
}

static __device__ __forceinline__ void put(struct bit_writer *w, uint32_t first, uint32_t doublings)
{
    const uint32_t sum = w->low + first, top = sum << 1;
    w->out += sum >> VALUE_BITS;
    const uint32_t upper = (uint32_t)(w->out >> 32), lower = (uint32_t)w->out;
    w->out =
        (uint64_t)__funnelshift_l(lower, upper, doublings) << 32 | __funnelshift_l(top, lower, doublings);
    w->low = top << doublings >> 1;
    w->held += doublings;
    if (w->held >= 32)
        put_word(w);
}

static __device__ __forceinline__ void encode_symbol(struct bit_writer *w, struct interval *i, uint32_t share)
{
    const struct interval narrowed = narrow(*i, share);
    const uint32_t doublings = count_doublings(narrowed);
    put(w, narrowed.low - i->low, doublings);
    *i = enlarge(narrowed, doublings);
}

/* Ends the block, whose words begin behind the one at `slot`; returns the code's bytes. */
static __device__ __forceinline__ uint32_t close_block(struct bit_writer *w, struct interval i,
                                                       const uint32_t *slot)
{
    put(w, (i.low < QUARTER ? QUARTER : HALF) - i.low, 2);
    const uint32_t bytes = (uint32_t)(w->at - slot) * 4 + (w->held + 7) / 8;
    w->out <<= 32 - w->held;
    w->held = 32;
    put_word(w);
    *w->at = swap_bytes(w->last);
    return bytes;
}

/* Of the coded value, which the interval holds, only its distance from low counts. The next bits are those of
 * `upper` and `lower` from the one `skip` on, then those of `next`. */
struct bit_reader {
    const uint32_t *at, *end; /* of the word behind `next`; the last one that may be read */
    uint32_t upper, lower, next, skip;
    struct interval interval;
    uint32_t distance, doublings; /* in all */
};

static __device__ __forceinline__ void open_block(struct bit_reader *r, const uint8_t *code, uint32_t length)
{
    const uint32_t phase = (uint32_t)(uintptr_t)code & 3;
    const uint32_t *const words = (const uint32_t *)(code - phase);
    r->upper = swap_bytes(words[0]);
    r->lower = swap_bytes(words[1]);
    r->next = words[2];
    r->at = words + 3;
    r->end = words + length / 4 + 8;
    r->skip = 8 * phase;
    r->interval = {0, (uint32_t)1 << VALUE_BITS};
    r->distance = __funnelshift_l(r->lower, r->upper, r->skip) >> 1;
    r->skip += VALUE_BITS;
    r->doublings = 0;
    if (r->skip >= 32) {
        r->upper = r->lower;
        r->lower = swap_bytes(r->next);
        r->next = *r->at++;
        r->skip -= 32;
    }
}

/* `shares` has the symbols' shares, `symbols` the symbol of each part of the total. */
static __device__ __forceinline__ uint32_t decode_symbol(struct bit_reader *r, const uint32_t *shares,
                                                         const uint8_t *symbols)
{
    /* The exact part of the total, ((distance + 1) << 15) - 1 over the range, or one of its neighbours: all
     * roundings together are below 2^-21 of it. */
    const float part = __fdividef((float)r->distance, (float)r->interval.range) * TOTAL;
    const uint32_t target = min((uint32_t)part, (uint32_t)TOTAL - 1);
    uint32_t symbol = symbols[target];
    struct interval narrowed = narrow(r->interval, shares[symbol]);
    uint32_t distance = r->distance - (narrowed.low - r->interval.low);
    if (distance >= narrowed.range) {
        const bool below = r->distance < narrowed.low - r->interval.low;
        symbol = symbols[below ? target - (target > 0) : min(target + 1, (uint32_t)TOTAL - 1)];
        narrowed = narrow(r->interval, shares[symbol]);
        distance = r->distance - (narrowed.low - r->interval.low);
    }
    const uint32_t doublings = count_doublings(narrowed);
    r->distance = __funnelshift_l(__funnelshift_l(r->lower, r->upper, r->skip), distance, doublings);
    r->interval = enlarge(narrowed, doublings);
    r->doublings += doublings;
    r->skip += doublings;
    if (r->skip >= 32) {
        r->skip -= 32;
        r->upper = r->lower;
        r->lower = swap_bytes(r->next);
        r->next = *r->at;
        r->at += r->at < r->end;
    }
    return symbol;
}

#endif
