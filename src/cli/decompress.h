/* SPDX-License-Identifier: MIT */
#ifndef FPGZ_CLI_DECOMPRESS_H
#define FPGZ_CLI_DECOMPRESS_H

#include "cli/options.h"
#include "cli/output.h"
#include "container/format.h"

/* Restores, or only tests, the containers in one file, or standard input for NULL. Failures are reported. */
void decompress_file(const struct options *options, const char *path);

/* Restores the containers in a file, from its beginning, to `fd`; *metadata receives what the file is to get,
 * of which the caller frees the extended attributes. */
enum fpgz_status decompress_into(const struct options *options, const struct input *input, int fd,
                                 struct metadata *metadata, struct fpgz_error *error);

/* What a container was found to restore. */
struct verified {
    uint64_t bytes;
    bool summed;     /* or: the bytes did not come in their order */
    uint64_t sum;    /* XXH3-64 of them */
    uint64_t xattrs; /* the same of the extended attributes, as their section has them; 0: there are none */
};

/* Decodes every chunk of the container in a regular file, from its beginning, and compares all checksums, as
 * -t does. With `end`, the end section that its writer wrote, also whether it is that very container, which
 * holds the checksum of every byte that went into it. With `whole` what is restored is summed in any case, if
 * need be through a temporary file. Damaged chunks are reported under `name`; with NULL the first one is the
 * error. */
enum fpgz_status decompress_verify(const struct options *options, int fd, const char *name,
                                   const struct fpgz_section *end, bool whole, struct verified *verified,
                                   struct fpgz_error *error);

#endif
