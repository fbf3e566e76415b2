/* SPDX-License-Identifier: MIT
 * What bytes without any hint seem to be: the type of their values, and the axes of their grid. */
#ifndef FPGZ_ARCHIVE_GUESS_H
#define FPGZ_ARCHIVE_GUESS_H

#include "archive/input.h"
#include "archive/rating.h"
#include "core/buffer.h"
#include "core/content.h"

/* Whether a file's content is bytes without a hint of what they are, and the setup leaves that open. */
bool fpgz_guess_is_open(const struct fpgz_setup *setup, const struct fpgz_content *content);

/* Guesses how such a file is best coded: sets type and
 * order of content's one part, and the axes that its chunks have. Without a guess it stays bytes. The front
 * of a pipe is read, and left in `front`, with its length in *got. Fails where that cannot be read, and
 * without memory. */
enum fpgz_status fpgz_guess(const struct fpgz_setup *setup, const struct fpgz_input *input,
                            struct fpgz_content *content, struct fpgz_buffer *front, size_t *got,
                            struct fpgz_error *error);

/* The same of a sample. *known is false without a guess. FPGZ_MEMORY. */
enum fpgz_status fpgz_guess_shape(const struct fpgz_setup *setup, const uint8_t *sample, size_t length,
                                  struct fpgz_shape *shape, bool *known);

/* Adds the axes to a shape that repetitions in a sample of its values suggest, where prans codes them better
 * so. Without memory it adds none. */
void fpgz_guess_axes(const struct fpgz_setup *setup, const uint8_t *sample, size_t length,
                     struct fpgz_shape *shape);

#endif
