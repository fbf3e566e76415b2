/* SPDX-License-Identifier: MIT
 * Errors of lossy codecs: measured against the original, and kept within a bound. */
#ifndef FPGZ_ENGINE_LOSSY_H
#define FPGZ_ENGINE_LOSSY_H

#include "engine/coded.h"

/* Codes the grid in buffers->raw into buffers->stream with the codec and parameters of *coded, decodes them
 * into buffers->restored, and sets coded->length and coded->errors. If *bound sets a bound, a rate that is
 * left open becomes the lowest one within it. FPGZ_LIMIT: not even the highest rate is within the bound.
 * FPGZ_USAGE: the given parameters are not. FPGZ_INTERNAL: the stream does not decode. FPGZ_MEMORY, and the
 * errors of encode(). */
enum fpgz_status fpgz_lossy_encode(const struct fpgz_errors *bound, const struct fpgz_grid *grid,
                                   struct fpgz_chunk_buffers *buffers, struct fpgz_coded *coded);

#endif
