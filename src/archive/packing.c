/* SPDX-License-Identifier: MIT
 * Chunks are read, coded side by side, and written in their order. */
#include "archive/packing.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "archive/budget.h"
#include "archive/coder.h"
#include "archive/describe.h"
#include "archive/explain.h"
#include "archive/looks.h"
#include "archive/parts.h"
#include "archive/pieces.h"
#include "archive/shortening.h"
#include "codec/codecs.h"
#include "engine/chunk.h"

/* The chunks and values that were written of an array, those that lead others, and what is looked at of
 * others. */
struct fpgz_packed_array {
    uint64_t chunks, values;
    struct fpgz_leads leads;
    struct fpgz_looks looks;
};

/* One chunk on its way through the pipeline. */
struct job {
    struct fpgz_intake_chunk chunk;
    struct fpgz_coder coder; /* of its part */
    struct fpgz_led led;
    struct fpgz_chunk_buffers buffers;
    struct fpgz_coded coded;
    struct fpgz_error error;
    size_t scratch;                 /* bytes that any step may take */
    const struct fpgz_looks *looks; /* which values are brought at first; NULL: all */
    struct fpgz_rest rest;          /* who brings the others, */
    const struct fpgz_fetch *fetch; /* by this */
};

_Static_assert(offsetof(struct fpgz_packing, writer.section) + sizeof(struct fpgz_section) ==
                   sizeof(struct fpgz_packing),
               "nothing is behind what is not cleared");

void fpgz_packing_clear(struct fpgz_packing *c)
{
    memset(c, 0, offsetof(struct fpgz_packing, writer.section.bytes));
}

static bool fill(void *context, void *slot)
{
    struct fpgz_packing *c = context;
    struct job *job = slot;
    job->error.status = FPGZ_OK;
    const bool piped = !c->intake.input->sized; /* then it is read at once, up to the length of a chunk */
    if (piped)
        job->chunk.planned = (struct fpgz_planned){.grid = fpgz_intake_next_of_pipe(&c->intake)};
    else if (!fpgz_intake_next(&c->intake, &job->chunk, &job->buffers.raw, &c->fill_error))
        return false;
    const struct fpgz_planned *planned = &job->chunk.planned;
    job->coder = fpgz_coder_of(&c->terms->setup, c->level, &c->intake.content.part[planned->part]);
    struct fpgz_need need = fpgz_need_encode(&job->coder, &planned->grid);
    fpgz_pieces_need(&c->intake.content.part[planned->part], 0, &need);
    job->scratch = need.scratch;
    /* The end of a pipe may leave rows for one more chunk. */
    if (fpgz_budget_claim(&c->terms->setup, c->pipeline, job, &job->buffers, &need, piped ? need.raw : 0,
                          &c->fill_error) ||
        (piped && !fpgz_intake_next(&c->intake, &job->chunk, &job->buffers.raw, &c->fill_error)))
        return false;
    struct fpgz_leads *const leads = &c->packed[planned->part].leads;
    fpgz_led_end(&job->led); /* a run that failed may have left it */
    const bool led = fpgz_leads_next(leads, &job->led);
    if (!led)
        fpgz_fail(&c->fill_error, FPGZ_MEMORY, "no memory for a chunk");
    const bool some = led && c->intake.fetch && c->intake.fetch->look &&
                      fpgz_looks_list(&c->packed[planned->part].looks, &job->coder, &job->led, &planned->grid,
                                      c->terms->backend);
    job->looks = some ? &c->packed[planned->part].looks : NULL;
    if (planned->last) /* of many arrays few are under way */
        fpgz_leads_free(leads);
    return led;
}

/* The checksum of all values is known. */
static bool bring_rest(struct fpgz_rest *rest)
{
    struct job *const job = (struct job *)((char *)rest - offsetof(struct job, rest));
    const struct fpgz_buffer *const raw = &job->buffers.raw;
    return !fpgz_fetch(job->fetch, raw->data, raw->there, fpgz_grid_bytes(&job->chunk.planned.grid), NULL,
                       &job->error);
}

