/* SPDX-License-Identifier: MIT
 * What an input holds. */
#ifndef FPGZ_ARCHIVE_DESCRIBE_H
#define FPGZ_ARCHIVE_DESCRIBE_H

#include "archive/input.h"
#include "archive/setup.h"
#include "source/source.h"

/* The format of an input that is a whole regular file; NULL where it is none of the table. */
const struct fpgz_source *fpgz_describe_format(const struct fpgz_input *input);

/* Makes sure of what reading a file of that format (or NULL) takes, and sees that it is there where it ended.
 * Not where a GPU may have threads: before those it was started by main(). */
enum fpgz_status fpgz_describe_begin(const struct fpgz_setup *setup, const struct fpgz_source *source,
                                     struct fpgz_error *error);

/* The content of a file that is nothing but a grid: of `bytes` bytes, or 0 where they come through a pipe. */
enum fpgz_status fpgz_describe_grid(const struct fpgz_array *array, const char *name, uint64_t bytes,
                                    struct fpgz_content *content, struct fpgz_error *error);

/* The content of a file of a format of the table, or of a raw grid: who says what its values are means the
 * latter, whatever the file begins with. A damaged file is content without arrays, and a warning. */
enum fpgz_status fpgz_describe_input(const struct fpgz_setup *setup, const struct fpgz_input *input,
                                     struct fpgz_content *content, struct fpgz_error *error);

/* Says which attributes of a dataset are left out of what it becomes, if any are. */
void fpgz_describe_left(const struct fpgz_setup *setup, const struct fpgz_input *input, const char *dataset,
                        const struct fpgz_attributes_left *left);

#endif
