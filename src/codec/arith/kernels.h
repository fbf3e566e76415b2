/* SPDX-License-Identifier: MIT
 * The coder of blocks, to be compiled with the flags of the including file's CPU level: it spends its time on
 * shifts by variable counts and on leading zeros.
 *
 * The interval is one of 31-bit numbers, from low to high. After each symbol it is doubled while it lies in
 * one half (a bit goes out that says in which) or else in the two middle quarters (the next bit that goes out
 * is followed by one of the opposite kind: such bits are pending). Doubled in the middle it stays across the
 * middle, so all doublings of the first kind come first, and leading bits tell how many of each are due. */
#ifndef FPGZ_CODEC_ARITH_KERNELS_H
#define FPGZ_CODEC_ARITH_KERNELS_H

#include "codec/arith/arith.h"
#include "core/bytes.h"
#include "core/inline.h"

enum { VALUE_BITS = 31, HALF = 1 << 30, QUARTER = 1 << 29 };
static const uint32_t WHOLE = (uint32_t)1 << VALUE_BITS;

/* The interval, after all doublings that are due. It always has at least 2^14 numbers, which is more than
 * 2^29 times the least share, 2^-15. */
struct interval {
    uint32_t low, range;
};

/* Narrows the interval to a symbol's share. */
INLINE struct interval narrow(struct interval i, const uint32_t *share)
{
    const uint32_t first = (uint32_t)((uint64_t)i.range * share[0] >> ARITH_TOTAL_BITS),
                   end = (uint32_t)((uint64_t)i.range * share[1] >> ARITH_TOTAL_BITS);
    return (struct interval){i.low + first, end - first};
}

/* How often to double the interval: first once for each leading bit that low and high share, then once for
 * each place where, behind the bits 0 and 1, low goes on with a one and high with a zero. Up to 17 times. */
INLINE unsigned count_doublings(struct interval i)
{
    const uint32_t high = i.low + i.range - 1;
    const unsigned halves = (unsigned)__builtin_clz(i.low ^ high) - (32 - VALUE_BITS);
    return halves + (unsigned)__builtin_clz(~((i.low & ~high) << halves << 2));
}

/* In a half this drops the leading bit, which was output; in the middle it drops the bit behind that. */
INLINE struct interval enlarge(struct interval i, unsigned doublings)
{
    return (struct interval){i.low << doublings & (HALF - 1), i.range << doublings};
}

/* The code is low, as one long number. `bits` are its last bits: the interval's 31, above them `held` bits
 * (fewer than 8) that are not yet stored, and above those a carry. Pending bits are stored as 0 and ones. A
 * carry makes them 1 and zeros: later additions can still change what is stored. */
struct bit_writer {
    uint8_t *at;
    uint64_t bits;
    unsigned held;
};

/* Adds to low, then doubles. */
INLINE void put(struct bit_writer *w, uint32_t first, unsigned doublings)
{
    w->bits += first;
    if (__builtin_expect((long)(w->bits >> (VALUE_BITS + w->held)), 0)) {
        uint8_t *carried = w->at;
        while (++*--carried == 0)
            ;
        w->bits &= ((uint64_t)1 << (VALUE_BITS + w->held)) - 1;
    }
    w->bits <<= doublings;
    w->held += doublings;
    fpgz_store32(w->at, __builtin_bswap32((uint32_t)(w->bits >> VALUE_BITS << (32 - w->held))));
    w->at += w->held / 8;
    w->held %= 8;
    w->bits &= ((uint64_t)1 << (VALUE_BITS + w->held)) - 1;
}

static uint8_t *encode_block(const struct arith_model *model, const uint8_t *bytes, size_t count,
                             uint8_t *code)
{
    struct bit_writer writer = {.at = code};
    struct interval interval = {0, WHOLE};
    for (size_t i = 0; i < count; i++) {
        const struct interval narrowed = narrow(interval, &model->start[bytes[i]]);
        const unsigned doublings = count_doublings(narrowed);
        put(&writer, narrowed.low - interval.low, doublings);
        interval = enlarge(narrowed, doublings);
    }
    /* With two more bits, every continuation of the code lies in the interval. */
    put(&writer, (interval.low < QUARTER ? QUARTER : HALF) - interval.low, 2);
    return writer.at + (writer.held != 0);
}

/* A block while it is decoded. Only the distance of the coded value from low is kept. */
struct bit_reader {
    const uint8_t *code;
    struct interval interval;
    uint32_t distance;
    size_t at, limit; /* in bits: the end of the value, and a place that it must not reach */
};

/* Up to 57 bits from bit `at` on, at the top of the word. */
INLINE uint64_t peek_bits(const uint8_t *code, size_t at)
{
    return __builtin_bswap64(fpgz_load64(code + at / 8)) << at % 8;
}

INLINE uint8_t decode_symbol(const struct arith_model *model, struct bit_reader *r)
{
    /* For any code, the distance stays below the range and the target below the total. */
    const uint64_t scaled = (((uint64_t)r->distance + 1) << ARITH_TOTAL_BITS) - 1;
    const uint8_t symbol = model->symbol[scaled / r->interval.range];
    const struct interval narrowed = narrow(r->interval, &model->start[symbol]);
    const unsigned doublings = count_doublings(narrowed);
    r->distance = (r->distance - (narrowed.low - r->interval.low)) << doublings |
                  (uint32_t)(peek_bits(r->code, r->at) >> 1 >> (63 - doublings));
    r->interval = enlarge(narrowed, doublings);
    r->at = fpgz_min(r->at + doublings, r->limit);
    return symbol;
}

INLINE struct bit_reader open_block(const struct arith_block *block)
{
    return (struct bit_reader){
        .code = block->code,
        .interval = {0, WHOLE},
        .distance = (uint32_t)(peek_bits(block->code, 0) >> (64 - VALUE_BITS)),
        .at = VALUE_BITS,
        .limit = 8 * block->length + VALUE_BITS - 1,
    };
}

/* The encoder wrote a bit for each doubling, then two. */
INLINE bool at_end(const struct bit_reader *r, const struct arith_block *block)
{
    return (r->at - VALUE_BITS + 2 + 7) / 8 == block->length;
}

static bool decode_one(const struct arith_model *model, const struct arith_block *block, size_t count)
{
    struct bit_reader reader = open_block(block);
    for (size_t i = 0; i < count; i++)
        block->bytes[i] = decode_symbol(model, &reader);
    return at_end(&reader, block);
}

/* In one block, each symbol waits for the last one, so the processor works on other blocks meanwhile.
 * Written out, so that each reader stays in registers. */
static bool decode_lanes(const struct arith_model *model, const struct arith_block *blocks, size_t count)
{
    struct bit_reader a = open_block(&blocks[0]), b = open_block(&blocks[1]), c = open_block(&blocks[2]);
    uint8_t *const a_bytes = blocks[0].bytes, *const b_bytes = blocks[1].bytes,
                   *const c_bytes = blocks[2].bytes;
    for (size_t i = 0; i < count; i++) {
        a_bytes[i] = decode_symbol(model, &a);
        b_bytes[i] = decode_symbol(model, &b);
        c_bytes[i] = decode_symbol(model, &c);
    }
    return at_end(&a, &blocks[0]) && at_end(&b, &blocks[1]) && at_end(&c, &blocks[2]);
}

#endif
