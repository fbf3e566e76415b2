/* SPDX-License-Identifier: MIT
 * Takes one array, or a region of it, out of a container, to a file of another format. */
#include "cli/extract.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "archive/allowance.h"
#include "archive/budget.h"
#include "archive/catalog.h"
#include "archive/describe.h"
#include "archive/frame.h"
#include "archive/slice.h"
#include "cli/message.h"
#include "cli/name.h"
#include "cli/output.h"
#include "cli/removal.h"
#include "core/io.h"
#include "core/text.h"
#include "engine/pipeline.h"
#include "source/formats.h"

struct job {
    struct fpgz_chunk_head head;
    struct fpgz_coded coded;
    uint64_t offset;       /* of the stream in the container */
    uint64_t first, count; /* values that are needed */
    struct fpgz_chunk_buffers buffers;
    struct fpgz_buffer piece; /* what the chunk brings of an ordered slice */
    size_t piece_bytes;
    struct fpgz_error error;
};

struct extraction {
    const struct options *options;
    struct fpgz_catalog archive;
    uint32_t array;              /* of the container, or */
    bool framed;                 /* none of it: a dataset of the archived file, */
    struct fpgz_dataset dataset; /* this one, */
    struct fpgz_part part;       /* as if it were an array */
    struct fpgz_slice slice;
    const struct fpgz_sink *sink;
    void *state; /* of the sink */
    const struct fpgz_pipeline *pipeline;
    struct fpgz_error fill_error, drain_error;
};

static const struct fpgz_sink *sink_for(const struct options *options)
{
    const struct fpgz_sink *sink = options->to;
    if (!sink && options->output)
        sink = fpgz_sink_by_path(options->output);
    return sink ? sink : fpgz_sink_plain();
}

bool extract_wanted(const struct options *options, const struct fpgz_member *member)
{
    if (options->mode != MODE_DECOMPRESS)
        return false;
    if (options->dataset || options->region || options->to)
        return true;
    return member && member->file.kind == FPGZ_KIND_RAW && member->arrays &&
           member->array->part.array.dtype != FPGZ_U8 && sink_for(options) != fpgz_sink_plain();
}

/* Beside the buffers a job holds its piece of the slice, which is no larger than the chunk. */
static bool claim(struct extraction *e, struct job *job)
{
    const struct fpgz_need need = fpgz_need_decode(&job->coded);
    fpgz_buffer_free(&job->piece);
    return !fpgz_budget_claim(&e->options->setup, e->pipeline, job, &job->buffers, &need,
                              fpgz_buffer_rounded(need.raw), &e->fill_error);
}

static bool fill(void *context, void *slot)
{
    struct extraction *e = context;
    struct job *job = slot;
    job->error.status = FPGZ_OK;
    while (fpgz_catalog_next(&e->archive, FPGZ_SECTION_CHUNK, e->array)) {
        fpgz_catalog_chunk(&e->archive, &job->head, &job->coded, &job->offset);
        job->first = job->head.first;
        job->count = fpgz_grid_values(&job->head.grid);
        if (fpgz_slice_needs(&e->slice, &job->first, &job->count))
            return claim(e, job);
    }
    return false;
}

/* Decodes what is needed of the chunk, into the output's byte order: *values is where it begins. */
static enum fpgz_status decode(const struct extraction *e, struct job *job, uint8_t **values)
{
    const enum fpgz_order stored = e->slice.part->array.order, wanted = e->slice.out.order;
    const struct fpgz_grid needed = {job->head.grid.dtype, 1, {job->count, 1, 1, 1}};
    const uint64_t before = job->first - job->head.first;
    const bool range = fpgz_codec_takes_ranges(job->coded.codec, &job->coded.params);
    const enum fpgz_status status =
        range ? fpgz_chunk_decode_range(&job->coded, before, job->count, &job->buffers)
              : fpgz_chunk_decode(&job->coded, stored == FPGZ_BIG, &job->buffers);
    *values = job->buffers.raw.data + (range ? 0 : before * fpgz_dtype_size(needed.dtype));
    if (!status && wanted != (range ? FPGZ_LITTLE : stored))
        fpgz_grid_swap(&needed, *values);
    return status;
}

