/* SPDX-License-Identifier: MIT
 * deflate: a bare zlib stream (RFC 1950), for comparison and for readers that have nothing else. With shuffle
 * it holds the values' first (least significant) bytes, then their second bytes, and so on. Exponents then
 * stand next to each other and match, which they do not with mantissas between them. */
#include <limits.h>
#include <string.h>
#include <zlib.h>

#include "codec/codecs.h"
#include "core/bytes.h"

/* zlib takes 268 KiB to deflate and 40 KiB to inflate (zconf.h); other versions may take more. */
enum { ARENA_BYTES = 512 << 10 };

/* Scratch is the shuffled grid, if any, and then what zlib allocates. */
struct arena {
    uint8_t *at;
    size_t left;
};

static voidpf take(voidpf opaque, uInt items, uInt size)
{
    struct arena *const arena = opaque;
    uint64_t bytes;
    if (!fpgz_mul(items, size, &bytes) || bytes > arena->left)
        return Z_NULL;
    uint8_t *const taken = arena->at;
    bytes = fpgz_min(fpgz_round_up(bytes, 64), arena->left);
    arena->at += bytes;
    arena->left -= bytes;
    return taken;
}

/* Does nothing: the whole arena is given back at once. */
static void give(voidpf opaque, voidpf address)
{
    (void)opaque, (void)address;
}

/* Values of one byte have no weights to tell apart. */
static bool shuffles(const struct fpgz_grid *grid, const struct fpgz_params *params)
{
    return params->value[DEFLATE_SHUFFLE] && fpgz_dtype_size(grid->dtype) > 1;
}

static size_t shuffled_bytes(const struct fpgz_grid *grid, const struct fpgz_params *params)
{
    return shuffles(grid, params) ? fpgz_round_up(fpgz_grid_bytes(grid), 64) : 0;
}

static struct arena arena_behind(const struct fpgz_coding *coding)
{
    return (struct arena){(uint8_t *)coding->scratch + shuffled_bytes(&coding->grid, &coding->params),
                          ARENA_BYTES};
}

/* Converts between values of `width` bytes and planes of their bytes, in blocks that stay in the
 * first-level cache. */
enum { SHUFFLE_BLOCK = 1024 };

static inline __attribute__((always_inline)) void shuffle_words(const uint8_t *values, uint8_t *planes,
                                                                size_t count, size_t width)
{
    for (size_t first = 0; first < count; first += SHUFFLE_BLOCK) {
        const size_t end = fpgz_min(first + SHUFFLE_BLOCK, count);
        for (size_t byte = 0; byte < width; byte++)
            for (size_t i = first; i < end; i++)
                planes[byte * count + i] = values[i * width + byte];
    }
}

static inline __attribute__((always_inline)) void unshuffle_words(const uint8_t *planes, uint8_t *values,
                                                                  size_t count, size_t width)
{
    for (size_t first = 0; first < count; first += SHUFFLE_BLOCK) {
        const size_t end = fpgz_min(first + SHUFFLE_BLOCK, count);
        for (size_t byte = 0; byte < width; byte++)
            for (size_t i = first; i < end; i++)
                values[i * width + byte] = planes[byte * count + i];
    }
}

/* For each width a loop of its own. */
static void shuffle(const struct fpgz_grid *grid, const uint8_t *values, uint8_t *planes)
{
    const size_t count = (size_t)fpgz_grid_values(grid), width = fpgz_dtype_size(grid->dtype);
    if (width == 8)
        shuffle_words(values, planes, count, 8);
    else if (width == 4)
        shuffle_words(values, planes, count, 4);
    else
        shuffle_words(values, planes, count, 2);
}

static void unshuffle(const struct fpgz_grid *grid, const uint8_t *planes, uint8_t *values)
{
    const size_t count = (size_t)fpgz_grid_values(grid), width = fpgz_dtype_size(grid->dtype);
    if (width == 8)
        unshuffle_words(planes, values, count, 8);
    else if (width == 4)
        unshuffle_words(planes, values, count, 4);
    else
        unshuffle_words(planes, values, count, 2);
}

static size_t bound(const struct fpgz_grid *grid, const struct fpgz_params *params)
{
    (void)params;
    return compressBound(fpgz_grid_bytes(grid));
}

static size_t memory(const struct fpgz_grid *grid, const struct fpgz_params *params)
{
    return shuffled_bytes(grid, params) + ARENA_BYTES;
}

static enum fpgz_status encode(const struct fpgz_coding *coding, const void *values, uint8_t *stream,
                               size_t *length)
{
    const size_t bytes = fpgz_grid_bytes(&coding->grid);
    const size_t capacity = bound(&coding->grid, &coding->params);
    if (capacity > UINT_MAX) /* zlib counts in unsigned int */
        return FPGZ_LIMIT;
    const uint8_t *input = values;
    if (shuffles(&coding->grid, &coding->params)) {
        shuffle(&coding->grid, values, coding->scratch);
        input = coding->scratch;
    }
    struct arena arena = arena_behind(coding);
    z_stream z = {.zalloc = take, .zfree = give, .opaque = &arena};
    if (deflateInit(&z, (int)coding->params.value[DEFLATE_LEVEL]) != Z_OK)
        return FPGZ_MEMORY;
    z.next_in = (Bytef *)input;
    z.avail_in = (uInt)bytes;
    z.next_out = stream;
    z.avail_out = (uInt)capacity;
    const int result = deflate(&z, Z_FINISH);
    *length = capacity - z.avail_out;
    deflateEnd(&z);
    return result == Z_STREAM_END ? FPGZ_OK : FPGZ_INTERNAL;
}

static enum fpgz_status decode(const struct fpgz_coding *coding, const uint8_t *stream, size_t length,
                               void *values)
{
    const size_t bytes = fpgz_grid_bytes(&coding->grid);
    const bool shuffled = shuffles(&coding->grid, &coding->params);
    if (bytes > UINT_MAX || length > UINT_MAX)
        return FPGZ_CORRUPT;
    struct arena arena = arena_behind(coding);
    z_stream z = {.zalloc = take, .zfree = give, .opaque = &arena};
    if (inflateInit(&z) != Z_OK)
        return FPGZ_MEMORY;
    z.next_in = (Bytef *)stream;
    z.avail_in = (uInt)length;
    z.next_out = shuffled ? coding->scratch : values;
    z.avail_out = (uInt)bytes;
    const int result = inflate(&z, Z_FINISH);
    const bool whole = result == Z_STREAM_END && z.avail_in == 0 && z.avail_out == 0;
    inflateEnd(&z);
    if (!whole)
        return result == Z_MEM_ERROR ? FPGZ_MEMORY : FPGZ_CORRUPT;
    if (shuffled)
        unshuffle(&coding->grid, coding->scratch, values);
    return FPGZ_OK;
}

static const struct fpgz_param params[] = {
    [DEFLATE_LEVEL] = {"level", 1, 9, 6, "zlib's, from fast to small", NULL},
    [DEFLATE_SHUFFLE] = {"shuffle", 0, 1, 1, "bytes of equal weight next to each other", NULL},
};

const struct fpgz_codec fpgz_deflate = {
    .id = FPGZ_CODEC_DEFLATE,
    .name = "deflate",
    .summary = "zlib, behind a byte shuffle",
    .dtypes = FPGZ_ALL_DTYPES,
    .max_dims = 1,
    .lossless = true,
    .params = params,
    .param_count = sizeof params / sizeof params[0],
    .fold = fpgz_fold_flat,
    .bound = bound,
    .memory = memory,
    .encode = encode,
    .decode = decode,
};
