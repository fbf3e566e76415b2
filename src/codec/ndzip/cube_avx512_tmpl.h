/* SPDX-License-Identifier: MIT
 * Encode and decode of one hypercube for one word type. The includer defines WORD and NAME(), and the vector
 * operations of that width. */

enum {
    NAME(groups) = NDZIP_CUBE / (8 * sizeof(WORD)),
    NAME(head_bytes) = NAME(groups) * sizeof(WORD),
    NAME(cube_vectors) = NDZIP_CUBE / NAME(lanes),
    NAME(max_plane_vectors) = 16 * 16 / NAME(lanes),
};

/* How steps cover a cube: planes x steps x rows x vectors. */
struct NAME(shape) {
    unsigned dims;
    unsigned planes, steps;
    unsigned rows, vectors; /* of a step, and of a row in it: STEP_VECTORS together */
};

/* The constants of a number of dimensions. In 1-D, what is called a row here is one step's part of it. */
INLINE struct NAME(shape) NAME(shape)(unsigned dims)
{
    const unsigned planes = dims == 3 ? 16 : 1;
    const unsigned vectors = dims == 3 ? 16 / NAME(lanes) : dims == 2 ? 64 / NAME(lanes) : STEP_VECTORS;
    return (struct NAME(shape)){dims, planes, NAME(cube_vectors) / planes / STEP_VECTORS,
                                STEP_VECTORS / vectors, vectors};
}

/* Distance in values from the cube's first to that of a row. */
INLINE size_t NAME(row_offset)(struct NAME(shape) shape, struct ndzip_strides strides, unsigned z, unsigned y)
{
    if (shape.dims == 1)
        return (size_t)y * STEP_VECTORS * NAME(lanes);
    return z * strides.plane + y * strides.row;
}

/* Appends a group's columns and returns their end. The head is left with its bits reversed, as the masks give
 * it: reverse_heads() puts all of them right at once. */
INLINE uint8_t *NAME(put_group)(const __m512i *v, uint8_t *head, uint8_t *column)
{
    /* Constant regions leave whole groups zero, often enough in f32 that the branch pays on most grids. */
    __m512i any = v[0];
    for (unsigned i = 1; i < NAME(group_vectors); i++)
        any = _mm512_or_si512(any, v[i]);
    if (!NAME(nonzero)(any)) {
        memset(head, 0, sizeof(WORD));
        return column;
    }
    __m512i columns[NAME(group_vectors)];
    NAME(to_columns)(v, columns);
    for (unsigned i = 0; i < NAME(group_vectors); i++) {
        const NAME(mask) mask = NAME(nonzero)(columns[i]);
        memcpy(head + i * sizeof mask, &mask, sizeof mask);
        /* A whole vector always: what lies behind the stored columns is overwritten by the next ones, or is
         * the slack. */
        _mm512_storeu_si512(column, NAME(compress)(mask, columns[i]));
        column += (unsigned)__builtin_popcount(mask) * sizeof(WORD);
    }
    return column;
}

/* Reads the residuals of a group whose reversed head is at `head`; returns the next group's columns. Loads
 * are of whole vectors too, the last of which begins at the latest where the block ends. */
INLINE const uint8_t *NAME(take_group)(const uint8_t *head, const uint8_t *column, __m512i *v)
{
    WORD all;
    memcpy(&all, head, sizeof all);
    if (!all) {
        for (unsigned i = 0; i < NAME(group_vectors); i++)
            v[i] = _mm512_setzero_si512();
        return column;
    }
    __m512i columns[NAME(group_vectors)];
    for (unsigned i = 0; i < NAME(group_vectors); i++) {
        NAME(mask) mask;
        memcpy(&mask, head + i * sizeof mask, sizeof mask);
        columns[i] = NAME(expand)(mask, _mm512_loadu_si512(column));
        column += (unsigned)__builtin_popcount(mask) * sizeof(WORD);
    }
    NAME(complement_columns)(columns);
    NAME(from_columns)(columns, v);
    return column;
}

/* Between heads as streams have them and as masks: reverses the bits of each. Returns how many bits are set.
 */
INLINE size_t NAME(reverse_heads)(const uint8_t *from, uint8_t *to)
{
    __m512i count = _mm512_setzero_si512();
    for (unsigned i = 0; i < NAME(head_bytes); i += 64) {
        const __m512i heads = _mm512_loadu_si512(from + i);
        count = _mm512_add_epi64(count, _mm512_popcnt_epi64(heads));
        _mm512_storeu_si512(to + i, NAME(swap_bytes)(reverse_bytes(heads)));
    }
    return (size_t)_mm512_reduce_add_epi64(count);
}

