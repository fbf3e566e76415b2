/* SPDX-License-Identifier: MIT
 * Words of f32 and f64 that stand for values of other dtypes. */
#include "codec/prans/high/lift.h"

#include <string.h>

#include "core/bytes.h"

enum {
    HALF_INFINITY = 0x7C00, /* bits of f16 */
    HALF_MANTISSA = 0x3FF,
    HALF_SHIFT = 13, /* from a mantissa of f16 to one of f32 */
    REBIAS = 112,    /* from exponents of f16 to those of f32 */
    SUBNORMAL_PART = 64,
};
#define INTEGERS ((int64_t)1 << 51) /* below that the lattice domain of f64 takes them */
#define FILL 0x1p60

enum fpgz_dtype fpgz_prans_lifted_dtype(enum fpgz_dtype dtype)
{
    return fpgz_dtype_size(dtype) < 4 ? FPGZ_F32 : FPGZ_F64;
}

bool fpgz_prans_lift_valid(enum fpgz_dtype dtype, unsigned way)
{
    if (dtype == FPGZ_BF16)
        return way == PRANS_LIFT_UPPER;
    return way == PRANS_LIFT_VALUE || (way == PRANS_LIFT_BITS && dtype == FPGZ_F16) ||
           (way == PRANS_LIFT_STEPS && fpgz_dtype_size(dtype) == 8);
}

/* An integer of any dtype modulo 2^64; of floating-point numbers the bits. */
static inline uint64_t integer_at(const void *values, enum fpgz_dtype dtype, size_t at)
{
    switch (dtype) {
    case FPGZ_I8:
        return (uint64_t)((const int8_t *)values)[at];
    case FPGZ_U8:
        return ((const uint8_t *)values)[at];
    case FPGZ_I16:
        return (uint64_t)((const int16_t *)values)[at];
    case FPGZ_I32:
        return (uint64_t)((const int32_t *)values)[at];
    case FPGZ_U32:
        return ((const uint32_t *)values)[at];
    case FPGZ_I64:
    case FPGZ_U64:
        return ((const uint64_t *)values)[at];
    default:
        return ((const uint16_t *)values)[at];
    }
}

static inline void put_integer(void *values, enum fpgz_dtype dtype, size_t at, uint64_t integer)
{
    switch (fpgz_dtype_size(dtype)) {
    case 1:
        ((uint8_t *)values)[at] = (uint8_t)integer;
        break;
    case 2:
        ((uint16_t *)values)[at] = (uint16_t)integer;
        break;
    case 4:
        ((uint32_t *)values)[at] = (uint32_t)integer;
        break;
    default:
        ((uint64_t *)values)[at] = integer;
    }
}

static inline uint32_t lift_half(unsigned half, enum prans_lift_way way)
{
    const uint32_t sign = (uint32_t)(half & 0x8000) << 16, bits = (uint32_t)(half & 0x7FFF) << HALF_SHIFT;
    if (way == PRANS_LIFT_BITS)
        return sign | bits;
    if ((half & HALF_INFINITY) == HALF_INFINITY)
        return sign | (uint32_t)0xFF << 23 | (bits & 0x7FFFFF);
    if (half & HALF_INFINITY)
        return sign | (bits + ((uint32_t)REBIAS << 23));
    const float subnormal = (float)(half & HALF_MANTISSA) * 0x1p-24f;
    uint32_t word;
    memcpy(&word, &subnormal, sizeof word);
    return sign | word;
}

/* The half that may have become the word. */
static inline unsigned lower_half(uint32_t word, enum prans_lift_way way)
{
    const unsigned sign = word >> 16 & 0x8000, exponent = word >> 23 & 0xFF;
    const unsigned bits = word >> HALF_SHIFT & 0x7FFF; /* with the lowest bits of the exponent */
    if (way == PRANS_LIFT_BITS)
        return sign | bits;
    if (exponent == 0xFF)
        return sign | HALF_INFINITY | (bits & HALF_MANTISSA);
    if (exponent > REBIAS)
        return sign | ((word - ((uint32_t)REBIAS << 23)) >> HALF_SHIFT & 0x7FFF);
    if (exponent + 10 <= REBIAS)
        return sign;
    return sign | (HALF_MANTISSA + 1 + (bits & HALF_MANTISSA)) >> (REBIAS + 1 - exponent);
}

/* By how many subnormal numbers there are: lifted as numbers, they would lie apart. */
static enum prans_lift_way way_of_halves(const uint16_t *half, size_t count)
{
    size_t subnormals = 0;
    for (size_t i = 0; i < count; i++)
        subnormals += !(half[i] & HALF_INFINITY) && half[i] & HALF_MANTISSA;
    return subnormals > count / SUBNORMAL_PART ? PRANS_LIFT_BITS : PRANS_LIFT_VALUE;
}

/* The least and largest values of some, as places, which rise; and those beside them. */
struct spread {
    uint64_t least, second, last_but_one, most;
};

static struct spread spread_of(const uint64_t *value, size_t count, uint64_t top)
{
    struct spread s = {UINT64_MAX, UINT64_MAX, 0, 0};
    for (size_t i = 0; i < count; i++) {
        const uint64_t place = value[i] ^ top;
        if (place < s.least) {
            s.second = s.least;
            s.least = place;
        } else if (place > s.least && place < s.second) {
            s.second = place;
        }
        if (place > s.most) {
            s.last_but_one = s.most;
            s.most = place;
        } else if (place < s.most && place > s.last_but_one) {
            s.last_but_one = place;
        }
    }
    return s;
}

