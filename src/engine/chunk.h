/* SPDX-License-Identifier: MIT
 * One chunk through the codec table, either way, with its checksums. */
#ifndef FPGZ_ENGINE_CHUNK_H
#define FPGZ_ENGINE_CHUNK_H

#include "engine/coded.h"

/* Codes `grid`, whose bytes are in buffers->raw, which may lack some (core/buffer.h), with the checksum of
 * all in coded->raw_checksum. FPGZ_MEMORY also where those do not come. Big-endian
 * values are swapped in place. A lossy codec whose rate is left open takes the lowest rate within the bound;
 * if no rate is, the chunk is stored. FPGZ_USAGE: the rate is given, and coded->errors exceed the bound.
 * FPGZ_INTERNAL: the stream of a verified codec that was given does not decode to the grid. (If the codec was
 * chosen by a sample, the chunk is stored instead.)
 * FPGZ_UNSUPPORTED: the codec refuses the floating-point arithmetic of this process. */
enum fpgz_status fpgz_chunk_encode(const struct fpgz_coder *coder, const struct fpgz_grid *grid,
                                   struct fpgz_chunk_buffers *buffers, struct fpgz_coded *coded);

/* About the length that the coder's codec, if it can tell, would make of the grid in buffers->raw, and in a
 * part of the time; else SIZE_MAX. The values stay as they are, unless the coder turns them. */
size_t fpgz_chunk_estimate(const struct fpgz_coder *coder, const struct fpgz_grid *grid,
                           struct fpgz_chunk_buffers *buffers);

/* Restores a chunk whose stream begins buffers->stream into buffers->raw, as its bytes stood in the file, and
 * verifies them. The caller has verified the stream; coded->grid must be valid and within the limit. */
enum fpgz_status fpgz_chunk_decode(const struct fpgz_coded *coded, bool swap,
                                   struct fpgz_chunk_buffers *buffers);

/* Restores `count` values of the chunk, from `first` on, in little-endian order into the front of
 * buffers->raw. Only where fpgz_codec_takes_ranges(). The chunk's checksum of raw bytes cannot be verified:
 * only the stream's has been. */
enum fpgz_status fpgz_chunk_decode_range(const struct fpgz_coded *coded, uint64_t first, uint64_t count,
                                         struct fpgz_chunk_buffers *buffers);

/* Makes rows of values of `size` bytes in buffers->raw columns. False without memory. */
bool fpgz_chunk_turn(struct fpgz_chunk_buffers *buffers, uint64_t rows, uint64_t columns, size_t size);

/* A word for a chunk that could not be decoded: "damaged", unless this fpgz is unable to decode it. */
const char *fpgz_chunk_refusal(enum fpgz_status status);

void fpgz_chunk_buffers_free(struct fpgz_chunk_buffers *buffers);

#endif
