/* SPDX-License-Identifier: MIT
 * What lossy codecs change: measured against the original, and kept within a bound. */
#ifndef FPGZ_ENGINE_LOSSY_H
#define FPGZ_ENGINE_LOSSY_H

#include "engine/coded.h"

/* Codes the grid in buffers->raw into buffers->stream with the codec and parameters of *coded, decodes them
 * into buffers->restored, and sets coded->length and coded->errors. A rate that is left open
 * becomes the lowest that keeps within *bound, if that asks for anything: FPGZ_LIMIT when not even the
 * highest does. FPGZ_USAGE when other parameters do not. FPGZ_INTERNAL when the stream does not decode;
 * FPGZ_MEMORY; or what encode() says. */
enum fpgz_status fpgz_lossy_encode(const struct fpgz_errors *bound, const struct fpgz_grid *grid,
                                   struct fpgz_chunk_buffers *buffers, struct fpgz_coded *coded);

#endif
