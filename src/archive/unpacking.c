/* SPDX-License-Identifier: MIT
 * Reads sections in their order, decodes chunks in parallel, and writes what they restore. */
#include "archive/unpacking.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "archive/allowance.h"
#include "archive/chunk_job.h"
#include "archive/pieces.h"
#include "core/io.h"
#include "core/text.h"
#include "engine/chunk.h"
#include "source/formats.h"

struct job {
    struct fpgz_chunk_job chunk;
    struct fpgz_unpacking_member *source;
};

_Static_assert(offsetof(struct fpgz_unpacking, reader.section) + sizeof(struct fpgz_section) ==
                   sizeof(struct fpgz_unpacking),
               "nothing is behind what is not cleared");

void fpgz_unpacking_clear(struct fpgz_unpacking *d)
{
    memset(d, 0, offsetof(struct fpgz_unpacking, reader.section.bytes));
}

/* Finds the image of the newest member's file, once all its arrays are known. */
static bool make_image(struct fpgz_unpacking_member *source, struct fpgz_error *error)
{
    return source->member.chunks || !fpgz_member_image(&source->member, &source->image, error);
}

/* Whether the output may become as large as the container says or, for a pipe, as it is with the chunk
 * section just read. */
static bool allowed(struct fpgz_unpacking *d)
{
    const struct fpgz_reader *reader = &d->reader;
    const struct fpgz_member *member = &d->newest->member;
    const uint64_t base = d->newest->base, told = fpgz_member_bytes(member), come = fpgz_member_come(member);
    const uint64_t due = told == FPGZ_UNKNOWN || told < come ? come : told;
    if (!d->bounded)
        return true;
    if (reader->regular)
        return !fpgz_allowance_check(&d->terms->setup, base + due, reader->file_size, &d->fill_error);
    return !fpgz_allowance_check(&d->terms->setup, base + due, FPGZ_UNKNOWN, &d->fill_error) &&
           !fpgz_allowance_check(&d->terms->setup, base + come,
                                 reader->position + reader->section.body_length, &d->fill_error);
}

/* Prepares the job for the chunk section just read. */
static bool fill_chunk(struct fpgz_unpacking *d, struct job *job)
{
    const struct fpgz_section *section = &d->reader.section;
    struct fpgz_chunk_job *chunk = &job->chunk;
    struct fpgz_error *error = &d->fill_error;
    const struct fpgz_codec *codec;
    job->source = d->newest;
    if (!make_image(d->newest, error) ||
        fpgz_member_chunk(&d->newest->member, section, &chunk->head, &codec, error) || !allowed(d))
        return false;
    fpgz_chunk_job_begin(chunk, &d->reader, &d->newest->member.array[chunk->head.array].part, false);
    chunk->loaded = !d->reader.regular;
    if (fpgz_chunk_job_claim(chunk, d->terms, d->pipeline, 0, error))
        return false;
    if (!chunk->loaded) {
        fpgz_reader_skip(&d->reader, &chunk->offset);
        return true;
    }
    if (!fpgz_buffer_reserve(&chunk->buffers.stream, section->body_length)) {
        fpgz_fail(error, FPGZ_MEMORY, "no memory for a chunk of %zu bytes", chunk->coded.length);
        return false;
    }
    return !fpgz_reader_body(&d->reader, chunk->buffers.stream.data, error);
}

/* Makes room for the next member. */
static bool add_source(struct fpgz_unpacking *d, struct fpgz_error *error)
{
    struct fpgz_unpacking_member *added = calloc(1, sizeof *added);
    if (!added)
        return fpgz_fail(error, FPGZ_MEMORY, "no memory"), false;
    if (d->newest) {
        added->base = d->newest->base + fpgz_member_come(&d->newest->member);
        d->newest->next = added;
    } else {
        d->oldest = added;
    }
    d->newest = added;
    return true;
}

