/* SPDX-License-Identifier: MIT
 * Reads each member through an index of the sections that were found, and reports what no chunk brings. */
#include "archive/recovery.h"

#include <inttypes.h>

#include "archive/allowance.h"
#include "archive/budget.h"
#include "archive/chunk_job.h"
#include "core/bytes.h"
#include "engine/pipeline.h"
#include "source/formats.h"

struct job {
    struct fpgz_chunk_job chunk;
    uint64_t missing; /* index of the first missing value between the last chunk and this one */
};

/* Whether the place of the array's chunks is known. */
static bool has_place(const struct fpgz_member_array *array)
{
    return array->part.place.count != 0;
}

/* Takes the chunk section just found, whether or not it follows the last one of its array. False when it
 * cannot be restored. */
static bool take_chunk(struct fpgz_recovery *r, struct job *job)
{
    struct fpgz_member *member = &r->archive.member;
    const struct fpgz_section *section = &r->archive.reader.section;
    const struct fpgz_codec *codec;
    struct fpgz_error none = {0};
    if (fpgz_unpack_chunk(section, &job->chunk.head, &none) || job->chunk.head.array >= member->arrays)
        return false;
    struct fpgz_member_array *array = &member->array[job->chunk.head.array];
    const struct fpgz_member_array before = *array;
    if (!has_place(array) || job->chunk.head.number < array->chunks ||
        job->chunk.head.first < array->values || job->chunk.head.first >= array->due)
        return false;
    array->chunks = job->chunk.head.number;
    array->values = job->chunk.head.first;
    if (fpgz_member_chunk(member, section, &job->chunk.head, &codec, &none)) {
        array->chunks = before.chunks;
        array->values = before.values;
        if (none.status == FPGZ_UNSUPPORTED)
            fpgz_warn(r->terms->listener, FPGZ_WARNING_LOST, r->input->name, "%s", none.text);
        return false;
    }
    job->missing = before.values;
    fpgz_catalog_chunk(&r->archive, false, &job->chunk);
    return true;
}

/* If the member's size is unknown, its chunks tell how much comes before them. */
static bool claim(struct fpgz_recovery *r, struct job *job)
{
    const uint64_t values = r->archive.member.array[job->chunk.head.array].values;
    return !fpgz_allowance_check(&r->terms->setup,
                                 r->base + values * fpgz_dtype_size(job->chunk.head.grid.dtype),
                                 r->input->size, &r->fill_error) &&
           !fpgz_chunk_job_claim(&job->chunk, r->terms, r->pipeline, 0, &r->fill_error);
}

static bool fill(void *context, void *slot)
{
    struct fpgz_recovery *r = context;
    struct fpgz_reader *reader = &r->archive.reader;
    struct fpgz_error none = {0};
    while (r->archive.at < reader->index.length &&
           !fpgz_index_next(&reader->index, &r->archive.at, &reader->section, &none))
        if (reader->section.type == FPGZ_SECTION_CHUNK && take_chunk(r, slot))
            return claim(r, slot);
    return false;
}

static void work(void *context, void *slot)
{
    const struct fpgz_recovery *r = context;
    struct job *job = slot;
    if (fpgz_chunk_job_decode(&job->chunk, &r->archive.reader, r->terms))
        fpgz_fail(&job->chunk.error, FPGZ_CORRUPT, "a chunk is damaged");
}

/* Writes what the chunk has of a part, or reports it and what is missing before it. */
static enum fpgz_status land(struct fpgz_recovery *r, const struct job *job, const struct fpgz_part *part)
{
    const uint64_t first = job->chunk.head.first, end = first + fpgz_grid_values(&job->chunk.head.grid);
    const size_t size = fpgz_dtype_size(job->chunk.head.grid.dtype);
    if (job->missing < first && fpgz_loss_add(&r->loss, part, job->missing, first, &r->error))
        return r->error.status;
    if (job->chunk.error.status) /* an unreadable chunk counts as damaged */
        return fpgz_loss_add(&r->loss, part, first, end, &r->error);
    return fpgz_landing_write(&r->landing, part, first * size, job->chunk.restored, (end - first) * size,
                              &r->error);
}

static bool drain(void *context, void *slot)
{
    struct fpgz_recovery *r = context;
    const struct job *job = slot;
    const struct fpgz_member *const member = &r->archive.member;
    const struct fpgz_part *part = &member->array[job->chunk.head.array].part;
    if (!fpgz_progress(r->terms->listener, fpgz_grid_bytes(&job->chunk.head.grid), job->chunk.coded.length,
                       &r->error))
        return false;
    if (job->chunk.error.status == FPGZ_MEMORY) {
        r->error = job->chunk.error;
        return false;
    }
    r->chunks += !job->chunk.error.status;
    for (; part && !r->error.status; part = fpgz_member_copy(member, part))
        land(r, job, part);
    return !r->error.status;
}

static void release(void *slot)
{
    struct job *job = slot;
    fpgz_chunk_buffers_free(&job->chunk.buffers);
}

