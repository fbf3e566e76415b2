/* SPDX-License-Identifier: MIT
 * Whether a container can be restored, and to what. */
#ifndef FPGZ_ARCHIVE_VERIFY_H
#define FPGZ_ARCHIVE_VERIFY_H

#include "archive/setup.h"
#include "container/format.h"
#include "container/writer.h"

/* What a container restores. */
struct fpgz_verified {
    uint64_t bytes;
    bool summed;     /* `sum` is known; it is not where the bytes came in another order */
    uint64_t sum;    /* XXH3-64 of the restored bytes */
    uint64_t xattrs; /* XXH3-64 of the body of the section of extended attributes; 0: there is none */
};

/* Decodes every chunk of the container in a regular file, from its beginning, and compares all checksums,
 * as -t does. `written` is the writer of its last member, or NULL. With it, also checks that this is the
 * same container, since the writer's end section holds a checksum over all content. With `whole` the restored
 * bytes are always summed, if need be through a temporary file. Damaged chunks are reported under `name`; if
 * that is NULL, the first one is the error. */
enum fpgz_status fpgz_check_container(const struct fpgz_terms *terms, int fd, const char *name,
                                      const struct fpgz_writer *written, bool whole,
                                      struct fpgz_verified *verified, struct fpgz_error *error);

#endif
