/* SPDX-License-Identifier: MIT
 * The inner loops in the compiler's vectors. LOOPS names the table of the CPU level that this compilation is
 * for. */
#include "loops.h"

#include <string.h>

#include "core/inline.h"

enum { LANES = 8, SUMS = 4 };
typedef double vec_f64 __attribute__((vector_size(8 * LANES)));
typedef float vec_f32 __attribute__((vector_size(4 * LANES)));
typedef uint32_t vec_u32 __attribute__((vector_size(4 * LANES)));
typedef uint16_t vec_u16 __attribute__((vector_size(2 * LANES)));

INLINE vec_f64 load(const double *at)
{
    vec_f64 v;
    memcpy(&v, at, sizeof v);
    return v;
}

static double dot(const double *a, const double *b, size_t count)
{
    vec_f64 sum[SUMS] = {{0}};
    for (size_t i = 0; i < count; i += SUMS * LANES)
        for (unsigned k = 0; k < SUMS; k++)
            sum[k] += load(a + i + k * LANES) * load(b + i + k * LANES);
    const vec_f64 all = (sum[0] + sum[1]) + (sum[2] + sum[3]);
    return ((all[0] + all[1]) + (all[2] + all[3])) + ((all[4] + all[5]) + (all[6] + all[7]));
}

static void add(double factor, const double *from, double *to, size_t count)
{
    for (size_t i = 0; i < count; i += LANES) {
        const vec_f64 v = load(to + i) + factor * load(from + i);
        memcpy(to + i, &v, sizeof v);
    }
}

INLINE void store(vec_f32 v, double *to)
{
    const vec_f64 wide = __builtin_convertvector(v, vec_f64);
    memcpy(to, &wide, sizeof wide);
}

static void from_f32(const void *from, double *to, size_t count)
{
    for (size_t i = 0; i < count; i += LANES) {
        vec_f32 v;
        memcpy(&v, (const float *)from + i, sizeof v);
        store(v, to + i);
    }
}

INLINE vec_u32 load_halves(const void *from, size_t i)
{
    vec_u16 v;
    memcpy(&v, (const uint16_t *)from + i, sizeof v);
    return __builtin_convertvector(v, vec_u32);
}

/* The bits at a f32's place are the value times 2^-112, subnormals too. */
static void from_f16(const void *from, double *to, size_t count)
{
    for (size_t i = 0; i < count; i += LANES) {
        const vec_u32 half = load_halves(from, i);
        const vec_u32 word = (half & 0x8000) << 16 | (half & 0x7fff) << 13;
        store((vec_f32)word * 0x1p112f, to + i);
    }
}

static void from_bf16(const void *from, double *to, size_t count)
{
    for (size_t i = 0; i < count; i += LANES)
        store((vec_f32)(load_halves(from, i) << 16), to + i);
}

const struct gmres_loops_kernels LOOPS = {dot, add, from_f32, from_f16, from_bf16};
