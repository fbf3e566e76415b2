/* SPDX-License-Identifier: MIT
 * Formats of the basis. FRSZ2's kernels are the codec's; those of f32, f16 and bf16 round to the nearest. */
#include "storage.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "codec/codecs.h"

bool storage_parse(const char *name, struct storage *storage)
{
    static const struct storage plain[] = {{.kind = STORAGE_F64, .bits = 64, .name = "f64"},
                                           {.kind = STORAGE_F32, .bits = 32, .name = "f32"},
                                           {.kind = STORAGE_F16, .bits = 16, .name = "f16"},
                                           {.kind = STORAGE_BF16, .bits = 16, .name = "bf16"}};
    for (unsigned i = 0; i < sizeof plain / sizeof plain[0]; i++)
        if (!strcmp(name, plain[i].name)) {
            *storage = plain[i];
            return true;
        }
    int end = 0;
    *storage = (struct storage){.kind = STORAGE_FRSZ2};
    if (sscanf(name, "frsz2_%2u%n", &storage->bits, &end) != 1 || name[end] || storage->bits < 2 ||
        storage->bits > 64)
        return false;
    snprintf(storage->name, sizeof storage->name, "frsz2_%u", storage->bits);
    return true;
}

void storage_lay_out(struct storage *storage, uint64_t values)
{
    const struct fpgz_grid grid = {FPGZ_F64, 1, {values}};
    struct fpgz_params params = {{0}};
    params.value[FRSZ2_BITS] = storage->bits;
    storage->values = values;
    storage->layout = fpgz_frsz2_lay_out(&grid, &params);
    storage->bytes = storage->kind == STORAGE_FRSZ2 ? storage->layout.body_bytes : values * storage->bits / 8;
    /* Plain formats are read in whole blocks, FRSZ2 with the kernels' slack. */
    storage->room = fpgz_round_up(storage->bytes + FRSZ2_BLOCK * sizeof(double) + FRSZ2_SLACK, 64);
}

/* Without subnormals lost: rounded at the last bit that the value's exponent leaves. */
static uint16_t f16_of(double value)
{
    uint64_t word;
    memcpy(&word, &value, sizeof word);
    const uint16_t sign = (uint16_t)(word >> 48 & 0x8000);
    const double magnitude = fabs(value);
    if (magnitude < 0x1p-14) /* what rounds up to 2^-14 becomes the first that is normal */
        return sign | (uint16_t)lrint(magnitude * 0x1p24);
    memcpy(&word, &magnitude, sizeof word);
    word += (((uint64_t)1 << 41) - 1) + (word >> 42 & 1);
    const uint64_t half = (word >> 42) - ((uint64_t)(1023 - 15) << 10);
    return sign | (uint16_t)(half < 0x7c00 ? half : 0x7c00);
}

static uint16_t bf16_of(double value)
{
    const float narrow = (float)value;
    uint32_t word;
    memcpy(&word, &narrow, sizeof word);
    return (uint16_t)((word + 0x7fff + (word >> 16 & 1)) >> 16);
}

static const struct frsz2_kernels *frsz2_kernels(void)
{
    return fpgz_cpu_choose_word(fpgz_frsz2_kernels, sizeof(double));
}

/* A tile's blocks. Kernels may write behind them, where the next tile is another thread's. */
static bool put_blocks(const struct frsz2_layout *layout, uint64_t first, const double *values,
                       uint8_t *vector)
{
    const struct frsz2_code code = layout->code;
    const size_t block = first / FRSZ2_BLOCK,
                 blocks = fpgz_min(layout->blocks - block, STORAGE_TILE / FRSZ2_BLOCK);
    uint8_t exponents[STORAGE_TILE / FRSZ2_BLOCK * sizeof(uint64_t)],
        codes[STORAGE_TILE * sizeof(uint64_t) + FRSZ2_SLACK];
    const bool finite = frsz2_kernels()->encode(code, values, blocks, exponents, codes);
    memcpy(vector + block * code.exponent_bytes, exponents, blocks * code.exponent_bytes);
    memcpy(vector + layout->exponents_bytes + block * code.block_bytes, codes, blocks * code.block_bytes);
    return finite;
}

bool storage_put(const struct storage *storage, uint64_t first, const double *values, uint8_t *vector)
{
    const size_t count = fpgz_min(storage->values - first, STORAGE_TILE);
    uint8_t *const to = vector + first * storage->bits / 8;
    switch (storage->kind) {
    case STORAGE_F64:
        memcpy(to, values, count * sizeof *values);
        break;
    case STORAGE_F32:
        for (size_t i = 0; i < count; i++)
            ((float *)to)[i] = (float)values[i];
        break;
    case STORAGE_F16:
        for (size_t i = 0; i < count; i++)
            ((uint16_t *)to)[i] = f16_of(values[i]);
        break;
    case STORAGE_BF16:
        for (size_t i = 0; i < count; i++)
            ((uint16_t *)to)[i] = bf16_of(values[i]);
        break;
    case STORAGE_FRSZ2:
        return put_blocks(&storage->layout, first, values, vector);
    }
    return true;
}

struct storage_tile storage_get(const struct storage *storage, const struct gmres_loops_kernels *loops,
                                const uint8_t *vector, uint64_t first, double *tile)
{
    const size_t left = fpgz_min(storage->values - first, STORAGE_TILE),
                 count = fpgz_round_up(left, FRSZ2_BLOCK);
    const uint8_t *const from = vector + first * storage->bits / 8;
    switch (storage->kind) {
    case STORAGE_F64:
        return (struct storage_tile){(const double *)from, count};
    case STORAGE_F32:
        loops->from_f32(from, tile, count);
        break;
    case STORAGE_F16:
        loops->from_f16(from, tile, count);
        break;
    case STORAGE_BF16:
        loops->from_bf16(from, tile, count);
        break;
    case STORAGE_FRSZ2: {
        const struct frsz2_layout *const layout = &storage->layout;
        const struct frsz2_code code = layout->code;
        const size_t block = first / FRSZ2_BLOCK;
        frsz2_kernels()->decode(code, vector + block * code.exponent_bytes,
                                vector + layout->exponents_bytes + block * code.block_bytes,
                                count / FRSZ2_BLOCK, tile);
    }
    }
    return (struct storage_tile){tile, count};
}
