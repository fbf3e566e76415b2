/* SPDX-License-Identifier: MIT
 * One array of a container, or a part of it, to a sink. Only the chunks that are needed are read. */
#include "archive/extraction.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "archive/allowance.h"
#include "archive/budget.h"
#include "archive/chunk_job.h"
#include "archive/frame.h"
#include "core/io.h"
#include "core/text.h"
#include "source/formats.h"

struct job {
    struct fpgz_chunk_job chunk;
    uint64_t first, count;    /* values that are needed */
    uint64_t before;          /* values of the array's group that stand before its first one */
    struct fpgz_buffer piece; /* the chunk's values for an ordered slice */
    size_t piece_bytes;
};

/* Besides its buffers a job holds its piece of the slice, which is no larger than the chunk. */
static bool claim(struct fpgz_extraction *e, struct job *job)
{
    const size_t piece = fpgz_buffer_rounded(fpgz_grid_bytes(&job->chunk.head.grid));
    fpgz_buffer_free(&job->piece);
    return !fpgz_chunk_job_claim(&job->chunk, e->terms, e->pipeline, piece, &e->fill_error);
}

/* Whether the chunk has values of the array; job->first and job->count receive which. Those of a member stand
 * among others in the chunks of its group. */
static bool holds(const struct fpgz_member_array *array, struct job *job)
{
    const uint64_t first = job->chunk.head.first, end = first + fpgz_grid_values(&job->chunk.head.grid);
    const uint64_t start = array->part.carrier ? array->part.first : 0;
    const uint64_t stop = array->part.carrier ? start + array->due : UINT64_MAX;
    job->before = start;
    job->first = (first > start ? first : start) - start;
    const uint64_t last = end < stop ? end : stop;
    job->count = last > start + job->first ? last - start - job->first : 0;
    return job->count;
}

static bool fill(void *context, void *slot)
{
    struct fpgz_extraction *e = context;
    struct job *job = slot;
    const struct fpgz_member_array *const array = &e->archive.member.array[e->array];
    const uint32_t carrier = array->part.carrier ? array->part.carrier - 1 : e->array;
    while (fpgz_catalog_next(&e->archive, FPGZ_SECTION_CHUNK, carrier)) {
        fpgz_catalog_chunk(&e->archive, true, &job->chunk);
        if (holds(array, job) && fpgz_slice_needs(&e->slice, &job->first, &job->count))
            return claim(e, job);
    }
    return false;
}

/* Decodes the needed values of the chunk, in the output's byte order: *values receives where they begin. */
static enum fpgz_status decode(const struct fpgz_extraction *e, struct job *job, uint8_t **values)
{
    const enum fpgz_order stored = e->slice.part->array.order, wanted = e->slice.out.order;
    const struct fpgz_grid needed = {job->chunk.head.grid.dtype, 1, {job->count, 1, 1, 1}};
    const uint64_t before = job->before + job->first - job->chunk.head.first;
    const bool range =
        !job->chunk.coded.turn && fpgz_codec_takes_ranges(job->chunk.coded.codec, &job->chunk.coded.params);
    const enum fpgz_status status =
        range ? fpgz_chunk_decode_range(&job->chunk.coded, before, job->count, &job->chunk.buffers)
              : fpgz_chunk_decode(&job->chunk.coded, stored == FPGZ_BIG, &job->chunk.buffers);
    *values = job->chunk.buffers.raw.data + (range ? 0 : before * fpgz_dtype_size(needed.dtype));
    if (!status && wanted != (range ? FPGZ_LITTLE : stored))
        fpgz_grid_swap(&needed, *values);
    return status;
}

static void work(void *context, void *slot)
{
    const struct fpgz_extraction *e = context;
    struct job *job = slot;
    uint8_t *values;
    enum fpgz_status status = fpgz_chunk_job_read(&job->chunk, &e->archive.reader, e->terms);
    if (!status)
        status = decode(e, job, &values);
    if (!status &&
        !fpgz_slice_take(&e->slice, values, job->first, job->count, &job->piece, &job->piece_bytes))
        status = FPGZ_MEMORY;
    if (status == FPGZ_MEMORY)
        fpgz_chunk_job_no_memory(&job->chunk);
    else if (status)
        fpgz_fail(&job->chunk.error, status,
                  "chunk %" PRIu64 " (values %" PRIu64 " to %" PRIu64 ") is %s; fpgz -t tells more",
                  job->chunk.head.number, job->chunk.head.first,
                  job->chunk.head.first + fpgz_grid_values(&job->chunk.head.grid) - 1,
                  fpgz_chunk_refusal(status));
}

static bool drain(void *context, void *slot)
{
    struct fpgz_extraction *e = context;
    const struct job *job = slot;
    if (job->chunk.error.status)
        e->drain_error = job->chunk.error;
    else if (e->slice.ordered)
        e->sink->write(e->state, job->piece.data, job->piece_bytes, &e->drain_error);
    return !e->drain_error.status;
}

static void release(void *slot)
{
    struct job *job = slot;
    fpgz_chunk_buffers_free(&job->chunk.buffers);
    fpgz_buffer_free(&job->piece);
}

