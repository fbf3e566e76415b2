/* SPDX-License-Identifier: MIT */
#include "cli/compress.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/budget.h"
#include "cli/decompress.h"
#include "cli/describe.h"
#include "cli/file_io.h"
#include "cli/intake.h"
#include "cli/message.h"
#include "cli/name.h"
#include "cli/parts.h"
#include "cli/progress.h"
#include "codec/codecs.h"
#include "container/writer.h"
#include "core/cpu.h"
#include "engine/chunk.h"
#include "engine/pipeline.h"
#include "source/source.h"

enum { MAX_IDS = 32 }; /* above all ids of the table */

/* One chunk on its way through the pipeline. */
struct job {
    struct intake_chunk chunk;
    struct fpgz_chunk_buffers buffers;
    struct fpgz_coded coded;
    struct fpgz_error error;
};

/* What was written of an array. */
struct written {
    uint64_t chunks, values;
};

struct compression {
    const struct options *options;
    const struct input *input;
    struct input stream;         /* of --dataset: the pipe that brings its values */
    struct fpgz_dataset dataset; /* the same */
    bool has_dataset;
    struct intake intake;
    int level;             /* of its parts */
    uint64_t target, slab; /* bytes that their chunks aim at, and that slabs may have */
    const struct fpgz_pipeline *pipeline;
    struct fpgz_error fill_error;

    /* drain() */
    struct fpgz_writer writer;
    struct written *written; /* of each array */
    uint64_t chunks, by_codec[MAX_IDS];
    struct fpgz_error drain_error;

    struct verified verified;
};

static bool fill(void *context, void *slot)
{
    struct compression *c = context;
    struct job *job = slot;
    job->error.status = FPGZ_OK;
    /* What comes through a pipe is read at once, to as much as a chunk has. */
    const bool piped = !c->intake.input->regular;
    if (piped)
        job->chunk.planned = (struct fpgz_planned){.grid = intake_next_of_pipe(&c->intake)};
    else if (!intake_next(&c->intake, &job->chunk, &job->buffers.raw, &c->fill_error))
        return false;
    const struct fpgz_planned *planned = &job->chunk.planned;
    const struct fpgz_coder coder = parts_coder(c->options, c->level, &c->intake.content.part[planned->part]);
    const struct fpgz_need need = fpgz_need_encode(&coder, &planned->grid);
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
    struct fpgz_coder coder = parts_coder(c->options, c->level, part);
    if (intake_load(&c->intake, &job->chunk, &job->buffers.raw, &job->coded.raw_checksum, &job->error))
        return;
    if (part->layout == FPGZ_BYTES &&
        parts_hopeless(job->buffers.raw.data, fpgz_grid_bytes(&planned->grid), &job->buffers))
        coder.codec = &fpgz_store;
    job->buffers.backend = c->options->backend;
    const struct fpgz_errors *bound = &coder.bound, *made = &job->coded.errors;
    const enum fpgz_status status = fpgz_chunk_encode(&coder, &planned->grid, &job->buffers, &job->coded);
    const bool absolute = status == FPGZ_USAGE && made->absolute > bound->absolute;
    if (status == FPGZ_USAGE)
        fpgz_fail(&job->error, status,
                  "codec %s as given makes errors of up to %.6g%s, but --max-error allows %.6g%s: "
                  "leave bits to fpgz, or give more",
                  coder.codec->name, absolute ? made->absolute : made->relative,
                  absolute ? "" : " (relative)", absolute ? bound->absolute : bound->relative,
                  absolute ? "" : " (relative)");
    else if (status == FPGZ_INTERNAL)
        fpgz_fail(&job->error, status, "codec %s cannot decode what it encoded: a defect of fpgz",
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
    c->by_codec[coded->codec->id % MAX_IDS]++;
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
        if (c->options->dataset)
            snprintf(file.name, sizeof file.name, "%.240s.%s", name_base(c->options->dataset),
                     fpgz_dtype_name(content->part->array.dtype));
        else
            snprintf(file.name, sizeof file.name, "%s", name_base(input->path));
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
    fpgz_writer_begin(&c->writer, fd, &file, error);
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

/* Runs the pipeline between the opened input and output. */
static enum fpgz_status run(struct compression *c, const struct output *output, struct fpgz_error *error)
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
        else if (!input_unchanged(c->input, error))
            fpgz_writer_end(&c->writer, error);
    }
    return error->status;
}

/* Arrays of numbers among the parts. */
static size_t content_arrays(const struct fpgz_content *content)
{
    size_t arrays = 0;
    for (size_t i = 0; i < content->count; i++)
        arrays += content->part[i].layout != FPGZ_BYTES;
    return arrays;
}

