/* SPDX-License-Identifier: MIT
 * Whether chunks as long as a slow level's are too long for an array. */
#ifndef FPGZ_ARCHIVE_SHORTENING_H
#define FPGZ_ARCHIVE_SHORTENING_H

#include "archive/intake.h"
#include "archive/setup.h"

/* Lets those of the first large arrays of the intake's content be cut as at the default level
 * (part->shortened) that change so much that it makes their first values shorter, coded at `level`. Only
 * where chunks that aim at `target` bytes would be longer than there, and nobody asked for them or for a
 * codec. What cannot be read or coded stays as it is. */
void fpgz_shorten_chunks(const struct fpgz_setup *setup, int level, uint64_t target, uint64_t slab,
                         struct fpgz_intake *intake);

#endif
