/* SPDX-License-Identifier: MIT
 * MPC's stream: header, bitmaps, words. The kernels in segment_*.c code a segment each. */
#include "codec/mpc/mpc.h"

#include <limits.h>
#include <string.h>

#include "codec/codecs.h"
#include "codec/sample.h"
#include "core/bytes.h"
#include "core/cpu.h"

/* memory(): the segment whose last group ends beyond the grid, and the stream's last words with room for
 * wide loads. */
struct scratch {
    uint64_t block[MPC_SEGMENT];
    uint8_t tail[MPC_SEGMENT * sizeof(uint64_t) + 2 * MPC_SLACK];
};

struct mpc_layout fpgz_mpc_layout(const struct fpgz_grid *grid)
{
    struct mpc_layout l = {.is_f64 = grid->dtype == FPGZ_F64, .values = (size_t)fpgz_grid_values(grid)};
    l.word = l.is_f64 ? 8 : 4;
    l.bits = 8 * l.word;
    l.groups = (l.values + l.bits - 1) / l.bits;
    l.header_bytes = 8; /* one f64 word, two of f32 */
    l.bitmap_bytes = l.groups * l.word;
    return l;
}

bool fpgz_mpc_may_stray(const struct mpc_layout *l)
{
    return l->groups * l->bits % MPC_SEGMENT != 0;
}

static const struct mpc_kernels *kernels(const struct mpc_layout *l)
{
    return fpgz_cpu_choose_word(fpgz_mpc_kernels, l->word);
}

static size_t bound(const struct fpgz_grid *grid, const struct fpgz_params *params)
{
    (void)params;
    const struct mpc_layout l = fpgz_mpc_layout(grid);
    return l.header_bytes + l.bitmap_bytes + (l.groups * l.bits + 1) * l.word + MPC_SLACK;
}

static size_t memory(const struct fpgz_grid *grid, const struct fpgz_params *params)
{
    (void)grid, (void)params;
    return sizeof(struct scratch);
}

static uint64_t load_word(const struct mpc_layout *l, const uint8_t *at)
{
    return l->is_f64 ? fpgz_load64(at) : fpgz_load32(at);
}

enum { MAGIC_F32 = 0x63706d00, MAGIC_F64 = 0x43504d00 };

uint64_t fpgz_mpc_header(const struct mpc_layout *l, unsigned dim)
{
    return (uint64_t)l->values << 32 | ((l->is_f64 ? MAGIC_F64 : MAGIC_F32) + (dim - 1));
}

/* The dim with the fewest stored words in a sample of evenly spread windows. A larger dim must be better
 * by a 64th: smaller gains are often chance. */
static unsigned guess_dim(const struct mpc_layout *l, const uint8_t *values)
{
    enum { MARGIN = 64 };
    mpc_cost *const cost = kernels(l)->cost;
    const size_t windows = l->values / MPC_WINDOW;
    unsigned best = 1, smallest = UINT_MAX;
    for (unsigned dim = 1; dim <= MPC_MAX_DIM; dim++) {
        unsigned words = 0;
        for (uint32_t i = 0; i < MPC_SAMPLED && i + 1 < windows; i++) {
            const size_t place = 1 + fpgz_sample_place(i, MPC_SAMPLED, windows - 1);
            words += cost(values + place * MPC_WINDOW * l->word, dim);
        }
        if (words + words / MARGIN < smallest) {
            smallest = words;
            best = dim;
        }
    }
    return best;
}

unsigned fpgz_mpc_dim(const struct mpc_layout *l, const struct fpgz_params *params, const void *values)
{
    const unsigned given = params->value[MPC_DIM];
    return given ? given : guess_dim(l, values);
}

/* Copies a segment of `count` values to `block`, and fills up its last group such that the added residuals
 * are zero. */
static void fill_up(const struct mpc_layout *l, const uint8_t *values, size_t count, unsigned dim,
                    void *block)
{
    uint8_t *const words = block;
    memset(words, 0, MPC_SEGMENT * l->word);
    memcpy(words, values, count * l->word);
    for (size_t i = count; i % l->bits; i++)
        if (i >= dim)
            memcpy(words + i * l->word, words + (i - dim) * l->word, l->word);
}

/* The stray word: zero minus the last plane, which holds the signs of the last group's residuals. */
static uint64_t stray_word(const struct mpc_layout *l, const uint8_t *segment, size_t groups, unsigned dim)
{
    uint64_t signs = 0;
    for (unsigned bit = 0; bit < l->bits; bit++) {
        const size_t i = (groups - 1) * l->bits + bit;
        const uint64_t predicted = i < dim ? 0 : load_word(l, segment + (i - dim) * l->word);
        const uint64_t residual = load_word(l, segment + i * l->word) - predicted;
        signs |= (residual >> (l->bits - 1) & 1) << bit;
    }
    return l->is_f64 ? -signs : (uint32_t)-signs;
}

