/* SPDX-License-Identifier: MIT
 * A chunk on its way out of a container: read, checked, decoded. Restoring, testing, recovering and
 * extracting all go this way. */
#ifndef FPGZ_ARCHIVE_CHUNK_JOB_H
#define FPGZ_ARCHIVE_CHUNK_JOB_H

#include "archive/budget.h"
#include "container/reader.h"
#include "engine/chunk.h"

struct fpgz_chunk_job {
    struct fpgz_chunk_head head; /* with the dtype of its array */
    struct fpgz_coded coded;
    uint64_t offset; /* absolute, of the stream in a container that can be sought ... */
    bool loaded;     /* ... unless it came through a pipe, and is in buffers.stream already */
    struct fpgz_chunk_buffers buffers;
    const struct fpgz_part *part; /* of which the chunk is to be restored as the file has it */
    uint64_t at;                  /* of the chunk's bytes in the part's sequence */
    const uint8_t *restored;      /* what the file has of it, ... */
    size_t restored_bytes;        /* ... and how much that is */
    struct fpgz_error error;
};

/* Begins a job for the chunk section that the reader has found, whose head is in job->head. Keeps the
 * reader's position. The part is that of the array. Where the chunk is to be restored as the file has it, and
 * not only its values are wanted, the part has its table. */
void fpgz_chunk_job_begin(struct fpgz_chunk_job *job, const struct fpgz_reader *reader,
                          const struct fpgz_part *part, bool values);

/* For fill(): waits until the budget has room for the job's buffers and `more` bytes beside them. */
enum fpgz_status fpgz_chunk_job_claim(struct fpgz_chunk_job *job, const struct fpgz_terms *terms,
                                      const struct fpgz_pipeline *pipeline, uint64_t more,
                                      struct fpgz_error *error);

/* For work(): brings the stream into buffers.stream, and verifies it. Decoding then uses the setup's
 * backend. job->error has a text where the system or memory is at fault; for a stream that is FPGZ_CORRUPT
 * the caller adds it. */
enum fpgz_status fpgz_chunk_job_read(struct fpgz_chunk_job *job, const struct fpgz_reader *reader,
                                     const struct fpgz_terms *terms);

/* The same, and then decodes the chunk into buffers.raw, in the byte order of its part, and makes
 * job->restored of that. */
enum fpgz_status fpgz_chunk_job_decode(struct fpgz_chunk_job *job, const struct fpgz_reader *reader,
                                       const struct fpgz_terms *terms);

/* Sets job->error to the message for a lack of memory. */
enum fpgz_status fpgz_chunk_job_no_memory(struct fpgz_chunk_job *job);

#endif
