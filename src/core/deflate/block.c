/* SPDX-License-Identifier: MIT
 * Blocks of deflate: their codes, which of the three ways to write them takes least, and the writing. */
#include "core/deflate/block.h"

enum {
    LONGEST = 15,
    STORED_MOST = 0xFFFF, /* bytes; zlib's choice never comes to a stored block of more */
};

void fpgz_deflate_block_begin(struct fpgz_deflate_block *block, const uint8_t *first)
{
    block->first = block->run = first;
    block->full = first + block->most;
    block->matches = 0;
    memset(block->literals, 0, sizeof block->literals);
    memset(block->distances, 0, sizeof block->distances);
}

/* The codes of RFC 1951, section 3.2.6. */
static void fixed_codes(struct fpgz_deflate_codes *codes)
{
    codes->literals.used = DEFLATE_CODES;
    codes->distances.used = DEFLATE_DISTANCES;
    for (unsigned symbol = 0; symbol < DEFLATE_CODES; symbol++)
        codes->literals.length[symbol] = symbol < 144 ? 8 : symbol < 256 ? 9 : symbol < 280 ? 7 : 8;
    memset(codes->distances.length, 5, DEFLATE_DISTANCES);
}

/* What the block's symbols take. */
static uint64_t coded_bits(const struct fpgz_deflate_block *block, const struct fpgz_deflate_codes *codes)
{
    uint64_t bits = 0;
    for (unsigned symbol = 0; symbol < DEFLATE_LITERALS; symbol++)
        bits += (uint64_t)block->literals[symbol] *
                (codes->literals.length[symbol] + fpgz_deflate_length_extra(symbol));
    for (unsigned symbol = 0; symbol < DEFLATE_DISTANCES; symbol++)
        bits += (uint64_t)block->distances[symbol] *
                (codes->distances.length[symbol] + fpgz_deflate_distance_extra(symbol));
    return bits;
}

static void write_literals(const uint8_t *bytes, size_t count, const struct fpgz_deflate_code *code,
                           struct fpgz_bits *out)
{
    size_t i = 0;
    for (; i + 3 <= count; i += 3) {
        fpgz_bits_put(out, code->bits[bytes[i]], code->length[bytes[i]]);
        fpgz_bits_put(out, code->bits[bytes[i + 1]], code->length[bytes[i + 1]]);
        fpgz_bits_put(out, code->bits[bytes[i + 2]], code->length[bytes[i + 2]]);
        fpgz_bits_flush(out);
    }
    for (; i < count; i++) {
        fpgz_bits_put(out, code->bits[bytes[i]], code->length[bytes[i]]);
        fpgz_bits_flush(out);
    }
}

static void write_symbols(const struct fpgz_deflate_block *block, const uint8_t *end,
                          const struct fpgz_deflate_codes *codes, struct fpgz_bits *target)
{
    struct fpgz_bits out = *target;
    const uint8_t *at = block->first;
    for (unsigned i = 0; i < block->matches; i++) {
        const struct fpgz_deflate_match match = block->match[i];
        const struct fpgz_deflate_symbol length = fpgz_deflate_length(match.length);
        const struct fpgz_deflate_symbol distance = fpgz_deflate_distance(match.distance);
        write_literals(at, match.literals, &codes->literals, &out);
        fpgz_bits_put(&out, codes->literals.bits[length.symbol], codes->literals.length[length.symbol]);
        fpgz_bits_put(&out, length.value, length.extra);
        fpgz_bits_put(&out, codes->distances.bits[distance.symbol], codes->distances.length[distance.symbol]);
        fpgz_bits_put(&out, distance.value, distance.extra);
        fpgz_bits_flush(&out);
        at += match.literals + DEFLATE_MIN_MATCH + match.length;
    }
    write_literals(at, (size_t)(end - at), &codes->literals, &out);
    fpgz_bits_put(&out, codes->literals.bits[DEFLATE_END], codes->literals.length[DEFLATE_END]);
    fpgz_bits_flush(&out);
    *target = out;
}

void fpgz_deflate_block_settle(struct fpgz_deflate_block *block, const uint8_t *end, bool storable,
                               struct fpgz_deflate_written *written)
{
    struct fpgz_deflate_codes fixed;
    const size_t bytes = (size_t)(end - block->first);
    block->literals[DEFLATE_END]++;
    fixed_codes(&fixed);
    fpgz_deflate_build(block->literals, DEFLATE_LITERALS, LONGEST, &written->codes.literals);
    fpgz_deflate_build(block->distances, DEFLATE_DISTANCES, LONGEST, &written->codes.distances);
    fpgz_deflate_describe(&written->description, &written->codes.literals, &written->codes.distances);

    /* zlib compares whole bytes, as if each block began with one. */
    const uint64_t fixed_bits = coded_bits(block, &fixed);
    const uint64_t dynamic_bits = coded_bits(block, &written->codes) + written->description.bits;
    const uint64_t fixed_bytes = (fixed_bits + DEFLATE_KIND_BITS + 7) / 8,
                   dynamic_bytes = (dynamic_bits + DEFLATE_KIND_BITS + 7) / 8;
    written->kind = fixed_bytes <= dynamic_bytes ? DEFLATE_FIXED : DEFLATE_DYNAMIC;
    written->bits = written->kind == DEFLATE_FIXED ? fixed_bits : dynamic_bits;
    if (storable && bytes <= STORED_MOST && bytes + 4 <= fpgz_min(fixed_bytes, dynamic_bytes))
        written->kind = DEFLATE_STORED;
    if (written->kind == DEFLATE_FIXED)
        written->codes = fixed;
}

void fpgz_deflate_write_front(const struct fpgz_deflate_written *written, size_t bytes, bool last,
                              struct fpgz_bits *out)
{
    fpgz_bits_put(out, written->kind << 1 | last, DEFLATE_KIND_BITS);
    fpgz_bits_flush(out);
    if (written->kind == DEFLATE_STORED) {
        fpgz_bits_align(out);
        fpgz_bits_put(out, bytes, 16);
        fpgz_bits_put(out, ~bytes & 0xFFFF, 16);
        fpgz_bits_flush(out);
    } else if (written->kind == DEFLATE_DYNAMIC) {
        fpgz_deflate_write_description(&written->description, out);
    }
}

enum fpgz_status fpgz_deflate_block_write(const struct fpgz_deflate_block *block, const uint8_t *end,
                                          bool last, struct fpgz_deflate_written *written,
                                          struct fpgz_bits *out)
{
    const size_t bytes = (size_t)(end - block->first);
    const uint64_t bits = written->kind == DEFLATE_STORED
                              ? -(out->count + DEFLATE_KIND_BITS) % 8 + 32 + 8 * (uint64_t)bytes
                              : written->bits;
    if (!fpgz_bits_fit(out, DEFLATE_KIND_BITS + bits))
        return FPGZ_LIMIT;
    fpgz_deflate_write_front(written, bytes, last, out);
    if (written->kind != DEFLATE_STORED) {
        fpgz_deflate_assign(&written->codes.literals);
        fpgz_deflate_assign(&written->codes.distances);
        write_symbols(block, end, &written->codes, out);
        return FPGZ_OK;
    }
    memcpy(out->at, block->first, bytes);
    out->at += bytes;
    return FPGZ_OK;
}