/* Takes the section of extended attributes just found. If it is damaged, the file's access list is
 * unknown, and the file becomes accessible to its owner alone. */
static void take_xattrs(struct fpgz_recovery *r)
{
    struct fpgz_member *member = &r->archive.member;
    const struct fpgz_section *section = &r->archive.reader.section;
    struct fpgz_xattrs xattrs = {0};
    struct fpgz_error damaged = {0};
    if (section->offset == FPGZ_NOWHERE || fpgz_catalog_body_xattrs(&r->archive, &xattrs, &damaged)) {
        fpgz_loss_tell(&r->loss, "lost: the extended attributes of the file");
        member->file.mode &= 0700;
    } else if (r->has_metadata) {
        fpgz_xattrs_free(&xattrs);
    } else {
        fpgz_xattrs_free(&r->xattrs); /* a hostile container has them twice */
        r->xattrs = xattrs;
    }
}

/* Takes the table of arrays just found. Without it no array is known. */
static void take_arrays(struct fpgz_recovery *r, struct fpgz_error *unfit)
{
    struct fpgz_error damaged = {0};
    if (r->archive.reader.section.offset != FPGZ_NOWHERE &&
        fpgz_reader_arrays(&r->archive.reader, &r->archive.member, &damaged) == FPGZ_MEMORY)
        *unfit = damaged;
}

/* Takes the file and array sections of the member. False when not even the file section is left. */
static bool take_head(struct fpgz_recovery *r)
{
    struct fpgz_catalog *archive = &r->archive;
    struct fpgz_reader *reader = &archive->reader;
    struct fpgz_member *member = &archive->member;
    struct fpgz_buffer table = {0};
    struct fpgz_error unfit = {0};
    size_t tables = 0; /* bytes of them */
    r->chunks_found = 0;
    for (size_t at = 0; at < reader->index.length && !unfit.status;) {
        if (fpgz_index_next(&reader->index, &at, &reader->section, &unfit))
            break;
        const struct fpgz_section *section = &reader->section;
        r->chunks_found += section->type == FPGZ_SECTION_CHUNK;
        if (section->type == FPGZ_SECTION_FILE) {
            fpgz_member_file(member, section, fpgz_source_has_kind, &unfit);
        } else if (section->type == FPGZ_SECTION_XATTRS) {
            take_xattrs(r);
        } else if (section->type == FPGZ_SECTION_ARRAYS && !member->arrays) {
            take_arrays(r, &unfit);
        } else if (section->type == FPGZ_SECTION_ARRAY && section->head_length >= 4 &&
                   fpgz_load32(fpgz_section_head(section)) == member->arrays) {
            /* Arrays are numbered by their order, so the arrays behind a lost one are lost too. */
            struct fpgz_error damaged = {0};
            const bool whole = section->offset != FPGZ_NOWHERE &&
                               section->body_length <= FPGZ_MAX_TABLE_BYTES - tables &&
                               !fpgz_catalog_body(archive, &table, &damaged);
            tables += whole ? section->body_length : 0;
            fpgz_member_array(member, section, whole ? table.data ? table.data : (const uint8_t *)"" : NULL,
                              &unfit);
        }
    }
    fpgz_catalog_rewind(archive);
    fpgz_buffer_free(&table);
    if (unfit.status == FPGZ_MEMORY)
        r->error = unfit;
    return !unfit.status && member->has_file && (member->arrays || !member->file.size);
}

/* Bytes of the member's file, from its sections, or from what was found. */
static uint64_t file_bytes(const struct fpgz_member *member)
{
    const struct fpgz_member_array *const array = member->array;
    if (member->file.size != FPGZ_UNKNOWN)
        return member->file.size;
    return (array->due != FPGZ_UNKNOWN ? array->due : array->values) *
           fpgz_dtype_size(array->part.array.dtype);
}

/* Reports the values of the member's arrays that no chunk brought. */
static enum fpgz_status lose_rest(struct fpgz_recovery *r, const struct fpgz_salvaged *found)
{
    const struct fpgz_member *member = &r->archive.member;
    for (size_t i = 0; i < member->arrays && !r->error.status; i++) {
        const struct fpgz_member_array *const array = &member->array[i];
        const uint64_t values =
            (array->part.carrier ? &member->array[array->part.carrier - 1] : array)->values;
        if (has_place(array) && !array->part.grouped && array->due != FPGZ_UNKNOWN && values < array->due)
            fpgz_loss_add(&r->loss, &array->part, values, array->due, &r->error);
    }
    fpgz_loss_flush(&r->loss);
    if (member->file.size == FPGZ_UNKNOWN && member->array->due == FPGZ_UNKNOWN && !found->has_end)
        fpgz_loss_tell(&r->loss, "lost: what stood behind byte %" PRIu64 ", if anything did",
                       r->base + file_bytes(member));
    for (size_t i = 0; i < member->arrays; i++)
        if (!has_place(&member->array[i]) && !member->array[i].part.carrier)
            fpgz_loss_tell(&r->loss,
                           "lost: array %zu as a whole, for where it stood in the file is not known", i);
    if (member->file.size != FPGZ_UNKNOWN && !r->error.status)
        fpgz_loss_of_gaps(&r->loss, member, &r->error);
    return r->error.status;
}

