/* SPDX-License-Identifier: MIT
 * The CPU levels: what the machine has, as the compiler's library finds it; and the choice of kernels.
 * usage: unit_cpu   prints what failed, then "N passed, N failed". */
#include <string.h>

#include "../checks.h"
#include "core/cpu.h"

/* The best level by a way of its own; LZCNT, whose name not every compiler knows, came with AVX2. */
static const char *best_by_compiler(void)
{
#if defined(__x86_64__)
    __builtin_cpu_init();
    if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("bmi") ||
        !__builtin_cpu_supports("bmi2") || !__builtin_cpu_supports("popcnt"))
        return "c";
    if (!__builtin_cpu_supports("avx512f") || !__builtin_cpu_supports("avx512bw") ||
        !__builtin_cpu_supports("avx512cd") || !__builtin_cpu_supports("avx512dq") ||
        !__builtin_cpu_supports("avx512vl") || !__builtin_cpu_supports("avx512vbmi") ||
        !__builtin_cpu_supports("avx512vbmi2") || !__builtin_cpu_supports("avx512bitalg") ||
        !__builtin_cpu_supports("avx512vpopcntdq") || !__builtin_cpu_supports("gfni"))
        return "avx2";
    return "avx512";
#else
    return fpgz_cpu_name(FPGZ_CPU_LEVELS - 1);
#endif
}

static void test_levels(void)
{
    const enum fpgz_cpu_level best = fpgz_cpu_best();
    CHECK(!strcmp(fpgz_cpu_name(best), best_by_compiler()));
    CHECK(!strcmp(fpgz_cpu_name(FPGZ_CPU_C), "c"));
    for (enum fpgz_cpu_level level = FPGZ_CPU_C; level < FPGZ_CPU_LEVELS; level++) {
        checking = fpgz_cpu_name(level);
        CHECK((fpgz_cpu_lacks(level) == NULL) == (level <= best));
        CHECK(fpgz_cpu_set(level) == (level <= best));
        CHECK(fpgz_cpu() == (level <= best ? level : best));
    }
}

/* A level without kernels of its own takes those of the next one below. */
static void test_choice(void)
{
    static const int low, high;
    fpgz_kernels ends = {[FPGZ_CPU_C] = &low, [FPGZ_CPU_LEVELS - 1] = &high};
    fpgz_kernels plain = {[FPGZ_CPU_C] = &low};
    for (enum fpgz_cpu_level level = FPGZ_CPU_C; level <= fpgz_cpu_best(); level++) {
        fpgz_cpu_set(level);
        CHECK(fpgz_cpu_choose(plain) == &low);
        CHECK(fpgz_cpu_choose(ends) == (level + 1 == FPGZ_CPU_LEVELS ? &high : &low));
    }
}

int main(void)
{
    test_levels();
    test_choice();
    return checks_end();
}
