/* SPDX-License-Identifier: MIT
 * The code of one value, for one word type. The includer defines WORD, WORD_BITS, MANTISSA_BITS, NAME() and
 * LEADING_ZEROS. */

/* Exponents here are the biased ones of the words; `nonfinite` is that of NaNs and infinities. */
enum {
    NAME(bias) = (1 << (WORD_BITS - MANTISSA_BITS - 2)) - 1,
    NAME(nonfinite) = 2 * NAME(bias) + 1,
    NAME(integer_bit) = WORD_BITS - 2, /* of a significand in fixed point, below its sign */
};
#define MANTISSA (((WORD)1 << MANTISSA_BITS) - 1)
#define SIGN ((WORD)1 << (WORD_BITS - 1))

static inline unsigned NAME(exponent)(WORD value)
{
    return (unsigned)(value >> MANTISSA_BITS) & NAME(nonfinite);
}

/* The significand in fixed point below the block's exponent (the paper's steps "shift" and "cut"): bits that
 * do not fit are cut off, toward zero. Subnormals count as if their exponent 0 had no hidden bit, half their
 * true weight; value() undoes that. */
static inline WORD NAME(code)(WORD value, unsigned block_exponent, unsigned bits)
{
    const unsigned exponent = NAME(exponent)(value);
    WORD significand = 0;
    if (exponent != NAME(nonfinite) && block_exponent - exponent < WORD_BITS) {
        significand = (value & MANTISSA) | (WORD)(exponent != 0) << MANTISSA_BITS;
        significand = significand << (NAME(integer_bit) - MANTISSA_BITS) >> (block_exponent - exponent);
    }
    return ((value & SIGN) | significand) >> (WORD_BITS - bits);
}

/* Zero codes become zeros here; the published decoder makes small numbers of them. */
static inline WORD NAME(value)(WORD code, unsigned block_exponent, unsigned bits)
{
    const WORD aligned = code << (WORD_BITS - bits), significand = aligned & ~SIGN;
    if (!significand)
        return aligned;
    const unsigned zeros = (unsigned)LEADING_ZEROS(significand) - 1;
    const unsigned shift = zeros < block_exponent ? zeros : block_exponent;
    const WORD mantissa = significand << shift >> (NAME(integer_bit) - MANTISSA_BITS) & MANTISSA;
    return (aligned & SIGN) | (WORD)(block_exponent - shift) << MANTISSA_BITS | mantissa;
}
