/* SPDX-License-Identifier: MIT
 * A run of the command, which main() makes, and hands to what each mode does with a file. */
#ifndef FPGZ_CLI_COMMAND_H
#define FPGZ_CLI_COMMAND_H

#include "cli/options.h"
#include "console/message.h"

struct command {
    const struct options *options;
    struct console *console;
    struct fpgz_setup setup; /* the options', with what is alive: the listener and the backend */
};

#endif