/* Small values stay; else they become steps from the least one on. If that spreads too far, the least or the
 * largest value stands for the want of one, and the others count. */
static bool find_steps(struct prans_lift *lift, const uint64_t *value, size_t count)
{
    const uint64_t top = lift->dtype == FPGZ_I64 ? (uint64_t)1 << 63 : 0; /* makes signed ones rise */
    const uint64_t limit = INTEGERS;
    const struct spread s = spread_of(value, count, top);
    for (unsigned without = 0; without < 3; without++) { /* none, the least, the largest */
        const uint64_t least = without == 1 ? s.second : s.least,
                       most = without == 2 ? s.last_but_one : s.most;
        const bool small = most < top + limit && (!top || least > top - limit);
        uint64_t step = small;
        lift->fill = (without == 0 ? least - 1 : without == 1 ? s.least : s.most) ^ top;
        for (size_t i = 0; i < count && step != 1; i++)
            step = value[i] == lift->fill ? step : fpgz_common_divisor((value[i] ^ top) - least, step);
        lift->way = small && !without ? PRANS_LIFT_VALUE : PRANS_LIFT_STEPS;
        lift->origin = small ? 0 : least ^ top;
        lift->step = step ? step : 1;
        if (small || (most - least) / lift->step < limit)
            return true;
    }
    return false;
}

static void lift_to_f32(const struct prans_lift *lift, const void *values, size_t count, uint32_t *word)
{
    const enum fpgz_dtype dtype = lift->dtype;
    for (size_t i = 0; i < count; i++) {
        const uint64_t integer = integer_at(values, dtype, i);
        const float real = (float)(int64_t)integer;
        if (dtype == FPGZ_BF16)
            word[i] = (uint32_t)integer << 16;
        else if (dtype == FPGZ_F16)
            word[i] = lift_half((unsigned)integer, lift->way);
        else
            memcpy(&word[i], &real, sizeof real);
    }
}

static void lift_to_f64(const struct prans_lift *lift, const void *values, size_t count, double *real)
{
    const bool steps = lift->way == PRANS_LIFT_STEPS;
    for (size_t i = 0; i < count; i++) {
        const uint64_t integer = integer_at(values, lift->dtype, i), apart = integer - lift->origin;
        real[i] = (double)(int64_t)(lift->step == 1 ? apart : apart / lift->step);
        if (steps && integer == lift->fill)
            real[i] = FILL;
    }
}

bool fpgz_prans_lift(enum fpgz_dtype dtype, const void *values, size_t count, void *words,
                     struct prans_lift *lift)
{
    *lift = (struct prans_lift){.dtype = dtype, .step = 1};
    if (dtype == FPGZ_BF16)
        lift->way = PRANS_LIFT_UPPER;
    if (dtype == FPGZ_F16)
        lift->way = way_of_halves(values, count);
    if (fpgz_dtype_size(dtype) == 8 && !find_steps(lift, values, count))
        return false;
    if (fpgz_prans_lifted_dtype(dtype) == FPGZ_F32)
        lift_to_f32(lift, values, count, words);
    else
        lift_to_f64(lift, values, count, words);
    return true;
}

static bool lower_f32(const struct prans_lift *lift, const uint32_t *word, size_t count, void *values)
{
    const enum fpgz_dtype dtype = lift->dtype;
    uint32_t wrong = 0;
    for (size_t i = 0; i < count; i++) {
        float real;
        memcpy(&real, &word[i], sizeof real);
        const uint64_t integer = dtype == FPGZ_BF16                  ? word[i] >> 16
                                 : dtype == FPGZ_F16                 ? lower_half(word[i], lift->way)
                                 : real > -0x1p17f && real < 0x1p17f ? (uint64_t)(int64_t)real
                                                                     : 0;
        uint32_t again;
        put_integer(values, dtype, i, integer);
        lift_to_f32(lift, (const uint8_t *)values + i * fpgz_dtype_size(dtype), 1, &again);
        wrong |= word[i] ^ again;
    }
    return !wrong;
}

static bool lower_f64(const struct prans_lift *lift, const uint64_t *word, size_t count, void *values)
{
    const bool apart = lift->way == PRANS_LIFT_STEPS;
    uint64_t wrong = 0;
    for (size_t i = 0; i < count; i++) {
        double real;
        memcpy(&real, &word[i], sizeof real);
        const bool fill = apart && real == FILL;
        const int64_t steps = real > (double)-INTEGERS && real < (double)INTEGERS ? (int64_t)real : 0;
        const double again = fill ? FILL : (double)steps;
        uint64_t bits;
        memcpy(&bits, &again, sizeof bits);
        const uint64_t integer = fill ? lift->fill : lift->origin + lift->step * (uint64_t)steps;
        put_integer(values, lift->dtype, i, integer);
        wrong |= (word[i] ^ bits) | (integer ^ integer_at(values, lift->dtype, i));
    }
    return !wrong;
}

bool fpgz_prans_lower(const struct prans_lift *lift, const void *words, size_t count, void *values)
{
    return fpgz_prans_lifted_dtype(lift->dtype) == FPGZ_F32 ? lower_f32(lift, words, count, values)
                                                            : lower_f64(lift, words, count, values);
}