static void drop_oldest(struct fpgz_unpacking *d)
{
    struct fpgz_unpacking_member *oldest = d->oldest;
    d->oldest = oldest->next;
    fpgz_member_free(&oldest->member);
    fpgz_image_free(&oldest->image);
    free(oldest);
}

static bool take_array(struct fpgz_unpacking *d, struct fpgz_error *error)
{
    struct fpgz_reader *reader = &d->reader;
    const size_t length = reader->section.body_length;
    if (length && fpgz_reader_table(reader, d->newest->member.table_bytes, &d->table, error))
        return false;
    const uint8_t *const body = length ? d->table.data : (const uint8_t *)"";
    return !(reader->section.type == FPGZ_SECTION_ARRAYS ? fpgz_member_arrays : fpgz_member_array)(
        &d->newest->member, &reader->section, body, error);
}

/* Takes the extended attributes of the file. The output gets those of the first member. */
static bool take_xattrs(struct fpgz_unpacking *d, struct fpgz_error *error)
{
    struct fpgz_xattrs xattrs;
    if (fpgz_reader_xattrs(&d->reader, &d->newest->member.file, &xattrs, error))
        return false;
    if (d->reader.member_start)
        return fpgz_xattrs_free(&xattrs), true;
    fpgz_xattrs_free(&d->xattrs); /* a hostile container has them twice */
    d->xattrs = xattrs;
    return true;
}

/* Takes a section that is no chunk; false at the end of the container or on an error. */
static bool take_section(struct fpgz_unpacking *d, struct fpgz_error *error)
{
    struct fpgz_reader *reader = &d->reader;
    struct fpgz_member *member = &d->newest->member;
    bool more;
    switch (reader->section.type) {
    case FPGZ_SECTION_FILE:
        return !fpgz_member_file(member, &reader->section, fpgz_source_has_kind, error);
    case FPGZ_SECTION_ARRAY:
    case FPGZ_SECTION_ARRAYS:
        return take_array(d, error);
    case FPGZ_SECTION_XATTRS:
        return take_xattrs(d, error);
    case FPGZ_SECTION_INDEX:
    case FPGZ_SECTION_CODED_INDEX:
        return !fpgz_reader_check_index(reader, error);
    case FPGZ_SECTION_END:
    case FPGZ_SECTION_SHORT_END:
        return !fpgz_member_end(member, error) &&
               !fpgz_reader_check_end(reader, member->chunk_bytes, error) &&
               !fpgz_reader_member(reader, &more, error) && more && add_source(d, error);
    default:
        if (reader->section.type >= FPGZ_SECTION_MAY_SKIP)
            return !fpgz_reader_verify(reader, error);
        fpgz_fail(error, FPGZ_UNSUPPORTED,
                  "section %" PRIu32 " is of type %u, which this fpgz does not know: use a newer one",
                  reader->section.number, reader->section.type);
        return false;
    }
}

static bool fill(void *context, void *slot)
{
    struct fpgz_unpacking *d = context;
    do {
        if (!d->pending && fpgz_reader_section(&d->reader, &d->fill_error))
            return false;
        d->pending = false;
        if (d->reader.section.type == FPGZ_SECTION_CHUNK)
            return fill_chunk(d, slot);
    } while (take_section(d, &d->fill_error));
    return false;
}

/* Reports the bytes of the output that a damaged chunk has lost. */
static void tell_loss(struct job *job, enum fpgz_status status)
{
    const struct fpgz_part *part = job->chunk.part;
    const size_t bytes = fpgz_grid_bytes(&job->chunk.coded.grid);
    const struct fpgz_area area = {-1, job->source->base, &job->source->image};
    const uint64_t first = fpgz_area_offset(&area, fpgz_place_span(&part->place, job->chunk.at, 1).offset),
                   last = fpgz_pieces_end(&area, part, job->chunk.at + bytes) - 1;
    fpgz_fail(&job->chunk.error, status,
              "chunk %" PRIu64 "%s%.*s (values %" PRIu64 " to %" PRIu64 ", bytes %" PRIu64 " to %" PRIu64
              " of what is restored) is %s",
              job->chunk.head.number, *part->name ? " of " : "", fpgz_text_fit(part->name, FPGZ_NAME_SHOWN),
              part->name, job->chunk.head.first,
              job->chunk.head.first + fpgz_grid_values(&job->chunk.coded.grid) - 1, first, last,
              fpgz_chunk_refusal(status));
}