/* Brings the chunk's values, or those that are looked at. */
static bool bring(const struct fpgz_packing *c, struct job *job)
{
    struct fpgz_buffer *const raw = &job->buffers.raw;
    job->fetch = c->intake.fetch;
    job->rest.bring = bring_rest;
    raw->rest = NULL;
    if (c->intake.fetch && fpgz_buffer_reserve(raw, fpgz_grid_bytes(&job->chunk.planned.grid)))
        fpgz_backend_pin(c->terms->backend, raw);
    if (job->looks && fpgz_intake_look(&c->intake, &job->chunk, raw, &job->looks->run, job->looks->runs,
                                       &job->coded.raw_checksum, &job->error)) {
        raw->rest = &job->rest;
        return true;
    }
    return !job->error.status &&
           !fpgz_intake_load(&c->intake, &job->chunk, &job->buffers, &job->coded.raw_checksum, &job->error);
}

static void code(const struct fpgz_packing *c, struct job *job)
{
    const struct fpgz_planned *planned = &job->chunk.planned;
    const struct fpgz_part *part = &c->intake.content.part[planned->part];
    struct fpgz_coder *const coder = &job->coder;
    if (part->layout == FPGZ_BYTES &&
        fpgz_parts_hopeless(job->buffers.raw.data, fpgz_grid_bytes(&planned->grid), &job->buffers))
        coder->codec = &fpgz_store;
    /* At once, for scratch that grows is cleared once more. Where that fails a step may still find enough. */
    fpgz_buffer_reserve(&job->buffers.scratch, job->scratch);
    job->buffers.backend = c->terms->backend;
    job->buffers.stream.takes_far = c->leaving;
    const struct fpgz_errors *bound = &coder->bound, *made = &job->coded.errors;
    const enum fpgz_status status = fpgz_chunk_encode(coder, &planned->grid, &job->buffers, &job->coded);
    if (job->error.status) /* values did not come */
        return;
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

/* The buffer of values is only lent to the job: where they are stored as they are, the other one goes. */
static void keep_stream(const struct fpgz_coded *coded, struct fpgz_chunk_buffers *buffers)
{
    if (coded->stream == buffers->raw.data)
        fpgz_buffer_swap(&buffers->raw, &buffers->stream);
}

static void work(void *context, void *slot)
{
    const struct fpgz_packing *const c = context;
    struct job *const job = slot;
    if (bring(c, job)) { /* before the wait for the chunk that it follows */
        fpgz_led_begin(&job->led);
        job->coder.lead = &job->led.lead;
        if (!fpgz_tried_take(&c->tried, &job->coder, &job->chunk.planned.grid, &job->buffers, &job->coded))
            code(c, job);
    }
    fpgz_led_end(&job->led);
    job->buffers.raw.rest = NULL;
    if (!job->error.status)
        keep_stream(&job->coded, &job->buffers);
}

enum fpgz_status fpgz_packing_chunk(struct fpgz_packing *c, const struct fpgz_planned *planned,
                                    const struct fpgz_coded *coded, struct fpgz_error *error)
{
    const size_t array = planned->part;
    struct fpgz_packed_array *packed = &c->packed[array];
    const struct fpgz_chunk_head head = {
        .array = (uint32_t)array,
        .codec = (uint16_t)coded->codec->id,
        .param_count = coded->codec->param_count,
        .params = coded->params,
        .number = packed->chunks++,
        .first = packed->values,
        .raw_checksum = coded->raw_checksum,
        .grid = coded->grid,
        .has_errors = !coded->codec->lossless,
        .absolute_error = coded->errors.absolute,
        .relative_error = coded->errors.relative,
    };
    packed->values += fpgz_grid_values(&coded->grid);
    c->by_codec[coded->codec->id]++;
    if (coded->defective && !c->defects++)
        fpgz_warn(c->terms->listener, FPGZ_WARNING_DEFECT, c->name,
                  "chunk %" PRIu64 " is stored as it is, for codec %s cannot decode what it made of it: "
                  "a defect of fpgz; please report it",
                  c->chunks, coded->defective->name);
    fpgz_explain_chunk(c->terms->listener, c->name, c->chunks++, &c->intake.content.part[array], coded);
    const uint64_t raw = fpgz_grid_bytes(&coded->grid) * (1 + (uint64_t)c->intake.content.part[array].copies);
    if (!fpgz_progress(c->terms->listener, raw, coded->length, error))
        return error->status;
    return fpgz_writer_chunk(&c->writer, &head, coded->stream, coded->length, coded->stream_checksum, raw,
                             error);
}

static bool drain(void *context, void *slot)
{
    struct fpgz_packing *c = context;
    struct job *job = slot;
    if (c->leaving)
        fpgz_buffer_swap(c->leaving, &job->buffers.stream);
    if (job->error.status)
        c->drain_error = job->error;
    else
        fpgz_packing_chunk(c, &job->chunk.planned, &job->coded, &c->drain_error);
    return !c->drain_error.status;
}

static void release(void *slot)
{
    struct job *job = slot;
    fpgz_led_end(&job->led);
    fpgz_chunk_buffers_free(&job->buffers);
}

void fpgz_packing_forget(struct fpgz_pipeline_jobs *kept)
{
    fpgz_pipeline_forget(
        &(struct fpgz_pipeline){.job_size = sizeof(struct job), .kept = kept, .release = release});
}

/* Writes the sections before the chunks. */
static enum fpgz_status begin(struct fpgz_packing *c, struct fpgz_out out, struct fpgz_error *error)
{
    const struct fpgz_content *content = &c->intake.content;
    uint64_t *const largest = calloc(content->count, sizeof *largest);
    c->packed = calloc(content->count, sizeof *c->packed);
    if (!largest || !c->packed) {
        free(largest);
        return fpgz_fail(error, FPGZ_MEMORY, "no memory for %zu arrays", content->count);
    }
    for (size_t i = 0; i < content->count; i++)
        largest[i] = fpgz_plan_largest(&c->intake.plan, i);
    c->file.kind = content->kind;
    c->file.image = content->size;
    c->file.size = fpgz_content_bytes(content);
    const bool raw = content->kind == FPGZ_KIND_RAW, lone = raw && fpgz_plan_is_lone(&c->intake.plan);
    c->file.scattered = !raw && fpgz_plan_scattered(&c->intake.plan);
    fpgz_writer_begin(&c->writer, out, &c->file, raw ? content->part : NULL, largest[0], lone, error);
    if (c->xattrs.length && !error->status)
        fpgz_writer_xattrs(&c->writer, c->xattrs.data, c->xattrs.length, error);
    if (!raw && !error->status)
        fpgz_writer_arrays(&c->writer, content->part, content->count, largest, error);
    if (c->attributes && c->attributes->length && !error->status)
        fpgz_writer_attributes(&c->writer, 0, c->attributes->data, c->attributes->length, error);
    free(largest);
    return error->status;
}

enum fpgz_status fpgz_packing_plan(struct fpgz_packing *c, const struct fpgz_input *input,
                                   struct fpgz_error *error)
{
    const struct fpgz_setup *setup = &c->terms->setup;
    const struct fpgz_content *content = &c->intake.content;
    c->level = fpgz_coder_level(setup, input, content);
    c->target = setup->chunk;
    c->slab = fpgz_setup_slab(setup);
    if (fpgz_budget_cut(setup, c->level, content->part, content->count, &c->target, &c->slab, error))
        return error->status;
    if (c->target < setup->chunk)
        fpgz_notice(c->terms->listener, 0, c->name,
                    "chunks aim at %" PRIu64 " KiB, not %" PRIu64
                    ": more memory than --memory allows would make the container smaller",
                    c->target >> 10, setup->chunk >> 10);
    c->intake.input = input;
    fpgz_shorten_chunks(setup, c->level, c->target, c->slab, &c->intake);
    return fpgz_intake_begin(&c->intake, c->target, c->slab, error);
}

/* What a pipe has behind the last whole value becomes a member of its own. */
static enum fpgz_status add_odd(struct fpgz_packing *c, struct fpgz_out out, struct fpgz_error *error)
{
    const uint64_t bytes = c->intake.odd_bytes;
    const struct fpgz_array array = {.dtype = FPGZ_U8, .dims = 1, .extent = {bytes}};
    const struct fpgz_input input = {.name = c->name, .fd = -1, .sized = true, .size = bytes};
    struct fpgz_packing odd = {.terms = c->terms, .input = &input, .name = c->name};
    odd.intake.memory = c->intake.odd;
    odd.intake.content.size = bytes;
    if (!fpgz_describe_grid(&array, "", bytes, &odd.intake.content, error) &&
        !fpgz_packing_plan(&odd, &input, error) && !fpgz_packing_run(&odd, out, error)) {
        c->writer.start += c->writer.position;
        c->writer.position = odd.writer.position;
        c->writer.section = odd.writer.section;
        c->writer.raw_bytes += bytes;
    }
    fpgz_packing_free(&odd);
    return error->status;
}

enum fpgz_status fpgz_packing_run(struct fpgz_packing *c, struct fpgz_out out, struct fpgz_error *error)
{
    const unsigned busy = fpgz_budget_threads(&c->terms->setup),
                   threads = fpgz_backend_threads(c->terms->backend, busy, c->input->size);
    struct fpgz_pipeline pipeline = {
        .threads = threads,
        .busy = busy,
        .memory = fpgz_budget_room(&c->terms->setup, threads),
        .job_size = sizeof(struct job),
        .lent_at = offsetof(struct job, buffers.lent),
        .lent = FPGZ_LENT,
        .kept = fpgz_budget_keeps(c->terms, threads) ? &c->terms->kept->packing : c->kept,
        .context = c,
        .fill = fill,
        .work = work,
        .drain = drain,
        .release = release,
    };
    c->pipeline = &pipeline;
    for (size_t i = 0; i < c->intake.content.count; i++) {
        const struct fpgz_cut *cut = &c->intake.plan.part[i].cut;
        const uint64_t rows = cut->shape.extent[0], largest = fpgz_plan_largest(&c->intake.plan, i);
        if (c->intake.content.part[i].carrier)
            continue;
        pipeline.job_bytes = largest > pipeline.job_bytes ? largest : pipeline.job_bytes;
        pipeline.expected += rows == FPGZ_UNKNOWN ? UINT32_MAX : rows / cut->rows + 2;
    }
    if (!begin(c, out, error)) {
        if (c->bring)
            c->bring(c, &c->drain_error);
        else if (!fpgz_pipeline_run(&pipeline))
            fpgz_fail(error, FPGZ_MEMORY, "no memory for threads");
        /* A failure of drain() comes first, as its chunk stands earlier in the input. */
        if (c->drain_error.status || c->fill_error.status)
            *error = c->drain_error.status ? c->drain_error : c->fill_error;
        else if (!fpgz_input_unchanged(c->input, c->may_grow, c->terms->listener, error) &&
                 !fpgz_writer_end(&c->writer, error) && c->intake.odd_bytes)
            add_odd(c, out, error);
    }
    return error->status;
}

void fpgz_packing_free(struct fpgz_packing *c)
{
    fpgz_writer_free(&c->writer);
    for (size_t i = 0; c->packed && i < c->intake.content.count; i++) {
        fpgz_leads_free(&c->packed[i].leads);
        fpgz_looks_free(&c->packed[i].looks);
    }
    free(c->packed);
    fpgz_intake_free(&c->intake);
    fpgz_xattrs_free(&c->xattrs);
    fpgz_buffer_free(&c->tried.stream);
}
