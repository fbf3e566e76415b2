/* SPDX-License-Identifier: MIT
 * One hypercube in plain C, for one word type. The includer defines WORD, WORD_BITS, NAME(), LOAD, STORE and
 * POPCOUNT. */

/* Sides of the hypercube, slowest first; a missing axis has side 1. */
struct NAME(sides) {
    unsigned z, y, x;
};

static void NAME(gather)(const WORD *cube, struct ndzip_strides strides, struct NAME(sides) side, WORD *v)
{
    for (unsigned z = 0; z < side.z; z++)
        for (unsigned y = 0; y < side.y; y++, v += side.x)
            memcpy(v, cube + z * strides.plane + y * strides.row, side.x * sizeof(WORD));
}

static void NAME(scatter)(const WORD *v, struct ndzip_strides strides, struct NAME(sides) side, WORD *cube)
{
    for (unsigned z = 0; z < side.z; z++)
        for (unsigned y = 0; y < side.y; y++, v += side.x)
            memcpy(cube + z * strides.plane + y * strides.row, v, side.x * sizeof(WORD));
}

/* Differences along the axis whose neighbours are `step` values apart; `side` of them stand in a row. */
static void NAME(difference)(WORD *v, unsigned step, unsigned side)
{
    for (unsigned first = 0; first < NDZIP_CUBE; first += step * side)
        for (unsigned i = step * side - 1; i >= step; i--)
            v[first + i] -= v[first + i - step];
}

static void NAME(sum)(WORD *v, unsigned step, unsigned side)
{
    for (unsigned first = 0; first < NDZIP_CUBE; first += step * side)
        for (unsigned i = step; i < step * side; i++)
            v[first + i] += v[first + i - step];
}

/* Magnitudes of negative residuals are kept inverted, so that small ones have zero columns on either side of
 * 0. */
static void NAME(complement)(WORD *v)
{
    for (unsigned i = 0; i < NDZIP_CUBE; i++)
        if (v[i] >> (WORD_BITS - 1))
            v[i] ^= ((WORD)1 << (WORD_BITS - 1)) - 1;
}

/* Bit matrix transpose, most significant bit first: its own inverse. */
static void NAME(transpose)(WORD *u)
{
    WORD mask = (WORD)-1 >> (WORD_BITS / 2);
    for (unsigned half = WORD_BITS / 2; half; half /= 2, mask ^= mask << half)
        for (unsigned pair = 0; pair < WORD_BITS; pair += 2 * half)
            for (unsigned i = pair; i < pair + half; i++) {
                const WORD swap = (u[i] ^ (u[i + half] >> half)) & mask;
                u[i] ^= swap;
                u[i + half] ^= swap << half;
            }
}

static size_t NAME(encode)(const WORD *cube, struct ndzip_strides strides, struct NAME(sides) side,
                           uint8_t *stream)
{
    WORD v[NDZIP_CUBE];
    NAME(gather)(cube, strides, side, v);
    for (unsigned i = 0; i < NDZIP_CUBE; i++)
        v[i] = v[i] << 1 | v[i] >> (WORD_BITS - 1);
    NAME(difference)(v, 1, side.x);
    NAME(difference)(v, side.x, side.y);
    NAME(difference)(v, side.x * side.y, side.z);
    NAME(complement)(v);

    uint8_t *column = stream + NDZIP_CUBE / WORD_BITS * sizeof(WORD);
    for (unsigned group = 0; group < NDZIP_CUBE / WORD_BITS; group++) {
        WORD *u = v + group * WORD_BITS, head = 0;
        for (unsigned i = 0; i < WORD_BITS; i++)
            head |= u[i];
        STORE(stream + group * sizeof(WORD), head);
        if (!head)
            continue;
        NAME(transpose)(u);
        for (unsigned i = 0; i < WORD_BITS; i++)
            if (head >> (WORD_BITS - 1 - i) & 1) {
                STORE(column, u[i]);
                column += sizeof(WORD);
            }
    }
    return (size_t)(column - stream) / sizeof(WORD);
}

static bool NAME(decode)(const uint8_t *stream, size_t words, WORD *cube, struct ndzip_strides strides,
                         struct NAME(sides) side)
{
    size_t expected = NDZIP_CUBE / WORD_BITS;
    for (unsigned group = 0; group < NDZIP_CUBE / WORD_BITS; group++)
        expected += (size_t)POPCOUNT(LOAD(stream + group * sizeof(WORD)));
    if (expected != words)
        return false;

    WORD v[NDZIP_CUBE];
    const uint8_t *column = stream + NDZIP_CUBE / WORD_BITS * sizeof(WORD);
    for (unsigned group = 0; group < NDZIP_CUBE / WORD_BITS; group++) {
        WORD *u = v + group * WORD_BITS;
        const WORD head = LOAD(stream + group * sizeof(WORD));
        for (unsigned i = 0; i < WORD_BITS; i++) {
            const bool stored = head >> (WORD_BITS - 1 - i) & 1;
            u[i] = stored ? LOAD(column) : 0;
            column += stored ? sizeof(WORD) : 0;
        }
        if (head)
            NAME(transpose)(u);
    }

    NAME(complement)(v);
    NAME(sum)(v, side.x * side.y, side.z);
    NAME(sum)(v, side.x, side.y);
    NAME(sum)(v, 1, side.x);
    for (unsigned i = 0; i < NDZIP_CUBE; i++)
        v[i] = v[i] >> 1 | v[i] << (WORD_BITS - 1);
    NAME(scatter)(v, strides, side, cube);
    return true;
}

#define CUBE_KERNEL(dims, z, y, x)                                                                           \
    static size_t NAME(encode_##dims)(const void *cube, struct ndzip_strides strides, const void *next,      \
                                      uint8_t *stream)                                                       \
    {                                                                                                        \
        (void)next;                                                                                          \
        return NAME(encode)(cube, strides, (struct NAME(sides)){z, y, x}, stream);                           \
    }                                                                                                        \
    static bool NAME(decode_##dims)(const uint8_t *stream, size_t words, void *cube,                         \
                                    struct ndzip_strides strides, void *next)                                \
    {                                                                                                        \
        (void)next;                                                                                          \
        return NAME(decode)(stream, words, cube, strides, (struct NAME(sides)){z, y, x});                    \
    }
CUBE_KERNEL(1d, 1, 1, 4096)
CUBE_KERNEL(2d, 1, 64, 64)
CUBE_KERNEL(3d, 16, 16, 16)
#undef CUBE_KERNEL

#undef WORD
#undef WORD_BITS
#undef NAME
#undef LOAD
#undef STORE
#undef POPCOUNT
