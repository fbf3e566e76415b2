/* SPDX-License-Identifier: MIT
 * Times chunks of a grid from host memory to host memory, as the command codes them: by its threads, with
 * checksums, and with verified streams where the codec asks for that. */
#pragma once

#include <string.h>

#include "codec.cuh"
#include "gpu_timing.cuh"

extern "C" {
#include "codec/level.h"
#include "core/checksum.h"
#include "core/cpu.h"
#include "engine/chunk.h"
#include "engine/leads.h"
#include "engine/pipeline.h"
}

enum { GRID_BYTES = 512 << 20, LEAST_CHUNK = 4 << 20, PASSES = 8 };

/* What is wanted, in GB of raw data a second: at least, and at best. */
struct traffic_wanted {
    double must[2], aim[2];
};

struct traffic {
    struct fpgz_backend *backend;
    struct fpgz_coder coder;
    struct fpgz_grid chunk;
    unsigned chunks, next, failures;
    struct fpgz_chunk_buffers buffers[GRID_BYTES / LEAST_CHUNK]; /* of each chunk, but those lent */
    struct fpgz_coded coded[GRID_BYTES / LEAST_CHUNK];
    struct fpgz_pipeline_jobs kept;
    const struct fpgz_pipeline *pipeline;
    struct fpgz_leads leads; /* of all passes, as if they were one array */
    bool decoding;
};

struct traffic_job {
    unsigned chunk;
    struct fpgz_led led;
    struct fpgz_buffer lent[FPGZ_LENT_SCRATCH];
};

static bool traffic_fill(void *context, void *slot)
{
    struct traffic *const t = (struct traffic *)context;
    struct traffic_job *const job = (struct traffic_job *)slot;
    job->chunk = t->next % t->chunks;
    if (t->next++ == PASSES * t->chunks)
        return false;
    fpgz_pipeline_claim(t->pipeline, job, 1, 0); /* a chunk is in one job at a time */
    if (!t->decoding && !fpgz_leads_next(&t->leads, &job->led))
        must(cudaErrorMemoryAllocation, "host memory");
    return true;
}

static void traffic_work(void *context, void *slot)
{
    struct traffic *const t = (struct traffic *)context;
    struct traffic_job *const job = (struct traffic_job *)slot;
    struct fpgz_chunk_buffers buffers = t->buffers[job->chunk];
    struct fpgz_coded coded = t->coded[job->chunk];
    struct fpgz_coder coder = t->coder;
    memcpy(buffers.lent, job->lent, sizeof job->lent);
    coder.lead = &job->led.lead;
    fpgz_led_begin(&job->led);
    if (t->decoding ? fpgz_chunk_decode(&coded, false, &buffers)
                    : fpgz_chunk_encode(&coder, &t->chunk, &buffers, &coded))
        __sync_fetch_and_add(&t->failures, 1);
    fpgz_led_end(&job->led);
    memcpy(job->lent, buffers.lent, sizeof job->lent);
    memset(buffers.lent, 0, sizeof job->lent);
    t->buffers[job->chunk] = buffers;
    t->coded[job->chunk] = coded;
}

static bool traffic_drain(void *, void *)
{
    return true;
}

static void traffic_release(void *)
{
}

static double traffic_run(struct traffic *t, bool decoding)
{
    struct fpgz_pipeline pipeline = {};
    pipeline.busy = fpgz_cpu_count();
    pipeline.threads = fpgz_backend_threads(t->backend, pipeline.busy, GRID_BYTES);
    pipeline.job_size = sizeof(struct traffic_job);
    pipeline.lent_at = offsetof(struct traffic_job, lent);
    pipeline.lent = FPGZ_LENT_SCRATCH;
    pipeline.memory = t->chunks;
    pipeline.kept = &t->kept;
    pipeline.context = t;
    pipeline.fill = traffic_fill;
    pipeline.work = traffic_work;
    pipeline.drain = traffic_drain;
    pipeline.release = traffic_release;
    t->pipeline = &pipeline;
    t->decoding = decoding;
    t->next = 0;
    t->leads = {};
    const double begin = now();
    check(fpgz_pipeline_run(&pipeline), "no threads");
    const double seconds = now() - begin;
    fpgz_leads_free(&t->leads);
    return seconds;
}

static void traffic_free(struct traffic *t)
{
    struct fpgz_pipeline pipeline = {};
    pipeline.job_size = sizeof(struct traffic_job);
    pipeline.kept = &t->kept;
    pipeline.release = traffic_release;
    fpgz_pipeline_forget(&pipeline);
    for (unsigned i = 0; i < t->chunks; i++)
        fpgz_chunk_buffers_free(&t->buffers[i]);
    fpgz_backend_close(t->backend);
    free(t);
}

/* `values` are a grid of GRID_BYTES. codec: NULL for the default level. */
static void measure_traffic(const struct fpgz_codec *codec, const struct fpgz_grid *grid,
                            const uint8_t *values, unsigned chunk_bytes, const struct traffic_wanted *wanted)
{
    static double seconds[2][MAX_RUNS];
    struct fpgz_error error = {};
    struct traffic *const t = (struct traffic *)calloc(1, sizeof *t);
    const double gb = PASSES * (GRID_BYTES / 1e9);
    bool same = true;
    if (!t || fpgz_backend_open(FPGZ_BACKEND_CUDA, 0, false, false, &t->backend, &error) ||
        !fpgz_backend_wait(t->backend))
        must(cudaErrorUnknown, "the GPU does not start");
    t->coder.level = FPGZ_LEVEL_DEFAULT;
    t->coder.codec = codec;
    if (codec)
        fpgz_codec_defaults(codec, &t->coder.params);
    t->chunk = *grid;
    t->chunks = GRID_BYTES / chunk_bytes;
    t->chunk.extent[0] /= t->chunks;
    for (unsigned i = 0; i < t->chunks; i++) {
        const uint8_t *const raw = values + (size_t)i * chunk_bytes;
        if (!fpgz_buffer_reserve(&t->buffers[i].raw, chunk_bytes))
            must(cudaErrorMemoryAllocation, "host memory");
        memcpy(t->buffers[i].raw.data, raw, chunk_bytes);
        t->buffers[i].backend = t->backend;
        t->coded[i].raw_checksum = fpgz_checksum(raw, chunk_bytes);
    }
    for (unsigned i = 0; i <= runs; i++) /* the first one touches and pins memory */
        for (unsigned way = 0; way < 2; way++)
            seconds[way][i ? i - 1 : 0] = traffic_run(t, way);
    for (unsigned i = 0; i < t->chunks; i++)
        same &= !memcmp(t->buffers[i].raw.data, values + (size_t)i * chunk_bytes, chunk_bytes);
    check(same && !t->failures, "memory to memory restores something else");
    printf("%s %s 3-D in chunks of %u MiB, memory to memory: %.1f / %.1f GB/s (must %g / %g, aim %g / %g)\n",
           codec ? codec->name : "default level,", fpgz_dtype_name(grid->dtype), chunk_bytes >> 20,
           gb / median(seconds[0]), gb / median(seconds[1]), wanted->must[0], wanted->must[1], wanted->aim[0],
           wanted->aim[1]);
    fflush(stdout);
    traffic_free(t);
}
