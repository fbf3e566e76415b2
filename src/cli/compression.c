/* SPDX-License-Identifier: MIT */
#include "cli/compression.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "cli/budget.h"
#include "cli/message.h"
#include "cli/name.h"
#include "cli/parts.h"
#include "cli/progress.h"
#include "codec/codecs.h"
#include "core/text.h"
#include "engine/chunk.h"

/* One chunk on its way through the pipeline. */
struct job {
    struct intake_chunk chunk;
    struct fpgz_coder coder; /* of its part */
    struct fpgz_chunk_buffers buffers;
    struct fpgz_coded coded;
    struct fpgz_error error;
};

static bool fill(void *context, void *slot)
{
    struct compression *c = context;
    struct job *job = slot;
    job->error.status = FPGZ_OK;
    /* What comes through a pipe is read at once, to as much as a chunk has. */
    const bool piped = !c->intake.input->sized;
    if (piped)
        job->chunk.planned = (struct fpgz_planned){.grid = intake_next_of_pipe(&c->intake)};
    else if (!intake_next(&c->intake, &job->chunk, &job->buffers.raw, &c->fill_error))
        return false;
    const struct fpgz_planned *planned = &job->chunk.planned;
    job->coder = parts_coder(c->options, c->level, &c->intake.content.part[planned->part]);
    const struct fpgz_need need = fpgz_need_encode(&job->coder, &planned->grid);
    /* The end of a pipe may leave rows for one more chunk. */
    if (budget_claim(c->options, c->pipeline, job, &job->buffers, &need, piped ? need.raw : 0,
                     &c->fill_error))
        return false;
    return !piped || intake_next(&c->intake, &job->chunk, &job->buffers.raw, &c->fill_error);
}

static void work(void *context, void *slot)
{
    const struct compression *c = context;
    struct job *job = slot;
    const struct fpgz_planned *planned = &job->chunk.planned;
    const struct fpgz_part *part = &c->intake.content.part[planned->part];
    struct fpgz_coder *const coder = &job->coder;
    if (intake_load(&c->intake, &job->chunk, &job->buffers.raw, &job->coded.raw_checksum, &job->error))
        return;
    if (part->layout == FPGZ_BYTES &&
        parts_hopeless(job->buffers.raw.data, fpgz_grid_bytes(&planned->grid), &job->buffers))
        coder->codec = &fpgz_store;
    job->buffers.backend = c->options->backend;
    const struct fpgz_errors *bound = &coder->bound, *made = &job->coded.errors;
    const enum fpgz_status status = fpgz_chunk_encode(coder, &planned->grid, &job->buffers, &job->coded);
    const bool absolute = status == FPGZ_USAGE && made->absolute > bound->absolute;
    if (status == FPGZ_USAGE)
        fpgz_fail(&job->error, status,
                  "codec %s as given makes errors of up to %.6g%s, but --max-error allows %.6g%s: "
                  "leave bits to fpgz, or give more",
                  coder->codec->name, absolute ? made->absolute : made->relative,
                  absolute ? "" : " (relative)", absolute ? bound->absolute : bound->relative,
                  absolute ? "" : " (relative)");
    else if (status == FPGZ_INTERNAL)
        fpgz_fail(&job->error, status, "codec %s cannot decode what it encoded: a defect of fpgz",
                  job->coded.codec->name);
    else if (status == FPGZ_UNSUPPORTED)
        fpgz_fail(&job->error, status, "codec %s: floating-point arithmetic is not that of IEEE 754 here",
                  job->coded.codec->name);
    else if (status)
        fpgz_fail(&job->error, status, "no memory for a chunk of %zu bytes; use a smaller --chunk",
                  fpgz_grid_bytes(&planned->grid));
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
    const size_t array = job->chunk.planned.part;
    struct written *written = &c->written[array];
    const struct fpgz_chunk_head head = {
        .array = (uint32_t)array,
        .codec = (uint16_t)coded->codec->id,
        .param_count = coded->codec->param_count,
        .params = coded->params,
        .number = written->chunks++,
        .first = written->values,
        .raw_checksum = coded->raw_checksum,
        .grid = coded->grid,
        .has_errors = !coded->codec->lossless,
        .absolute_error = coded->errors.absolute,
        .relative_error = coded->errors.relative,
    };
    written->values += fpgz_grid_values(&coded->grid);
    c->by_codec[coded->codec->id]++;
    if (coded->defective && !c->defects++)
        message_warning(WARNING_DEFECT, c->input->name,
                        "chunk %" PRIu64
                        " is stored as it is, for codec %s cannot decode what it made of it: "
                        "a defect of fpgz; please report it",
                        c->chunks, coded->defective->name);
    explain(c, c->chunks++, coded);
    progress_add(fpgz_grid_bytes(&coded->grid), coded->length);
    return !fpgz_writer_chunk(&c->writer, &head, coded->stream, coded->length, coded->stream_checksum,
                              fpgz_grid_bytes(&coded->grid), &c->drain_error);
}

