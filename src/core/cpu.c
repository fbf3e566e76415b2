/* SPDX-License-Identifier: MIT
 * The CPU levels: what the machine must have for each, and which is in force. */
#include "core/cpu.h"

#include <sched.h>
#include <stdint.h>
#include <string.h>

#if defined(__x86_64__)
#include <cpuid.h>

/* What the machine says of itself, 32 bits each: registers of CPUID, and XCR0. */
enum word { LEAF_1_ECX, LEAF_7_EBX, LEAF_7_ECX, EXTENDED_1_ECX, XCR0, WORDS };

struct feature {
    const char *name;
    enum word word;
    uint32_t bits; /* all of which must be set */
};

#define BIT(n) (UINT32_C(1) << (n))

/* By level; each level also needs what those below it need. The bits of XCR0 are the registers that the
 * system must save. __builtin_cpu_supports() takes literal names only, so no table can hold them. Not every
 * compiler's knows LZCNT, and a machine without LZCNT runs it as another instruction, which gives wrong
 * counts. */
static const struct feature needs[FPGZ_CPU_LEVELS][16] = {
    [FPGZ_CPU_AVX2] = {{"registers of 256 bits", XCR0, BIT(1) | BIT(2)},
                       {"AVX2", LEAF_7_EBX, BIT(5)},
                       {"BMI1", LEAF_7_EBX, BIT(3)},
                       {"BMI2", LEAF_7_EBX, BIT(8)},
                       {"POPCNT", LEAF_1_ECX, BIT(23)},
                       {"LZCNT", EXTENDED_1_ECX, BIT(5)}},
    [FPGZ_CPU_AVX512] = {{"registers of 512 bits", XCR0, BIT(5) | BIT(6) | BIT(7)},
                         {"AVX512F", LEAF_7_EBX, BIT(16)},
                         {"AVX512BW", LEAF_7_EBX, BIT(30)},
                         {"AVX512CD", LEAF_7_EBX, BIT(28)},
                         {"AVX512DQ", LEAF_7_EBX, BIT(17)},
                         {"AVX512VL", LEAF_7_EBX, BIT(31)},
                         {"AVX512VBMI", LEAF_7_ECX, BIT(1)},
                         {"AVX512VBMI2", LEAF_7_ECX, BIT(6)},
                         {"AVX512BITALG", LEAF_7_ECX, BIT(12)},
                         {"AVX512VPOPCNTDQ", LEAF_7_ECX, BIT(14)},
                         {"GFNI", LEAF_7_ECX, BIT(8)}},
};

/* Each CPUID takes microseconds in a virtual machine. All that run 64 bits have the leaves but 7. */
static void read_machine(uint32_t words[WORDS])
{
    uint32_t a, b, c, d;
    memset(words, 0, WORDS * sizeof *words);
    __cpuid(1, a, b, words[LEAF_1_ECX], d);
    __cpuid(0x80000001, a, b, words[EXTENDED_1_ECX], d);
    __cpuid(0, a, b, c, d);
    if (a >= 7)
        __cpuid_count(7, 0, a, words[LEAF_7_EBX], words[LEAF_7_ECX], d);
    if (words[LEAF_1_ECX] & BIT(27)) /* XGETBV may be used */
        __asm__("xgetbv" : "=a"(words[XCR0]), "=d"(d) : "c"(0));
}
#else

enum { WORDS = 1 };

struct feature {
    const char *name;
    unsigned word;
    uint32_t bits;
};

/* On other architectures every machine has what the levels need. */
static const struct feature needs[FPGZ_CPU_LEVELS][1];

static void read_machine(uint32_t words[WORDS])
{
    words[0] = 0;
}
#endif

const char *fpgz_cpu_lacks(enum fpgz_cpu_level level)
{
    uint32_t words[WORDS];
    read_machine(words);
    for (enum fpgz_cpu_level l = FPGZ_CPU_C; l <= level; l++)
        for (const struct feature *feature = needs[l]; feature->name; feature++)
            if ((words[feature->word] & feature->bits) != feature->bits)
                return feature->name;
    return NULL;
}

enum fpgz_cpu_level fpgz_cpu_best(void)
{
    enum fpgz_cpu_level level = FPGZ_CPU_LEVELS - 1;
    while (fpgz_cpu_lacks(level))
        level--;
    return level;
}

/* Plus one, so that zero means "not yet detected"; every thread would store the same value. */
static _Atomic int level_in_force;

enum fpgz_cpu_level fpgz_cpu(void)
{
    if (!level_in_force)
        level_in_force = (int)fpgz_cpu_best() + 1;
    return (enum fpgz_cpu_level)(level_in_force - 1);
}

bool fpgz_cpu_set(enum fpgz_cpu_level level)
{
    if (fpgz_cpu_lacks(level))
        return false;
    level_in_force = (int)level + 1;
    return true;
}

const char *fpgz_cpu_name(enum fpgz_cpu_level level)
{
    static const char *const names[FPGZ_CPU_LEVELS] = {FPGZ_CPU_LEVEL_NAMES};
    return names[level];
}

const void *fpgz_cpu_choose(fpgz_kernels kernels)
{
    enum fpgz_cpu_level level = fpgz_cpu();
    while (!kernels[level])
        level--;
    return kernels[level];
}

const void *fpgz_cpu_choose_word(fpgz_word_kernels kernels, size_t bytes)
{
    return fpgz_cpu_choose(kernels[__builtin_ctzl(bytes)]);
}

unsigned fpgz_cpu_count(void)
{
    cpu_set_t allowed;
    if (sched_getaffinity(0, sizeof allowed, &allowed) != 0)
        return 1;
    const int count = CPU_COUNT(&allowed);
    return count > 0 ? (unsigned)count : 1;
}
