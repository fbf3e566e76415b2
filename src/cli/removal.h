/* SPDX-License-Identifier: MIT
 * The one place where a source is removed. */
#ifndef FPGZ_CLI_REMOVAL_H
#define FPGZ_CLI_REMOVAL_H

#include "cli/output.h"

/* Removes the file that the output was made from, once it was committed as a file: what went into a pipe or
 * device is not there to replace it. A file that took the source's place meanwhile is left alone. Both with a
 * warning. */
void output_remove_source(const struct output *output, const struct input *input);

/* Removes a file that is still what it was when it was read; else a warning tells why it stays. */
void source_remove(const char *path, const struct stat *was);

#endif
