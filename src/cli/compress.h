/* SPDX-License-Identifier: MIT */
#ifndef FPGZ_CLI_COMPRESS_H
#define FPGZ_CLI_COMPRESS_H

#include <sys/stat.h>

#include "cli/decompress.h"
#include "cli/options.h"

/* Compresses one file, or standard input for NULL, to where the options say. Failures are reported. */
void compress_file(const struct options *options, const char *path);

/* What became of a file. */
struct compressed {
    struct stat source;       /* as it was read */
    struct verified restored; /* with --verify: what its container was found to restore */
};

/* The same; false when there is no complete container. */
bool compress_and_tell(const struct options *options, const char *path, struct compressed *compressed);

#endif
