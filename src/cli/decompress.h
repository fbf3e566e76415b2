/* SPDX-License-Identifier: MIT */
#ifndef FPGZ_CLI_DECOMPRESS_H
#define FPGZ_CLI_DECOMPRESS_H

#include "cli/command.h"

/* Restores, or only tests, the containers in one file, or standard input for NULL. Failures are reported. */
void decompress_file(const struct command *command, const char *path);

#endif