/* Compares what the restored file has of a part with the checksum in the chunk's head, which decoding
 * confirmed. */
static void compare_part(const struct fpgz_unpacking *d, struct job *job, const struct fpgz_part *part)
{
    const size_t bytes = fpgz_grid_bytes(&job->chunk.coded.grid);
    const struct fpgz_area area = {d->restored, job->source->base, &job->source->image};
    struct fpgz_chunk_buffers *const buffers = &job->chunk.buffers;
    uint64_t stopped, checksum = 0;
    enum fpgz_status status = FPGZ_MEMORY;
    job->chunk.restored_bytes = part->filters.count ? fpgz_part_stored(part, job->chunk.at, bytes) : bytes;
    if (fpgz_buffer_reserve(&buffers->raw, bytes))
        status = fpgz_pieces_load(&area, part, job->chunk.at, buffers->raw.data, bytes, buffers, true,
                                  &stopped, &checksum);
    if (status == FPGZ_MEMORY)
        fpgz_fail(&job->chunk.error, FPGZ_MEMORY, "no memory for a chunk of %zu bytes", bytes);
    else if (status == FPGZ_IO)
        fpgz_fail(&job->chunk.error, FPGZ_IO, "cannot be read back at byte %" PRIu64 ": %s", stopped,
                  errno ? strerror(errno) : "it ends there");
    else if (status || checksum != job->chunk.coded.raw_checksum)
        fpgz_fail(&job->chunk.error, FPGZ_IO,
                  "chunk %" PRIu64 " is read back from it as other bytes than were written",
                  job->chunk.head.number);
}

/* Compares the part of the chunk, and its copies. */
static void compare(const struct fpgz_unpacking *d, struct job *job)
{
    const struct fpgz_part *part = job->chunk.part;
    for (; part && !job->chunk.error.status; part = fpgz_member_copy(&job->source->member, part))
        compare_part(d, job, part);
}

static void work(void *context, void *slot)
{
    const struct fpgz_unpacking *d = context;
    struct job *job = slot;
    if (d->compares) {
        compare(d, job);
        return;
    }
    const enum fpgz_status status = fpgz_chunk_job_decode(&job->chunk, &d->reader, d->terms);
    if (status && !job->chunk.error.status)
        tell_loss(job, status);
}

/* Completes the member of the chunks so far, and begins that of the job. */
static bool land(struct fpgz_unpacking *d, const struct job *job)
{
    const struct fpgz_file_head *file = &job->source->member.file;
    if (d->landing_open && d->oldest == job->source)
        return true;
    if (d->landing_open && fpgz_landing_end(&d->landing, &d->drain_error))
        return false;
    while (d->oldest != job->source)
        drop_oldest(d);
    d->landing_open = !fpgz_landing_begin(&d->landing, d->fd, file->scattered, file->size,
                                          &job->source->image, &d->drain_error);
    return d->landing_open;
}

