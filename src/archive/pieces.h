/* SPDX-License-Identifier: MIT
 * The pieces of a chunk whose file holds them filtered: undone when they are read, done again when they are
 * restored. */
#ifndef FPGZ_ARCHIVE_PIECES_H
#define FPGZ_ARCHIVE_PIECES_H

#include "core/gather.h"
#include "engine/need.h"

/* Adds to the need of a chunk what the calls below take of its buffers beside `raw`, to restore `bytes`
 * bytes, or, with 0, to load them piece by piece. Nothing for a part without filters. */
void fpgz_pieces_need(const struct fpgz_part *part, size_t bytes, struct fpgz_need *need);

/* Reads the `bytes` bytes at `at` of the part's sequence into `raw`, and takes their checksum. Of a part with
 * filters they are whole pieces, and the filters are undone. With `proves` the pieces must then be what the
 * filters make; else it is enough that they are what they were when the part was described. *stopped is that
 * of fpgz_gather(). FPGZ_IO, with errno, where the file cannot be read; FPGZ_CORRUPT; FPGZ_MEMORY. */
enum fpgz_status fpgz_pieces_load(const struct fpgz_area *area, const struct fpgz_part *part, uint64_t at,
                                  uint8_t *raw, size_t bytes, struct fpgz_chunk_buffers *buffers, bool proves,
                                  uint64_t *stopped, uint64_t *checksum);

/* Filters the raw pieces again: buffers->second then holds what the file has of them, one behind the other.
 * FPGZ_CORRUPT where the part tells other lengths, FPGZ_LIMIT where that would take too long, FPGZ_MEMORY. */
enum fpgz_status fpgz_pieces_redo(const struct fpgz_part *part, uint64_t at, const uint8_t *raw, size_t bytes,
                                  struct fpgz_chunk_buffers *buffers);

/* Writes them to their places. False, with errno, where that fails. */
bool fpgz_pieces_write(const struct fpgz_area *area, const struct fpgz_part *part, uint64_t at, size_t bytes,
                       const uint8_t *stored, bool sparse);

/* The byte of the area's file behind what it has of the sequence before `end`. */
uint64_t fpgz_pieces_end(const struct fpgz_area *area, const struct fpgz_part *part, uint64_t end);

#endif
