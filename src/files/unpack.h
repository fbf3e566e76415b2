/* SPDX-License-Identifier: MIT
 * Containers into files: what the command and fpgz batch do alike when they restore. */
#ifndef FPGZ_FILES_UNPACK_H
#define FPGZ_FILES_UNPACK_H

#include "archive/unpacking.h"
#include "files/output.h"

/* What the file gets that fpgz_unpacking_begin() has found: its own, and the container's owner. Its extended
 * attributes stay the unpacking's. */
struct metadata unpack_metadata(const struct fpgz_unpacking *begun, const struct fpgz_input *input);

/* Restores to a file, of a container that fpgz_unpacking_begin() has begun. */
enum fpgz_status unpack_run(struct fpgz_unpacking *begun, int fd, struct fpgz_error *error);

/* Restores the containers in a file, from its beginning, to `fd`; *metadata receives what the file is to get,
 * of which the caller frees the extended attributes. */
enum fpgz_status unpack_into(const struct fpgz_terms *terms, const struct fpgz_input *input, int fd,
                             struct metadata *metadata, struct fpgz_error *error);

#endif