static enum fpgz_status encode(const struct fpgz_coding *coding, const void *values, uint8_t *stream,
                               size_t *length)
{
    const struct mpc_layout l = fpgz_mpc_layout(&coding->grid);
    if (fpgz_grid_values(&coding->grid) > INT32_MAX)
        return FPGZ_LIMIT;
    const unsigned dim = fpgz_mpc_dim(&l, &coding->params, values);
    mpc_encode_segment *const encode_segment = kernels(&l)->encode;
    struct scratch *const scratch = coding->scratch;
    fpgz_store64(stream, fpgz_mpc_header(&l, dim));

    uint8_t *bitmaps = stream + l.header_bytes, *words = bitmaps + l.bitmap_bytes;
    for (size_t first = 0; first < l.values; first += MPC_SEGMENT) {
        const uint8_t *segment = (const uint8_t *)values + first * l.word;
        const size_t count = fpgz_min(l.values - first, MPC_SEGMENT), groups = (count + l.bits - 1) / l.bits;
        if (count % l.bits) {
            fill_up(&l, segment, count, dim, scratch->block);
            segment = (const uint8_t *)scratch->block;
        }
        words += encode_segment(segment, (unsigned)groups, dim, bitmaps, words) * l.word;
        bitmaps += groups * l.word;
        if (groups * l.bits < MPC_SEGMENT) {
            const uint64_t stray = stray_word(&l, segment, groups, dim);
            memcpy(words, &stray, l.word);
            words += stray ? l.word : 0;
        }
    }
    *length = (size_t)(words - stream);
    return FPGZ_OK;
}

static enum fpgz_status decode(const struct fpgz_coding *coding, const uint8_t *stream, size_t length,
                               void *values)
{
    const struct mpc_layout l = fpgz_mpc_layout(&coding->grid);
    if (fpgz_grid_values(&coding->grid) > INT32_MAX || length < l.header_bytes + l.bitmap_bytes)
        return FPGZ_CORRUPT;
    const unsigned dim = stream[0] + 1;
    if (dim > MPC_MAX_DIM || fpgz_load64(stream) != fpgz_mpc_header(&l, dim))
        return FPGZ_CORRUPT;
    mpc_decode_segment *const decode_segment = kernels(&l)->decode;
    struct scratch *const scratch = coding->scratch;

    const uint8_t *bitmaps = stream + l.header_bytes, *words = bitmaps + l.bitmap_bytes;
    size_t left = length - l.header_bytes - l.bitmap_bytes; /* bytes of words */
    bool copied = false;
    for (size_t first = 0; first < l.values; first += MPC_SEGMENT) {
        if (!copied && left < MPC_SEGMENT * l.word + MPC_SLACK) {
            words = memcpy(scratch->tail, words, left);
            copied = true;
        }
        const size_t count = fpgz_min(l.values - first, MPC_SEGMENT), groups = (count + l.bits - 1) / l.bits;
        uint8_t *const segment = (uint8_t *)values + first * l.word;
        const bool whole = count % l.bits == 0;
        const size_t taken = decode_segment(bitmaps, words, left / l.word, (unsigned)groups, dim,
                                            whole ? segment : (uint8_t *)scratch->block);
        if (taken == MPC_SHORT)
            return FPGZ_CORRUPT;
        if (!whole)
            memcpy(segment, scratch->block, count * l.word);
        bitmaps += groups * l.word;
        words += taken * l.word;
        left -= taken * l.word;
    }
    return left == 0 || (left == l.word && fpgz_mpc_may_stray(&l)) ? FPGZ_OK : FPGZ_CORRUPT;
}

static bool stream_values(const uint8_t *stream, size_t length, uint64_t *values)
{
    const uint32_t magic = length < 8 ? 0 : fpgz_load32(stream) & ~(uint32_t)(MPC_MAX_DIM - 1);
    if (magic != MAGIC_F32 && magic != MAGIC_F64)
        return false;
    *values = fpgz_load32(stream + 4);
    return true;
}

static const struct fpgz_param params[] = {
    [MPC_DIM] = {"dim", 0, MPC_MAX_DIM, 0, "values to the one that predicts; 0: by a sample", NULL},
};

const struct fpgz_codec fpgz_mpc = {
    .id = FPGZ_CODEC_MPC,
    .name = "mpc",
    .summary = "MPC: differences, bit transposition, no zero words",
    .dtypes = FPGZ_FLOATS_32_64,
    .max_dims = 1,
    .lossless = true,
    .kernels = &fpgz_mpc_kernels[FPGZ_WORD_32],
    .params = params,
    .param_count = sizeof params / sizeof *params,
    .fold = fpgz_fold_flat,
    .bound = bound,
    .memory = memory,
    .encode = encode,
    .decode = decode,
    .stream_values = stream_values,
};
