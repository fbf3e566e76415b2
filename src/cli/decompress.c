/* SPDX-License-Identifier: MIT */
#include "cli/decompress.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/file_io.h"
#include "cli/message.h"
#include "cli/name.h"
#include "container/member.h"
#include "container/reader.h"
#include "core/checksum.h"
#include "core/io.h"
#include "engine/chunk.h"
#include "engine/pipeline.h"

struct job {
    struct fpgz_chunk_head head;
    struct fpgz_coded coded;
    bool swap;
    uint64_t raw_at; /* where the chunk's bytes go in what is restored */
    uint64_t offset; /* of the stream in a regular container ... */
    bool loaded;     /* ... unless it came through a pipe and is in buffers.stream already */
    struct fpgz_chunk_buffers buffers;
    struct fpgz_error error;
};

struct decompression {
    const struct options *options;
    const char *name;
    struct fpgz_reader reader;

    /* fill() */
    struct fpgz_member member;
    uint64_t members, raw_before; /* members that ended, and their bytes */
    struct fpgz_error fill_error;

    /* drain() */
    int fd; /* -1: only test */
    uint64_t chunks, damaged, raw_bytes;
    struct fpgz_error drain_error;
};

/* Prepares the job for the chunk section just read. */
static bool fill_chunk(struct decompression *d, struct job *job)
{
    const struct fpgz_section *section = &d->reader.section;
    struct fpgz_error *error = &d->fill_error;
    job->error.status = FPGZ_OK;
    job->raw_at = d->raw_before + fpgz_member_raw_bytes(&d->member);
    if (fpgz_member_chunk(&d->member, section, &job->head, &job->coded.codec, error))
        return false;
    job->swap = d->member.array.array.order == FPGZ_BIG;
    job->coded.params = job->head.params;
    job->coded.grid = job->head.grid;
    job->coded.length = section->body_length;
    job->coded.stream_checksum = section->body_checksum;
    job->coded.raw_checksum = job->head.raw_checksum;
    job->loaded = !d->reader.regular;
    if (!job->loaded) {
        fpgz_reader_skip(&d->reader, &job->offset);
        return true;
    }
    if (!fpgz_buffer_reserve(&job->buffers.stream, section->body_length)) {
        fpgz_fail(error, FPGZ_MEMORY, "no memory for a chunk of %zu bytes", job->coded.length);
        return false;
    }
    return !fpgz_reader_body(&d->reader, job->buffers.stream.data, error);
}