INLINE size_t NAME(encode)(const void *cube, struct ndzip_strides strides, const void *next, uint8_t *stream,
                           unsigned dims)
{
    const struct NAME(shape) shape = NAME(shape)(dims);
    const __m512i zero = _mm512_setzero_si512();
    __m512i plane[NAME(max_plane_vectors)]; /* the last one, differenced along y */
    for (unsigned i = 0; i < NAME(max_plane_vectors) && dims == 3; i++)
        plane[i] = zero;

    uint8_t *head = stream, *column = stream + NAME(head_bytes);
    __m512i left = zero; /* the vector before in the row: its last value is the next one's predecessor */
    for (unsigned z = 0; z < shape.planes; z++) {
        __m512i above[STEP_VECTORS];
        for (unsigned x = 0; x < shape.vectors; x++)
            above[x] = zero;
        __m512i *behind = plane;
        for (unsigned step = 0; step < shape.steps; step++) {
            __m512i v[STEP_VECTORS];
            for (unsigned y = 0; y < shape.rows; y++) {
                const size_t offset = NAME(row_offset)(shape, strides, z, step * shape.rows + y);
                const WORD *row = (const WORD *)cube + offset, *next_row = (const WORD *)next + offset;
                if (dims > 1)
                    left = zero;
                for (unsigned x = 0; x < shape.vectors; x++) {
                    if (dims > 1)
                        prefetch(next_row + x * NAME(lanes));
                    __m512i d = NAME(rotate_left)(_mm512_loadu_si512(row + x * NAME(lanes)));
                    /* y and z before x, whose neighbour is then at hand in `left`. */
                    if (dims > 1) {
                        const __m512i value = d;
                        d = NAME(subtract)(value, above[x]);
                        above[x] = value;
                    }
                    if (dims > 2) {
                        const __m512i value = d;
                        d = NAME(subtract)(value, *behind);
                        *behind++ = value;
                    }
                    v[y * shape.vectors + x] = NAME(complement)(NAME(subtract)(d, NAME(shift_up)(d, left)));
                    left = d;
                }
            }
            for (unsigned i = 0; i < STEP_VECTORS; i += NAME(group_vectors)) {
                column = NAME(put_group)(v + i, head, column);
                head += sizeof(WORD);
            }
        }
    }
    NAME(reverse_heads)(stream, stream);
    return (size_t)(column - stream) / sizeof(WORD);
}

INLINE bool NAME(decode)(const uint8_t *stream, size_t words, void *cube, struct ndzip_strides strides,
                         void *next, unsigned dims)
{
    /* With the count right, no group can reach behind the block, whatever its columns say. */
    alignas(64) uint8_t heads[NAME(head_bytes)];
    if (NAME(groups) + NAME(reverse_heads)(stream, heads) != words)
        return false;

    const struct NAME(shape) shape = NAME(shape)(dims);
    const __m512i zero = _mm512_setzero_si512();
    __m512i plane[NAME(max_plane_vectors)]; /* the last one, not yet summed along x */
    for (unsigned i = 0; i < NAME(max_plane_vectors) && dims == 3; i++)
        plane[i] = zero;

    const uint8_t *head = heads, *column = stream + NAME(head_bytes);
    __m512i left = zero; /* in all lanes, the sum of the row so far */
    for (unsigned z = 0; z < shape.planes; z++) {
        __m512i above[STEP_VECTORS];
        for (unsigned x = 0; x < shape.vectors; x++)
            above[x] = zero;
        __m512i *behind = plane;
        for (unsigned step = 0; step < shape.steps; step++) {
            __m512i v[STEP_VECTORS];
            for (unsigned i = 0; i < STEP_VECTORS; i += NAME(group_vectors)) {
                column = NAME(take_group)(head, column, v + i);
                head += sizeof(WORD);
            }
            for (unsigned y = 0; y < shape.rows; y++) {
                const size_t offset = NAME(row_offset)(shape, strides, z, step * shape.rows + y);
                WORD *row = (WORD *)cube + offset, *next_row = (WORD *)next + offset;
                if (dims > 1)
                    left = zero;
                for (unsigned x = 0; x < shape.vectors; x++) {
                    if (dims > 1)
                        prefetch(next_row + x * NAME(lanes));
                    __m512i sum = v[y * shape.vectors + x];
                    if (dims > 1)
                        sum = above[x] = NAME(add)(above[x], sum);
                    if (dims > 2) {
                        sum = NAME(add)(*behind, sum);
                        *behind++ = sum;
                    }
                    /* Along x last: it takes longest, and no other row waits for it. */
                    sum = NAME(prefix_sum)(sum);
                    const __m512i total = NAME(broadcast_last)(sum);
                    _mm512_storeu_si512(row + x * NAME(lanes), NAME(rotate_right)(NAME(add)(sum, left)));
                    left = NAME(add)(left, total);
                }
            }
        }
    }
    return true;
}

#define CUBE_KERNEL(dims)                                                                                    \
    static size_t NAME(encode_##dims##d)(const void *cube, struct ndzip_strides strides, const void *next,   \
                                         uint8_t *stream)                                                    \
    {                                                                                                        \
        return NAME(encode)(cube, strides, next, stream, dims);                                              \
    }                                                                                                        \
    static bool NAME(decode_##dims##d)(const uint8_t *stream, size_t words, void *cube,                      \
                                       struct ndzip_strides strides, void *next)                             \
    {                                                                                                        \
        return NAME(decode)(stream, words, cube, strides, next, dims);                                       \
    }
CUBE_KERNEL(1)
CUBE_KERNEL(2)
CUBE_KERNEL(3)
#undef CUBE_KERNEL