static void work(void *context, void *slot)
{
    const struct extraction *e = context;
    struct job *job = slot;
    uint8_t *values;
    enum fpgz_status status =
        fpgz_catalog_stream(&e->archive, job->offset, &job->buffers.stream, &job->coded, &job->error);
    job->buffers.backend = e->options->setup.backend;
    if (!status)
        status = decode(e, job, &values);
    if (!status &&
        !fpgz_slice_take(&e->slice, values, job->first, job->count, &job->piece, &job->piece_bytes))
        status = FPGZ_MEMORY;
    if (status == FPGZ_MEMORY)
        fpgz_fail(&job->error, status, "no memory for a chunk of %zu bytes",
                  fpgz_grid_bytes(&job->head.grid));
    else if (status)
        fpgz_fail(&job->error, status,
                  "chunk %" PRIu64 " (values %" PRIu64 " to %" PRIu64 ") is %s; fpgz -t tells more",
                  job->head.number, job->head.first, job->head.first + fpgz_grid_values(&job->head.grid) - 1,
                  fpgz_chunk_refusal(status));
}

static bool drain(void *context, void *slot)
{
    struct extraction *e = context;
    const struct job *job = slot;
    if (job->error.status)
        e->drain_error = job->error;
    else if (e->slice.ordered)
        e->sink->write(e->state, job->piece.data, job->piece_bytes, &e->drain_error);
    return !e->drain_error.status;
}

static void release(void *slot)
{
    struct job *job = slot;
    fpgz_chunk_buffers_free(&job->buffers);
    fpgz_buffer_free(&job->piece);
}

/* Writes the slice of an array of the container. */
static enum fpgz_status write_array(struct extraction *e, struct fpgz_error *error)
{
    struct fpgz_pipeline pipeline = {
        .threads = fpgz_budget_threads(&e->options->setup),
        .memory = fpgz_budget_chunks(&e->options->setup),
        .job_size = sizeof(struct job),
        .job_bytes = e->archive.member.array[e->array].largest_chunk,
        .context = e,
        .fill = fill,
        .work = work,
        .drain = drain,
        .release = release,
    };
    e->pipeline = &pipeline;
    fpgz_catalog_rewind(&e->archive);
    if (!fpgz_pipeline_run(&pipeline))
        fpgz_fail(error, FPGZ_MEMORY, "no memory for threads");
    else if (e->drain_error.status || e->fill_error.status)
        *error = e->drain_error.status ? e->drain_error : e->fill_error;
    else if (e->slice.canvas)
        e->sink->write(e->state, e->slice.canvas, e->slice.bytes, error);
    return error->status;
}

/* Writes the slice of a dataset of the archived file. */
static enum fpgz_status write_dataset(struct extraction *e, struct fpgz_error *error)
{
    enum { VALUES = 1 << 18 };
    const struct fpgz_array *array = &e->part.array;
    const size_t size = fpgz_dtype_size(array->dtype);
    struct fpgz_buffer values = {0}, piece = {0};
    uint64_t total, at = 0;
    fpgz_extents_bytes(array->dtype, array->extent, array->dims, &total);
    if (!fpgz_buffer_reserve(&values, VALUES * size))
        fpgz_fail(error, FPGZ_MEMORY, "no memory for %zu bytes", VALUES * size);
    for (total /= size; at < total && !error->status; at += VALUES) {
        const uint64_t wanted = total - at < VALUES ? total - at : VALUES;
        const struct fpgz_grid grid = {array->dtype, 1, {wanted, 1, 1, 1}};
        uint64_t first = at, count = wanted;
        size_t got, bytes;
        if (!fpgz_read(e->dataset.fd, values.data, wanted * size, &got) || got < wanted * size)
            fpgz_fail(error, FPGZ_CORRUPT, "the values of the dataset end at number %" PRIu64,
                      at + got / size);
        else if (fpgz_slice_needs(&e->slice, &first, &count)) {
            if (e->slice.out.order == FPGZ_BIG)
                fpgz_grid_swap(&grid, values.data);
            if (!fpgz_slice_take(&e->slice, values.data + (first - at) * size, first, count, &piece, &bytes))
                fpgz_fail(error, FPGZ_MEMORY, "no memory for %zu bytes", bytes);
            else
                e->sink->write(e->state, piece.data, bytes, error);
        }
    }
    fpgz_buffer_free(&piece);
    fpgz_buffer_free(&values);
    return error->status;
}

