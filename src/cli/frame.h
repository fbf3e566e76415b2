/* SPDX-License-Identifier: MIT
 * What an HDF5 file's container does not hold as arrays: attributes, and datasets that are small, filtered or
 * of compact layout. The file itself must tell of them, so it is restored to a temporary one. */
#ifndef FPGZ_CLI_FRAME_H
#define FPGZ_CLI_FRAME_H

#include "cli/archive.h"
#include "cli/options.h"
#include "source/source.h"

/* Opens a dataset of the archived file by its name, with its values or without (source/source.h); without
 * them the file is restored without its arrays' bytes. FPGZ_UNSUPPORTED where this build has no HDF5. */
enum fpgz_status frame_dataset(const struct options *options, struct archive *archive, const char *name,
                               bool values, struct fpgz_dataset *dataset, struct fpgz_error *error);

/* The attributes of an array of the container, and what is left of them, which dataset->attributes and
 * dataset->left receive: from a section of their own or, of an HDF5 file, by frame_dataset(). */
enum fpgz_status frame_attributes(const struct options *options, struct archive *archive, uint32_t array,
                                  struct fpgz_dataset *dataset, struct fpgz_error *error);

#endif
