/* SPDX-License-Identifier: MIT */
#ifndef FPGZ_CLI_BATCH_H
#define FPGZ_CLI_BATCH_H

#include "cli/command.h"

/* fpgz batch: archives, checks or restores, as the options say. Failures are reported. */
void batch_files(const struct command *command);

#endif