/* The names of the container's arrays, for an error's text. */
static const char *list_names(const struct fpgz_member *member, char text[200])
{
    size_t used = 0;
    text[0] = '\0';
    for (size_t i = 0; i < member->arrays; i++) {
        const struct fpgz_part *part = &member->array[i].part;
        if (part->layout == FPGZ_BYTES)
            continue;
        const char *const shown = part->name;
        if (used + strlen(shown) + sizeof ", , ..." > 200) {
            strcpy(text + used, used ? ", ..." : "...");
            break;
        }
        used += (size_t)snprintf(text + used, 200 - used, used ? ", %s" : "%s", shown);
    }
    return text;
}

/* Whether two names are the same path: a slash at the beginning makes no difference. */
static bool same_path(const char *a, const char *b)
{
    return !strcmp(a + (*a == '/'), b + (*b == '/'));
}

/* Of a file that has no datasets but the container's arrays. */
static enum fpgz_status fail_absent(size_t arrays, const char *names, const char *wanted,
                                    struct fpgz_error *error)
{
    char held[40] = "one array";
    if (arrays > 1)
        snprintf(held, sizeof held, "%zu arrays", arrays);
    return fpgz_fail(error, FPGZ_USAGE, "has no dataset %.*s: it holds %s, %s",
                     fpgz_text_fit(wanted, FPGZ_NAME_SHOWN), wanted, held, *names ? names : "without a name");
}

/* Finds the array that is asked for, or the dataset of the archived file that is none of its arrays. */
static enum fpgz_status choose(struct extraction *e, struct fpgz_error *error)
{
    const struct fpgz_member *member = &e->archive.member;
    const struct fpgz_source *source = fpgz_source_of_kind(member->file.kind);
    const char *wanted = e->options->dataset;
    size_t found = 0, arrays = 0;
    char names[200];
    for (size_t i = 0; i < member->arrays; i++) {
        const struct fpgz_part *part = &member->array[i].part;
        arrays += part->layout != FPGZ_BYTES;
        if (part->layout != FPGZ_BYTES && (!wanted || same_path(part->name, wanted))) {
            e->array = (uint32_t)i;
            found++;
        }
    }
    if (found == 1)
        return fpgz_catalog_table(&e->archive, e->array, error);
    list_names(member, names);
    if (found)
        return fpgz_fail(error, FPGZ_USAGE, "holds %zu arrays; choose one with --dataset: %s", arrays, names);
    const bool opens = source && source->open;
    if (!wanted || (!arrays && !opens))
        return fpgz_fail(error, FPGZ_USAGE, "holds no arrays of numbers; restore the whole file");
    if (!opens)
        return fail_absent(arrays, names, wanted, error);
    if (fpgz_allowance_believe(&e->options->setup, member->file.size, e->archive.reader.file_size, error) ||
        fpgz_frame_dataset(&e->options->setup, &e->archive, wanted, true, &e->dataset, error))
        return error->status;
    e->framed = true;
    e->part = (struct fpgz_part){.name = (char *)wanted, .array = e->dataset.array};
    return FPGZ_OK;
}

