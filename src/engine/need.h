/* SPDX-License-Identifier: MIT
 * The memory that a chunk takes on its way through its buffers, known before any is taken. */
#ifndef FPGZ_ENGINE_NEED_H
#define FPGZ_ENGINE_NEED_H

#include "engine/chunk.h"

/* Bytes of each of the buffers that are needed at most; the raw values are among them. */
struct fpgz_need {
    size_t raw, stream, scratch, restored, second;
};

/* For fpgz_chunk_encode(). */
struct fpgz_need fpgz_need_encode(const struct fpgz_coder *coder, const struct fpgz_grid *grid);

/* For fpgz_chunk_decode() and fpgz_chunk_decode_range(), with the stream. */
struct fpgz_need fpgz_need_decode(const struct fpgz_coded *coded);

/* Bytes that the buffers hold, at most, once they served the need; NULL: new ones. */
uint64_t fpgz_need_bytes(const struct fpgz_need *need, const struct fpgz_chunk_buffers *buffers);

#endif
