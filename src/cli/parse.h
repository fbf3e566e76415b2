/* SPDX-License-Identifier: MIT */
#ifndef FPGZ_CLI_PARSE_H
#define FPGZ_CLI_PARSE_H

#include "cli/options.h"
#include "console/message.h"

/* Reads FPGZ_OPTS and argv into `options`, whose files point into argv. Help and version are printed, and
 * errors reported, here: false then, and the exit code is the console's. */
bool options_parse(int argc, char **argv, struct options *options, struct console *console);

#endif
