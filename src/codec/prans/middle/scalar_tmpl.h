/* SPDX-License-Identifier: MIT
 * A segment's blocks for one dtype, raw bits one by one: WORD, NAME, and decode_block() of the level. */

/* Running sums of y, which begin with `sum`. */
INLINE WORD NAME(scan)(WORD *y, size_t count, WORD sum)
{
    for (size_t i = 0; i < count; i++)
        y[i] = sum += y[i];
    return sum;
}

/* The residual of an ordinary symbol, with the raw bits from `bit` on. */
INLINE WORD NAME(residual)(unsigned symbol, unsigned width, const uint8_t *raw, uint64_t bit)
{
    const uint8_t *const at = raw + bit / 8;
    uint64_t number = fpgz_load64(at) >> bit % 8;
    if (width > 57)
        number |= (uint64_t)at[8] << (63 - bit % 8) << 1;
    number &= ((uint64_t)1 << width) - 1;
    number |= symbol < 8 ? symbol : (uint64_t)(4 | (symbol & 3)) << width;
    return (WORD)(number >> 1 ^ -(number & 1));
}

static bool NAME(decode)(const struct middle_source *source, void *residuals, uint8_t *flag)
{
    WORD *residual = residuals;
    const uint8_t *words = source->words;
    uint64_t bit = 0;
    uint32_t state[MIDDLE_LANES];
    memcpy(state, source->states, sizeof state);
    for (size_t block = 0; block < source->blocks; block++, residual += MIDDLE_BLOCK) {
        uint8_t symbol[MIDDLE_BLOCK];
        if (words > source->words_end || (bit + 7) / 8 > (size_t)(source->raw_end - source->raw))
            return false;
        decode_block(source->tables[source->ids[block]], state, &words, symbol);
        for (unsigned i = 0; i < MIDDLE_BLOCK; i++) {
            const unsigned width = raw_bits(symbol[i]);
            residual[i] = symbol[i] < MIDDLE_SPECIAL ? NAME(residual)(symbol[i], width, source->raw, bit) : 0;
            bit += width;
        }
        for (unsigned i = 0; flag && i < MIDDLE_BLOCK; i++)
            flag[block * MIDDLE_BLOCK + i] =
                symbol[i] < MIDDLE_SPECIAL ? 0 : (uint8_t)(symbol[i] - MIDDLE_SPECIAL + 1);
    }
    return is_complete(source, state, words, bit);
}
