/* SPDX-License-Identifier: MIT
 * The reference for one word type, which each CPU level compiles with its own flags and uses where it has
 * nothing better. The includer defines WORD, SIGNED, NAME(), LOAD, STORE, CLZ and PREFIX_BITS (of the small
 * variant). */

enum { NAME(word) = sizeof(WORD) };

/* The word with its low `bytes` kept. Two shifts, since one by all bits has no meaning. */
INLINE WORD NAME(low_bytes)(WORD word, unsigned bytes)
{
    const unsigned shift = 4 * (NAME(word) - bytes);
    return word & ((WORD)-1 >> shift >> shift);
}

/* Up to a group, whose prefixes are octets. Residuals are stored as whole words: the next one overwrites what
 * is too much. */
INLINE uint8_t *NAME(pack_group)(const WORD *values, const WORD *predicted, unsigned count, unsigned large,
                                 uint8_t *prefixes, uint8_t *residuals)
{
    const unsigned bits = PREFIX_BITS + large;
    for (unsigned first = 0; first < count; first += 8, prefixes += bits) {
        uint32_t octet = 0;
        for (unsigned i = first; i < count && i < first + 8; i++) {
            const WORD difference = values[i] ^ predicted[i];
            const unsigned zeros = (unsigned)CLZ(difference | 1) / 8 + (large & !difference);
            octet |= (uint32_t)zeros << (bits * (i - first));
            STORE(residuals, difference);
            residuals += NAME(word) - zeros;
        }
        store_octet(prefixes, octet, bits);
    }
    return residuals;
}

INLINE const uint8_t *NAME(unpack_group)(const uint8_t *prefixes, const uint8_t *residuals,
                                         const WORD *predicted, WORD *values, unsigned count, unsigned large)
{
    const unsigned bits = PREFIX_BITS + large;
    for (unsigned first = 0; first < count; first += 8, prefixes += bits) {
        uint32_t octet = load_octet(prefixes, bits);
        for (unsigned i = first; i < count && i < first + 8; i++, octet >>= bits) {
            const unsigned zeros = octet & ((1u << bits) - 1);
            if (large && zeros > NAME(word))
                return NULL;
            values[i] = NAME(low_bytes)(LOAD(residuals), NAME(word) - zeros) ^ predicted[i];
            residuals += NAME(word) - zeros;
        }
    }
    return residuals;
}

/* Values from `done` on, where a group starts. The last group's prefixes may end within an octet. */
INLINE uint8_t *NAME(pack_rest)(const WORD *values, const WORD *predicted, size_t done, size_t count,
                                unsigned large, uint8_t *prefixes, uint8_t *residuals)
{
    const unsigned bits = PREFIX_BITS + large;
    size_t i = done;
    for (; i + PREDICT_GROUP <= count; i += PREDICT_GROUP)
        residuals = NAME(pack_group)(values + i, predicted + i, PREDICT_GROUP, large, prefixes + i / 8 * bits,
                                     residuals);
    if (i < count) {
        const unsigned left = (unsigned)(count - i);
        uint8_t last[PREDICT_GROUP / 2] = {0};
        residuals = NAME(pack_group)(values + i, predicted + i, left, large, last, residuals);
        memcpy(prefixes + i / 8 * bits, last, (left * bits + 31) / 32 * 4);
    }
    return residuals;
}

/* With the end checked before each group, loads reach at most a group's bytes beyond it. */
INLINE const uint8_t *NAME(unpack_rest)(const uint8_t *prefixes, const uint8_t *residuals, const uint8_t *end,
                                        const WORD *predicted, WORD *values, size_t done, size_t count,
                                        unsigned large)
{
    const unsigned bits = PREFIX_BITS + large;
    size_t i = done;
    for (; i + PREDICT_GROUP <= count && residuals && residuals <= end; i += PREDICT_GROUP)
        residuals = NAME(unpack_group)(prefixes + i / 8 * bits, residuals, predicted + i, values + i,
                                       PREDICT_GROUP, large);
    if (i < count && residuals && residuals <= end) {
        const unsigned left = (unsigned)(count - i);
        uint8_t last[PREDICT_GROUP / 2] = {0};
        memcpy(last, prefixes + i / 8 * bits, (left * bits + 31) / 32 * 4);
        residuals = NAME(unpack_group)(last, residuals, predicted + i, values + i, left, large);
    }
    return residuals && residuals <= end ? residuals : NULL;
}

#define PACK_KERNELS(name, large)                                                                            \
    __attribute__((unused)) static uint8_t *NAME(pack_##name)(                                               \
        const void *values, const void *predicted, size_t count, uint8_t *prefixes, uint8_t *residuals)      \
    {                                                                                                        \
        return NAME(pack_rest)(values, predicted, 0, count, large, prefixes, residuals);                     \
    }                                                                                                        \
    __attribute__((unused)) static const uint8_t *NAME(unpack_##name)(                                       \
        const uint8_t *prefixes, const uint8_t *residuals, const uint8_t *end, const void *predicted,        \
        void *values, size_t count)                                                                          \
    {                                                                                                        \
        return NAME(unpack_rest)(prefixes, residuals, end, predicted, values, 0, count, large);              \
    }
PACK_KERNELS(small, 0)
PACK_KERNELS(large, 1)
#undef PACK_KERNELS

/* A weighted sum modulo 2^W. */
static void NAME(predict_linear)(const void *before, size_t stride, unsigned points, const int32_t *weights,
                                 size_t count, void *predicted)
{
    WORD *const sum = predicted;
    memset(sum, 0, count * sizeof *sum);
    for (unsigned point = 0; point < points; point++) {
        const WORD *const row = (const WORD *)before - point * stride;
        for (size_t i = 0; i < count; i++)
            sum[i] += (WORD)weights[point] * row[i];
    }
}

/* The element of rank points/2 (from 0) in signed order: a selection sort that ends there, in step for all
 * values of the tile. */
static void NAME(predict_median)(const void *before, size_t stride, unsigned points, const int32_t *weights,
                                 size_t count, void *predicted)
{
    (void)weights;
    SIGNED sorted[PREDICT_POINTS][PREDICT_TILE];
    for (unsigned point = 0; point < points; point++)
        memcpy(sorted[point], (const WORD *)before - point * stride, count * sizeof(WORD));
    for (unsigned low = 0; low <= points / 2; low++)
        for (unsigned high = low + 1; high < points; high++)
            for (size_t i = 0; i < count; i++) {
                const SIGNED a = sorted[low][i], b = sorted[high][i];
                sorted[low][i] = a < b ? a : b;
                sorted[high][i] = a < b ? b : a;
            }
    memcpy(predicted, sorted[points / 2], count * sizeof(WORD));
}
