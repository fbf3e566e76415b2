/* SPDX-License-Identifier: MIT
 * A run of the command. main() makes it, and passes it to the function of each mode. */
#ifndef FPGZ_CLI_COMMAND_H
#define FPGZ_CLI_COMMAND_H

#include "cli/options.h"
#include "console/message.h"

struct command {
    const struct options *options;
    struct console *console;
    struct fpgz_terms terms; /* the setup is that of the options */
};

#endif
