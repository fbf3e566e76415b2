/* SPDX-License-Identifier: MIT
 * How the parts of a file are coded. */
#ifndef FPGZ_ARCHIVE_CODER_H
#define FPGZ_ARCHIVE_CODER_H

#include "archive/input.h"
#include "archive/setup.h"
#include "core/content.h"

/* The level that arrays are coded at: the setup's level or, where those of a file have few bytes, that
 * level's substitute. Raw arrays that are no file keep the setup's: they ask for speed. */
int fpgz_coder_level(const struct fpgz_setup *setup, const struct fpgz_input *input,
                     const struct fpgz_content *content);

/* How to code the chunks of a part: opaque bytes by a codec for bytes, arrays by the setup's codec. If that
 * codec does not take the dtype, a sample chooses. */
struct fpgz_coder fpgz_coder_of(const struct fpgz_setup *setup, int level, const struct fpgz_part *part);

/* For a quick look at what values may come to: where a sample would choose the codec, it is prans by its
 * defaults. */
void fpgz_coder_presume(struct fpgz_coder *coder);

#endif