/* Takes a section that is no chunk; false at the end of the container or on an error. */
static bool take_section(struct decompression *d, struct fpgz_error *error)
{
    struct fpgz_reader *reader = &d->reader;
    bool more;
    switch (reader->section.type) {
    case FPGZ_SECTION_FILE:
        return !fpgz_member_file(&d->member, &reader->section, error);
    case FPGZ_SECTION_ARRAY:
        return !fpgz_member_array(&d->member, &reader->section, error);
    case FPGZ_SECTION_INDEX:
        return !fpgz_reader_check_index(reader, error);
    case FPGZ_SECTION_END:
        if (fpgz_member_end(&d->member, error) ||
            fpgz_reader_check_end(reader, fpgz_member_raw_bytes(&d->member), error))
            return false;
        d->members++;
        d->raw_before += fpgz_member_raw_bytes(&d->member);
        memset(&d->member, 0, sizeof d->member);
        return !fpgz_reader_member(reader, &more, error) && more;
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
    struct decompression *d = context;
    do {
        if (fpgz_reader_section(&d->reader, &d->fill_error))
            return false;
        if (d->reader.section.type == FPGZ_SECTION_CHUNK)
            return fill_chunk(d, slot);
    } while (take_section(d, &d->fill_error));
    return false;
}

static void work(void *context, void *slot)
{
    const struct decompression *d = context;
    struct job *job = slot;
    struct fpgz_buffer *stream = &job->buffers.stream;
    size_t got = job->coded.length;
    uint64_t checksum = 0;
    enum fpgz_status status = FPGZ_OK;
    if (!job->loaded) {
        if (!fpgz_buffer_reserve(stream, job->coded.length))
            status = FPGZ_MEMORY;
        else if (!fpgz_read_at_summed(d->reader.fd, stream->data, job->coded.length, job->offset, &got,
                                      &checksum))
            status = FPGZ_IO;
        else if (got < job->coded.length)
            status = FPGZ_TRUNCATED;
    } else {
        checksum = fpgz_checksum(stream->data, job->coded.length);
    }
    const int reason = errno;
    job->coded.stream = stream->data;
    if (!status && checksum != job->coded.stream_checksum)
        status = FPGZ_CORRUPT;
    if (!status)
        status = fpgz_chunk_decode(&job->coded, job->swap, &job->buffers);
    if (status == FPGZ_IO)
        fpgz_fail(&job->error, status, "cannot read at byte %" PRIu64 ": %s", job->offset + got,
                  strerror(reason));
    else if (status == FPGZ_MEMORY)
        fpgz_fail(&job->error, status, "no memory for a chunk of %zu bytes",
                  fpgz_grid_bytes(&job->coded.grid));
    else if (status)
        fpgz_fail(&job->error, status,
                  "chunk %" PRIu64 " (values %" PRIu64 " to %" PRIu64 ", bytes %" PRIu64 " to %" PRIu64
                  " of what is restored) is damaged",
                  job->head.number, job->head.first, job->head.first + fpgz_grid_values(&job->coded.grid) - 1,
                  job->raw_at, job->raw_at + fpgz_grid_bytes(&job->coded.grid) - 1);
}

static bool drain(void *context, void *slot)
{
    struct decompression *d = context;
    const struct job *job = slot;
    d->chunks++;
    if (job->error.status) {
        /* A test goes on, to name every damaged chunk. */
        if (d->fd >= 0 || job->error.status != FPGZ_CORRUPT) {
            d->drain_error = job->error;
            return false;
        }
        d->damaged++;
        message_failure(d->name, &job->error);
        return true;
    }
    const size_t bytes = fpgz_grid_bytes(&job->coded.grid);
    d->raw_bytes += bytes;
    if (d->fd >= 0 && !fpgz_write(d->fd, job->buffers.raw.data, bytes))
        fpgz_fail(&d->drain_error, errno == EPIPE ? FPGZ_CLOSED : FPGZ_IO, "cannot write: %s",
                  strerror(errno));
    return !d->drain_error.status;
}

static void release(void *slot)
{
    struct job *job = slot;
    fpgz_chunk_buffers_free(&job->buffers);
}

/* Runs the pipeline from the reader, behind its first member's header, to d->fd. */
static enum fpgz_status run(struct decompression *d, struct fpgz_error *error)
{
    const uint64_t size = d->member.file.size, chunk = d->member.array.largest_chunk;
    const struct fpgz_pipeline pipeline = {
        .expected = size != FPGZ_UNKNOWN && chunk ? size / chunk + 2 : 0,
        .threads = d->options->threads,
        .job_size = sizeof(struct job),
        .job_bytes = chunk,
        .context = d,
        .fill = fill,
        .work = work,
        .drain = drain,
        .release = release,
    };
    if (!fpgz_pipeline_run(&pipeline))
        fpgz_fail(error, FPGZ_MEMORY, "no memory for threads");
    else if (d->drain_error.status || d->fill_error.status) /* what failed while draining stood earlier */
        *error = d->drain_error.status ? d->drain_error : d->fill_error;
    else if (d->damaged)
        fpgz_fail(error, FPGZ_CORRUPT, "%" PRIu64 " of %" PRIu64 " chunks are damaged", d->damaged,
                  d->chunks);
    return error->status;
}

/* Reads the sections up to the array's: the name and metadata of what is restored, and sizes, are in there.
 */
static enum fpgz_status begin(struct decompression *d, struct fpgz_error *error)
{
    bool more;
    fpgz_reader_member(&d->reader, &more, error);
    while (!error->status && !d->member.has_array) {
        if (fpgz_reader_section(&d->reader, error))
            break;
        if (d->reader.section.type == FPGZ_SECTION_CHUNK)
            fpgz_fail(error, FPGZ_CORRUPT, "a chunk stands before its array");
        else
            take_section(d, error);
    }
    return error->status;
}

static enum fpgz_status restore(struct decompression *d, const struct input *input, const char *target,
                                struct fpgz_error *error)
{
    const struct fpgz_file_head file = d->member.file; /* a second member has its own */
    const struct metadata metadata = {
        file.has_mode, file.has_mtime, file.mode, {.tv_sec = (time_t)file.mtime, .tv_nsec = file.mtime_ns}};
    struct output output;
    if (output_open(&output, target, d->options->force, input, error))
        return error->status;
    d->fd = output.fd;
    if (!run(d, error) && !output_commit(&output, &metadata, error) && d->options->remove_source)
        output_remove_source(&output, input);
    output_discard(&output);
    return error->status;
}

/* The name to restore under; NULL (for standard output) when there is none. The caller frees it. */
static char *choose_name(const struct decompression *d, const char *path)
{
    const char *stored = d->member.file.name;
    char printable[256];
    char *name = name_restored(path, stored, d->options->stored_name);
    if (name && *stored && strcmp(name_base(name), stored) != 0)
        message_notice(0, path, "was made from %s; restored as %s (-N restores under the name it had)",
                       name_printable(stored, printable), name_base(name));
    return name;
}

static enum fpgz_status convert(struct decompression *d, const struct input *input, struct fpgz_error *error)
{
    const struct options *options = d->options;
    if (begin(d, error))
        return error->status;
    if (options->mode == MODE_TEST) {
        d->fd = -1;
        return run(d, error);
    }
    char *own_target = NULL;
    const char *target = options->output;
    if (!target && input->path && !options->to_stdout) {
        target = own_target = choose_name(d, input->path);
        if (!target)
            return fpgz_fail(error, FPGZ_USAGE,
                             "neither ends in " NAME_SUFFIX " nor holds a name; choose one with -o");
    }
    restore(d, input, target, error);
    free(own_target);
    return error->status;
}

void decompress_file(const struct options *options, const char *path)
{
    struct decompression d = {.options = options};
    struct fpgz_error error = {0};
    struct input input;
    if (input_open(&input, path, &error)) {
        message_failure(path, &error);
        return;
    }
    d.name = input.name;
    if (!path && isatty(STDIN_FILENO))
        fpgz_fail(&error, FPGZ_USAGE, "a container is not read from a terminal; name a file");
    fpgz_reader_open(&d.reader, input.fd);
    if (!error.status && !convert(&d, &input, &error)) {
        message_notice(1, input.name, "%s: %" PRIu64 " bytes in %" PRIu64 " chunks",
                       options->mode == MODE_TEST ? "all is well" : "restored", d.raw_bytes, d.chunks);
    } else {
        message_failure(input.name, &error);
    }
    fpgz_reader_free(&d.reader);
    input_close(&input);
}
