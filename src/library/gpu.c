/* SPDX-License-Identifier: MIT
 * fpgz_gpu_*(): arrays in a GPU's memory. Chunks that kernels code stay there (engine/resident.h); all others
 * go by way of the host, as fpgz_encode() and fpgz_decode() have them, which also say what is wrong. */
#include <stdlib.h>
#include <string.h>

#include "archive/coder.h"
#include "codec/codecs.h"
#include "core/bytes.h"
#include "library/common.h"
#include "library/course.h"
#include "library/target.h"

struct fpgz_gpu {
    struct fpgz_backend *backend;
    struct fpgz_fetch fetch;
    struct fpgz_device *device;
    void *stream;               /* of the caller's, in whose order the present call stands */
    struct fpgz_batch batch[2]; /* the second one from the first large array on that is decoded */
    struct fpgz_team *team;
    struct fpgz_pipeline_jobs kept; /* for chunks that the host encodes, */
    struct fpgz_buffer leaving;     /* and the stream of one that goes to the GPU */
    /* Of the container on the GPU that is read, what stands before and behind its streams; NULL: there is
     * none. */
    const uint8_t *container, *ends;
    size_t length;
};

/* Where the host has bytes of the container; NULL if it has not. */
static const uint8_t *find_end(const struct fpgz_gpu *g, const uint8_t *at, size_t bytes)
{
    const size_t first = fpgz_min(g->length, FPGZ_RESIDENT_FIRST),
                 last = fpgz_min(g->length, FPGZ_RESIDENT_LAST);
    const size_t from = g->container ? (size_t)(at - g->container) : 0;
    if (!g->container || from > g->length || bytes > g->length - from)
        return NULL;
    if (from + bytes <= first)
        return g->ends + from;
    return from >= g->length - last ? g->ends + first + (from - (g->length - last)) : NULL;
}

static enum fpgz_status fetch(void *context, void *to, const void *from, size_t bytes, uint64_t *checksum,
                              struct fpgz_error *error)
{
    const struct fpgz_gpu *g = context;
    const uint8_t *const known = find_end(g, from, bytes);
    if (known)
        return fpgz_fetch(NULL, to, known, bytes, checksum, error);
    return fpgz_resident_copy(g->batch->resident, to, from, bytes, checksum, error);
}

static enum fpgz_status look(void *context, void *to, const void *from, size_t bytes,
                             const struct fpgz_looked *run, size_t runs, uint64_t *checksum,
                             struct fpgz_error *error)
{
    const struct fpgz_gpu *g = context;
    return fpgz_resident_look(g->batch->resident, to, from, bytes, run, runs, checksum, error);
}

static enum fpgz_status open_gpu(struct fpgz_gpu *g, int number, struct fpgz_error *error)
{
    if (number < 0)
        return fpgz_fail(error, FPGZ_USAGE, "GPU %d: their numbers begin with 0", number);
    if (fpgz_backend_open(FPGZ_BACKEND_CUDA, number, false, false, &g->backend, error))
        return error->status;
    g->device = fpgz_backend_wait(g->backend);
    if (!g->device && !fpgz_backend_failure(g->backend, error))
        return fpgz_fail(error, FPGZ_MEMORY, "no memory for a thread");
    if (!g->device)
        return error->status;
    g->team = fpgz_team_open();
    return g->team ? fpgz_resident_open(g->device, &g->batch->resident, error)
                   : fpgz_fail(error, FPGZ_MEMORY, "no memory");
}

enum fpgz_status fpgz_gpu_open(int number, struct fpgz_gpu **gpu, struct fpgz_error *error)
{
    struct fpgz_error own;
    struct fpgz_gpu *g = *gpu = calloc(1, sizeof *g);
    error = fpgz_library_error(error, &own);
    if (!g)
        return fpgz_fail(error, FPGZ_MEMORY, "no memory");
    g->fetch = (struct fpgz_fetch){fetch, look, g};
    if (open_gpu(g, number, error)) {
        fpgz_gpu_close(g);
        *gpu = NULL;
    }
    return error->status;
}

void fpgz_gpu_close(struct fpgz_gpu *g)
{
    if (!g)
        return;
    fpgz_packing_forget(&g->kept);
    fpgz_buffer_free(&g->leaving);
    fpgz_team_close(g->team);
    fpgz_resident_close(g->batch[0].resident);
    fpgz_resident_close(g->batch[1].resident);
    fpgz_backend_close(g->backend);
    free(g);
}

/* The course of an array whose values end at `end`. */
static struct fpgz_course begin(struct fpgz_gpu *g, const uint8_t *end, struct fpgz_packing *packing)
{
    for (unsigned i = 0; i < 2; i++) { /* an earlier failure may have left some */
        g->batch[i].count = 0;
        g->batch[i].bytes = 0;
        g->batch[i].under_way = false;
    }
    return (struct fpgz_course){
        .batch = g->batch, .team = g->team, .end = end, .packing = packing, .threads = 1};
}

