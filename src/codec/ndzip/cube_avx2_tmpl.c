/* SPDX-License-Identifier: MIT
 * One hypercube in AVX2, straight from the grid to the stream.
 *
 * A 3-D batch is four rows of 16, a 2-D one a row, a 1-D one a piece of the only row. Differences along y and
 * z are taken between rows as they lie in memory, those along x between octets (values 8j + i in lane j of
 * register i), where neighbours lie in different registers. */
#include "codec/ndzip/ndzip.h"
#include "codec/width.h"

#if FPGZ_BITS == 32
#include "codec/ndzip/cube_avx2_f32.h"
#else
#include "codec/ndzip/cube_avx2_f64.h"
#endif

enum { TILE = BATCH / TILES, ROW = 16 / LANES /* registers of a 3-D row */ };

/* Distance from the batch's first value to register i of a tile. */
INLINE size_t place(struct ndzip_strides strides, unsigned tile, unsigned i, const unsigned dims)
{
    const unsigned at = tile * TILE + i * LANES;
    return dims == 3 ? at / 16 * strides.row + at % 16 : at;
}

/* 3-D tiles are loaded in whole registers: differences along y need whole rows. Others are loaded with the
 * highest register bit and the half exchanged, as rows_to_octets() wants them. Loading halves costs no
 * shuffle. */
INLINE void load_tile(const WORD *from, struct ndzip_strides strides, unsigned tile, const unsigned dims,
                      vec r[8])
{
    UNROLL
    for (unsigned i = 0; i < 8; i++) {
        vec v;
        if (dims == 3) {
            v = load(from + place(strides, tile, i, dims));
        } else {
            const WORD *low = from + place(strides, tile, i % 4, dims) + i / 4 * (LANES / 2);
            v = _mm256_inserti128_si256(_mm256_castsi128_si256(_mm_loadu_si128((const __m128i *)low)),
                                        _mm_loadu_si128((const __m128i *)(low + 4 * LANES)), 1);
        }
        r[i] = rotate_left(v);
    }
}

/* Prefetches the same batch of the next hypercube. Rows need not start at a cache line. The lines of their
 * last bytes are prefetched; the first bytes came with the hypercube before. In 1-D the next hypercube lies
 * right behind this one, and prefetching is slower than leaving it to the machine. */
INLINE void prefetch(const WORD *next, struct ndzip_strides strides, const unsigned dims, const int write)
{
    const unsigned row = dims == 3 ? 16 : BATCH;
    for (unsigned y = 0; dims > 1 && y < BATCH / row; y++)
        for (unsigned i = 64; i <= row * sizeof(WORD); i += 64) {
            const char *at = (const char *)(next + y * strides.row) + i - 1;
            if (write)
                __builtin_prefetch(at, 1);
            else
                __builtin_prefetch(at, 0);
        }
}

/* Distance from the hypercube's first value to that of batch y in plane z. */
INLINE size_t batch_place(struct ndzip_strides strides, unsigned z, unsigned y, const unsigned dims)
{
    return dims == 3 ? z * strides.plane + 4 * y * strides.row : y * (dims == 2 ? strides.row : BATCH);
}

/* Registers that rows leave for later ones: in 3-D those of a plane (already differences along y), in 2-D
 * those of one row. */
enum { HISTORY = 256 / LANES };

/* Differences between rows. `row` is the row before this tile (3-D), `old` the tile's part of the history. */
INLINE void difference_rows(vec t[8], vec *row, vec *old, const unsigned dims)
{
    UNROLL
    for (unsigned i = 0; i < 8; i++) {
        const vec value = t[i];
        if (dims == 3) {
            t[i] = subtract(value, row[i % ROW]);
            row[i % ROW] = value;
        }
        if (dims > 1) {
            const vec kept = t[i];
            t[i] = subtract(kept, old[i]);
            old[i] = kept;
        }
    }
}

INLINE void sum_rows(vec t[8], vec *row, vec *old, const unsigned dims)
{
    UNROLL
    for (unsigned i = 0; i < 8; i++) {
        if (dims > 1)
            old[i] = t[i] = add(old[i], t[i]);
        if (dims == 3)
            row[i % ROW] = t[i] = add(row[i % ROW], t[i]);
    }
}

