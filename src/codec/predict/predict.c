/* SPDX-License-Identifier: MIT
 * The predictive coder's stream: header, first slice, residual lengths, prefixes, residuals. A grid is coded
 * as T slices of N values, T along its slowest axis; a grid of one dimension is a single slice, which is
 * stored as it is. */
#include "codec/predict/predict.h"

#include <stdalign.h>

#include "codec/codecs.h"
#include "core/bytes.h"
#include "core/cpu.h"

/* Values of the parameter `predictor`. */
enum { PREVIOUS, PARALLELOGRAM, MEAN, MEDIAN, LAGRANGE };

static size_t block_values(const struct predict_layout *l, size_t block)
{
    return fpgz_min(l->block, l->values - block * l->block);
}

static size_t block_prefixes_bytes(const struct predict_layout *l, size_t values)
{
    return (values * l->prefix_bits + 31) / 32 * 4;
}

bool fpgz_predict_lay_out(const struct fpgz_grid *grid, const struct fpgz_params *params,
                          struct predict_layout *l)
{
    *l = (struct predict_layout){.word = fpgz_dtype_size(grid->dtype), .is_f64 = grid->dtype == FPGZ_F64};
    const unsigned small = l->is_f64 ? 3 : 2;
    l->prefix_bits = params->value[PREDICT_PREFIX] ? params->value[PREDICT_PREFIX] : small;
    l->large = l->prefix_bits != small;
    l->slices = grid->dims > 1 ? grid->extent[0] : 1;
    l->values = grid->extent[grid->dims - 1];
    if (!l->slices || !l->values)
        l->slices = l->values = 0;
    l->block = params->value[PREDICT_BLOCK];
    l->blocks = l->values / l->block + (l->values % l->block != 0);
    l->slice_bytes = l->values * l->word;
    if (l->slices < 2)
        return true;
    const size_t rest = l->values % l->block;
    const uint64_t coded = l->slices - 1,
                   slice_prefixes = l->values / l->block * block_prefixes_bytes(l, l->block) +
                                    block_prefixes_bytes(l, rest);
    return fpgz_mul(coded, l->blocks * 4, &l->lengths_bytes) &&
           fpgz_mul(coded, slice_prefixes, &l->prefixes_bytes) &&
           fpgz_mul(coded, l->slice_bytes, &l->most_residuals_bytes);
}

static enum fpgz_status check(enum fpgz_dtype dtype, const struct fpgz_params *params,
                              struct fpgz_error *error)
{
    const uint32_t prefix = params->value[PREDICT_PREFIX], block = params->value[PREDICT_BLOCK],
                   small = dtype == FPGZ_F64 ? 3 : 2;
    if (prefix && prefix != small && prefix != small + 1)
        return fpgz_fail(error, FPGZ_USAGE, "predict:prefix=%u: prefixes of %s have %u or %u bits (0: %u)",
                         prefix, fpgz_dtype_name(dtype), small, small + 1, small);
    if (block % PREDICT_GROUP)
        return fpgz_fail(error, FPGZ_USAGE, "predict:block=%u: block is a multiple of %d", block,
                         PREDICT_GROUP);
    return FPGZ_OK;
}

static void fold(const struct fpgz_grid *grid, struct fpgz_grid *coded)
{
    const uint64_t slices = grid->dims > 1 ? grid->extent[0] : 1;
    *coded = (struct fpgz_grid){grid->dtype, 2, {slices, fpgz_grid_values(grid) / slices, 1, 1}};
}

/* SIZE_MAX for a grid whose stream would exceed 64 bits; no memory has so much. */
static size_t bound(const struct fpgz_grid *grid, const struct fpgz_params *params)
{
    struct predict_layout l;
    uint64_t bytes = PREDICT_HEADER + PREDICT_SLACK;
    if (!fpgz_predict_lay_out(grid, params, &l) || !fpgz_add(bytes, l.slice_bytes, &bytes) ||
        !fpgz_add(bytes, l.lengths_bytes, &bytes) || !fpgz_add(bytes, l.prefixes_bytes, &bytes) ||
        !fpgz_add(bytes, l.most_residuals_bytes, &bytes))
        return SIZE_MAX;
    return bytes;
}

/* A copy of one of the last blocks' residuals, with the slack that kernels may read. */
static size_t memory(const struct fpgz_grid *grid, const struct fpgz_params *params)
{
    struct predict_layout l;
    fpgz_predict_lay_out(grid, params, &l);
    return fpgz_min(l.block, l.values) * l.word + PREDICT_SLACK;
}

