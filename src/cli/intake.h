/* SPDX-License-Identifier: MIT
 * What is to be compressed, chunk by chunk: a regular file by the plan of its parts, or a pipe as it comes.
 */
#ifndef FPGZ_CLI_INTAKE_H
#define FPGZ_CLI_INTAKE_H

#include "cli/input.h"
#include "core/buffer.h"
#include "engine/plan.h"

struct intake {
    const struct input *input;
    struct fpgz_content content; /* of a pipe: one part, without a place */
    struct fpgz_plan plan;

    /* A pipe's */
    uint64_t row;            /* of the next chunk */
    struct fpgz_buffer rest; /* the rows that the last chunk was cut off from */
    uint64_t rest_rows;
    bool at_end;
};

/* A chunk on its way in. */
struct intake_chunk {
    struct fpgz_planned planned;
    bool loaded; /* its bytes came through a pipe and are there already */
};

/* Plans the chunks of what intake->content describes. FPGZ_USAGE where it cannot be cut. */
enum fpgz_status intake_begin(struct intake *intake, const struct input *input, uint64_t target,
                              uint64_t slab, struct fpgz_error *error);

/* The grid that the next chunk of a pipe has, unless the pipe ends. */
struct fpgz_grid intake_next_of_pipe(const struct intake *intake);

/* The next chunk, whose bytes `raw` receives if they come through a pipe. False at the end, or when *error
 * tells why not. */
bool intake_next(struct intake *intake, struct intake_chunk *chunk, struct fpgz_buffer *raw,
                 struct fpgz_error *error);

/* Makes sure that the chunk's bytes are in `raw`, and takes their checksum. Any number may run at once. */
enum fpgz_status intake_load(const struct intake *intake, const struct intake_chunk *chunk,
                             struct fpgz_buffer *raw, uint64_t *checksum, struct fpgz_error *error);

void intake_free(struct intake *intake);

#endif
