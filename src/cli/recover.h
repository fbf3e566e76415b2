/* SPDX-License-Identifier: MIT */
#ifndef FPGZ_CLI_RECOVER_H
#define FPGZ_CLI_RECOVER_H

#include "cli/command.h"

/* Restores what can be of a damaged container in a regular file, to the options' output. What is lost is
 * filled, and listed as warnings; failures are reported. */
void recover_file(const struct command *command, const char *path);

#endif
