/* SPDX-License-Identifier: MIT
 * How the parts of a file are compressed, and which of its arrays are worth being parts. */
#ifndef FPGZ_ARCHIVE_PARTS_H
#define FPGZ_ARCHIVE_PARTS_H

#include "archive/input.h"
#include "archive/setup.h"
#include "core/content.h"

/* The level that a file's arrays are coded at: the options', but where they are few, size counts more from
 * the default on, since the time is short anyway. */
int fpgz_parts_level(const struct fpgz_setup *setup, const struct fpgz_content *content);

/* How the chunks of a part are to be coded: opaque bytes by deflate, arrays as the options say or, where the
 * codec that they name cannot take the dtype, by a sample. */
struct fpgz_coder fpgz_parts_coder(const struct fpgz_setup *setup, int level, const struct fpgz_part *part);

/* Whether `length` opaque bytes, by a sample of them, are not worth deflating: filtered data, mostly. */
bool fpgz_parts_hopeless(const uint8_t *bytes, size_t length, struct fpgz_chunk_buffers *buffers);

/* Merges arrays into the file's opaque bytes that cannot gain what their sections cost: small ones, and those
 * that a sample says so of. False without memory. */
bool fpgz_parts_merge(const struct fpgz_setup *setup, const struct fpgz_input *input,
                      struct fpgz_content *content);

#endif
