/* SPDX-License-Identifier: MIT */
#include "cli/compress.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/file_io.h"
#include "cli/message.h"
#include "cli/name.h"
#include "container/writer.h"
#include "core/bytes.h"
#include "core/checksum.h"
#include "core/cpu.h"
#include "core/io.h"
#include "engine/chunk.h"
#include "engine/cut.h"
#include "engine/pipeline.h"

enum { MAX_IDS = 32 }; /* above all ids of the table */

/* One chunk on its way through the pipeline. */
struct job {
    struct fpgz_grid grid;
    uint64_t row;    /* its first, along the slowest axis of the cut */
    uint64_t offset; /* of its bytes in a regular input */
    bool loaded;     /* its bytes are in buffers.raw already: they came through a pipe */
    struct fpgz_chunk_buffers buffers;
    struct fpgz_coded coded;
    struct fpgz_error error;
};

struct compression {
    const struct options *options;
    const struct input *input;
    struct fpgz_array array;
    struct fpgz_cut cut;
    struct fpgz_coder coder;

    /* fill() */
    uint64_t row;            /* of the next chunk */
    struct fpgz_buffer rest; /* the rows that a pipe's last chunk was cut off from */
    uint64_t rest_rows;
    bool at_end;
    struct fpgz_error fill_error;

    /* drain() */
    struct fpgz_writer writer;
    uint64_t chunks, by_codec[MAX_IDS];
    struct fpgz_error drain_error;
};

/* Whether the `bytes` that came through a pipe so far are what --shape promised. */
static bool pipe_fits(struct compression *c, uint64_t bytes)
{
    const uint64_t extent = c->array.extent[0];
    uint64_t row = fpgz_dtype_size(c->array.dtype); /* of the array: the cut's may be a part of it */
    for (unsigned d = 1; d < c->array.dims; d++)
        row *= c->array.extent[d];
    if (c->at_end && bytes % row)
        fpgz_fail(&c->fill_error, FPGZ_USAGE,
                  "its %" PRIu64 " bytes are no multiple of the %" PRIu64
                  " of one row of the shape; give the right --shape and --dtype",
                  bytes, row);
    else if (extent != FPGZ_UNKNOWN && (bytes > extent * row || (c->at_end && bytes < extent * row)))
        fpgz_fail(&c->fill_error, FPGZ_USAGE,
                  "it holds %s%" PRIu64 " bytes, but its shape takes %" PRIu64 "; give the right --shape",
                  c->at_end ? "" : "more than ", c->at_end ? bytes : bytes - 1, extent * row);
    return !c->fill_error.status;
}

/* The next chunk of a pipe: what comes is read into the job, and cut as a file of that length would be. */
static bool fill_from_pipe(struct compression *c, struct job *job)
{
    const struct fpgz_cut *cut = &c->cut;
    const size_t wanted = cut->rows * cut->row_bytes;
    size_t got = c->rest_rows * cut->row_bytes;
    if (!fpgz_buffer_reserve(&job->buffers.raw, wanted)) {
        fpgz_fail(&c->fill_error, FPGZ_MEMORY, "no memory for a chunk of %zu bytes; use a smaller --chunk",
                  wanted);
        return false;
    }
    if (got)
        memcpy(job->buffers.raw.data, c->rest.data, got);
    c->rest_rows = 0;
    if (!c->at_end) {
        if (!fpgz_read(c->input->fd, job->buffers.raw.data, wanted, &got)) {
            fpgz_fail(&c->fill_error, FPGZ_IO, "cannot read: %s", strerror(errno));
            return false;
        }
        c->at_end = got < wanted;
        if (!pipe_fits(c, c->row * cut->row_bytes + got))
            return false;
    }
    const uint64_t whole = got / cut->row_bytes, rows = fpgz_cut_next(cut, whole);
    const size_t used = rows * cut->row_bytes, left = (whole - rows) * cut->row_bytes;
    if (left) {
        if (!fpgz_buffer_reserve(&c->rest, left)) {
            fpgz_fail(&c->fill_error, FPGZ_MEMORY, "no memory for %zu bytes", left);
            return false;
        }
        memcpy(c->rest.data, job->buffers.raw.data + used, left);
        c->rest_rows = whole - rows;
    }
    job->row = c->row;
    job->grid = fpgz_cut_grid(cut, rows);
    job->loaded = true;
    c->row += rows;
    return rows;
}

static bool fill(void *context, void *slot)
{
    struct compression *c = context;
    struct job *job = slot;
    job->error.status = FPGZ_OK;
    if (!c->input->regular)
        return fill_from_pipe(c, job);
    const uint64_t rows = fpgz_cut_next(&c->cut, c->cut.shape.extent[0] - c->row);
    job->row = c->row;
    job->grid = fpgz_cut_grid(&c->cut, rows);
    job->offset = c->input->start + c->row * c->cut.row_bytes;
    job->loaded = false;
    c->row += rows;
    return rows;
}

