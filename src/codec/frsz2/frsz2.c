/* SPDX-License-Identifier: MIT
 * FRSZ2's stream: exponents, codes, exceptions (fpgz.5). The kernels in blocks_*.c code runs of blocks. Up to
 * the exceptions it is the stream of the published program. That program has no codes of 2 or 3 bits, nor f64
 * codes of up to 8 bits. Their containers have 1 byte, in which an f64 exponent of 11 bits does not fit, so
 * all their exponents take 2. */
#include "codec/frsz2/frsz2.h"

#include <string.h>

#include "codec/codecs.h"
#include "core/cpu.h"

enum { EXPONENTS_UNIT = 256 };

static unsigned width(enum fpgz_dtype dtype)
{
    return dtype == FPGZ_F64 ? 64 : 32;
}

struct frsz2_layout fpgz_frsz2_lay_out(const struct fpgz_grid *grid, const struct fpgz_params *params)
{
    struct frsz2_layout l = {.is_f64 = grid->dtype == FPGZ_F64,
                             .word = fpgz_dtype_size(grid->dtype),
                             .values = fpgz_grid_values(grid)};
    const unsigned bits = params->value[FRSZ2_BITS] ? params->value[FRSZ2_BITS] : width(grid->dtype) / 2;
    const size_t container = bits <= 8 ? 1 : bits <= 16 ? 2 : bits <= 32 ? 4 : 8;
    const bool extended = bits < 4 || (l.is_f64 && bits <= 8);
    l.code.bits = bits;
    l.code.exponent_bytes = extended ? 2 : (unsigned)container;
    l.code.block_bytes = fpgz_round_up(FRSZ2_BLOCK / 8 * bits, container);
    l.blocks = (l.values + FRSZ2_BLOCK - 1) / FRSZ2_BLOCK;
    l.exponents_bytes = (l.blocks * l.code.exponent_bytes / EXPONENTS_UNIT + 1) * EXPONENTS_UNIT;
    l.body_bytes = l.exponents_bytes + l.blocks * l.code.block_bytes;
    return l;
}

static enum fpgz_status check(enum fpgz_dtype dtype, const struct fpgz_params *params,
                              struct fpgz_error *error)
{
    const uint32_t bits = params->value[FRSZ2_BITS];
    if (bits == 1 || bits > width(dtype))
        return fpgz_fail(error, FPGZ_USAGE, "frsz2:bits=%u: a code of %s has 2 to %u bits (or 0: %u)", bits,
                         fpgz_dtype_name(dtype), width(dtype), width(dtype) / 2);
    return FPGZ_OK;
}

static size_t exception_bytes(const struct frsz2_layout *l)
{
    return sizeof(uint64_t) + l->word;
}

static size_t bound(const struct fpgz_grid *grid, const struct fpgz_params *params)
{
    const struct frsz2_layout l = fpgz_frsz2_lay_out(grid, params);
    return l.body_bytes + FRSZ2_SLACK + sizeof(uint64_t) + l.values * exception_bytes(&l);
}

static size_t memory(const struct fpgz_grid *grid, const struct fpgz_params *params)
{
    (void)grid, (void)params;
    return 0;
}

static const struct frsz2_kernels *kernels(const struct frsz2_layout *l)
{
    return fpgz_cpu_choose_word(fpgz_frsz2_kernels, l->word);
}

static bool is_finite(const uint8_t *word, bool is_f64)
{
    return is_f64 ? (fpgz_load64(word) >> 52 & 0x7ff) != 0x7ff : (fpgz_load32(word) >> 23 & 0xff) != 0xff;
}

/* Lists the values that are not finite, and returns the list's length. */
static size_t list_exceptions(const struct frsz2_layout *l, const uint8_t *values, uint8_t *list)
{
    uint8_t *at = list + sizeof(uint64_t);
    uint64_t count = 0;
    for (uint64_t i = 0; i < l->values; i++) {
        const uint8_t *word = values + i * l->word;
        if (is_finite(word, l->is_f64))
            continue;
        fpgz_store64(at, i);
        memcpy(at + sizeof(uint64_t), word, l->word);
        at += exception_bytes(l);
        count++;
    }
    fpgz_store64(list, count);
    return (size_t)(at - list);
}

static enum fpgz_status encode(const struct fpgz_coding *coding, const void *values, uint8_t *stream,
                               size_t *length)
{
    const struct frsz2_layout l = fpgz_frsz2_lay_out(&coding->grid, &coding->params);
    frsz2_encode_blocks *const encode_blocks = kernels(&l)->encode;
    uint8_t *const codes = stream + l.exponents_bytes;
    const size_t whole = l.values / FRSZ2_BLOCK, rest = l.values % FRSZ2_BLOCK;
    const uint8_t *const grid = values;

    memset(stream + l.blocks * l.code.exponent_bytes, 0,
           l.exponents_bytes - l.blocks * l.code.exponent_bytes);
    bool finite = encode_blocks(l.code, grid, whole, stream, codes);
    if (rest) {
        uint64_t block[FRSZ2_BLOCK] = {
            0}; /* zeros, which neither raise the exponent nor have codes other than zero */
        memcpy(block, grid + whole * FRSZ2_BLOCK * l.word, rest * l.word);
        finite &= encode_blocks(l.code, block, 1, stream + whole * l.code.exponent_bytes,
                                codes + whole * l.code.block_bytes);
    }
    *length = l.body_bytes;
    if (!finite)
        *length += list_exceptions(&l, grid, stream + l.body_bytes);
    return FPGZ_OK;
}

