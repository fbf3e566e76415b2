/* SPDX-License-Identifier: MIT
 * One hypercube in AVX-512, from the grid to the stream and back without a copy of the cube in between. Only
 * a row of values is kept in registers and, in 3-D, one plane of 1 or 2 KiB. There is one function a
 * direction. Constant arguments make the kernels of it: inlined, and with the loops over a step's vectors
 * unrolled, as -O3 does, its arrays of vectors become registers. */
#include <immintrin.h>
#include <stdalign.h>
#include <string.h>

#include "codec/ndzip/ndzip.h"
#include "codec/width.h"

#if FPGZ_BITS == 32
#include "codec/ndzip/cube_avx512_f32.h"
#else
#include "codec/ndzip/cube_avx512_f64.h"
#endif

/* A cube is walked in steps of whole rows and whole groups. Eight vectors are the f64 group. The two
 * vectors of one f32 group have long dependency chains, which leave the units idle: 15 GB/s of decoding
 * instead of 17 on Zen 4. */
enum { STEP_VECTORS = 8 };

/* Fetches a vector of the next cube, whose rows hardware prefetchers do not foresee (1-D cubes need no
 * prefetch). It asks for the vector's last byte: where rows do not begin on cache lines, the first byte lies
 * in the line in which this cube's row ends. It goes to the second-level cache, since an f64 cube alone fills
 * the first. */
INLINE void prefetch(const void *vector)
{
    _mm_prefetch((const char *)vector + 63, _MM_HINT_T1);
}

enum {
    GROUPS = NDZIP_CUBE / (8 * sizeof(WORD)),
    HEAD_BYTES = GROUPS * sizeof(WORD),
    CUBE_VECTORS = NDZIP_CUBE / LANES,
    MAX_PLANE_VECTORS = 16 * 16 / LANES,
};

/* How steps cover a cube: planes x steps x rows x vectors. */
struct shape {
    unsigned dims;
    unsigned planes, steps;
    unsigned rows, vectors; /* of a step, and of a row in it: STEP_VECTORS together */
};

/* The constants of a number of dimensions. In 1-D, what is called a row here is one step's part of it. */
INLINE struct shape shape_of(unsigned dims)
{
    const unsigned planes = dims == 3 ? 16 : 1;
    const unsigned vectors = dims == 3 ? 16 / LANES : dims == 2 ? 64 / LANES : STEP_VECTORS;
    return (struct shape){dims, planes, CUBE_VECTORS / planes / STEP_VECTORS, STEP_VECTORS / vectors,
                          vectors};
}

/* Distance in values from the cube's first to that of a row. */
INLINE size_t row_offset(struct shape shape, struct ndzip_strides strides, unsigned z, unsigned y)
{
    if (shape.dims == 1)
        return (size_t)y * STEP_VECTORS * LANES;
    return z * strides.plane + y * strides.row;
}

/* Appends a group's columns and returns their end. The head's bits stay reversed, as in the masks;
 * reverse_heads() turns all of them at once. */
INLINE uint8_t *put_group(const __m512i *v, uint8_t *head, uint8_t *column)
{
    /* Constant regions make whole groups zero, in f32 often enough that the branch pays on most grids. */
    __m512i any = v[0];
    for (unsigned i = 1; i < GROUP_VECTORS; i++)
        any = _mm512_or_si512(any, v[i]);
    if (!nonzero(any)) {
        memset(head, 0, sizeof(WORD));
        return column;
    }
    __m512i columns[GROUP_VECTORS];
    to_columns(v, columns);
    for (unsigned i = 0; i < GROUP_VECTORS; i++) {
        const lane_mask mask = nonzero(columns[i]);
        memcpy(head + i * sizeof mask, &mask, sizeof mask);
        /* Always a whole vector: the bytes behind the stored columns are overwritten by the next ones, or
         * belong to the slack. */
        _mm512_storeu_si512(column, compress(mask, columns[i]));
        column += (unsigned)__builtin_popcount(mask) * sizeof(WORD);
    }
    return column;
}

/* Reads the residuals of a group whose reversed head is at `head`; returns the next group's columns. Loads
 * are also of whole vectors; the last one begins at the block's end at the latest. */
INLINE const uint8_t *take_group(const uint8_t *head, const uint8_t *column, __m512i *v)
{
    WORD all;
    memcpy(&all, head, sizeof all);
    if (!all) {
        for (unsigned i = 0; i < GROUP_VECTORS; i++)
            v[i] = _mm512_setzero_si512();
        return column;
    }
    __m512i columns[GROUP_VECTORS];
    for (unsigned i = 0; i < GROUP_VECTORS; i++) {
        lane_mask mask;
        memcpy(&mask, head + i * sizeof mask, sizeof mask);
        columns[i] = expand(mask, _mm512_loadu_si512(column));
        column += (unsigned)__builtin_popcount(mask) * sizeof(WORD);
    }
    complement_columns(columns);
    from_columns(columns, v);
    return column;
}

