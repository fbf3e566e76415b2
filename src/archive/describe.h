/* SPDX-License-Identifier: MIT
 * What an input holds. */
#ifndef FPGZ_ARCHIVE_DESCRIBE_H
#define FPGZ_ARCHIVE_DESCRIBE_H

#include "archive/input.h"
#include "archive/setup.h"
#include "source/source.h"

/* The format of an input that is a whole regular file, as the setup says or as the file begins; NULL where it
 * is a raw grid, or no format of the table knows it. */
const struct fpgz_source *fpgz_describe_format(const struct fpgz_setup *setup,
                                               const struct fpgz_input *input);

/* Makes sure that a file of that format (or NULL) can be read, and starts the process for it again if that
 * has ended. Not called while a GPU may have threads: main() started the process before those. */
enum fpgz_status fpgz_describe_begin(const struct fpgz_terms *terms, const struct fpgz_source *source,
                                     struct fpgz_error *error);

/* The content of a file that is one grid: of `bytes` bytes, or 0 where it comes through a pipe. */
enum fpgz_status fpgz_describe_grid(const struct fpgz_array *array, const char *name, uint64_t bytes,
                                    struct fpgz_content *content, struct fpgz_error *error);

/* The content of a file of a format of the table, or of a raw grid. If the setup says what the values are,
 * the file is a raw grid, whatever it begins with. A damaged file becomes content without arrays, and a
 * warning. */
enum fpgz_status fpgz_describe_input(const struct fpgz_terms *terms, const struct fpgz_input *input,
                                     struct fpgz_content *content, struct fpgz_error *error);

/* Reports the attributes of a dataset that its output leaves out, if any. */
void fpgz_describe_left(const struct fpgz_terms *terms, const struct fpgz_input *input, const char *dataset,
                        const struct fpgz_attributes_left *left);

#endif
