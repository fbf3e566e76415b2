/* SPDX-License-Identifier: MIT
 * Which vector instructions the codecs may use. */
#ifndef FPGZ_CORE_CPU_H
#define FPGZ_CORE_CPU_H

#include <stdbool.h>

/* Each level includes those before it. NEON would stand beside AVX2: one more file a kernel family. */
enum fpgz_cpu_level {
    FPGZ_CPU_C = 0,      /* plain C: the reference that defines the bytes */
    FPGZ_CPU_AVX2 = 1,   /* AVX2, BMI1, BMI2, LZCNT, POPCNT (Haswell, Zen) */
    FPGZ_CPU_AVX512 = 2, /* AVX-512 F/BW/CD/DQ/VL, VBMI, VBMI2, BITALG, VPOPCNTDQ, GFNI (Ice Lake, Zen 4) */
    FPGZ_CPU_LEVELS = 3,
};

/* The best level of this machine and build. */
enum fpgz_cpu_level fpgz_cpu_best(void);

/* The level in force: the best one unless fpgz_cpu_set() chose another. */
enum fpgz_cpu_level fpgz_cpu(void);

/* Forces a level for the whole process; false when the machine lacks it. Not while codecs run. */
bool fpgz_cpu_set(enum fpgz_cpu_level level);

/* Of a kernel family's three tables, the one for the level in force. Other CPUs have the plain one alone. */
#if defined(__x86_64__)
#define FPGZ_BY_LEVEL(c, avx2, avx512)                                                                       \
    (fpgz_cpu() == FPGZ_CPU_AVX512 ? (avx512) : fpgz_cpu() == FPGZ_CPU_AVX2 ? (avx2) : (c))
#else
#define FPGZ_BY_LEVEL(c, avx2, avx512) (c)
#endif

/* "c", "avx2", "avx512". */
const char *fpgz_cpu_name(enum fpgz_cpu_level level);

/* CPUs that this process may run on (affinity respected), at least 1. */
unsigned fpgz_cpu_count(void);

#endif