static void load(const struct compression *c, struct job *job)
{
    const size_t bytes = fpgz_grid_bytes(&job->grid);
    size_t got;
    if (!fpgz_buffer_reserve(&job->buffers.raw, bytes))
        fpgz_fail(&job->error, FPGZ_MEMORY, "no memory for a chunk of %zu bytes; use a smaller --chunk",
                  bytes);
    else if (!fpgz_read_at_summed(c->input->fd, job->buffers.raw.data, bytes, job->offset, &got,
                                  &job->coded.raw_checksum))
        fpgz_fail(&job->error, FPGZ_IO, "cannot read at byte %" PRIu64 ": %s", job->offset, strerror(errno));
    else if (got < bytes)
        fpgz_fail(&job->error, FPGZ_IO,
                  "ended at byte %" PRIu64 ": it became shorter while it was read; try again",
                  job->offset + got);
}

static void work(void *context, void *slot)
{
    const struct compression *c = context;
    struct job *job = slot;
    if (!job->loaded)
        load(c, job);
    else
        job->coded.raw_checksum = fpgz_checksum(job->buffers.raw.data, fpgz_grid_bytes(&job->grid));
    if (job->error.status)
        return;
    const struct fpgz_errors *bound = &c->coder.bound, *made = &job->coded.errors;
    const enum fpgz_status status = fpgz_chunk_encode(&c->coder, &job->grid, &job->buffers, &job->coded);
    const bool absolute = status == FPGZ_USAGE && made->absolute > bound->absolute;
    if (status == FPGZ_USAGE)
        fpgz_fail(&job->error, status,
                  "codec %s as given makes errors of up to %.6g%s, but --max-error allows %.6g%s: "
                  "leave bits to fpgz, or give more",
                  c->coder.codec->name, absolute ? made->absolute : made->relative,
                  absolute ? "" : " (relative)", absolute ? bound->absolute : bound->relative,
                  absolute ? "" : " (relative)");
    else if (status == FPGZ_INTERNAL)
        fpgz_fail(&job->error, status, "codec %s cannot decode what it encoded: a defect of fpgz",
                  c->coder.codec->name);
    else if (status)
        fpgz_fail(&job->error, status, "no memory for a chunk of %zu bytes; use a smaller --chunk",
                  fpgz_grid_bytes(&job->grid));
}

/* Why the chunk's codec was chosen. */
static void explain(const struct compression *c, uint64_t chunk, const struct fpgz_coded *coded)
{
    char why[200] = "";
    size_t used = 0;
    for (unsigned i = 0; i < coded->choice.count && used < sizeof why; i++) {
        const struct fpgz_auto_candidate *tried = &coded->choice.candidate[i];
        used += (size_t)snprintf(why + used, sizeof why - used, "%s%s %.4f",
                                 i ? ", " : "; the sample: ", tried->codec->name, tried->ratio);
    }
    message_notice(2, c->input->name, "chunk %" PRIu64 ": %s, %zu bytes%s", chunk, coded->codec->name,
                   coded->length, why);
}

static bool drain(void *context, void *slot)
{
    struct compression *c = context;
    const struct job *job = slot;
    if (job->error.status) {
        c->drain_error = job->error;
        return false;
    }
    const struct fpgz_coded *coded = &job->coded;
    const struct fpgz_chunk_head head = {
        .codec = (uint16_t)coded->codec->id,
        .param_count = coded->codec->param_count,
        .params = coded->params,
        .number = c->chunks++,
        .first = job->row * (c->cut.row_bytes / fpgz_dtype_size(c->array.dtype)),
        .raw_checksum = coded->raw_checksum,
        .grid = coded->grid,
        .has_errors = !coded->codec->lossless,
        .absolute_error = coded->errors.absolute,
        .relative_error = coded->errors.relative,
    };
    c->by_codec[coded->codec->id % MAX_IDS]++;
    explain(c, head.number, coded);
    return !fpgz_writer_chunk(&c->writer, &head, coded->stream, coded->length, coded->stream_checksum,
                              fpgz_grid_bytes(&coded->grid), &c->drain_error);
}

static void release(void *slot)
{
    struct job *job = slot;
    fpgz_chunk_buffers_free(&job->buffers);
}