/* Brings the chunks of a packing. */
static enum fpgz_status bring(struct fpgz_packing *packing, struct fpgz_error *error)
{
    struct fpgz_intake *const intake = &packing->intake;
    struct fpgz_gpu *const g = packing->context;
    struct fpgz_course c = begin(g, intake->memory + intake->content.size, packing);
    const struct fpgz_coder coder =
        fpgz_coder_of(&packing->terms->setup, packing->level, intake->content.part);
    for (struct fpgz_intake_chunk next; !error->status && fpgz_intake_next(intake, &next, NULL, error);) {
        const struct fpgz_grid *const grid = &next.planned.grid;
        struct fpgz_resident_chunk chunk = {.coded = {.codec = coder.codec, .params = coder.params},
                                            .values = (uint8_t *)intake->memory + next.planned.at};
        coder.codec->fold(grid, &chunk.coded.grid);
        if (!coder.codec->bound(&chunk.coded.grid, &coder.params)) /* it has too many values */
            chunk.coded = (struct fpgz_coded){.codec = &fpgz_store, .grid = *grid};
        fpgz_course_add(&c, &next.planned, &chunk, error);
    }
    return error->status ? error->status : fpgz_course_finish(&c, error);
}

/* Whether the chunks of an array can be coded where they are: little-endian, by a codec that is given and
 * has kernels for it. */
static bool stays(const struct fpgz_setup *setup, const struct fpgz_array *array)
{
    return setup->codec && array->order == FPGZ_LITTLE && fpgz_resident_codes(setup->codec, false);
}

static enum fpgz_status encode(struct fpgz_gpu *g, const struct fpgz_array *array, const void *values,
                               const struct fpgz_settings *settings, struct fpgz_target *t,
                               struct fpgz_error *error)
{
    struct fpgz_terms terms;
    const struct fpgz_out out = {.fd = -1, .write = fpgz_target_put, .context = t};
    struct fpgz_packing packing = {.terms = &terms, .intake = {.memory = values, .fetch = &g->fetch}};
    if (!fpgz_resident_has(g->batch->resident, values))
        return fpgz_fail(error, FPGZ_USAGE, "the values are not in the memory of the GPU");
    if (fpgz_library_terms(settings, &terms, error))
        return error->status;
    terms.backend = g->backend;
    packing.kept = settings && settings->memory ? NULL : &g->kept;
    packing.leaving = settings && settings->memory ? NULL : &g->leaving;
    t->packing = &packing;
    if (stays(&terms.setup, array)) {
        packing.bring = bring;
        packing.context = g;
    }
    fpgz_library_pack(&packing, out, "", array, error);
    if (t->error.status)
        *error = t->error;
    if (!error->status && t->length > t->room)
        fpgz_fail(error, FPGZ_LIMIT, "needs %zu bytes, and has room for %zu", t->length, t->room);
    return error->status ? error->status : fpgz_resident_flush(g->batch->resident, error);
}

enum fpgz_status fpgz_gpu_encode(struct fpgz_gpu *g, void *stream, const struct fpgz_array *array,
                                 const void *values, const struct fpgz_settings *settings, void *container,
                                 size_t room, size_t *length, struct fpgz_error *error)
{
    struct fpgz_error own;
    struct fpgz_target target = {.resident = g->batch->resident, .to = container, .room = room};
    error = fpgz_library_error(error, &own);
    if (!fpgz_resident_enter(g->batch->resident, stream, error))
        encode(g, array, values, settings, &target, error);
    fpgz_resident_leave(g->batch->resident);
    *length = target.length;
    return error->status;
}

/* A sink that is memory of the GPU. */
struct sink {
    struct fpgz_resident *resident;
    uint8_t *to;
};

static enum fpgz_status take_values(void *state, const void *data, size_t length, struct fpgz_error *error)
{
    struct sink *s = state;
    fpgz_resident_copy(s->resident, s->to, data, length, NULL, error);
    s->to += length;
    return error->status;
}

static const struct fpgz_sink gpu_sink = {.name = "GPU", .write = take_values};

/* The stream of a chunk, in a container of `length` bytes; NULL where that ends before. */
static const uint8_t *find_stream(const struct fpgz_chunk_job *job, const uint8_t *container, size_t length)
{
    return job->offset <= length && job->coded.length <= length - job->offset ? container + job->offset
                                                                              : NULL;
}

/* Decodes the chunks of an array, whose catalog is open. False where they have to go by way of the host. */
static bool decode_chunks(struct fpgz_course *c, struct fpgz_catalog *catalog, uint32_t array,
                          const uint8_t *container, size_t length, uint8_t *values, struct fpgz_error *error)
{
    const unsigned threads = (unsigned)fpgz_min(fpgz_cpu_count(), FPGZ_RESIDENT_THREADS);
    while (!error->status && fpgz_catalog_next(catalog, FPGZ_SECTION_CHUNK, array)) {
        struct fpgz_chunk_job job = {0};
        fpgz_catalog_chunk(catalog, true, &job);
        const struct fpgz_resident_chunk chunk = {
            .coded = job.coded, .values = values + job.at, .stream = find_stream(&job, container, length)};
        if (!chunk.stream || fpgz_grid_bytes(&job.coded.grid) > (uint64_t)(c->end - chunk.values) ||
            !fpgz_resident_codes(job.coded.codec, true)) {
            c->left = true;
            break;
        }
        if (fpgz_resident_reads(job.coded.codec))
            c->threads = threads;
        fpgz_course_add(c, NULL, &chunk, error);
    }
    return !error->status && !fpgz_course_finish(c, error) && !c->left; /* nothing is under way then */
}

