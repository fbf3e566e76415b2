/* SPDX-License-Identifier: MIT
 * What a container does not hold as arrays of a file: attributes, and datasets that are small, filtered or of
 * compact layout. Only the file itself holds these, so it is restored to a temporary file. */
#ifndef FPGZ_ARCHIVE_FRAME_H
#define FPGZ_ARCHIVE_FRAME_H

#include "archive/catalog.h"
#include "archive/setup.h"
#include "source/source.h"

/* Opens a dataset of the archived file by its name, with or without its values (source/source.h). Without
 * them the file is restored without its arrays' bytes. FPGZ_UNSUPPORTED where this build cannot do that. */
enum fpgz_status fpgz_frame_dataset(const struct fpgz_terms *terms, struct fpgz_catalog *archive,
                                    const char *name, bool values, struct fpgz_dataset *dataset,
                                    struct fpgz_error *error);

/* The attributes of an array of the container, in dataset->attributes, and those that cannot be expressed,
 * in dataset->left. They come from a section of their own or, where the file keeps them, through
 * fpgz_frame_dataset(). */
enum fpgz_status fpgz_frame_attributes(const struct fpgz_terms *terms, struct fpgz_catalog *archive,
                                       uint32_t array, struct fpgz_dataset *dataset,
                                       struct fpgz_error *error);

#endif
