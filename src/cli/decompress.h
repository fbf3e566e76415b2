/* SPDX-License-Identifier: MIT */
#ifndef FPGZ_CLI_DECOMPRESS_H
#define FPGZ_CLI_DECOMPRESS_H

#include "cli/options.h"
#include "cli/output.h"

/* Restores, or only tests, the containers in one file, or standard input for NULL. Failures are reported. */
void decompress_file(const struct options *options, const char *path);

/* Restores the containers in a file, from its beginning, to `fd`; *metadata receives what the file is to get,
 * of which the caller frees the extended attributes. */
enum fpgz_status decompress_into(const struct options *options, const struct fpgz_input *input, int fd,
                                 struct metadata *metadata, struct fpgz_error *error);

#endif
