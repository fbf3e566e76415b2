/* SPDX-License-Identifier: MIT */
#ifndef FPGZ_CLI_DECOMPRESS_H
#define FPGZ_CLI_DECOMPRESS_H

#include "cli/options.h"

/* Restores, or only tests, the containers in one file, or standard input for NULL. Failures are reported. */
void decompress_file(const struct options *options, const char *path);

#endif