/* Writes the slice of an array of the container. */
static enum fpgz_status write_array(struct fpgz_extraction *e, struct fpgz_error *error)
{
    const unsigned threads = fpgz_budget_threads(&e->terms->setup);
    struct fpgz_pipeline pipeline = {
        .threads = threads,
        .memory = fpgz_budget_room(&e->terms->setup, threads),
        .job_size = sizeof(struct job),
        .lent_at = offsetof(struct job, chunk.buffers.lent),
        .lent = FPGZ_LENT_SCRATCH,
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
static enum fpgz_status write_dataset(struct fpgz_extraction *e, struct fpgz_error *error)
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

/* For a file whose only datasets are the container's arrays. */
static enum fpgz_status fail_absent(size_t arrays, const char *names, const char *wanted,
                                    struct fpgz_error *error)
{
    char held[40] = "one array";
    if (arrays > 1)
        snprintf(held, sizeof held, "%zu arrays", arrays);
    return fpgz_fail(error, FPGZ_USAGE, "has no dataset %.*s: it holds %s, %s",
                     fpgz_text_fit(wanted, FPGZ_NAME_SHOWN), wanted, held, *names ? names : "without a name");
}

/* Chooses a dataset of the archived file, which is restored for it. */
static enum fpgz_status choose_framed(struct fpgz_extraction *e, const char *wanted, struct fpgz_error *error)
{
    if (fpgz_allowance_believe(&e->terms->setup, e->archive.member.file.size, e->archive.reader.file_size,
                               error) ||
        fpgz_frame_dataset(e->terms, &e->archive, wanted, true, &e->dataset, error))
        return error->status;
    e->framed = true;
    e->part = (struct fpgz_part){.name = (char *)wanted, .array = e->dataset.array};
    return FPGZ_OK;
}

enum fpgz_status fpgz_extraction_choose(struct fpgz_extraction *e, const char *wanted,
                                        struct fpgz_error *error)
{
    const struct fpgz_member *member = &e->archive.member;
    const struct fpgz_source *source = fpgz_source_of_kind(member->file.kind);
    size_t found = 0, arrays = 0;
    char names[200];
    for (size_t i = 0; i < member->arrays; i++) {
        const struct fpgz_part *part = &member->array[i].part;
        arrays += fpgz_part_is_array(part);
        if (fpgz_part_is_array(part) && (!wanted || same_path(part->name, wanted))) {
            e->array = (uint32_t)i;
            found++;
        }
    }
    if (found == 1 && fpgz_catalog_table(&e->archive, e->array, error))
        return error->status;
    const struct fpgz_part *const part = found == 1 ? &member->array[e->array].part : NULL;
    if (part && !part->kepts)
        return FPGZ_OK;
    if (part) /* pieces that are kept as bytes are read from the file */
        return choose_framed(e, part->name, error);
    list_names(member, names);
    if (found && wanted)
        return fpgz_fail(error, FPGZ_USAGE, "holds %zu arrays of the name %.*s; restore the whole file",
                         found, fpgz_text_fit(wanted, FPGZ_NAME_SHOWN), wanted);
    if (found)
        return fpgz_fail(error, FPGZ_USAGE, "holds %zu arrays; choose one with --dataset: %s", arrays, names);
    const bool opens = source && source->open;
    if (!wanted || (!arrays && !opens))
        return fpgz_fail(error, FPGZ_USAGE, "holds no arrays of numbers; restore the whole file");
    if (!opens)
        return fail_absent(arrays, names, wanted, error);
    return choose_framed(e, wanted, error);
}

const struct fpgz_part *fpgz_extraction_part(const struct fpgz_extraction *e, struct fpgz_array *shape)
{
    if (e->framed) {
        *shape = e->part.array;
        return &e->part;
    }
    fpgz_member_shape(&e->archive.member.array[e->array], shape);
    return &e->archive.member.array[e->array].part;
}

enum fpgz_status fpgz_extraction_plan(struct fpgz_extraction *e, const char *region, enum fpgz_order order,
                                      struct fpgz_error *error)
{
    struct fpgz_array shape;
    const struct fpgz_part *const part = fpgz_extraction_part(e, &shape);
    if (!fpgz_slice_begin(&e->slice, part, &shape, region, order, error) &&
        !fpgz_allowance_check(&e->terms->setup, e->slice.bytes, e->archive.reader.file_size, error))
        fpgz_slice_open(&e->slice, error);
    return error->status;
}

enum fpgz_status fpgz_extraction_run(struct fpgz_extraction *e, struct fpgz_error *error)
{
    return e->framed ? write_dataset(e, error) : write_array(e, error);
}

enum fpgz_status fpgz_extraction_free(struct fpgz_extraction *e, struct fpgz_error *error)
{
    struct fpgz_error unread = {0};
    if (e->framed && fpgz_dataset_close(&e->dataset, &unread))
        *error = unread; /* the reason why the values ended early */
    if (!e->framed)
        fpgz_attributes_free(&e->dataset.attributes);
    fpgz_slice_free(&e->slice);
    fpgz_catalog_close(&e->archive);
    return error->status;
}
