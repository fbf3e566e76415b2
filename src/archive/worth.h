/* SPDX-License-Identifier: MIT
 * Whether an array is worth to be coded without its filters. */
#ifndef FPGZ_ARCHIVE_WORTH_H
#define FPGZ_ARCHIVE_WORTH_H

#include "archive/imaging.h"
#include "engine/chunk.h"

/* Bytes that coding the part of the image saves, by samples of it; 0 or less: none. *plain becomes true
 * where the samples show what core/content.h says of a part. */
double fpgz_worth_of(const struct fpgz_imaging *imaging, const struct fpgz_part *part,
                     struct fpgz_chunk_buffers *buffers, bool *plain);

#endif
