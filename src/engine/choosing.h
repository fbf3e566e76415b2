/* SPDX-License-Identifier: MIT
 * A chunk's stream without loss, for chunk.c: by a given codec, or by the one that makes the shortest. The
 * values are in buffers->raw; coded gets stream, length, grid, and what the codec was. */
#ifndef FPGZ_ENGINE_CHOOSING_H
#define FPGZ_ENGINE_CHOOSING_H

#include "engine/coded.h"
#include "engine/passes.h"

/* By coded->codec and coded->params. verifies: whether a GPU that has the values may verify the stream, too.
 */
enum fpgz_status fpgz_chunk_code(const struct fpgz_grid *grid, bool verifies, struct fpgz_lead *lead,
                                 struct fpgz_chunk_buffers *buffers, struct fpgz_coded *coded);

/* By the choice of a sample for each pass. lead: what is told of the first one, or NULL. */
enum fpgz_status fpgz_chunk_choose(const struct fpgz_passes *passes, struct fpgz_lead *lead,
                                   const struct fpgz_grid *grid, struct fpgz_chunk_buffers *buffers,
                                   struct fpgz_coded *coded);

#endif
