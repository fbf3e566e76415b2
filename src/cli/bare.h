/* SPDX-License-Identifier: MIT */
#ifndef FPGZ_CLI_BARE_H
#define FPGZ_CLI_BARE_H

#include "cli/command.h"

/* Compresses one whole grid to the bare stream of the options' codec, or restores it: the files of the
 * published programs. One file, or standard input for NULL, in memory. Failures are reported. */
void bare_file(const struct command *command, const char *path);

#endif