/* Decodes the whole blocks [first, end) of the stream of `length` bytes. */
static bool decode_blocks(const struct frsz2_layout *l, const uint8_t *stream, size_t length, size_t first,
                          size_t end, uint8_t *values)
{
    frsz2_decode_blocks *const kernel = kernels(l)->decode;
    const uint8_t *exponents = stream + first * l->code.exponent_bytes;
    const uint8_t *codes = stream + l->exponents_bytes + first * l->code.block_bytes;
    const size_t behind = length - l->exponents_bytes; /* the codes' start, to the stream's end */
    const size_t safe = behind > FRSZ2_SLACK ? (behind - FRSZ2_SLACK) / l->code.block_bytes : 0;
    const size_t direct = fpgz_min(end, safe) > first ? fpgz_min(end, safe) - first : 0;
    if (!kernel(l->code, exponents, codes, direct, values))
        return false;
    for (size_t block = direct; block < end - first; block++) {
        uint8_t last[FRSZ2_BLOCK * sizeof(uint64_t) + FRSZ2_SLACK] = {0};
        memcpy(last, codes + block * l->code.block_bytes, l->code.block_bytes);
        if (!kernel(l->code, exponents + block * l->code.exponent_bytes, last, 1,
                    values + block * FRSZ2_BLOCK * l->word))
            return false;
    }
    return true;
}

/* Puts the exceptions among the values [first, end) in their places; `list_bytes` may be 0. */
static bool restore_exceptions(const struct frsz2_layout *l, const uint8_t *list, size_t list_bytes,
                               uint64_t first, uint64_t end, uint8_t *values)
{
    if (!list_bytes)
        return true;
    const size_t entry = exception_bytes(l);
    const uint64_t count = list_bytes >= sizeof(uint64_t) + entry ? fpgz_load64(list) : 0;
    if (!count || count > l->values || list_bytes != sizeof(uint64_t) + count * entry)
        return false;
    list += sizeof(uint64_t);
    uint64_t i = 0; /* the first exception from `first` on */
    for (uint64_t step = count; step; step /= 2)
        while (i + step <= count && fpgz_load64(list + (i + step - 1) * entry) < first)
            i += step;
    for (uint64_t least = first; i < count; i++) {
        const uint64_t index = fpgz_load64(list + i * entry);
        const uint8_t *const word = list + i * entry + sizeof(uint64_t);
        if (index < least || index >= l->values || is_finite(word, l->is_f64))
            return false;
        if (index >= end)
            break;
        memcpy(values + (index - first) * l->word, word, l->word);
        least = index + 1;
    }
    return true;
}

static enum fpgz_status decode_range(const struct fpgz_coding *coding, const uint8_t *stream, size_t length,
                                     uint64_t first, uint64_t count, void *values)
{
    const struct frsz2_layout l = fpgz_frsz2_lay_out(&coding->grid, &coding->params);
    if (length < l.body_bytes)
        return FPGZ_CORRUPT;
    const uint64_t end = first + count;
    uint8_t *const grid = values;
    uint64_t block[FRSZ2_BLOCK];
    /* Whole blocks go to their places; blocks that the range or the grid cuts go through `block`. */
    for (uint64_t at = first; at < end;) {
        const size_t number = at / FRSZ2_BLOCK, skip = at % FRSZ2_BLOCK;
        const bool cut = skip || end - at < FRSZ2_BLOCK;
        const size_t blocks = cut ? 1 : (end - at) / FRSZ2_BLOCK;
        const uint64_t done = cut ? fpgz_min(FRSZ2_BLOCK - skip, end - at) : blocks * FRSZ2_BLOCK;
        uint8_t *const to = grid + (at - first) * l.word;
        if (!decode_blocks(&l, stream, length, number, number + blocks, cut ? (uint8_t *)block : to))
            return FPGZ_CORRUPT;
        if (cut)
            memcpy(to, (uint8_t *)block + skip * l.word, done * l.word);
        at += done;
    }
    return restore_exceptions(&l, stream + l.body_bytes, length - l.body_bytes, first, end, grid)
               ? FPGZ_OK
               : FPGZ_CORRUPT;
}

static enum fpgz_status decode(const struct fpgz_coding *coding, const uint8_t *stream, size_t length,
                               void *values)
{
    return decode_range(coding, stream, length, 0, fpgz_grid_values(&coding->grid), values);
}

static const struct fpgz_param params[] = {
    [FRSZ2_BITS] = {"bits", 0, 64, 0, "of a value's code, its sign included; 0 is half of the value's own",
                    NULL},
};

const struct fpgz_codec fpgz_frsz2 = {
    .id = FPGZ_CODEC_FRSZ2,
    .name = "frsz2",
    .summary = "blocks of 32 in fixed point below their greatest exponent, at a fixed rate",
    .dtypes = FPGZ_FLOATS_32_64,
    .max_dims = 1,
    .lossless = false,
    .kernels = &fpgz_frsz2_kernels[FPGZ_WORD_32],
    .params = params,
    .param_count = sizeof params / sizeof params[0],
    .rate = &params[FRSZ2_BITS],
    .check = check,
    .fold = fpgz_fold_flat,
    .bound = bound,
    .memory = memory,
    .encode = encode,
    .decode = decode,
    .decode_range = decode_range,
};
