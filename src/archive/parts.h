/* SPDX-License-Identifier: MIT
 * Which arrays of a file are worth being parts of their own. */
#ifndef FPGZ_ARCHIVE_PARTS_H
#define FPGZ_ARCHIVE_PARTS_H

#include "archive/input.h"
#include "archive/setup.h"
#include "core/content.h"

/* Whether `length` opaque bytes, by a sample of them, are not worth deflating: filtered data, mostly. */
bool fpgz_parts_hopeless(const uint8_t *bytes, size_t length, struct fpgz_chunk_buffers *buffers);

/* Merges arrays into the file's opaque bytes that cannot gain what their sections cost: small ones, and those
 * that a sample says so of. False without memory. */
bool fpgz_parts_merge(const struct fpgz_setup *setup, const struct fpgz_input *input,
                      struct fpgz_content *content);

#endif
