/* SPDX-License-Identifier: MIT */
#ifndef FPGZ_CLI_OPERANDS_H
#define FPGZ_CLI_OPERANDS_H

#include "cli/options.h"

/* Puts the files that the options mean in place of the operands; true when there is something to do, be it
 * with standard input. operands_release() frees them. */
bool operands_gather(struct options *options, struct console *console);
void operands_release(struct options *options);

#endif
