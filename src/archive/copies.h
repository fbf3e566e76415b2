/* SPDX-License-Identifier: MIT
 * Arrays of a file whose bytes are those of another array: they are coded once. */
#ifndef FPGZ_ARCHIVE_COPIES_H
#define FPGZ_ARCHIVE_COPIES_H

#include "archive/input.h"
#include "core/content.h"

/* Makes parts copies (fpgz_part_make_copy()) of the first one with the same bytes, all of which are compared.
 * To be called when the parts have their final numbers. False without memory. */
bool fpgz_copies_find(const struct fpgz_input *input, struct fpgz_content *content);

#endif
