/* SPDX-License-Identifier: MIT
 * One chunk through the codec table, either way, with its checksums. */
#ifndef FPGZ_ENGINE_CHUNK_H
#define FPGZ_ENGINE_CHUNK_H

#include "engine/coded.h"

/* Codes `grid`, whose bytes are in buffers->raw (and are swapped there), and their checksum in
 * coded->raw_checksum. A lossy codec keeps within the bound: by itself, at the lowest rate that does, when
 * that is left open (or the chunk is stored); else FPGZ_USAGE when coded->errors are above it.
 * FPGZ_INTERNAL when a verified codec's stream does not decode to the grid (a chunk is stored where the codec
 * was not given), FPGZ_UNSUPPORTED when a codec refuses the arithmetic here. */
enum fpgz_status fpgz_chunk_encode(const struct fpgz_coder *coder, const struct fpgz_grid *grid,
                                   struct fpgz_chunk_buffers *buffers, struct fpgz_coded *coded);

/* Restores a chunk whose stream begins buffers->stream into buffers->raw, as its bytes stood in the file, and
 * verifies them. The caller has verified the stream; coded->grid must be valid and within the limit. */
enum fpgz_status fpgz_chunk_decode(const struct fpgz_coded *coded, bool swap,
                                   struct fpgz_chunk_buffers *buffers);

/* Restores `count` values of the chunk, from `first` on, in little-endian order into the front of
 * buffers->raw, where fpgz_codec_takes_ranges(). Only the stream vouches for them. */
enum fpgz_status fpgz_chunk_decode_range(const struct fpgz_coded *coded, uint64_t first, uint64_t count,
                                         struct fpgz_chunk_buffers *buffers);

/* What a chunk is that decoding refused: "damaged", unless it is this fpgz that cannot decode it. */
const char *fpgz_chunk_refusal(enum fpgz_status status);

void fpgz_chunk_buffers_free(struct fpgz_chunk_buffers *buffers);

#endif
