/* SPDX-License-Identifier: MIT
 * GFC's stream: header, chunk lengths, chunks of sub-chunks. The kernels in run_*.c code the sub-chunks. */
#include "codec/gfc/gfc.h"

#include <string.h>

#include "codec/codecs.h"
#include "codec/sample.h"
#include "core/bytes.h"
#include "core/cpu.h"

static const uint64_t max_values = (uint64_t)1 << 27; /* the published program's buffers hold no more */

/* memory(): the sub-chunk that ends beyond the grid, and a stream's last bytes with room for wide loads. */
struct scratch {
    uint64_t block[GFC_LANES];
    uint8_t tail[2 * GFC_LONGEST];
};

/* The numbers of blocks and warps. What the parameters leave open grows with the grid, up to the published
 * program's usual values. Nothing is predicted at the start of a chunk, so chunks should have some thousand
 * values. */
static struct gfc_launch launch(const struct fpgz_params *params, uint64_t values)
{
    enum { CHUNK_VALUES = 4096, MOST_BLOCKS = 28, MOST_WARPS = 18 };
    const uint64_t chunks = values / CHUNK_VALUES;
    struct gfc_launch l = {params->value[GFC_BLOCKS], params->value[GFC_WARPS], params->value[GFC_DIM]};
    l.warps = l.warps ? l.warps : (unsigned)fpgz_min(1 + chunks, MOST_WARPS);
    l.blocks = l.blocks ? l.blocks : (unsigned)fpgz_min(1 + chunks / l.warps, MOST_BLOCKS);
    return l;
}

struct gfc_chunks fpgz_gfc_cut(size_t values, unsigned blocks, unsigned warps)
{
    const size_t count = (size_t)blocks * warps, padded = fpgz_round_up(values, GFC_LANES);
    const size_t size = fpgz_round_up((padded + count - 1) / count, GFC_LANES);
    return (struct gfc_chunks){values, count, size ? size : GFC_LANES};
}

/* The first value of chunk i, or the end of the one before. */
static size_t chunk_start(const struct gfc_chunks *chunks, size_t i)
{
    return fpgz_min(i * chunks->size, chunks->values);
}

/* A value is predicted by the nearest value of the previous sub-chunk whose distance is a multiple of dim:
 * the lanes of a warp must not wait for each other. */
static struct gfc_predictor predictor(unsigned dim)
{
    struct gfc_predictor p = {.dim = dim};
    for (unsigned lane = 0, rest = 0; lane < GFC_LANES; lane++, rest = rest + 1 < dim ? rest + 1 : 0)
        p.source[lane] = (uint8_t)(GFC_LANES - dim + rest);
    return p;
}

static const struct gfc_kernels *kernels(void)
{
    return fpgz_cpu_choose(fpgz_gfc_kernels);
}

static size_t bound(const struct fpgz_grid *grid, const struct fpgz_params *params)
{
    const struct gfc_launch l = launch(params, fpgz_grid_values(grid));
    const size_t sub_chunks = (size_t)(fpgz_grid_values(grid) + GFC_LANES - 1) / GFC_LANES;
    return GFC_HEADER + (size_t)l.blocks * l.warps * sizeof(uint32_t) + sub_chunks * GFC_LONGEST + GFC_SLACK;
}

static size_t memory(const struct fpgz_grid *grid, const struct fpgz_params *params)
{
    (void)grid, (void)params;
    return sizeof(struct scratch);
}

/* Bytes that a sample of up to `places` evenly spread sub-chunks takes with this dim. */
static size_t sample(const uint64_t *values, size_t count, unsigned dim, size_t places)
{
    uint8_t stream[GFC_LONGEST + GFC_SLACK];
    const size_t sub_chunks = count / GFC_LANES;
    const struct gfc_predictor p = predictor(dim);
    size_t bytes = 0;
    for (uint32_t i = 0; i < places && i + 1 < sub_chunks; i++) {
        const uint64_t *const before = values + fpgz_sample_place(i, places, sub_chunks - 1) * GFC_LANES;
        bytes += (size_t)(kernels()->encode(before + GFC_LANES, before, 1, &p, stream) - stream);
    }
    return bytes;
}

