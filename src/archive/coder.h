/* SPDX-License-Identifier: MIT
 * How the parts of a file are coded. */
#ifndef FPGZ_ARCHIVE_CODER_H
#define FPGZ_ARCHIVE_CODER_H

#include "archive/setup.h"
#include "core/content.h"

/* The level that a file's arrays are coded at: the options', or the one that it has for few bytes. */
int fpgz_coder_level(const struct fpgz_setup *setup, const struct fpgz_content *content);

/* How the chunks of a part are to be coded: opaque bytes by deflate, arrays as the options say or, where the
 * codec that they name cannot take the dtype, by a sample. */
struct fpgz_coder fpgz_coder_of(const struct fpgz_setup *setup, int level, const struct fpgz_part *part);

#endif
