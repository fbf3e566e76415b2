/* SPDX-License-Identifier: MIT */
#include "core/cpu.h"

#include <sched.h>

#if defined(__x86_64__)
#include <cpuid.h>

/* Where it is missing, LZCNT runs as another instruction and gives wrong counts. Not every compiler's
 * __builtin_cpu_supports() knows its name. */
static bool has_lzcnt(void)
{
    unsigned a, b, c = 0, d;
    return __get_cpuid(0x80000001, &a, &b, &c, &d) && c & bit_LZCNT;
}
#endif

static enum fpgz_cpu_level detect(void)
{
#if defined(__x86_64__)
    __builtin_cpu_init();
    if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("bmi") ||
        !__builtin_cpu_supports("bmi2") || !__builtin_cpu_supports("popcnt") || !has_lzcnt())
        return FPGZ_CPU_C;
    if (!__builtin_cpu_supports("avx512f") || !__builtin_cpu_supports("avx512bw") ||
        !__builtin_cpu_supports("avx512cd") || !__builtin_cpu_supports("avx512dq") ||
        !__builtin_cpu_supports("avx512vl") || !__builtin_cpu_supports("avx512vbmi") ||
        !__builtin_cpu_supports("avx512vbmi2") || !__builtin_cpu_supports("avx512bitalg") ||
        !__builtin_cpu_supports("avx512vpopcntdq") || !__builtin_cpu_supports("gfni"))
        return FPGZ_CPU_AVX2;
    return FPGZ_CPU_AVX512;
#else
    return FPGZ_CPU_C;
#endif
}

/* Plus one, so that zero means "not yet detected"; every thread would store the same value. */
static _Atomic int level_in_force;

enum fpgz_cpu_level fpgz_cpu_best(void)
{
    return detect();
}

enum fpgz_cpu_level fpgz_cpu(void)
{
    if (!level_in_force)
        level_in_force = (int)detect() + 1;
    return (enum fpgz_cpu_level)(level_in_force - 1);
}

bool fpgz_cpu_set(enum fpgz_cpu_level level)
{
    if (level > detect())
        return false;
    level_in_force = (int)level + 1;
    return true;
}

const char *fpgz_cpu_name(enum fpgz_cpu_level level)
{
    static const char *const names[FPGZ_CPU_LEVELS] = {"c", "avx2", "avx512"};
    return names[level];
}

unsigned fpgz_cpu_count(void)
{
    cpu_set_t allowed;
    if (sched_getaffinity(0, sizeof allowed, &allowed) != 0)
        return 1;
    const int count = CPU_COUNT(&allowed);
    return count > 0 ? (unsigned)count : 1;
}
