/* SPDX-License-Identifier: MIT */
#ifndef FPGZ_CLI_COMPRESS_H
#define FPGZ_CLI_COMPRESS_H

#include "archive/verify.h"
#include "cli/command.h"
#include "files/removal.h"

/* Compresses one file, or standard input for NULL, to where the options say. Failures are reported. */
void compress_file(const struct command *command, const char *path);

/* The same, but verifies the container in any case and leaves the removal of the source to the caller. False
 * when there is no complete container; else *restored receives what it was found to restore. */
bool compress_and_tell(const struct command *command, const char *path, struct proof *proof,
                       struct fpgz_verified *restored);

#endif
