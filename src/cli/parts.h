/* SPDX-License-Identifier: MIT
 * How the parts of a file are compressed, and which of its arrays are worth being parts. */
#ifndef FPGZ_CLI_PARTS_H
#define FPGZ_CLI_PARTS_H

#include "cli/input.h"
#include "cli/options.h"
#include "core/content.h"

/* The level that a file's arrays are coded at: the options', but where they are few, size counts more from
 * the default on, since the time is short anyway. */
int parts_level(const struct options *options, const struct fpgz_content *content);

/* How the chunks of a part are to be coded: opaque bytes by deflate, arrays as the options say or, where the
 * codec that they name cannot take the dtype, by a sample. */
struct fpgz_coder parts_coder(const struct options *options, int level, const struct fpgz_part *part);

/* Whether `length` opaque bytes, by a sample of them, are not worth deflating: filtered data, mostly. */
bool parts_hopeless(const uint8_t *bytes, size_t length, struct fpgz_chunk_buffers *buffers);

/* Merges arrays into the file's opaque bytes that cannot gain what their sections cost: small ones, and those
 * that a sample says so of. False without memory. */
bool parts_merge(const struct options *options, const struct input *input, struct fpgz_content *content);

#endif
