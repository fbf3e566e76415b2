/* SPDX-License-Identifier: MIT */
#ifndef FPGZ_CLI_COMPRESS_H
#define FPGZ_CLI_COMPRESS_H

#include <sys/stat.h>

#include "archive/verify.h"
#include "cli/decompress.h"
#include "cli/options.h"
#include "cli/removal.h"

/* Compresses one file, or standard input for NULL, to where the options say. Failures are reported. */
void compress_file(const struct options *options, const char *path);

/* What became of a file. */
struct compressed {
    struct proof proof;            /* of the source */
    struct fpgz_verified restored; /* what its container was found to restore */
};

/* The same, but verifies the container in any case and leaves the removal of the source to the caller; false
 * when there is no complete container. */
bool compress_and_tell(const struct options *options, const char *path, struct compressed *compressed);

#endif
