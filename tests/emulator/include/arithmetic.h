/* SPDX-License-Identifier: MIT
 * CUDA's functions of numbers. */
#ifndef TESTS_EMULATOR_ARITHMETIC_H
#define TESTS_EMULATOR_ARITHMETIC_H

template <typename A, typename B> static inline typename std::common_type<A, B>::type min(A a, B b)
{
    typedef typename std::common_type<A, B>::type type;
    return (type)b < (type)a ? (type)b : (type)a;
}

template <typename A, typename B> static inline typename std::common_type<A, B>::type max(A a, B b)
{
    typedef typename std::common_type<A, B>::type type;
    return (type)a < (type)b ? (type)b : (type)a;
}

static inline int __clz(int word)
{
    return word ? __builtin_clz((unsigned)word) : 32;
}

static inline int __clzll(long long word)
{
    return word ? __builtin_clzll((unsigned long long)word) : 64;
}

static inline int __ffs(int word)
{
    return __builtin_ffs(word);
}

static inline int __popc(unsigned word)
{
    return __builtin_popcount(word);
}

static inline int __popcll(unsigned long long word)
{
    return __builtin_popcountll(word);
}

static inline uint32_t __umulhi(uint32_t a, uint32_t b)
{
    return (uint32_t)((uint64_t)a * b >> 32);
}

__extension__ typedef unsigned __int128 emulator_product;

static inline unsigned long long __umul64hi(unsigned long long a, unsigned long long b)
{
    return (unsigned long long)((emulator_product)a * b >> 64);
}

static inline uint32_t __funnelshift_l(uint32_t low, uint32_t high, uint32_t count)
{
    return (uint32_t)(((uint64_t)high << 32 | low) << count % 32 >> 32);
}

static inline uint32_t __funnelshift_r(uint32_t low, uint32_t high, uint32_t count)
{
    return (uint32_t)(((uint64_t)high << 32 | low) >> count % 32);
}

static inline uint32_t __funnelshift_rc(uint32_t low, uint32_t high, uint32_t count)
{
    return count < 32 ? __funnelshift_r(low, high, count) : high;
}

static inline uint32_t __byte_perm(uint32_t low, uint32_t high, uint32_t selector)
{
    const uint64_t both = (uint64_t)high << 32 | low;
    uint32_t made = 0;
    for (unsigned i = 0; i < 4; i++)
        made |= (uint32_t)(both >> 8 * (selector >> 4 * i & 7) & 255) << 8 * i;
    return made;
}

static inline uint32_t __dp4a(uint32_t a, uint32_t b, uint32_t sum)
{
    for (unsigned i = 0; i < 32; i += 8)
        sum += (a >> i & 255) * (b >> i & 255);
    return sum;
}

template <typename TO, typename FROM> static inline TO emulator_bits(FROM from)
{
    TO to;
    static_assert(sizeof to == sizeof from, "the same bits");
    memcpy(&to, &from, sizeof to);
    return to;
}

static inline uint32_t __float_as_uint(float value)
{
    return emulator_bits<uint32_t>(value);
}

static inline float __uint_as_float(uint32_t bits)
{
    return emulator_bits<float>(bits);
}

static inline long long __double_as_longlong(double value)
{
    return emulator_bits<long long>(value);
}

static inline double __longlong_as_double(long long bits)
{
    return emulator_bits<double>(bits);
}

static inline double __hiloint2double(int high, int low)
{
    return emulator_bits<double>((uint64_t)(uint32_t)high << 32 | (uint32_t)low);
}

static inline int __double2hiint(double value)
{
    return (int)(emulator_bits<uint64_t>(value) >> 32);
}

static inline int __double2loint(double value)
{
    return (int)emulator_bits<uint64_t>(value);
}

static inline double __dadd_rn(double a, double b)
{
    return a + b;
}

static inline double __dmul_rn(double a, double b)
{
    return a * b;
}

static inline float __fmul_rn(float a, float b)
{
    return a * b;
}

static inline double __fma_rn(double a, double b, double c)
{
    return fma(a, b, c);
}

static inline double __ddiv_rn(double a, double b)
{
    return a / b;
}

static inline double __ll2double_rn(long long value)
{
    return (double)value;
}

static inline float __double2float_rn(double value)
{
    return (float)value;
}

/* Off by at most two units of the last place, as CUDA's: which way, hangs on the bits. */
static inline float __fdividef(float a, float b)
{
    const float quotient = a / b;
    const uint32_t bits = emulator_bits<uint32_t>(quotient);
    return quotient > 1e-30f ? emulator_bits<float>(bits + bits * 0x9E3779B9u % 5 - 2) : quotient;
}

#endif