static enum fpgz_status recover_member(struct fpgz_recovery *r, const struct fpgz_salvaged *found)
{
    struct fpgz_member *member = &r->archive.member;
    struct fpgz_error damaged = {0};
    const unsigned threads = fpgz_budget_threads(&r->terms->setup);
    struct fpgz_pipeline pipeline = {
        .threads = threads,
        .memory = fpgz_budget_room(&r->terms->setup, threads),
        .job_size = sizeof(struct job),
        .lent_at = offsetof(struct job, chunk.buffers.lent),
        .lent = FPGZ_LENT_SCRATCH,
        .context = r,
        .fill = fill,
        .work = work,
        .drain = drain,
        .release = release,
    };
    if (fpgz_salvage_index(&r->salvage, found, &r->archive.reader.index, &r->error))
        return r->error.status;
    if (!take_head(r)) {
        if (!r->has_metadata)
            fpgz_xattrs_free(&r->xattrs);
        fpgz_loss_tell(&r->loss,
                       "lost: a whole container from byte %" PRIu64 " of the file on, without its head",
                       found->at);
        return r->error.status;
    }
    if (!r->has_metadata)
        r->file = member->file;
    r->has_metadata = true;
    for (size_t i = 0; i < member->arrays; i++)
        pipeline.job_bytes = member->array[i].largest_chunk > pipeline.job_bytes
                                 ? member->array[i].largest_chunk
                                 : pipeline.job_bytes;
    pipeline.expected = r->chunks_found ? r->chunks_found : 1;
    const uint64_t told = fpgz_member_bytes(member);
    if (told != FPGZ_UNKNOWN &&
        fpgz_allowance_check(&r->terms->setup, r->base + told, r->input->size, &r->error))
        return r->error.status;
    if (fpgz_member_image(member, &r->image, &damaged)) {
        fpgz_loss_tell(&r->loss,
                       "lost: a whole container from byte %" PRIu64
                       " of the file on, for a table of its filtered pieces is lost",
                       found->at);
        r->error = damaged.status == FPGZ_MEMORY ? damaged : r->error;
        return r->error.status;
    }
    if (fpgz_landing_begin(&r->landing, r->landing.fd, true, 0, &r->image, &r->error))
        return r->error.status;
    r->loss.base = r->base;
    r->pipeline = &pipeline;
    if (!fpgz_pipeline_run(&pipeline))
        fpgz_fail(&r->error, FPGZ_MEMORY, "no memory for threads");
    else if (r->fill_error.status && !r->error.status)
        r->error = r->fill_error;
    if (!r->error.status)
        lose_rest(r, found);
    r->landing.size = file_bytes(member);
    r->base += r->landing.size;
    return fpgz_landing_end(&r->landing, &r->error);
}

enum fpgz_status fpgz_recovery_run(struct fpgz_recovery *r, int fd)
{
    const struct fpgz_salvage *salvage = &r->salvage;
    r->landing.fd = fd;
    if (salvage->lead)
        fpgz_loss_tell(&r->loss, "lost: what the first %" PRIu64 " bytes of the container held, if anything",
                       salvage->lead);
    for (size_t i = 0; i < salvage->members && !r->error.status; i++) {
        recover_member(r, &salvage->member[i]);
        fpgz_member_free(&r->archive.member);
        fpgz_image_free(&r->image);
    }
    if (!r->error.status && !r->has_metadata)
        fpgz_fail(&r->error, FPGZ_CORRUPT, "nothing can be restored: neither its head nor an index is left");
    const struct fpgz_salvaged *const first = salvage->member;
    if (!r->error.status && !first->has_header && (!first->has_end || first->end_start))
        fpgz_notice(r->terms->listener, 0, r->input->name,
                    "its head is missing: containers that stood before it, if any, are lost");
    const bool closed = salvage->member[salvage->members - 1].has_end;
    if (!r->error.status && !closed)
        fpgz_notice(r->terms->listener, 0, r->input->name,
                    "its end is missing: containers that followed in it, if any, are lost");
    if (!r->error.status && closed && salvage->rest)
        fpgz_loss_tell(&r->loss, "lost: what the last %" PRIu64 " bytes of the container held, if anything",
                       salvage->rest);
    fpgz_loss_end(&r->loss);
    return r->error.status;
}

void fpgz_recovery_free(struct fpgz_recovery *r)
{
    fpgz_catalog_close(&r->archive);
    fpgz_salvage_free(&r->salvage);
    fpgz_loss_free(&r->loss);
    fpgz_xattrs_free(&r->xattrs);
}
