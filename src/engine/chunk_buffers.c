/* SPDX-License-Identifier: MIT
 * What a chunk's memory is given back by, and what is said of a stream that is refused. */
#include "engine/chunk.h"

const char *fpgz_chunk_refusal(enum fpgz_status status)
{
    return status == FPGZ_UNSUPPORTED ? "not for this fpgz: its codec's stream is of a newer form, or the "
                                        "arithmetic here is not IEEE 754's"
                                      : "damaged";
}

void fpgz_chunk_buffers_free(struct fpgz_chunk_buffers *buffers)
{
    fpgz_buffer_free(&buffers->raw);
    fpgz_buffer_free(&buffers->stream);
    fpgz_buffer_free(&buffers->scratch);
    fpgz_buffer_free(&buffers->restored);
    fpgz_buffer_free(&buffers->second);
}
