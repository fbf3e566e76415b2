/* SPDX-License-Identifier: MIT */
#ifndef FPGZ_CLI_BENCH_H
#define FPGZ_CLI_BENCH_H

#include "cli/command.h"

/* Measures every codec of the table (or the one of --codec) on a file, in memory, and prints a row for each
 * CPU level and number of threads. Failures are reported. */
void bench_file(const struct command *command, const char *path);

#endif
