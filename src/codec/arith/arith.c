/* SPDX-License-Identifier: MIT
 * The arithmetic coder's stream: number of bytes, block size, frequencies, the blocks' code lengths, their
 * codes. */
#include "codec/arith/arith.h"

#include "codec/codecs.h"
#include "core/bytes.h"
#include "core/cpu.h"

enum { HEADER_BYTES = 8 + 4, TABLE_BYTES = 2 * ARITH_SYMBOLS };
static const uint64_t most_bytes = (uint64_t)1 << 48; /* so that frequencies x 2^15 fit in 64 bits */

/* Scratch of both directions. */
struct workspace {
    struct arith_model model;
    uint8_t tail[]; /* for decoding */
};

/* The longest code that decode() accepts for a block. */
static size_t longest_code(const struct fpgz_params *params)
{
    return 2 * (size_t)params->value[ARITH_BLOCK];
}

static size_t block_count(uint64_t bytes, const struct fpgz_params *params)
{
    return bytes / params->value[ARITH_BLOCK] + (bytes % params->value[ARITH_BLOCK] != 0);
}

/* With the frequencies that normalize() makes, a byte takes less than 10 bits on average: 8 at most with the
 * exact ones, and 1.54 more when half of each frequency is lost to rounding down. A block ends with two bits,
 * and less than a byte of padding. */
static size_t bound(const struct fpgz_grid *grid, const struct fpgz_params *params)
{
    const uint64_t bytes = fpgz_grid_bytes(grid);
    if (bytes > most_bytes)
        return SIZE_MAX;
    return HEADER_BYTES + TABLE_BYTES + block_count(bytes, params) * (sizeof(uint32_t) + 2) + bytes +
           bytes / 4 + 4 + ARITH_SLACK;
}

/* The model, and a copy of the last blocks' codes: those that end in the stream's last ARITH_SLACK bytes. */
static size_t memory(const struct fpgz_grid *grid, const struct fpgz_params *params)
{
    (void)grid;
    return sizeof(struct workspace) + longest_code(params) + 2 * (size_t)ARITH_SLACK;
}

static const struct arith_kernels *kernels(void)
{
    /* Each symbol depends on the last, so vectors are of little use. The shifts and bit counts that came
     * with AVX2 help. */
    return fpgz_cpu_choose(fpgz_arith_kernels);
}

/* Counts each byte. There are four tables, since in a run of one byte each count would wait for the last
 * one. */
static void count_bytes(const uint8_t *bytes, size_t length, uint64_t counts[ARITH_SYMBOLS])
{
    uint64_t tables[4][ARITH_SYMBOLS] = {{0}};
    for (size_t i = 0; i < length; i++) /* so that equal bytes in a row do not wait for each other */
        tables[i % 4][bytes[i]]++;
    for (unsigned s = 0; s < ARITH_SYMBOLS; s++)
        counts[s] = tables[0][s] + tables[1][s] + tables[2][s] + tables[3][s];
}

/* The first of the largest values. */
static unsigned largest(const uint64_t values[ARITH_SYMBOLS])
{
    unsigned best = 0;
    for (unsigned s = 1; s < ARITH_SYMBOLS; s++)
        if (values[s] > values[best])
            best = s;
    return best;
}

/* Frequencies of the bytes that occur, at least 1 each, with the sum ARITH_TOTAL. What rounding leaves
 * goes to the largest remainders. What raising small ones to 1 took too much is taken from the largest
 * frequencies. */
static void normalize(const uint64_t counts[ARITH_SYMBOLS], uint64_t total,
                      uint64_t frequencies[ARITH_SYMBOLS])
{
    uint64_t remainders[ARITH_SYMBOLS], sum = 0;
    for (unsigned s = 0; s < ARITH_SYMBOLS; s++) {
        const uint64_t exact = counts[s] << ARITH_TOTAL_BITS;
        frequencies[s] = exact / total;
        frequencies[s] += counts[s] && !frequencies[s];
        remainders[s] = exact % total;
        sum += frequencies[s];
    }
    for (; sum < ARITH_TOTAL; sum++) { /* less often than there are remainders */
        const unsigned s = largest(remainders);
        frequencies[s]++;
        remainders[s] = 0;
    }
    for (; sum > ARITH_TOTAL; sum--)
        frequencies[largest(frequencies)]--;
}

/* Sets the model's starts from the frequencies of a stream's table; returns their sum. */
static uint32_t read_table(const uint8_t *table, struct arith_model *model)
{
    uint32_t sum = 0;
    for (unsigned s = 0; s < ARITH_SYMBOLS; s++) {
        model->start[s] = sum;
        sum += fpgz_load16(table + 2 * s);
    }
    model->start[ARITH_SYMBOLS] = sum;
    return sum;
}