static void report(const struct compression *c)
{
    const struct fpgz_content *content = &c->intake.content;
    const struct fpgz_array *array = &content->part->array;
    const uint64_t raw = c->writer.raw_bytes, packed = c->writer.position;
    char shape[FPGZ_SHAPE_TEXT], what[FPGZ_SHAPE_TEXT + 30], codecs[200] = "no chunks";
    size_t used = 0;
    for (unsigned id = 0; id < MAX_IDS && used < sizeof codecs; id++)
        if (c->by_codec[id])
            used += (size_t)snprintf(codecs + used, sizeof codecs - used, "%s%s %" PRIu64,
                                     used ? ", " : "chunks: ", fpgz_codec_by_id(id)->name, c->by_codec[id]);
    if (content->kind == FPGZ_KIND_RAW)
        snprintf(what, sizeof what, "%s %s", fpgz_dtype_name(array->dtype),
                 fpgz_shape_text(array->extent, array->dims, shape, sizeof shape));
    else
        snprintf(what, sizeof what, "%zu arrays", content_arrays(content));
    message_notice(1, c->input->name, "%s: %" PRIu64 " -> %" PRIu64 " bytes, ratio %.4f; %s; %u threads, %s",
                   what, raw, packed, raw ? (double)packed / (double)raw : 1.0, codecs, c->options->threads,
                   fpgz_cpu_name(fpgz_cpu()));
}

/* Says what a reader of the archive would wonder about. */
static void remark(const struct compression *c)
{
    const struct fpgz_content *content = &c->intake.content;
    const struct options *options = c->options;
    const char *name = c->input->name;
    if (content->kind == FPGZ_KIND_RAW && content->part->array.dtype == FPGZ_U8 && !options->raw.has_dtype)
        message_notice(0, name,
                       "no type of value is told: taken as bytes; --dtype f32 or f64 makes a grid of it");
    if (content->filtered)
        message_notice(0, name,
                       "%" PRIu64 " of its %" PRIu64 " bytes are of datasets that are compressed or "
                       "otherwise filtered already, and gain little; h5repack -f NONE undoes that",
                       content->filtered, content->size);
    for (size_t i = 0; i < content->count; i++)
        if (options->codec && content->part[i].layout != FPGZ_BYTES &&
            !parts_coder(options, c->level, &content->part[i]).codec) {
            message_notice(0, name, "codec %s takes no %s: such datasets are coded by auto",
                           options->codec->name, fpgz_dtype_name(content->part[i].array.dtype));
            return;
        }
}

/* One dataset of a file, as a grid. */
static enum fpgz_status describe_dataset(struct compression *c, struct fpgz_error *error)
{
    const struct options *options = c->options;
    const struct input *input = c->input;
    const struct fpgz_source *source = describe_format(input);
    if (!source)
        return fpgz_fail(error, FPGZ_USAGE,
                         "--dataset takes one from a file of datasets, which this is not%s",
                         input->regular ? "" : ": a pipe cannot be sought in");
    if (fpgz_dataset_open(source, input->fd, input->path, options->dataset, true, &c->dataset, error))
        return error->status;
    c->has_dataset = true;
    const struct fpgz_array *array = &c->dataset.array;
    if (options->codec && fpgz_codec_check(options->codec, array->dtype, &options->params, error))
        return error->status;
    c->stream = (struct input){.path = input->path, .name = input->name, .fd = c->dataset.fd};
    if (!fpgz_extents_bytes(array->dtype, array->extent, array->dims, &c->intake.content.size))
        return fpgz_fail(error, FPGZ_USAGE, "dataset %s holds no values", options->dataset);
    char *name = NULL; /* the path from the root, as all containers have it */
    if (strlen(options->dataset) >= FPGZ_MAX_NAME_BYTES)
        return fpgz_fail(error, FPGZ_USAGE,
                         "the name of the dataset has more than the %d bytes of a container",
                         FPGZ_MAX_NAME_BYTES);
    if (asprintf(&name, "%s%s", *options->dataset == '/' ? "" : "/", options->dataset) < 0)
        return fpgz_fail(error, FPGZ_MEMORY, "no memory");
    describe_grid(array, name, 0, &c->intake.content, error);
    free(name);
    return error->status;
}

/* Finds what the input holds, before there are threads. */
static enum fpgz_status describe(struct compression *c, struct fpgz_error *error)
{
    const struct options *options = c->options;
    struct fpgz_content *content = &c->intake.content;
    if (options->dataset)
        return describe_dataset(c, error);
    if (describe_input(options, c->input, content, error))
        return error->status;
    if (content->kind != FPGZ_KIND_RAW && !parts_merge(options, c->input, content))
        return fpgz_fail(error, FPGZ_MEMORY, "no memory for %zu arrays", content->count);
    if (content->kind == FPGZ_KIND_RAW && options->codec &&
        fpgz_codec_check(options->codec, content->part->array.dtype, &options->params, error))
        return error->status;
    remark(c);
    return FPGZ_OK;
}