INLINE size_t encode(const void *cube, struct ndzip_strides strides, const void *next, uint8_t *stream,
                     const unsigned dims)
{
    const unsigned planes = dims == 3 ? 16 : 1, plane_batches = NDZIP_CUBE / BATCH / planes;
    const vec zero = _mm256_setzero_si256();
    vec history[HISTORY], last = zero;
    for (unsigned i = 0; dims > 1 && i < (dims == 3 ? HISTORY : BATCH / LANES); i++)
        history[i] = zero;
    uint8_t *heads = stream, *column = stream + HEAD_BYTES;

    for (unsigned z = 0; z < planes; z++) {
        vec row[ROW]; /* 3-D: the row before */
        UNROLL
        for (unsigned i = 0; i < ROW; i++)
            row[i] = zero;
        for (unsigned y = 0; y < plane_batches; y++, heads += BATCH_HEADS) {
            const size_t at = batch_place(strides, z, y, dims);
            vec r[TILES][8], any = zero;
            prefetch((const WORD *)next + at, strides, dims, 0);
            if (dims == 2)
                last = zero;
            UNROLL
            for (unsigned tile = 0; tile < TILES; tile++) {
                vec *const t = r[tile], *const old = history + (dims == 3 ? y * TILES + tile : tile) * 8;
                load_tile((const WORD *)cube + at, strides, tile, dims, t);
                difference_rows(t, row, old, dims);
                if (dims == 3)
                    swap_halves_of_tile(t);
                rows_to_octets(t);
                difference_octets(t, dims, &last);
                UNROLL
                for (unsigned i = 0; i < 8; i++)
                    any = _mm256_or_si256(any, t[i]);
            }
            if (_mm256_testz_si256(any, any)) /* common in sparse grids, and cheap to ask */
                fpgz_store64(heads, UINT64_MAX);
            else
                column = put_columns(r, heads, column);
        }
    }
    reverse_heads(stream, stream, 15); /* until here they are masks of the absent columns */
    return (size_t)(column - stream) / sizeof(WORD);
}

INLINE bool decode(const uint8_t *stream, size_t words, void *cube, struct ndzip_strides strides, void *next,
                   const unsigned dims)
{
    if (HEAD_BYTES / sizeof(WORD) + count_columns(stream) != words)
        return false;

    const unsigned planes = dims == 3 ? 16 : 1, plane_batches = NDZIP_CUBE / BATCH / planes;
    const vec zero = _mm256_setzero_si256();
    vec history[HISTORY], total = zero;
    for (unsigned i = 0; dims > 1 && i < (dims == 3 ? HISTORY : BATCH / LANES); i++)
        history[i] = zero;
    uint8_t masks[HEAD_BYTES];
    reverse_heads(masks, stream, 0);
    const uint8_t *heads = masks, *column = stream + HEAD_BYTES;

    for (unsigned z = 0; z < planes; z++) {
        vec row[ROW]; /* 3-D: the row before */
        UNROLL
        for (unsigned i = 0; i < ROW; i++)
            row[i] = zero;
        for (unsigned y = 0; y < plane_batches; y++, heads += BATCH_HEADS) {
            const size_t at = batch_place(strides, z, y, dims);
            vec r[TILES][8];
            prefetch((const WORD *)next + at, strides, dims, 1);
            if (fpgz_load64(heads)) {
                column = get_columns(r, heads, column);
                if (dims == 2)
                    total = zero;
                UNROLL
                for (unsigned tile = 0; tile < TILES; tile++) {
                    sum_octets(r[tile], dims, &total);
                    octets_to_rows(r[tile]);
                }
            } else { /* without differences along y: 1-D continues with the last value, others with the
                        history */
                UNROLL
                for (unsigned i = 0; i < 8 * TILES; i++)
                    r[i / 8][i % 8] = dims == 1 ? total : zero;
            }
            UNROLL
            for (unsigned tile = 0; tile < TILES; tile++) {
                vec *const t = r[tile], *const old = history + (dims == 3 ? y * TILES + tile : tile) * 8;
                sum_rows(t, row, old, dims);
                UNROLL
                for (unsigned i = 0; i < 8; i++)
                    store((WORD *)cube + at + place(strides, tile, i, dims), rotate_right(t[i]));
            }
        }
    }
    return true;
}

static size_t encode_1d(const void *cube, struct ndzip_strides strides, const void *next, uint8_t *stream)
{
    return encode(cube, strides, next, stream, 1);
}

static size_t encode_2d(const void *cube, struct ndzip_strides strides, const void *next, uint8_t *stream)
{
    return encode(cube, strides, next, stream, 2);
}

static size_t encode_3d(const void *cube, struct ndzip_strides strides, const void *next, uint8_t *stream)
{
    return encode(cube, strides, next, stream, 3);
}

static bool decode_1d(const uint8_t *stream, size_t words, void *cube, struct ndzip_strides strides,
                      void *next)
{
    return decode(stream, words, cube, strides, next, 1);
}

static bool decode_2d(const uint8_t *stream, size_t words, void *cube, struct ndzip_strides strides,
                      void *next)
{
    return decode(stream, words, cube, strides, next, 2);
}

static bool decode_3d(const uint8_t *stream, size_t words, void *cube, struct ndzip_strides strides,
                      void *next)
{
    return decode(stream, words, cube, strides, next, 3);
}

const struct ndzip_kernels WIDTH(fpgz_ndzip_avx2) = {
    .encode = {encode_1d, encode_2d, encode_3d},
    .decode = {decode_1d, decode_2d, decode_3d},
};