static enum fpgz_status encode(const struct fpgz_coding *coding, const void *values, uint8_t *stream,
                               size_t *length)
{
    const size_t bytes = fpgz_grid_bytes(&coding->grid), block = coding->params.value[ARITH_BLOCK],
                 blocks = block_count(bytes, &coding->params);
    struct workspace *const workspace = coding->scratch;
    uint8_t *const table = stream + HEADER_BYTES, *lengths = table + TABLE_BYTES,
                   *code = lengths + blocks * sizeof(uint32_t);
    if (bytes > most_bytes)
        return FPGZ_LIMIT;
    fpgz_store64(stream, bytes);
    fpgz_store32(stream + 8, (uint32_t)block);
    memset(table, 0, TABLE_BYTES);
    if (bytes) {
        uint64_t counts[ARITH_SYMBOLS], frequencies[ARITH_SYMBOLS];
        count_bytes(values, bytes, counts);
        normalize(counts, bytes, frequencies);
        for (unsigned s = 0; s < ARITH_SYMBOLS; s++)
            fpgz_store16(table + 2 * s, (uint16_t)frequencies[s]);
        read_table(table, &workspace->model);
    }
    arith_encode_block *const encode_block = kernels()->encode;
    for (size_t at = 0; at < bytes; at += block, lengths += sizeof(uint32_t)) {
        uint8_t *const end =
            encode_block(&workspace->model, (const uint8_t *)values + at, fpgz_min(block, bytes - at), code);
        fpgz_store32(lengths, (uint32_t)(end - code));
        code = end;
    }
    *length = (size_t)(code - stream);
    return FPGZ_OK;
}

/* Finds where the codes start that a kernel would read beyond the stream's end. SIZE_MAX when the lengths
 * do not add up to `length` bytes of codes. */
static size_t find_tail(const uint8_t *lengths, size_t blocks, size_t length, size_t longest)
{
    size_t end = 0, tail = length;
    for (size_t i = 0; i < blocks; i++) {
        const size_t start = end, bytes = fpgz_load32(lengths + i * sizeof(uint32_t));
        if (bytes > longest || bytes > length - start)
            return SIZE_MAX;
        end += bytes;
        if (end + ARITH_SLACK > length && tail == length)
            tail = start;
    }
    return end == length ? tail : SIZE_MAX;
}

static enum fpgz_status decode(const struct fpgz_coding *coding, const uint8_t *stream, size_t length,
                               void *values)
{
    const size_t bytes = fpgz_grid_bytes(&coding->grid), block = coding->params.value[ARITH_BLOCK],
                 blocks = block_count(bytes, &coding->params);
    struct workspace *const workspace = coding->scratch;
    struct arith_model *const model = &workspace->model;
    if (length < HEADER_BYTES + TABLE_BYTES || /* an empty stream may have no address */
        blocks > (length - HEADER_BYTES - TABLE_BYTES) / sizeof(uint32_t) || fpgz_load64(stream) != bytes ||
        fpgz_load32(stream + 8) != block ||
        read_table(stream + HEADER_BYTES, model) != (bytes ? ARITH_TOTAL : 0))
        return FPGZ_CORRUPT;
    const uint8_t *lengths = stream + HEADER_BYTES + TABLE_BYTES;
    const uint8_t *const codes = lengths + blocks * sizeof(uint32_t);
    const size_t codes_length = (size_t)(stream + length - codes),
                 tail = find_tail(lengths, blocks, codes_length, longest_code(&coding->params));
    if (tail == SIZE_MAX)
        return FPGZ_CORRUPT;
    memcpy(workspace->tail, codes + tail, codes_length - tail);
    memset(workspace->tail + (codes_length - tail), 0, ARITH_SLACK);
    for (unsigned s = 0; s < ARITH_SYMBOLS; s++)
        memset(model->symbol + model->start[s], (int)s, model->start[s + 1] - model->start[s]);

    const struct arith_kernels *const k = kernels();
    struct arith_block lanes[ARITH_LANES];
    size_t start = 0;
    for (size_t i = 0, count; i < blocks; i += count) {
        count = bytes / block - i < ARITH_LANES ? 1 : ARITH_LANES; /* only the last block is shorter */
        for (unsigned lane = 0; lane < count; lane++, lengths += sizeof(uint32_t)) {
            lanes[lane] = (struct arith_block){
                .code = start < tail ? codes + start : workspace->tail + (start - tail),
                .length = fpgz_load32(lengths),
                .bytes = (uint8_t *)values + (i + lane) * block,
            };
            start += lanes[lane].length;
        }
        arith_decode_blocks *const decode_blocks = count == 1 ? k->decode_one : k->decode_lanes;
        if (!decode_blocks(model, lanes, fpgz_min(block, bytes - i * block)))
            return FPGZ_CORRUPT;
    }
    return FPGZ_OK;
}

static const struct fpgz_param params[] = {
    [ARITH_BLOCK] = {"block", 512, 65536, 4096, "bytes in a block", NULL},
};

const struct fpgz_codec fpgz_arith = {
    .id = FPGZ_CODEC_ARITH,
    .name = "arith",
    .summary = "bytes: order-0 arithmetic coding in blocks, one model for all",
    .dtypes = FPGZ_FLOATS_32_64 | FPGZ_DTYPE_BIT(FPGZ_U8),
    .max_dims = 1,
    .lossless = true,
    .kernels = &fpgz_arith_kernels,
    .params = params,
    .param_count = sizeof params / sizeof *params,
    .fold = fpgz_fold_flat,
    .bound = bound,
    .memory = memory,
    .encode = encode,
    .decode = decode,
};
