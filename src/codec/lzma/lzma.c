/* SPDX-License-Identifier: MIT
 * lzma: the chunks of LZMA2 by liblzma, without a container around them, of bytes or, shuffled, of values.
 * For what is no grid of numbers where size counts. */
#include <lzma.h>

#include "codec/codecs.h"
#include "codec/shuffle.h"
#include "core/arena.h"
#include "core/bytes.h"

enum {
    LEAST_DICTIONARY = LZMA_DICT_SIZE_MIN,
    MOST_DICTIONARY = 8 << 20, /* of an encoder, which takes twelve times as much memory */
    MORE_BYTES = 64 << 10,     /* what an arena takes beyond the library's estimate, which is one */
    SMALL_BYTES = 256 << 10,   /* of bytes that the highest level takes its time for; */
    SHORT_PART = 64,           /* and it does where a stream is a smaller part of the values */
    HIGHEST = 9,
};

static void *take(void *opaque, size_t items, size_t size)
{
    return fpgz_arena_take(opaque, items, size);
}

/* The whole arena is given back at once. */
static void give(void *opaque, void *address)
{
    (void)opaque, (void)address;
}

static size_t planes_bytes(const struct fpgz_grid *grid, const struct fpgz_params *params)
{
    return fpgz_shuffle_bytes(grid, params->value[LZMA_SHUFFLE]);
}

static struct fpgz_arena arena_behind(const struct fpgz_coding *coding, size_t bytes)
{
    return (struct fpgz_arena){(uint8_t *)coding->scratch + planes_bytes(&coding->grid, &coding->params),
                               bytes};
}

/* What a stream may look back is the grid, or less. */
static void set_options(const struct fpgz_grid *grid, const struct fpgz_params *params,
                        lzma_options_lzma *options)
{
    const size_t bytes = fpgz_grid_bytes(grid);
    lzma_lzma_preset(options, params->value[LZMA_LEVEL]);
    if (options->dict_size > MOST_DICTIONARY)
        options->dict_size = MOST_DICTIONARY;
    if (options->dict_size > bytes)
        options->dict_size = bytes > LEAST_DICTIONARY ? (uint32_t)bytes : LEAST_DICTIONARY;
    const size_t size = fpgz_dtype_size(grid->dtype);
    if (planes_bytes(grid, params)) {
        options->pb = 0;
    } else if (size > 1) { /* a byte's place in its number tells more of it than the byte before */
        options->pb = options->lp = (uint32_t)__builtin_ctzll(size);
        options->lc = 0;
    }
}

static size_t encoder_bytes(const struct fpgz_grid *grid, const struct fpgz_params *params)
{
    lzma_options_lzma options;
    const lzma_filter filters[] = {{LZMA_FILTER_LZMA2, &options}, {LZMA_VLI_UNKNOWN, NULL}};
    set_options(grid, params, &options);
    return lzma_raw_encoder_memusage(filters) + MORE_BYTES;
}

static size_t decoder_bytes(const struct fpgz_grid *grid, const struct fpgz_params *params)
{
    const size_t bytes = fpgz_grid_bytes(grid);
    lzma_options_lzma options = {.dict_size = bytes > LEAST_DICTIONARY ? (uint32_t)bytes : LEAST_DICTIONARY};
    const lzma_filter filters[] = {{LZMA_FILTER_LZMA2, &options}, {LZMA_VLI_UNKNOWN, NULL}};
    (void)params;
    return lzma_raw_decoder_memusage(filters) + MORE_BYTES;
}

/* What does not shrink takes three bytes for each 64 KiB, or a little less. */
static size_t bound(const struct fpgz_grid *grid, const struct fpgz_params *params)
{
    const size_t bytes = fpgz_grid_bytes(grid);
    (void)params;
    return bytes + bytes / 4096 + 256;
}

static size_t memory(const struct fpgz_grid *grid, const struct fpgz_params *params)
{
    const size_t encoder = encoder_bytes(grid, params), decoder = decoder_bytes(grid, params);
    return planes_bytes(grid, params) + (encoder > decoder ? encoder : decoder);
}

static size_t decode_memory(const struct fpgz_grid *grid, const struct fpgz_params *params)
{
    return planes_bytes(grid, params) + decoder_bytes(grid, params);
}

