/* SPDX-License-Identifier: MIT
 * What is to be compressed, chunk by chunk: a regular file by the plan of its parts, or a pipe as it comes.
 */
#ifndef FPGZ_ARCHIVE_INTAKE_H
#define FPGZ_ARCHIVE_INTAKE_H

#include "archive/input.h"
#include "core/fetch.h"
#include "engine/coded.h"
#include "engine/plan.h"

struct fpgz_intake {
    const struct fpgz_input *input; /* set before the rest is asked for */
    const uint8_t *memory; /* the bytes to compress, while the input only gives their length; or NULL */
    const struct fpgz_fetch *fetch; /* what they come out of it by */
    struct fpgz_content content;    /* for a pipe: one part without a place */
    struct fpgz_plan plan;

    /* A pipe's */
    uint64_t row;            /* of the next chunk */
    struct fpgz_buffer rest; /* what was read and is not taken yet, from the beginning */
    size_t rest_bytes;
    bool guessed;   /* the values' type: the pipe need not end with a whole value */
    uint8_t odd[8]; /* what is behind the last value, which no chunk has */
    unsigned odd_bytes;
    bool at_end;
};

/* A chunk to be coded. */
struct fpgz_intake_chunk {
    struct fpgz_planned planned;
    bool loaded; /* its bytes were read from the pipe already */
};

/* Plans the chunks of what intake->content describes. FPGZ_USAGE where it cannot be cut. */
enum fpgz_status fpgz_intake_begin(struct fpgz_intake *intake, uint64_t target, uint64_t slab,
                                   struct fpgz_error *error);

/* The grid of the next chunk of a pipe, if the pipe does not end within it. */
struct fpgz_grid fpgz_intake_next_of_pipe(const struct fpgz_intake *intake);

/* The next chunk. `raw` receives its bytes if they come through a pipe. False at the end, and on an error,
 * which *error then tells. */
bool fpgz_intake_next(struct fpgz_intake *intake, struct fpgz_intake_chunk *chunk, struct fpgz_buffer *raw,
                      struct fpgz_error *error);

/* Makes sure that the chunk's bytes are in buffers->raw, and takes their checksum. Any number of calls may
 * run at once. */
enum fpgz_status fpgz_intake_load(const struct fpgz_intake *intake, const struct fpgz_intake_chunk *chunk,
                                  struct fpgz_chunk_buffers *buffers, uint64_t *checksum,
                                  struct fpgz_error *error);

/* Brings only runs of the chunk's words from memory that the CPU does not see, each to its place, and takes
 * the checksum of all; `run` has the runs. False where that does not go, or with an error. */
bool fpgz_intake_look(const struct fpgz_intake *intake, const struct fpgz_intake_chunk *chunk,
                      struct fpgz_buffer *raw, const struct fpgz_buffer *run, size_t runs, uint64_t *checksum,
                      struct fpgz_error *error);

void fpgz_intake_free(struct fpgz_intake *intake);

#endif