static const struct predict_kernels *kernels(const struct predict_layout *l)
{
    return fpgz_cpu_choose_word(fpgz_predict_kernels, l->word);
}

struct predict_rule fpgz_predict_rule(const struct fpgz_params *params, size_t t)
{
    struct predict_rule r = {.points = (unsigned)fpgz_min(params->value[PREDICT_WINDOW], t)};
    switch (params->value[PREDICT_PREDICTOR]) {
    case PREVIOUS:
        r.points = 1;
        break;
    case PARALLELOGRAM:
        r = t < 3 ? (struct predict_rule){.points = 1, .weights = {1}}
                  : (struct predict_rule){.points = 3, .weights = {1, 1, -1}};
        break;
    case MEAN:
        r.kind = PREDICT_MEAN;
        break;
    case MEDIAN:
        r.kind = PREDICT_MEDIAN;
        break;
    case LAGRANGE: { /* extrapolated at unit steps: binomial coefficients with alternating signs */
        int32_t binomial = 1;
        for (unsigned j = 1; j <= r.points; j++) {
            binomial = binomial * (int32_t)(r.points - j + 1) / (int32_t)j;
            r.weights[j - 1] = j % 2 ? binomial : -binomial;
        }
        break;
    }
    }
    return r;
}

/* What a block of one slice is coded with. */
struct block_coder {
    const struct predict_layout *layout;
    struct predict_rule rule;
    alignas(64) uint8_t predicted[PREDICT_TILE * sizeof(uint64_t)];
};

/* Values of the block that are predicted at once from `at` on. */
static size_t next_tile(const struct block_coder *c, size_t at, size_t count)
{
    return c->rule.points == 1 ? count - at : fpgz_min(PREDICT_TILE, count - at);
}

/* The predictions of the `count` values at `tile` of the grid. */
static const void *predict_tile(struct block_coder *c, const uint8_t *tile, size_t count)
{
    const uint8_t *const before = tile - c->layout->slice_bytes;
    if (c->rule.points == 1)
        return before;
    kernels(c->layout)->predict[c->rule.kind](before, c->layout->values, c->rule.points, c->rule.weights,
                                              count, c->predicted);
    return c->predicted;
}

static uint8_t *encode_block(struct block_coder *c, const uint8_t *values, size_t count, uint8_t *prefixes,
                             uint8_t *residuals)
{
    const struct predict_layout *const l = c->layout;
    predict_pack *const pack = kernels(l)->pack[l->large];
    for (size_t at = 0, tile; at < count; at += tile) {
        tile = next_tile(c, at, count);
        const uint8_t *const first = values + at * l->word;
        residuals =
            pack(first, predict_tile(c, first, tile), tile, prefixes + at * l->prefix_bits / 8, residuals);
    }
    return residuals;
}

/* Whether exactly the `length` bytes at `residuals` (and PREDICT_SLACK behind them) restore the block. */
static bool decode_block(struct block_coder *c, const uint8_t *prefixes, const uint8_t *residuals,
                         size_t length, uint8_t *values, size_t count)
{
    const struct predict_layout *const l = c->layout;
    predict_unpack *const unpack = kernels(l)->unpack[l->large];
    const uint8_t *const end = residuals + length;
    for (size_t at = 0, tile; at < count && residuals; at += tile) {
        tile = next_tile(c, at, count);
        uint8_t *const first = values + at * l->word;
        residuals = unpack(prefixes + at * l->prefix_bits / 8, residuals, end, predict_tile(c, first, tile),
                           first, tile);
    }
    return residuals == end;
}

void fpgz_predict_header(const struct predict_layout *l, const struct fpgz_params *params,
                         uint8_t header[PREDICT_HEADER])
{
    header[0] = (uint8_t)params->value[PREDICT_PREDICTOR];
    header[1] = (uint8_t)params->value[PREDICT_WINDOW];
    header[2] = (uint8_t)l->prefix_bits;
    header[3] = 0;
    fpgz_store32(header + 4, params->value[PREDICT_BLOCK]);
}

