/* SPDX-License-Identifier: MIT
 * Which arrays of a file become parts of their own. */
#ifndef FPGZ_ARCHIVE_PARTS_H
#define FPGZ_ARCHIVE_PARTS_H

#include "archive/input.h"
#include "archive/setup.h"
#include "core/content.h"

/* Whether deflating `length` opaque bytes would gain nothing, by a sample of them. Mostly that is filtered
 * data. */
bool fpgz_parts_hopeless(const uint8_t *bytes, size_t length, struct fpgz_chunk_buffers *buffers);

/* Bytes that the sections of an array and of one chunk cost, those of opaque bytes between its pieces
 * included. */
double fpgz_parts_cost(const struct fpgz_part *part);

/* Merges arrays that cannot gain what their sections cost into the file's opaque bytes: small ones, and
 * those for which a sample shows it. False without memory. */
bool fpgz_parts_merge(const struct fpgz_setup *setup, const struct fpgz_input *input,
                      struct fpgz_content *content);

#endif
