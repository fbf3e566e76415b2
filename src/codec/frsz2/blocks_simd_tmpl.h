/* SPDX-License-Identifier: MIT
 * Blocks in vectors, for one word type, as value_tmpl.h takes it, and one vector length. The includer also
 * defines INLINE, REAL, the types vec and real (vectors of WORD and of REAL) and
 *   top()          the greatest 32 upper bits of any lane, in vectors without signs,
 *   shift_right()  each lane by its own count, however large,
 *   truncate()     non-negative integers to REAL, rounded toward zero,
 *   put(), get()   a block's codes, one a lane, of 8, 16, 32 or 64 bits, and
 *   put_packed(), get_packed()  of any number of bits; above a code, get_packed() may leave anything. */
#include "codec/frsz2/value_tmpl.h"

enum { NAME(vectors) = FRSZ2_BLOCK * sizeof(WORD) / sizeof(NAME(vec)) };

INLINE unsigned NAME(block_exponent)(const NAME(vec) * v)
{
    NAME(vec) magnitude[NAME(vectors)];
    for (unsigned i = 0; i < NAME(vectors); i++)
        magnitude[i] = v[i] & ~SIGN;
    return NAME(top)(magnitude) >> (MANTISSA_BITS + 32 - WORD_BITS);
}

INLINE bool NAME(encode_all)(struct frsz2_code code, const void *values, size_t blocks, uint8_t *exponents,
                             uint8_t *codes)
{
    const bool straight = code.bits == 8 || code.bits == 16 || code.bits == 32 || code.bits == 64;
    const struct packer packer = straight ? (struct packer){0} : make_packer(code.bits);
    const uint8_t *grid = values;
    bool finite = true;
    for (size_t block = 0; block < blocks; block++, grid += FRSZ2_BLOCK * sizeof(WORD)) {
        NAME(vec) v[NAME(vectors)];
        for (unsigned i = 0; i < NAME(vectors); i++)
            v[i] = (NAME(vec))load(grid + i * sizeof v[i]);
        unsigned greatest = NAME(block_exponent)(v);
        if (__builtin_expect(greatest == NAME(nonfinite), 0)) {
            finite = false;
            for (unsigned i = 0; i < NAME(vectors); i++)
                v[i] &= SIGN | (NAME(vec))((v[i] & ~SIGN) < (WORD)NAME(nonfinite) << MANTISSA_BITS);
            greatest = NAME(block_exponent)(v);
        }
        /* code() in lanes. Adding all ones to an exponent carries out, into the hidden bit, unless it is 0.
         */
        const WORD hidden = (WORD)1 << NAME(integer_bit);
        for (unsigned i = 0; i < NAME(vectors); i++) {
            const NAME(vec) exponent = (v[i] & ~SIGN) >> MANTISSA_BITS;
            const NAME(vec) carry = (exponent + NAME(nonfinite)) << (MANTISSA_BITS - 1);
            const NAME(vec) mantissa = v[i] << (NAME(integer_bit) - MANTISSA_BITS) & (hidden - 1);
            const NAME(vec) significand = NAME(shift_right)(mantissa | (carry & hidden), greatest - exponent);
            v[i] = ((v[i] & SIGN) | significand) >> (WORD_BITS - code.bits);
        }
        if (straight)
            NAME(put)(v, code.bits, codes + block * code.block_bytes);
        else
            NAME(put_packed)(v, &packer, codes + block * code.block_bytes);
        frsz2_store_exponent(exponents + block * code.exponent_bytes, code.exponent_bytes,
                             (int64_t)greatest - NAME(bias));
    }
    return finite;
}

INLINE bool NAME(decode_all)(struct frsz2_code code, const uint8_t *exponents, const uint8_t *codes,
                             size_t blocks, void *values)
{
    const bool straight = code.bits == 8 || code.bits == 16 || code.bits == 32 || code.bits == 64;
    const struct unpacker unpacker = straight ? (struct unpacker){0} : NAME(make_unpacker)(code.bits);
    uint8_t *grid = values;
    for (size_t block = 0; block < blocks; block++, grid += FRSZ2_BLOCK * sizeof(WORD)) {
        const uint64_t exponent =
            frsz2_load_exponent(exponents + block * code.exponent_bytes, code.exponent_bytes) + NAME(bias);
        if (exponent >= NAME(nonfinite))
            return false;
        NAME(vec) v[NAME(vectors)];
        if (straight)
            NAME(get)(codes + block * code.block_bytes, code.bits, v);
        else
            NAME(get_packed)(codes + block * code.block_bytes, &unpacker, v);
        for (unsigned i = 0; i < NAME(vectors); i++)
            v[i] <<= WORD_BITS - code.bits;

        if (__builtin_expect(exponent > NAME(integer_bit), 1)) {
            /* No result is subnormal: the hardware converts and scales exactly as value() does. */
            const WORD power = (WORD)(exponent - NAME(integer_bit)) << MANTISSA_BITS;
            REAL scale;
            memcpy(&scale, &power, sizeof scale);
            for (unsigned i = 0; i < NAME(vectors); i++)
                v[i] = (NAME(vec))(NAME(truncate)(v[i] & ~SIGN) * scale) | (v[i] & SIGN);
        } else if (exponent == 0) { /* zeros and subnormals, as they are */
            for (unsigned i = 0; i < NAME(vectors); i++)
                v[i] = (v[i] >> (NAME(integer_bit) - MANTISSA_BITS) & MANTISSA) | (v[i] & SIGN);
        } else {
            WORD word[FRSZ2_BLOCK];
            memcpy(word, v, sizeof v);
            for (unsigned j = 0; j < FRSZ2_BLOCK; j++)
                word[j] = NAME(value)(word[j], (unsigned)exponent, WORD_BITS);
            memcpy(v, word, sizeof v);
        }
        for (unsigned i = 0; i < NAME(vectors); i++)
            store(grid + i * sizeof v[i], (vector)v[i]);
    }
    return true;
}

/* The widths that straight loads and stores have are constants in copies of their own. */
#define FOR_EACH_WIDTH(all, ...)                                                                             \
    do {                                                                                                     \
        if (code.bits == 8)                                                                                  \
            return code.bits = 8, all(__VA_ARGS__);                                                          \
        if (code.bits == 16)                                                                                 \
            return code.bits = 16, all(__VA_ARGS__);                                                         \
        if (code.bits == 32)                                                                                 \
            return code.bits = 32, all(__VA_ARGS__);                                                         \
        if (code.bits == 64 && WORD_BITS == 64)                                                              \
            return code.bits = WORD_BITS, all(__VA_ARGS__);                                                  \
        return all(__VA_ARGS__);                                                                             \
    } while (0)

static bool NAME(encode)(struct frsz2_code code, const void *values, size_t blocks, uint8_t *exponents,
                         uint8_t *codes)
{
    FOR_EACH_WIDTH(NAME(encode_all), code, values, blocks, exponents, codes);
}

static bool NAME(decode)(struct frsz2_code code, const uint8_t *exponents, const uint8_t *codes,
                         size_t blocks, void *values)
{
    FOR_EACH_WIDTH(NAME(decode_all), code, exponents, codes, blocks, values);
}
#undef FOR_EACH_WIDTH

#undef WORD
#undef WORD_BITS
#undef MANTISSA_BITS
#undef NAME
#undef LEADING_ZEROS
#undef MANTISSA
#undef SIGN
#undef REAL
