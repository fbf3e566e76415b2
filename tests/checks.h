/* SPDX-License-Identifier: MIT
 * How the test programs count: each check passes or fails, what fails is told of, and the last line is
 * "N passed, N failed". */
#ifndef FPGZ_TESTS_CHECKS_H
#define FPGZ_TESTS_CHECKS_H

#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

enum { CHECKS_TOLD = 30 }; /* failures that are told of; more are only counted */

/* Of the whole program, whose files all count into these. */
__attribute__((weak)) unsigned passed, failed;

/* A program may be one of several that share what is to be tried: which one, and of how many. */
__attribute__((weak)) unsigned checks_part, checks_parts = 1, checks_turn;

/* Whether what is to be tried next is for this program. */
static inline bool checks_is_mine(void)
{
    return checks_turn++ % checks_parts == checks_part;
}

__attribute__((unused)) static const char *checking =
    ""; /* with what, where that changes: CHECK() says it of what fails */

/* Counts a check, and tells by the format what failed. Returns `ok`. */
__attribute__((format(printf, 2, 3))) static inline bool check_that(bool ok, const char *format, ...)
{
    va_list args;
    passed += ok;
    failed += !ok;
    if (ok || failed > CHECKS_TOLD)
        return ok;
    va_start(args, format);
    printf("FAILED: ");
    vprintf(format, args);
    printf("\n");
    va_end(args);
    return ok;
}

#define CHECK(ok) check_that((ok), "%s:%d %s: %s", __FILE__, __LINE__, checking, #ok)

/* Prints the counts. Returns the exit code: 0 where something passed and nothing failed. */
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

/* A number below `below`, which is at most 2^31. */
static inline uint32_t random_under(uint64_t below)
{
    return (uint32_t)((random_bits() >> 16) % below);
}

#endif
