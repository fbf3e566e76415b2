/* SPDX-License-Identifier: MIT
 * The memory that a chunk takes on its way through its buffers, known before any is taken. */
#ifndef FPGZ_ENGINE_NEED_H
#define FPGZ_ENGINE_NEED_H

#include "engine/chunk.h"

/* The most bytes that each buffer needs, including that of the raw values. */
struct fpgz_need {
    size_t raw, stream, scratch, restored, second;
};

/* For fpgz_chunk_encode(). */
struct fpgz_need fpgz_need_encode(const struct fpgz_coder *coder, const struct fpgz_grid *grid);

/* For fpgz_chunk_decode() and fpgz_chunk_decode_range(), with the stream. */
struct fpgz_need fpgz_need_decode(const struct fpgz_coded *coded);

/* The most bytes that the buffers hold after they served the need; NULL: new buffers. */
uint64_t fpgz_need_bytes(const struct fpgz_need *need, const struct fpgz_chunk_buffers *buffers);

/* How many of them those hold that a pipeline lends: FPGZ_LENT_SCRATCH or FPGZ_LENT. */
uint64_t fpgz_need_lent(const struct fpgz_need *need, const struct fpgz_chunk_buffers *buffers,
                        unsigned lent);

#endif
