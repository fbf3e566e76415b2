/* SPDX-License-Identifier: MIT
 * What the unit tests count and say. */
#ifndef FPGZ_TESTS_UNIT_CHECKS_H
#define FPGZ_TESTS_UNIT_CHECKS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

static unsigned passed, failed;
static const char *checking = ""; /* with what, where that changes: said of what fails */

#define CHECK(ok) check((ok), #ok, __FILE__, __LINE__)

static inline void check(bool ok, const char *what, const char *file, int line)
{
    passed += ok;
    failed += !ok;
    if (!ok)
        printf("FAILED: %s:%d %s: %s\n", file, line, checking, what);
}

/* Prints the counts; the exit code. */
static inline int checks_end(void)
{
    printf("%u passed, %u failed\n", passed, failed);
    return passed == 0 || failed != 0;
}

static uint64_t random_state = 1;

/* 47 bits, the same ones in every run. */
static inline uint64_t random_bits(void)
{
    random_state = random_state * 6364136223846793005u + 1442695040888963407u;
    return random_state >> 17;
}

#endif