static void release(void *slot)
{
    struct job *job = slot;
    fpgz_chunk_buffers_free(&job->buffers);
}

/* The file section: of a dataset, as if it had been a file of its own. */
static struct fpgz_file_head file_head(struct compression *c)
{
    const struct fpgz_content *content = &c->intake.content;
    const struct input *input = c->input;
    struct fpgz_file_head file = {.kind = content->kind, .size = content->size};
    if (input->path) {
        const char *const base = name_base(c->options->dataset ? c->options->dataset : input->path);
        if (c->options->dataset)
            snprintf(file.name, sizeof file.name, "%.*s.%s", fpgz_text_fit(base, NAME_KEPT), base,
                     fpgz_dtype_name(content->part->array.dtype));
        else
            snprintf(file.name, sizeof file.name, "%s", base);
        file.has_mode = file.has_mtime = input->regular;
        file.mode = input->stat.st_mode & 07777;
        file.mtime = input->stat.st_mtim.tv_sec;
        file.mtime_ns = (uint32_t)input->stat.st_mtim.tv_nsec;
    }
    file.scattered = content->kind != FPGZ_KIND_RAW && fpgz_plan_scattered(&c->intake.plan);
    return file;
}

/* Writes what stands before the chunks. */
static enum fpgz_status begin(struct compression *c, int fd, struct fpgz_error *error)
{
    const struct fpgz_content *content = &c->intake.content;
    const struct fpgz_file_head file = file_head(c);
    struct fpgz_buffer table = {0};
    fpgz_writer_begin(&c->writer, (struct fpgz_out){.fd = fd}, &file, error);
    if (c->xattrs.length && !error->status)
        fpgz_writer_xattrs(&c->writer, c->xattrs.data, c->xattrs.length, error);
    for (size_t i = 0; i < content->count && !error->status; i++)
        fpgz_writer_array(&c->writer, &content->part[i], fpgz_plan_largest(&c->intake.plan, i), &table,
                          error);
    const struct fpgz_attributes *attributes = &c->dataset.attributes;
    if (attributes->length && !error->status)
        fpgz_writer_attributes(&c->writer, 0, attributes->data, attributes->length, error);
    fpgz_buffer_free(&table);
    c->written = calloc(content->count, sizeof *c->written);
    if (!c->written)
        fpgz_fail(error, FPGZ_MEMORY, "no memory for %zu arrays", content->count);
    return error->status;
}

enum fpgz_status compression_run(struct compression *c, const struct output *output, struct fpgz_error *error)
{
    const struct intake *intake = &c->intake;
    struct fpgz_pipeline pipeline = {
        .threads = fpgz_backend_threads(c->options->backend, budget_threads(c->options), c->input->size),
        .memory = budget_chunks(c->options),
        .job_size = sizeof(struct job),
        .context = c,
        .fill = fill,
        .work = work,
        .drain = drain,
        .release = release,
    };
    c->pipeline = &pipeline;
    for (size_t i = 0; i < intake->content.count; i++) {
        const struct fpgz_cut *cut = &intake->plan.part[i].cut;
        const uint64_t rows = cut->shape.extent[0], largest = fpgz_plan_largest(&intake->plan, i);
        pipeline.job_bytes = largest > pipeline.job_bytes ? largest : pipeline.job_bytes;
        pipeline.expected += rows == FPGZ_UNKNOWN ? UINT32_MAX : rows / cut->rows + 2;
    }
    if (!begin(c, output->fd, error)) {
        if (!fpgz_pipeline_run(&pipeline))
            fpgz_fail(error, FPGZ_MEMORY, "no memory for threads");
        /* What failed while draining stood earlier in the input. */
        if (c->drain_error.status || c->fill_error.status)
            *error = c->drain_error.status ? c->drain_error : c->fill_error;
        else if (!input_unchanged(c->input, c->may_grow, error))
            fpgz_writer_end(&c->writer, error);
    }
    return error->status;
}