/* The dim with the smallest stream of a sample. A larger dim must be better by a 64th. Smaller gains are
 * often chance, and on the whole grid such a dim was up to 1.5 % worse than 1. */
static unsigned guess_dim(const uint64_t *values, size_t count)
{
    enum { MARGIN = 64 };
    size_t smallest = sample(values, count, 1, GFC_SAMPLED);
    unsigned best = 1;
    for (unsigned dim = 2; dim <= GFC_MAX_DIM; dim++) {
        const size_t bytes = sample(values, count, dim, GFC_SAMPLED);
        if (bytes + bytes / MARGIN < smallest) {
            smallest = bytes;
            best = dim;
        }
    }
    return best;
}

struct gfc_launch fpgz_gfc_launch(const struct fpgz_params *params, const uint64_t *values, size_t count)
{
    struct gfc_launch l = launch(params, count);
    l.dim = l.dim ? l.dim : guess_dim(values, count);
    return l;
}

static const uint64_t zeros[GFC_LANES];

/* Codes one chunk of `count` values, the first of which has index `first` in the grid; returns the end of
 * the code. */
static uint8_t *encode_chunk(const uint64_t *grid, size_t first, size_t count, const struct gfc_predictor *p,
                             struct scratch *scratch, uint8_t *stream)
{
    const uint64_t *const values = grid + first;
    const size_t whole = count / GFC_LANES, rest = count % GFC_LANES;
    stream = kernels()->encode(values, zeros, whole, p, stream);
    if (!rest)
        return stream;
    /* The last sub-chunk is filled up from the previous one of the chunk, by the index in the whole grid,
     * not in the sub-chunk. So the fill equals its prediction only if dim divides 32. */
    const uint64_t *const partial = values + whole * GFC_LANES;
    const size_t start = first + whole * GFC_LANES;
    memcpy(scratch->block, partial, rest * sizeof *partial);
    for (size_t lane = rest; lane < GFC_LANES; lane++)
        scratch->block[lane] = whole ? grid[start - p->dim + (start + lane) % p->dim] : 0;
    return kernels()->encode(scratch->block, whole ? partial - GFC_LANES : zeros, 1, p, stream);
}

static enum fpgz_status encode(const struct fpgz_coding *coding, const void *values, uint8_t *stream,
                               size_t *length)
{
    const uint64_t count = fpgz_grid_values(&coding->grid);
    if (count > max_values)
        return FPGZ_LIMIT;
    const struct gfc_launch l = fpgz_gfc_launch(&coding->params, values, (size_t)count);
    const struct gfc_chunks chunks = fpgz_gfc_cut((size_t)count, l.blocks, l.warps);
    uint8_t *const lengths = stream + GFC_HEADER;
    uint8_t *at = lengths + chunks.count * sizeof(uint32_t);
    const struct gfc_predictor p = predictor(l.dim);
    stream[0] = (uint8_t)l.blocks;
    stream[1] = (uint8_t)l.warps;
    stream[2] = (uint8_t)l.dim;
    fpgz_store32(stream + 3, (uint32_t)count);

    for (size_t i = 0; i < chunks.count; i++) {
        const size_t first = chunk_start(&chunks, i), next = chunk_start(&chunks, i + 1);
        uint8_t *const end = encode_chunk(values, first, next - first, &p, coding->scratch, at);
        fpgz_store32(lengths + i * sizeof(uint32_t), (uint32_t)(end - at));
        at = end;
    }
    *length = (size_t)(at - stream);
    return FPGZ_OK;
}

/* Decodes `count` sub-chunks; false when there are fewer before input->end. Near the stream's end, where
 * kernels would read beyond it, the input moves to a copy. */