/* Converts between heads of a stream and masks: reverses the bits of each. Returns how many bits are set. */
INLINE size_t reverse_heads(const uint8_t *from, uint8_t *to)
{
    __m512i count = _mm512_setzero_si512();
    for (unsigned i = 0; i < HEAD_BYTES; i += 64) {
        const __m512i heads = _mm512_loadu_si512(from + i);
        count = _mm512_add_epi64(count, _mm512_popcnt_epi64(heads));
        _mm512_storeu_si512(to + i, swap_bytes(reverse_bytes(heads)));
    }
    return (size_t)_mm512_reduce_add_epi64(count);
}

INLINE size_t encode(const void *cube, struct ndzip_strides strides, const void *next, uint8_t *stream,
                     unsigned dims)
{
    const struct shape shape = shape_of(dims);
    const __m512i zero = _mm512_setzero_si512();
    __m512i plane[MAX_PLANE_VECTORS]; /* the last one, differenced along y */
    for (unsigned i = 0; i < MAX_PLANE_VECTORS && dims == 3; i++)
        plane[i] = zero;

    uint8_t *head = stream, *column = stream + HEAD_BYTES;
    __m512i left = zero; /* the vector before in the row: its last value is the next one's predecessor */
    for (unsigned z = 0; z < shape.planes; z++) {
        __m512i above[STEP_VECTORS];
        for (unsigned x = 0; x < shape.vectors; x++)
            above[x] = zero;
        __m512i *behind = plane;
        for (unsigned step = 0; step < shape.steps; step++) {
            __m512i v[STEP_VECTORS];
            for (unsigned y = 0; y < shape.rows; y++) {
                const size_t offset = row_offset(shape, strides, z, step * shape.rows + y);
                const WORD *row = (const WORD *)cube + offset, *next_row = (const WORD *)next + offset;
                if (dims > 1)
                    left = zero;
                for (unsigned x = 0; x < shape.vectors; x++) {
                    if (dims > 1)
                        prefetch(next_row + x * LANES);
                    __m512i d = rotate_left(_mm512_loadu_si512(row + x * LANES));
                    /* Along y and z first; the neighbour along x is then in `left`. */
                    if (dims > 1) {
                        const __m512i value = d;
                        d = subtract(value, above[x]);
                        above[x] = value;
                    }
                    if (dims > 2) {
                        const __m512i value = d;
                        d = subtract(value, *behind);
                        *behind++ = value;
                    }
                    v[y * shape.vectors + x] = complement(subtract(d, shift_up(d, left)));
                    left = d;
                }
            }
            for (unsigned i = 0; i < STEP_VECTORS; i += GROUP_VECTORS) {
                column = put_group(v + i, head, column);
                head += sizeof(WORD);
            }
        }
    }
    reverse_heads(stream, stream);
    return (size_t)(column - stream) / sizeof(WORD);
}

INLINE bool decode(const uint8_t *stream, size_t words, void *cube, struct ndzip_strides strides, void *next,
                   unsigned dims)
{
    /* If the count is right, no group reaches beyond the block, whatever its columns say. */
    alignas(64) uint8_t heads[HEAD_BYTES];
    if (GROUPS + reverse_heads(stream, heads) != words)
        return false;

    const struct shape shape = shape_of(dims);
    const __m512i zero = _mm512_setzero_si512();
    __m512i plane[MAX_PLANE_VECTORS]; /* the last one, not yet summed along x */
    for (unsigned i = 0; i < MAX_PLANE_VECTORS && dims == 3; i++)
        plane[i] = zero;

    const uint8_t *head = heads, *column = stream + HEAD_BYTES;
    __m512i left = zero; /* in all lanes, the sum of the row so far */
    for (unsigned z = 0; z < shape.planes; z++) {
        __m512i above[STEP_VECTORS];
        for (unsigned x = 0; x < shape.vectors; x++)
            above[x] = zero;
        __m512i *behind = plane;
        for (unsigned step = 0; step < shape.steps; step++) {
            __m512i v[STEP_VECTORS];
            for (unsigned i = 0; i < STEP_VECTORS; i += GROUP_VECTORS) {
                column = take_group(head, column, v + i);
                head += sizeof(WORD);
            }
            for (unsigned y = 0; y < shape.rows; y++) {
                const size_t offset = row_offset(shape, strides, z, step * shape.rows + y);
                WORD *row = (WORD *)cube + offset, *next_row = (WORD *)next + offset;
                if (dims > 1)
                    left = zero;
                for (unsigned x = 0; x < shape.vectors; x++) {
                    if (dims > 1)
                        prefetch(next_row + x * LANES);
                    __m512i sum = v[y * shape.vectors + x];
                    if (dims > 1)
                        sum = above[x] = add(above[x], sum);
                    if (dims > 2) {
                        sum = add(*behind, sum);
                        *behind++ = sum;
                    }
                    /* Along x last: that takes longest, and no other row waits for it. */
                    sum = prefix_sum(sum);
                    const __m512i total = broadcast_last(sum);
                    _mm512_storeu_si512(row + x * LANES, rotate_right(add(sum, left)));
                    left = add(left, total);
                }
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

const struct ndzip_kernels WIDTH(fpgz_ndzip_avx512) = {
    .encode = {encode_1d, encode_2d, encode_3d},
    .decode = {decode_1d, decode_2d, decode_3d},
};