/* Takes a second batch, whose streams are read while kernels decode those of the first one. Without it there
 * is only less speed. */
static void take_second(struct fpgz_gpu *g)
{
    struct fpgz_resident **const second = &g->batch[1].resident;
    struct fpgz_error none = {0};
    if (!*second)
        fpgz_resident_open(g->device, second, &none);
    if (*second && !none.status && !fpgz_resident_enter(*second, g->stream, &none))
        return;
    fpgz_resident_close(*second);
    *second = NULL;
}

/* Decodes the array of the catalog, of `bytes` bytes, where its chunks are. False where that fails, or is not
 * possible. */
static bool decode_here(struct fpgz_gpu *g, struct fpgz_catalog *catalog, uint32_t array,
                        const uint8_t *container, size_t length, uint8_t *values, uint64_t bytes,
                        struct fpgz_error *error)
{
    const struct fpgz_part *const part = &catalog->member.array[array].part;
    struct fpgz_course c = begin(g, values + bytes, NULL);
    if (part->layout != FPGZ_DENSE || part->array.order != FPGZ_LITTLE || part->carrier || part->turned ||
        (part->column_major && part->array.dims > 1))
        return false;
    if (bytes > FPGZ_RESIDENT_BYTES || catalog->member.array[array].chunks > FPGZ_RESIDENT_MOST)
        take_second(g);
    fpgz_catalog_rewind(catalog);
    return decode_chunks(&c, catalog, array, container, length, values, error);
}

/* Decodes a container of one array without its being opened by the host, which says what is wrong. False
 * where that fails, or is not possible. */
static bool decode_sole(struct fpgz_gpu *g, const void *container, size_t length, struct fpgz_array *array,
                        uint8_t *values, size_t room, struct fpgz_error *error)
{
    struct fpgz_catalog *const catalog = calloc(1, sizeof *catalog);
    uint32_t number;
    uint64_t bytes;
    bool done = false;
    if (!catalog)
        return false;
    if (fpgz_library_sole(container, length, g->container ? &g->fetch : NULL, catalog, &number, array))
        done = fpgz_extents_bytes(array->dtype, array->extent, array->dims, &bytes) && bytes <= room &&
               decode_here(g, catalog, number, container, length, values, bytes, error);
    fpgz_catalog_close(catalog);
    free(catalog);
    return done;
}

static enum fpgz_status decode(struct fpgz_gpu *g, const void *container, size_t length,
                               struct fpgz_array *array, uint8_t *values, size_t room,
                               struct fpgz_error *error)
{
    struct fpgz_container *opened;
    struct sink sink = {g->batch->resident, values};
    const bool far = fpgz_resident_has(g->batch->resident, container);
    if (!fpgz_resident_has(g->batch->resident, values))
        return fpgz_fail(error, FPGZ_USAGE, "the values are not in the memory of the GPU");
    g->container = far ? container : NULL;
    g->length = length;
    if (far && fpgz_resident_peek(g->batch->resident, container, length, &g->ends, error))
        return error->status;
    if (decode_sole(g, container, length, array, values, room, error) || error->status)
        return error->status;
    if (fpgz_library_open(container, length, far ? &g->fetch : NULL, g->backend, &opened, error))
        return error->status;
    const size_t arrays = fpgz_container_arrays(opened);
    if (arrays != 1) {
        fpgz_fail(error, FPGZ_USAGE, "holds %zu arrays, not one", arrays);
    } else {
        fpgz_container_array(opened, 0, array);
        fpgz_library_read(opened, 0, NULL, &gpu_sink, &sink, room, error);
    }
    fpgz_container_close(opened);
    return error->status;
}

enum fpgz_status fpgz_gpu_decode(struct fpgz_gpu *g, void *stream, const void *container, size_t length,
                                 struct fpgz_array *array, void *values, size_t room,
                                 struct fpgz_error *error)
{
    struct fpgz_error own;
    struct fpgz_array own_array;
    error = fpgz_library_error(error, &own);
    g->stream = stream;
    if (!fpgz_resident_enter(g->batch->resident, stream, error))
        decode(g, container, length, array ? array : &own_array, values, room, error);
    if (g->batch[1].resident)
        fpgz_resident_leave(g->batch[1].resident);
    fpgz_resident_leave(g->batch->resident);
    g->container = NULL; /* the caller may have other bytes there next time */
    return error->status;
}
