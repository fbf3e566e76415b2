/* SPDX-License-Identifier: MIT
 * Which vector instructions the codecs may use, and their kernels for each such level.
 *
 * A family of kernels (src/meson.build, kernel_families) has a table for each CPU level that it has a file
 * for. Meson makes kernels_FAMILY.c of that row, which defines fpgz_FAMILY_kernels: the tables by level, NULL
 * where there is none. The family's header declares it, as fpgz_kernels or, where a file is compiled once a
 * width (codec/width.h), as fpgz_word_kernels. So nothing else names a level: a new one is a row of
 * cpu_levels there, its files in the families' rows and, where not every machine has it, what it needs in
 * cpu.c. */
#ifndef FPGZ_CORE_CPU_H
#define FPGZ_CORE_CPU_H

#include <stdbool.h>
#include <stddef.h>

#include "cpu_levels.h" /* of this build, made by Meson */

/* FPGZ_CPU_C (plain C, which defines the bytes), FPGZ_CPU_AVX2 and so on. Each level includes those before
 * it. */
enum fpgz_cpu_level { FPGZ_CPU_LEVEL_LIST, FPGZ_CPU_LEVELS };

/* The best level of this machine and build. */
enum fpgz_cpu_level fpgz_cpu_best(void);

/* The level in force: the best one unless fpgz_cpu_set() chose another. */
enum fpgz_cpu_level fpgz_cpu(void);

/* Forces a level for the whole process; false when the machine lacks it. Not while codecs run. */
bool fpgz_cpu_set(enum fpgz_cpu_level level);

/* "c", "avx2", "avx512". */
const char *fpgz_cpu_name(enum fpgz_cpu_level level);

/* The first instruction set that the level needs and this machine lacks; NULL where it lacks none. */
const char *fpgz_cpu_lacks(enum fpgz_cpu_level level);

/* A family's tables by CPU level; NULL where a level has none of its own. */
typedef const void *const fpgz_kernels[FPGZ_CPU_LEVELS];

/* The same by log2 of a word's bytes. */
enum { FPGZ_WORD_8 = 0, FPGZ_WORD_16 = 1, FPGZ_WORD_32 = 2, FPGZ_WORD_64 = 3, FPGZ_WORD_SIZES = 4 };
typedef fpgz_kernels fpgz_word_kernels[FPGZ_WORD_SIZES];

/* The table for the level in force: its own, or that of the next level below which has one. Never NULL. */
const void *fpgz_cpu_choose(fpgz_kernels kernels);

/* The same for words of `bytes` bytes, a size that the family is compiled for. */
const void *fpgz_cpu_choose_word(fpgz_word_kernels kernels, size_t bytes);

/* CPUs that this process may run on (affinity respected), at least 1. */
unsigned fpgz_cpu_count(void);

#endif
