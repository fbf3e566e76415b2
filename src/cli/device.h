/* SPDX-License-Identifier: MIT
 * The device that the command line names. */
#ifndef FPGZ_CLI_DEVICE_H
#define FPGZ_CLI_DEVICE_H

#include "cli/command.h"

/* Opens it for the command's terms. Where `several` files come, the process that reads HDF5 files is started
 * before the GPU has threads. False, with the reason reported, where it was asked for and cannot be had. */
bool device_open(struct command *command, bool several);

/* Whether device_open() would find it, which a child process tells: a process that has looked for GPUs can
 * have no children that use them. Reports why not. */
bool device_is_there(const struct command *command);

/* Reports a failure, and with `all` and -v what GPUs did. */
void device_tell(const struct command *command, bool all);

#endif
