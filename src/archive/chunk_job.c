/* SPDX-License-Identifier: MIT
 * Reads, checks and decodes a chunk of a container, for all jobs that do so. */
#include "archive/chunk_job.h"

#include "archive/pieces.h"
#include "core/checksum.h"

void fpgz_chunk_job_begin(struct fpgz_chunk_job *job, const struct fpgz_reader *reader,
                          const struct fpgz_part *part, bool values)
{
    const struct fpgz_section *section = &reader->section;
    job->part = values ? NULL : part;
    job->at = job->head.first * fpgz_dtype_size(job->head.grid.dtype);
    job->error.status = FPGZ_OK;
    job->loaded = false;
    job->offset = fpgz_reader_body_offset(reader);
    job->coded.codec = fpgz_codec_by_id(job->head.codec);
    job->coded.params = job->head.params;
    job->coded.grid = job->head.grid;
    job->coded.turn = part->turned ? fpgz_part_row(part) : 0;
    if (part->axes && fpgz_grid_values(&job->head.grid) < job->coded.turn)
        job->coded.turn = 0; /* behind the last row */
    job->coded.length = section->body_length;
    job->coded.stream_checksum = section->body_checksum;
    job->coded.raw_checksum = job->head.raw_checksum;
}

enum fpgz_status fpgz_chunk_job_claim(struct fpgz_chunk_job *job, const struct fpgz_terms *terms,
                                      const struct fpgz_pipeline *pipeline, uint64_t more,
                                      struct fpgz_error *error)
{
    struct fpgz_need need = fpgz_need_decode(&job->coded);
    if (job->part)
        fpgz_pieces_need(job->part, need.raw, &need);
    return fpgz_budget_claim(&terms->setup, pipeline, job, &job->buffers, &need, more, error);
}

enum fpgz_status fpgz_chunk_job_no_memory(struct fpgz_chunk_job *job)
{
    return fpgz_fail(&job->error, FPGZ_MEMORY, "no memory for a chunk of %zu bytes",
                     fpgz_grid_bytes(&job->coded.grid));
}

enum fpgz_status fpgz_chunk_job_read(struct fpgz_chunk_job *job, const struct fpgz_reader *reader,
                                     const struct fpgz_terms *terms)
{
    struct fpgz_buffer *stream = &job->buffers.stream;
    uint64_t checksum;
    job->buffers.backend = terms->backend;
    if (!job->loaded && !fpgz_buffer_reserve(stream, job->coded.length))
        return fpgz_chunk_job_no_memory(job);
    job->coded.stream = stream->data;
    if (job->loaded)
        checksum = fpgz_checksum(stream->data, job->coded.length);
    else if (fpgz_reader_at(reader, stream->data, job->coded.length, job->offset, &checksum, &job->error))
        return job->error.status;
    return checksum == job->coded.stream_checksum ? FPGZ_OK : FPGZ_CORRUPT;
}

enum fpgz_status fpgz_chunk_job_decode(struct fpgz_chunk_job *job, const struct fpgz_reader *reader,
                                       const struct fpgz_terms *terms)
{
    const struct fpgz_part *const part = job->part;
    struct fpgz_chunk_buffers *const buffers = &job->buffers;
    const size_t bytes = fpgz_grid_bytes(&job->coded.grid);
    enum fpgz_status status = fpgz_chunk_job_read(job, reader, terms);
    if (!status)
        status = fpgz_chunk_decode(&job->coded, part->array.order == FPGZ_BIG, buffers);
    if (!status && part->filters.count)
        status = fpgz_pieces_redo(part, job->at, buffers->raw.data, bytes, buffers);
    job->restored = part->filters.count ? buffers->second.data : buffers->raw.data;
    job->restored_bytes = part->filters.count ? fpgz_part_stored(part, job->at, bytes) : bytes;
    return status == FPGZ_MEMORY ? fpgz_chunk_job_no_memory(job) : status;
}