/* From the planned extraction to the committed output. */
static enum fpgz_status convert(struct extraction *e, const struct fpgz_input *input, const char *target,
                                struct fpgz_error *error)
{
    const struct fpgz_file_head *file = &e->archive.member.file;
    struct metadata metadata = metadata_of(file);
    struct fpgz_xattrs xattrs;
    struct fpgz_error lost = {0};
    struct output output;
    /* Without its attributes an array is still worth writing. */
    if (!e->framed && e->sink->attributes &&
        fpgz_frame_attributes(&e->options->setup, &e->archive, e->array, &e->dataset, &lost)) {
        message_warning(WARNING_ATTRIBUTES, input->name, "the attributes of the dataset are not kept: %s",
                        lost.text);
        fpgz_attributes_free(&e->dataset.attributes);
    }
    if (e->sink->attributes)
        fpgz_describe_left(&e->options->setup, input, e->slice.part->name, &e->dataset.left);
    if (fpgz_catalog_xattrs(&e->archive, &xattrs, error) ||
        output_open(&output, target, e->options, input, error)) {
        fpgz_xattrs_free(&xattrs);
        return error->status;
    }
    metadata.xattrs = xattrs;
    metadata.only_rights = true; /* what else the file has is not of an array of it */
    const struct fpgz_sink_array what = {output.fd, e->slice.part->name, &e->slice.out,
                                         &e->dataset.attributes};
    if (!fpgz_allowance_room(&e->options->setup, output.fd, e->slice.bytes, error) &&
        !e->sink->begin(&what, &e->state, error)) {
        if (e->framed)
            write_dataset(e, error);
        else
            write_array(e, error);
        e->sink->end(e->state, error);
    }
    if (!error->status && !output_commit(&output, &metadata, error) && e->options->remove_source &&
        input->path)
        source_remove(input->path, &(struct proof){0}); /* an array is not all that the container restores */
    output_discard(&output);
    fpgz_xattrs_free(&xattrs);
    return error->status;
}

/* The name that the array gets beside the container; NULL where it is to go to standard output, or has none.
 * The caller frees it. */
static char *choose_target(const struct extraction *e, const struct fpgz_input *input)
{
    const struct options *options = e->options;
    const char *const suffix = e->sink == fpgz_sink_plain() ? "" : e->sink->suffixes[0];
    const char *const name = e->slice.part->name;
    if (options->output)
        return strdup(options->output);
    if (!input->path || options->to_stdout)
        return NULL;
    if (*name && !*suffix)
        return name_dataset(input->path, name, e->slice.out.dtype == FPGZ_F64 ? ".f64" : ".f32");
    if (*name)
        return name_dataset(input->path, name, suffix);
    char *restored = name_restored(input->path, e->archive.member.file.name, options->stored_name);
    char *target = restored ? name_dataset(input->path, restored, suffix) : NULL;
    free(restored);
    return target;
}

enum fpgz_status extract_array(const struct options *options, const struct fpgz_input *input,
                               struct fpgz_error *error)
{
    struct extraction e = {.options = options, .sink = sink_for(options)};
    if (!fpgz_catalog_open(&e.archive, input->fd, error) && !choose(&e, error)) {
        struct fpgz_array shape = e.part.array;
        if (!e.framed)
            fpgz_member_shape(&e.archive.member.array[e.array], &shape);
        if (!fpgz_slice_begin(&e.slice, e.framed ? &e.part : &e.archive.member.array[e.array].part, &shape,
                              options->region, options->setup.raw.array.order, error) &&
            !fpgz_allowance_check(&options->setup, e.slice.bytes, e.archive.reader.file_size, error))
            slice_open(&e.slice, error);
    }
    if (!error->status) {
        char *target = choose_target(&e, input);
        if (!target && input->path && !options->to_stdout)
            fpgz_fail(error, FPGZ_USAGE,
                      "neither ends in " NAME_SUFFIX " nor holds a name; choose one with -o");
        else
            convert(&e, input, target, error);
        free(target);
    }
    struct fpgz_error unread = {0};
    if (e.framed && fpgz_dataset_close(&e.dataset, &unread))
        *error = unread; /* the reason why the values ended */
    if (!e.framed)
        fpgz_attributes_free(&e.dataset.attributes);
    fpgz_slice_free(&e.slice);
    fpgz_catalog_close(&e.archive);
    return error->status;
}
