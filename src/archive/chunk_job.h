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
    struct fpgz_error error;
};

/* Begins a job for the chunk section that the reader has found, whose head is unpacked in job->head. The
 * reader's position stays. */
void fpgz_chunk_job_begin(struct fpgz_chunk_job *job, const struct fpgz_reader *reader);

/* For fill(): waits until the budget has room for the job, beside which it holds `more` bytes. */
enum fpgz_status fpgz_chunk_job_claim(struct fpgz_chunk_job *job, const struct fpgz_setup *setup,
                                      const struct fpgz_pipeline *pipeline, uint64_t more,
                                      struct fpgz_error *error);

/* For work(): brings the stream into buffers.stream, and verifies it; decoding it then uses the setup's
 * backend. job->error says why where the system or memory is at fault; it has no text yet for a stream that
 * is FPGZ_CORRUPT. */
enum fpgz_status fpgz_chunk_job_read(struct fpgz_chunk_job *job, const struct fpgz_reader *reader,
                                     const struct fpgz_setup *setup);

/* The same, and then decodes the chunk into buffers.raw, in the byte order of the array in the file. */
enum fpgz_status fpgz_chunk_job_decode(struct fpgz_chunk_job *job, const struct fpgz_reader *reader,
                                       const struct fpgz_setup *setup, enum fpgz_order order);

/* What job->error says where there was no memory. */
enum fpgz_status fpgz_chunk_job_no_memory(struct fpgz_chunk_job *job);

#endif
