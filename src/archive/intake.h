/* SPDX-License-Identifier: MIT
 * What is to be compressed, chunk by chunk: a regular file by the plan of its parts, or a pipe as it comes.
 */
#ifndef FPGZ_ARCHIVE_INTAKE_H
#define FPGZ_ARCHIVE_INTAKE_H

#include "archive/input.h"
#include "core/buffer.h"
#include "engine/plan.h"

struct fpgz_intake {
    const struct fpgz_input *input;
    const uint8_t *memory; /* what is compressed is there, and the input only says how long it is; or NULL */
    struct fpgz_content content; /* of a pipe: one part, without a place */
    struct fpgz_plan plan;

    /* A pipe's */
    uint64_t row;            /* of the next chunk */
    struct fpgz_buffer rest; /* the rows that the last chunk was cut off from */
    uint64_t rest_rows;
    bool at_end;
};

/* A chunk on its way in. */
struct fpgz_intake_chunk {
    struct fpgz_planned planned;
    bool loaded; /* its bytes came through a pipe and are there already */
};

/* Plans the chunks of what intake->content describes. FPGZ_USAGE where it cannot be cut. */
enum fpgz_status fpgz_intake_begin(struct fpgz_intake *intake, const struct fpgz_input *input,
                                   uint64_t target, uint64_t slab, struct fpgz_error *error);

/* The grid that the next chunk of a pipe has, unless the pipe ends. */
struct fpgz_grid fpgz_intake_next_of_pipe(const struct fpgz_intake *intake);

/* The next chunk, whose bytes `raw` receives if they come through a pipe. False at the end, or when *error
 * tells why not. */
bool fpgz_intake_next(struct fpgz_intake *intake, struct fpgz_intake_chunk *chunk, struct fpgz_buffer *raw,
                      struct fpgz_error *error);

/* Makes sure that the chunk's bytes are in `raw`, and takes their checksum. Any number may run at once. */
enum fpgz_status fpgz_intake_load(const struct fpgz_intake *intake, const struct fpgz_intake_chunk *chunk,
                                  struct fpgz_buffer *raw, uint64_t *checksum, struct fpgz_error *error);

void fpgz_intake_free(struct fpgz_intake *intake);

#endif
