/* SPDX-License-Identifier: MIT */
#ifndef FPGZ_CLI_COMPRESS_H
#define FPGZ_CLI_COMPRESS_H

#include "cli/options.h"

/* Compresses one file, or standard input for NULL, to where the options say. Failures are reported. */
void compress_file(const struct options *options, const char *path);

#endif