/* Runs the pipeline between the opened input and output. */
static enum fpgz_status run(struct compression *c, const struct output *output, struct fpgz_error *error)
{
    struct fpgz_file_head file = {.size = c->input->size};
    if (c->input->path) {
        snprintf(file.name, sizeof file.name, "%s", name_base(c->input->path));
        file.has_mode = file.has_mtime = c->input->regular;
        file.mode = c->input->stat.st_mode & 07777;
        file.mtime = c->input->stat.st_mtim.tv_sec;
        file.mtime_ns = (uint32_t)c->input->stat.st_mtim.tv_nsec;
    }
    const uint64_t rows = c->cut.shape.extent[0], chunk = fpgz_min(rows, c->cut.rows) * c->cut.row_bytes;
    const struct fpgz_array_head array = {.array = c->array, .largest_chunk = chunk};
    const struct fpgz_pipeline pipeline = {
        .expected = rows == FPGZ_UNKNOWN ? 0 : rows / c->cut.rows + 2,
        .threads = c->options->threads,
        .job_size = sizeof(struct job),
        .job_bytes = chunk,
        .context = c,
        .fill = fill,
        .work = work,
        .drain = drain,
        .release = release,
    };
    if (!fpgz_writer_begin(&c->writer, output->fd, &file, &array, 1, error)) {
        if (!fpgz_pipeline_run(&pipeline))
            fpgz_fail(error, FPGZ_MEMORY, "no memory for threads");
        /* What failed while draining stood earlier in the input. */
        if (c->drain_error.status || c->fill_error.status)
            *error = c->drain_error.status ? c->drain_error : c->fill_error;
        else if (!input_unchanged(c->input, error))
            fpgz_writer_end(&c->writer, error);
    }
    return error->status;
}

static void report(const struct compression *c)
{
    const uint64_t raw = c->writer.raw_bytes, packed = c->writer.position;
    char shape[FPGZ_SHAPE_TEXT], codecs[200] = "no chunks";
    size_t used = 0;
    for (unsigned id = 0; id < MAX_IDS && used < sizeof codecs; id++)
        if (c->by_codec[id])
            used += (size_t)snprintf(codecs + used, sizeof codecs - used, "%s%s %" PRIu64,
                                     used ? ", " : "chunks: ", fpgz_codec_by_id(id)->name, c->by_codec[id]);
    message_notice(
        1, c->input->name, "%s %s: %" PRIu64 " -> %" PRIu64 " bytes, ratio %.4f; %s; %u threads, %s",
        fpgz_dtype_name(c->array.dtype), fpgz_shape_text(c->array.extent, c->array.dims, shape, sizeof shape),
        raw, packed, raw ? (double)packed / (double)raw : 1.0, codecs, c->options->threads,
        fpgz_cpu_name(fpgz_cpu()));
}

/* From the opened input to the committed output. */
static enum fpgz_status convert(struct compression *c, struct input *input, const char *target,
                                struct fpgz_error *error)
{
    const struct options *options = c->options;
    const char *name = input->path ? name_base(input->path) : "";
    if (fpgz_raw_describe(&options->raw, name, input->size, &c->array, error))
        return error->status;
    if (!fpgz_cut_plan(c->array.dtype, c->array.extent, c->array.dims, options->chunk, options_slab(options),
                       &c->cut))
        return fpgz_fail(error, FPGZ_USAGE, "the shape is larger than any file");
    if (c->coder.codec && fpgz_codec_check(c->coder.codec, c->array.dtype, &c->coder.params, error))
        return error->status;
    c->coder.swap = c->array.order == FPGZ_BIG;
    if (c->array.dtype == FPGZ_U8 && !options->raw.has_dtype)
        message_notice(0, input->name,
                       "no type of value is told: taken as bytes; --dtype f32 or f64 makes a grid of it");

    struct output output;
    if (output_open(&output, target, options->force, input, error))
        return error->status;
    const struct metadata metadata = {input->path && input->regular, input->path && input->regular,
                                      input->stat.st_mode, input->stat.st_mtim};
    if (!run(c, &output, error) && !output_commit(&output, &metadata, error)) {
        report(c);
        if (options->remove_source)
            output_remove_source(&output, input);
    }
    output_discard(&output);
    return error->status;
}

void compress_file(const struct options *options, const char *path)
{
    struct compression c = {.options = options,
                            .coder = {.codec = options->codec,
                                      .params = options->params,
                                      .level = options->level,
                                      .bound = options->max_error}};
    struct fpgz_error error = {0};
    struct input input;
    c.input = &input;
    if (input_open(&input, path, &error)) {
        message_failure(path, &error);
        return;
    }
    char *own_target = NULL;
    const char *target = options->output;
    if (!target && path && !options->to_stdout) {
        if (name_is_container(path) && !options->force) {
            message_warning(path,
                            "has the suffix " NAME_SUFFIX " already; not compressed (-f does it anyway)");
            input_close(&input);
            return;
        }
        target = own_target = name_compressed(path);
    }
    if (!target && isatty(STDOUT_FILENO) && !options->force)
        fpgz_fail(&error, FPGZ_USAGE,
                  "a container is not written to a terminal; use -o FILE, or -f to do it anyway");
    else
        convert(&c, &input, target, &error);
    if (error.status)
        message_failure(input.name, &error);
    fpgz_writer_free(&c.writer);
    fpgz_buffer_free(&c.rest);
    free(own_target);
    input_close(&input);
}