static bool decode_run(struct gfc_input *input, const uint64_t *before, size_t count,
                       const struct gfc_predictor *p, struct scratch *scratch, uint64_t *values)
{
    size_t done = kernels()->decode(input, before, count, p, values);
    if (done < count && input->limit - input->at < GFC_LONGEST) {
        const size_t rest = (size_t)(input->limit - input->at);
        memcpy(scratch->tail, input->at, rest);
        memset(scratch->tail + rest, 0, GFC_LONGEST);
        *input = (struct gfc_input){scratch->tail, scratch->tail + (input->end - input->at),
                                    scratch->tail + rest + GFC_LONGEST};
        done += kernels()->decode(input, done ? values + (done - 1) * GFC_LANES : before, count - done, p,
                                  values + done * GFC_LANES);
    }
    return done == count;
}

/* Decodes the chunk that ends at input->end. */
static bool decode_chunk(struct gfc_input *input, size_t count, const struct gfc_predictor *p,
                         struct scratch *scratch, uint64_t *values)
{
    const size_t whole = count / GFC_LANES, rest = count % GFC_LANES;
    uint64_t *const partial = values + whole * GFC_LANES;
    if (!decode_run(input, zeros, whole, p, scratch, values))
        return false;
    if (rest) {
        if (!decode_run(input, whole ? partial - GFC_LANES : zeros, 1, p, scratch, scratch->block))
            return false;
        memcpy(partial, scratch->block, rest * sizeof *partial);
    }
    return input->at == input->end;
}

static enum fpgz_status decode(const struct fpgz_coding *coding, const uint8_t *stream, size_t length,
                               void *values)
{
    const uint64_t count = fpgz_grid_values(&coding->grid);
    if (length < GFC_HEADER || count > max_values || fpgz_load32(stream + 3) != count)
        return FPGZ_CORRUPT;
    const unsigned blocks = stream[0], warps = stream[1], dim = stream[2];
    if (!blocks || !warps || warps > GFC_MAX_WARPS || !dim || dim > GFC_MAX_DIM)
        return FPGZ_CORRUPT;
    const struct gfc_chunks chunks = fpgz_gfc_cut((size_t)count, blocks, warps);
    const uint8_t *const lengths = stream + GFC_HEADER;
    if ((length - GFC_HEADER) / sizeof(uint32_t) < chunks.count)
        return FPGZ_CORRUPT;

    const struct gfc_predictor p = predictor(dim);
    struct gfc_input input = {.at = lengths + chunks.count * sizeof(uint32_t), .limit = stream + length};
    size_t left = (size_t)(input.limit - input.at);
    for (size_t i = 0; i < chunks.count; i++) {
        const size_t bytes = fpgz_load32(lengths + i * sizeof(uint32_t));
        if (bytes > left)
            return FPGZ_CORRUPT;
        left -= bytes;
        input.end = input.at + bytes;
        const size_t first = chunk_start(&chunks, i), next = chunk_start(&chunks, i + 1);
        if (!decode_chunk(&input, next - first, &p, coding->scratch, (uint64_t *)values + first))
            return FPGZ_CORRUPT;
    }
    return left ? FPGZ_CORRUPT : FPGZ_OK;
}

static bool stream_values(const uint8_t *stream, size_t length, uint64_t *values)
{
    if (length < GFC_HEADER)
        return false;
    *values = fpgz_load32(stream + 3);
    return true;
}

static const struct fpgz_param params[] = {
    [GFC_BLOCKS] = {"blocks", 0, 255, 0, "of threads that the stream is cut for; 0: by the size, up to 28",
                    NULL},
    [GFC_WARPS] = {"warps", 0, GFC_MAX_WARPS, 0, "in a block, each with a chunk; 0: by the size, up to 18",
                   NULL},
    [GFC_DIM] = {"dim", 0, GFC_MAX_DIM, 0, "values to the one that predicts; 0: by a sample", NULL},
};

const struct fpgz_codec fpgz_gfc = {
    .id = FPGZ_CODEC_GFC,
    .name = "gfc",
    .summary = "GFC: differences without leading zero bytes",
    .dtypes = FPGZ_DTYPE_BIT(FPGZ_F64),
    .max_dims = 1,
    .lossless = true,
    .kernels = &fpgz_gfc_kernels,
    .params = params,
    .param_count = sizeof params / sizeof *params,
    .fold = fpgz_fold_flat,
    .bound = bound,
    .memory = memory,
    .encode = encode,
    .decode = decode,
    .stream_values = stream_values,
};
