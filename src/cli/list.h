/* SPDX-License-Identifier: MIT */
#ifndef FPGZ_CLI_LIST_H
#define FPGZ_CLI_LIST_H

#include "cli/command.h"

/* Prints what the options' files hold, from their indexes and, if asked for more, the fronts of
 * streams. Failures are reported. */
void list_files(const struct command *command);

#endif