/* FPGZ_LIMIT if the stream takes more than `most` bytes. */
static enum fpgz_status encode_with(const struct fpgz_coding *coding, lzma_options_lzma *options,
                                    const uint8_t *input, size_t most, uint8_t *stream, size_t *length)
{
    const struct fpgz_grid *grid = &coding->grid;
    struct fpgz_arena arena = arena_behind(coding, encoder_bytes(grid, &coding->params));
    const lzma_allocator allocator = {take, give, &arena};
    const lzma_filter filters[] = {{LZMA_FILTER_LZMA2, options}, {LZMA_VLI_UNKNOWN, NULL}};
    *length = 0;
    const lzma_ret result =
        lzma_raw_buffer_encode(filters, &allocator, input, fpgz_grid_bytes(grid), stream, length, most);
    return result == LZMA_OK          ? FPGZ_OK
           : result == LZMA_BUF_ERROR ? FPGZ_LIMIT
           : result == LZMA_MEM_ERROR ? FPGZ_MEMORY
                                      : FPGZ_INTERNAL;
}

static enum fpgz_status encode_shorter(const struct fpgz_coding *coding, const void *values, size_t least,
                                       uint8_t *stream, size_t *length)
{
    const struct fpgz_grid *grid = &coding->grid;
    const uint8_t *input = values;
    lzma_options_lzma options;
    if (planes_bytes(grid, &coding->params)) {
        fpgz_shuffle(grid, coding->params.value[LZMA_SHUFFLE], values, coding->scratch);
        input = coding->scratch;
    }
    set_options(grid, &coding->params, &options);
    const size_t bytes = fpgz_grid_bytes(grid), room = bound(grid, &coding->params);
    const bool high = coding->params.value[LZMA_LEVEL] == HIGHEST,
               is_small = fpgz_dtype_size(grid->dtype) == 1 && bytes <= SMALL_BYTES;
    /* What is longer may be made shorter below. */
    const size_t most = high && (is_small || least <= bytes / SHORT_PART) ? room : fpgz_min(least - 1, room);
    const enum fpgz_status status = encode_with(coding, &options, input, most, stream, length);
    if (status || !high || (!is_small && *length >= bytes / SHORT_PART))
        return status;
    /* Much of what is no grid of numbers is not made of words, nor is what repeats itself for long. */
    const lzma_options_lzma usual = options;
    const size_t before = *length;
    lzma_lzma_preset(&options, HIGHEST | LZMA_PRESET_EXTREME);
    options.dict_size = usual.dict_size;
    options.pb = 0;
    if (!encode_with(coding, &options, input, room, stream, length) && *length < before)
        return FPGZ_OK;
    options = usual;
    return encode_with(coding, &options, input, room, stream, length);
}

static enum fpgz_status encode(const struct fpgz_coding *coding, const void *values, uint8_t *stream,
                               size_t *length)
{
    return encode_shorter(coding, values, SIZE_MAX, stream, length);
}

static enum fpgz_status decode(const struct fpgz_coding *coding, const uint8_t *stream, size_t length,
                               void *values)
{
    const struct fpgz_grid *grid = &coding->grid;
    const size_t bytes = fpgz_grid_bytes(grid);
    const bool shuffled = planes_bytes(grid, &coding->params);
    struct fpgz_arena arena = arena_behind(coding, decoder_bytes(grid, &coding->params));
    const lzma_allocator allocator = {take, give, &arena};
    lzma_options_lzma options = {.dict_size = bytes > LEAST_DICTIONARY ? (uint32_t)bytes : LEAST_DICTIONARY};
    const lzma_filter filters[] = {{LZMA_FILTER_LZMA2, &options}, {LZMA_VLI_UNKNOWN, NULL}};
    size_t read = 0, written = 0;
    const lzma_ret result = lzma_raw_buffer_decode(filters, &allocator, stream, &read, length,
                                                   shuffled ? coding->scratch : values, &written, bytes);
    if (result != LZMA_OK || read != length || written != bytes)
        return result == LZMA_MEM_ERROR ? FPGZ_MEMORY : FPGZ_CORRUPT;
    if (shuffled)
        fpgz_unshuffle(grid, coding->params.value[LZMA_SHUFFLE], coding->scratch, values);
    return FPGZ_OK;
}

static const struct fpgz_param params[] = {
    [LZMA_LEVEL] = {"level", 0, 9, 6, "liblzma's, from fast to small", NULL},
    [LZMA_SHUFFLE] = {"shuffle", 0, 1, 1, "bytes of equal weight next to each other", NULL},
};

const struct fpgz_codec fpgz_lzma = {
    .id = FPGZ_CODEC_LZMA,
    .name = "lzma",
    .summary = "liblzma, behind a byte shuffle",
    .dtypes = FPGZ_ALL_DTYPES,
    .max_dims = 1,
    .lossless = true,
    .params = params,
    .param_count = sizeof params / sizeof params[0],
    .fold = fpgz_fold_flat,
    .bound = bound,
    .memory = memory,
    .decode_memory = decode_memory,
    .encode = encode,
    .encode_shorter = encode_shorter,
    .decode = decode,
};
