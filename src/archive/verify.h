/* SPDX-License-Identifier: MIT
 * Whether a container restores, and what. */
#ifndef FPGZ_ARCHIVE_VERIFY_H
#define FPGZ_ARCHIVE_VERIFY_H

#include "archive/setup.h"
#include "container/format.h"

/* What a container was found to restore. */
struct fpgz_verified {
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
enum fpgz_status fpgz_check_container(const struct fpgz_setup *setup, int fd, const char *name,
                                      const struct fpgz_section *end, bool whole,
                                      struct fpgz_verified *verified, struct fpgz_error *error);

#endif
