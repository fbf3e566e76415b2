/* SPDX-License-Identifier: MIT
 * What an input holds. */
#ifndef FPGZ_CLI_DESCRIBE_H
#define FPGZ_CLI_DESCRIBE_H

#include "cli/input.h"
#include "cli/options.h"
#include "source/source.h"

/* The format of an input that is a whole regular file; NULL where it is none of the table. */
const struct fpgz_source *describe_format(const struct input *input);

/* Makes sure of what reading a file of that format (or NULL) takes, and sees that it is there where it ended.
 * Not where a GPU may have threads: before those it was started by main(). */
enum fpgz_status describe_begin(const struct options *options, const struct fpgz_source *source,
                                struct fpgz_error *error);

/* The content of a file that is nothing but a grid: of `bytes` bytes, or 0 where they come through a pipe. */
enum fpgz_status describe_grid(const struct fpgz_array *array, const char *name, uint64_t bytes,
                               struct fpgz_content *content, struct fpgz_error *error);

/* The content of a file of a format of the table, or of a raw grid: who says what its values are means the
 * latter, whatever the file begins with. A damaged file is content without arrays, and a warning. */
enum fpgz_status describe_input(const struct options *options, const struct input *input,
                                struct fpgz_content *content, struct fpgz_error *error);

/* Says which attributes of a dataset are left out of what it becomes, if any are. */
void describe_left(const struct input *input, const char *dataset, const struct fpgz_attributes_left *left);

#endif