static enum fpgz_status encode(const struct fpgz_coding *coding, const void *values, uint8_t *stream,
                               size_t *length)
{
    struct predict_layout l;
    if (!fpgz_predict_lay_out(&coding->grid, &coding->params, &l))
        return FPGZ_LIMIT;
    const uint8_t *slice = values;
    uint8_t *lengths = stream + PREDICT_HEADER + l.slice_bytes, *prefixes = lengths + l.lengths_bytes,
            *residuals = prefixes + l.prefixes_bytes;
    fpgz_predict_header(&l, &coding->params, stream);
    fpgz_copy(stream + PREDICT_HEADER, slice, l.slice_bytes);

    struct block_coder coder = {.layout = &l};
    for (size_t t = 1; t < l.slices; t++) {
        slice += l.slice_bytes;
        coder.rule = fpgz_predict_rule(&coding->params, t);
        for (size_t block = 0; block < l.blocks; block++, lengths += 4) {
            const size_t count = block_values(&l, block);
            const uint8_t *const first = slice + block * l.block * l.word;
            uint8_t *const end = encode_block(&coder, first, count, prefixes, residuals);
            const size_t bytes = (size_t)(end - residuals);
            fpgz_store32(lengths, (uint32_t)bytes);
            fpgz_store32(end, 0); /* the padding up to the next block's residuals */
            residuals += fpgz_round_up(bytes, 4);
            prefixes += block_prefixes_bytes(&l, count);
        }
    }
    *length = (size_t)(residuals - stream);
    return FPGZ_OK;
}

static enum fpgz_status decode(const struct fpgz_coding *coding, const uint8_t *stream, size_t length,
                               void *values)
{
    struct predict_layout l;
    uint8_t header[PREDICT_HEADER];
    uint64_t at = PREDICT_HEADER; /* of the residuals */
    if (!fpgz_predict_lay_out(&coding->grid, &coding->params, &l) || !fpgz_add(at, l.slice_bytes, &at) ||
        !fpgz_add(at, l.lengths_bytes, &at) || !fpgz_add(at, l.prefixes_bytes, &at) || length < at)
        return FPGZ_CORRUPT;
    fpgz_predict_header(&l, &coding->params, header);
    if (memcmp(stream, header, PREDICT_HEADER) != 0)
        return FPGZ_CORRUPT;
    uint8_t *slice = values;
    const uint8_t *lengths = stream + PREDICT_HEADER + l.slice_bytes, *prefixes = lengths + l.lengths_bytes;
    fpgz_copy(slice, stream + PREDICT_HEADER, l.slice_bytes);

    struct block_coder coder = {.layout = &l};
    for (size_t t = 1; t < l.slices; t++) {
        slice += l.slice_bytes;
        coder.rule = fpgz_predict_rule(&coding->params, t);
        for (size_t block = 0; block < l.blocks; block++, lengths += 4) {
            const size_t count = block_values(&l, block), bytes = fpgz_load32(lengths);
            const uint8_t *residuals = stream + at;
            if (bytes > count * l.word || fpgz_round_up(bytes, 4) > length - at)
                return FPGZ_CORRUPT;
            if (bytes + PREDICT_SLACK > length - at)
                residuals = memcpy(coding->scratch, residuals, bytes);
            if (!decode_block(&coder, prefixes, residuals, bytes, slice + block * l.block * l.word, count))
                return FPGZ_CORRUPT;
            at += fpgz_round_up(bytes, 4);
            prefixes += block_prefixes_bytes(&l, count);
        }
    }
    return at == length ? FPGZ_OK : FPGZ_CORRUPT;
}

static const char *const predictors[] = {"previous", "parallelogram", "mean", "median", "lagrange", NULL};

static const struct fpgz_param params[] = {
    [PREDICT_PREDICTOR] = {"predictor", PREVIOUS, LAGRANGE, PREVIOUS, "what a value is predicted with",
                           predictors},
    [PREDICT_WINDOW] = {"window", 1, PREDICT_POINTS, 3, "slices that mean, median and lagrange look back",
                        NULL},
    [PREDICT_PREFIX] = {"prefix", 0, 4, 0,
                        "bits that count zero bytes: 2 or 3 for f32, 3 or 4 for f64, 0 the fewer", NULL},
    [PREDICT_BLOCK] = {"block", PREDICT_GROUP, 65536, 1024, "values in a block, a multiple of 32", NULL},
};

const struct fpgz_codec fpgz_predict = {
    .id = FPGZ_CODEC_PREDICT,
    .name = "predict",
    .summary = "slices along the slowest axis: XOR with a prediction, leading zero bytes cut",
    .dtypes = FPGZ_FLOATS_32_64,
    .max_dims = 2,
    .lossless = true,
    .kernels = &fpgz_predict_kernels[FPGZ_WORD_32],
    .params = params,
    .param_count = sizeof params / sizeof *params,
    .check = check,
    .fold = fold,
    .bound = bound,
    .memory = memory,
    .encode = encode,
    .decode = decode,
};