static bool drain(void *context, void *slot)
{
    struct fpgz_unpacking *d = context;
    const struct job *job = slot;
    d->chunks++;
    const size_t bytes = fpgz_grid_bytes(&job->chunk.coded.grid);
    if (job->chunk.error.status) {
        /* A test continues, to report every damaged chunk. */
        if (d->fd >= 0 || !d->name || job->chunk.error.status != FPGZ_CORRUPT) {
            d->drain_error = job->chunk.error;
            return false;
        }
        d->damaged++;
        fpgz_tell_failure(d->terms->listener, d->name, &job->chunk.error);
    }
    d->raw_bytes += job->chunk.restored_bytes * (1 + (uint64_t)job->chunk.part->copies);
    if (!d->compares && !fpgz_progress(d->terms->listener, bytes, job->chunk.coded.length, &d->drain_error))
        return false;
    if (d->sum && !job->chunk.error.status)
        fpgz_checksum_add(d->sum, job->chunk.restored, job->chunk.restored_bytes);
    d->disordered |= job->source->member.file.scattered;
    bool ok = land(d, job);
    for (const struct fpgz_part *part = job->chunk.part; part && ok;
         part = fpgz_member_copy(&job->source->member, part))
        ok = !fpgz_landing_write(&d->landing, part, job->chunk.at, job->chunk.restored, bytes,
                                 &d->drain_error);
    return ok;
}

static void release(void *slot)
{
    struct job *job = slot;
    fpgz_chunk_buffers_free(&job->chunk.buffers);
}

enum fpgz_status fpgz_unpacking_run(struct fpgz_unpacking *d, struct fpgz_error *error)
{
    const struct fpgz_member *member = &d->newest->member;
    const unsigned busy = fpgz_budget_threads(&d->terms->setup),
                   threads = fpgz_backend_threads(d->terms->backend, busy, member->file.size);
    struct fpgz_pipeline pipeline = {
        .threads = threads,
        .busy = busy,
        .memory = fpgz_budget_room(&d->terms->setup, threads),
        .job_size = sizeof(struct job),
        .lent_at = offsetof(struct job, chunk.buffers.lent),
        .lent = FPGZ_LENT_SCRATCH,
        .kept = fpgz_budget_keeps(d->terms, threads) ? &d->terms->kept->unpacking : NULL,
        .context = d,
        .fill = fill,
        .work = work,
        .drain = drain,
        .release = release,
    };
    d->pipeline = &pipeline;
    for (size_t i = 0; i < member->arrays; i++) {
        const uint64_t chunk = member->array[i].largest_chunk;
        pipeline.job_bytes = chunk > pipeline.job_bytes ? chunk : pipeline.job_bytes;
    }
    if (member->file.size != FPGZ_UNKNOWN && pipeline.job_bytes)
        pipeline.expected = member->file.size / pipeline.job_bytes + 2 * member->arrays;
    if (!fpgz_pipeline_run(&pipeline))
        fpgz_fail(error, FPGZ_MEMORY, "no memory for threads");
    else if (d->drain_error.status ||
             d->fill_error.status) /* a failure of drain() stood earlier in the input */
        *error = d->drain_error.status ? d->drain_error : d->fill_error;
    else if (d->damaged)
        fpgz_fail(error, FPGZ_CORRUPT, "%" PRIu64 " of %" PRIu64 " chunks are damaged", d->damaged,
                  d->chunks);
    if (d->landing_open)
        fpgz_landing_end(&d->landing, error);
    return error->status;
}

enum fpgz_status fpgz_unpacking_begin(struct fpgz_unpacking *d, struct fpgz_error *error)
{
    bool more;
    if (add_source(d, error))
        fpgz_reader_member(&d->reader, &more, error);
    while (!error->status && !d->pending && !fpgz_reader_section(&d->reader, error)) {
        const unsigned type = d->reader.section.type;
        if (type == FPGZ_SECTION_FILE || type == FPGZ_SECTION_ARRAY || type == FPGZ_SECTION_ARRAYS ||
            type >= FPGZ_SECTION_MAY_SKIP)
            take_section(d, error);
        else
            d->pending = true;
    }
    return error->status;
}

void fpgz_unpacking_end(struct fpgz_unpacking *d)
{
    while (d->oldest)
        drop_oldest(d);
    fpgz_buffer_free(&d->table);
    fpgz_xattrs_free(&d->xattrs);
    fpgz_reader_free(&d->reader);
}
