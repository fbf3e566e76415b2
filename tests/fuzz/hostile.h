/* SPDX-License-Identifier: MIT
 * What the targets share that run the command on bytes of any origin. */
#ifndef TESTS_FUZZ_HOSTILE_H
#define TESTS_FUZZ_HOSTILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Which checks of a container are made right, so that what is wrong is found by those that look behind them.
 */
enum hostile_repair {
    HOSTILE_AS_IT_IS,
    HOSTILE_CHECKS, /* every checksum */
    HOSTILE_INDEX, /* and the index lists the sections that stand before it, as far as it has room for them */
    HOSTILE_REPAIRS
};

/* What the command prints goes nowhere; descriptor 2 stays, for sanitizers and libFuzzer. */
void hostile_silence(void);

/* Calls run() for each way to repair these bytes, with the path of a file of them. */
void hostile_containers(const uint8_t *data, size_t size,
                        void (*run)(char *path, enum hostile_repair repair));

#endif