/* Reads the synced container back, before it has its name and the source may go. */
static enum fpgz_status verify(struct compression *c, const struct output *output, struct fpgz_error *error)
{
    if (!c->options->verify && !c->options->remove_source)
        return FPGZ_OK;
    if (!output->synced) {
        if (c->options->verify)
            message_warning(WARNING_UNVERIFIED, c->input->name, "not verified: %s cannot be read back",
                            output->name);
        return FPGZ_OK;
    }
    if (decompress_verify(c->options, output->fd, output->name, &c->writer.section, false, &c->verified,
                          error)) {
        struct fpgz_error inner = *error;
        error->status = FPGZ_OK;
        return fpgz_fail(error, inner.status, "%s did not stand verification: %s", output->path, inner.text);
    }
    return FPGZ_OK;
}

/* Sets how the parts are cut. */
static enum fpgz_status choose_cut(struct compression *c, struct fpgz_error *error)
{
    const struct options *options = c->options;
    const struct fpgz_content *content = &c->intake.content;
    c->target = options->chunk;
    c->slab = options_slab(options);
    if (budget_cut(options, c->level, content->part, content->count, &c->target, &c->slab, error))
        return error->status;
    if (c->target < options->chunk)
        message_notice(0, c->input->name,
                       "chunks aim at %" PRIu64 " KiB, not %" PRIu64
                       ": more memory than --memory allows would "
                       "make the container smaller",
                       c->target >> 10, options->chunk >> 10);
    return FPGZ_OK;
}

/* From the opened input to the committed output. */
static enum fpgz_status convert(struct compression *c, struct input *input, const char *target,
                                struct fpgz_error *error)
{
    const struct options *options = c->options;
    struct output output;
    c->level = parts_level(options, &c->intake.content);
    if (choose_cut(c, error) ||
        intake_begin(&c->intake, c->has_dataset ? &c->stream : input, c->target, c->slab, error) ||
        output_open(&output, target, options->force, input, error))
        return error->status;
    const struct metadata metadata = {input->path && input->regular, input->path && input->regular,
                                      input->stat.st_mode, input->stat.st_mtim};
    struct fpgz_error cut_off = {0}; /* why a dataset's values ended too early */
    const bool shown = progress_begin(input->name, c->intake.content.size, false);
    run(c, &output, error);
    if (shown)
        progress_end();
    if (c->has_dataset && fpgz_dataset_close(&c->dataset, &cut_off))
        *error = cut_off;
    c->has_dataset = false;
    if (!error->status && !output_sync(&output, &metadata, error) && !verify(c, &output, error) &&
        !output_commit(&output, &metadata, error)) {
        report(c);
        progress_count(c->writer.raw_bytes, c->writer.position);
        if (options->remove_source)
            output_remove_source(&output, input);
    }
    output_discard(&output);
    return error->status;
}

/* Where to write; NULL: to standard output. The caller frees it. */
static char *choose_target(const struct compression *c)
{
    const struct options *options = c->options;
    const char *path = c->input->path;
    if (options->output)
        return strdup(options->output);
    if (!path || options->to_stdout)
        return NULL;
    if (!options->dataset)
        return name_compressed(path);
    char *grid = name_dataset(path, options->dataset, c->dataset.array.dtype == FPGZ_F64 ? ".f64" : ".f32");
    char *target = name_compressed(grid);
    free(grid);
    return target;
}

bool compress_and_tell(const struct options *given, const char *path, struct compressed *compressed)
{
    struct options own = *given;
    const struct options *const options = &own;
    if (own.dataset)
        budget_share(&own);
    struct compression c = {.options = options};
    struct fpgz_error error = {0};
    struct input input;
    c.input = &input;
    if (input_open(&input, path, &error)) {
        message_failure(path, &error);
        return false;
    }
    if (path && name_suffix(path) && !options->output && !options->to_stdout && !options->force) {
        message_warning(WARNING_SUFFIX, path, "has the suffix %s already; not compressed (-f does it anyway)",
                        name_suffix(path));
        input_close(&input);
        return false;
    }
    if ((!path || options->to_stdout) && !options->output && isatty(STDOUT_FILENO) && !options->force)
        fpgz_fail(&error, FPGZ_USAGE,
                  "a container is not written to a terminal; use -o FILE, or -f to do it anyway");
    else if (!describe(&c, &error)) {
        char *target = choose_target(&c);
        convert(&c, &input, target, &error);
        free(target);
    }
    if (error.status)
        message_failure(input.name, &error);
    struct fpgz_error unread = {0};
    if (c.has_dataset)
        fpgz_dataset_close(&c.dataset, &unread);
    fpgz_writer_free(&c.writer);
    intake_free(&c.intake);
    free(c.written);
    *compressed = (struct compressed){input.stat, c.verified};
    input_close(&input);
    return !error.status;
}

void compress_file(const struct options *options, const char *path)
{
    struct compressed compressed;
    compress_and_tell(options, path, &compressed);
}
