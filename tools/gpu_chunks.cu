/* SPDX-License-Identifier: MIT
 * gpu_chunks: times the kernels of prans' encoder, with what they tell the host's, and those that decode,
 * with many chunks in flight: 512 MiB in chunks of 8 MiB, each with memory of its own. Waves also go from
 * memory to memory, as the default level codes them. Every byte is compared. usage: gpu_chunks [-n RUNS] [-s
 * MIB] [-b CHUNKS] [KIND]   with chunks of another size (8 to 512 MiB, a power of two), so many of them
 * decoded in one queue by one call (8), of one kind of values (77: no GPU) */
#include <string.h>

#include "gpu_encoding.cuh"
#include "gpu_traffic.cuh"

extern "C" {
#include "codec/prans/bins/bins.h"
#include "core/buffer.h"
#include "engine/device.h"
#include "grids.h"
}

enum { ALL = 512 << 20, CHUNKS = 64, SLACK = 256, THREADS = 16, ROUNDS = 4 };

struct trial {
    const char *kind;
    enum fpgz_dtype dtype;
    uint64_t extent[3]; /* of a chunk */
};

static const struct trial trials[] = {
    {"wave", FPGZ_F32, {8, 512, 512}},    {"turbulence", FPGZ_F32, {8, 512, 512}},
    {"wave", FPGZ_F64, {4, 512, 512}},    {"turbulence", FPGZ_F64, {4, 512, 512}},
    {"special", FPGZ_F32, {8, 512, 512}}, {"special", FPGZ_F64, {4, 512, 512}},
    {"wave", FPGZ_F32, {1, 2048, 1024}},  {"walk", FPGZ_F64, {1, 1, 1 << 20}},
};

static const struct traffic_wanted traffic_wanted = {{40, 44}, {48, 49}};

/* A chunk: on the host, and on the device. */
struct chunk {
    struct recording recording;
    struct fpgz_cuda_task task;
    struct fpgz_buffer values, stream, scratch;
    void *front; /* pinned */
    cudaEvent_t done;
};

static struct chunk chunks[CHUNKS];
static struct fpgz_device *device;
static struct fpgz_lead lead; /* of the first chunk */
static const struct fpgz_codec *codec;
static const struct fpgz_cuda_codec *kernels;
static unsigned next, end_of_chunks, chunk_count = CHUNKS, batch = 8;
static size_t chunk_bytes = ALL / CHUNKS;
static struct fpgz_grid grid;
static uint8_t *source;

/* Encodes chunks, by the lead of the first one. Those that are coded by parts or with matches are coded here
 * as bins, too. */
static void *encode(void *)
{
    struct fpgz_params params;
    fpgz_codec_defaults(codec, &params);
    for (unsigned i; (i = __sync_fetch_and_add(&next, 1)) < end_of_chunks;) {
        struct chunk *const c = &chunks[i];
        size_t length = 0;
        fpgz_buffer_reserve(&c->stream, codec->bound(&grid, &params));
        fpgz_buffer_reserve(&c->scratch, codec->memory(&grid, &params));
        fpgz_buffer_reserve(&c->values, chunk_bytes);
        const uint8_t *const values = source + (size_t)i * chunk_bytes;
        struct fpgz_lead follows = lead;
        follows.state = FPGZ_LEAD_FOLLOWED;
        struct fpgz_coding coding = {grid, params, c->scratch.data, &lead};
        if (i)
            coding.lead = lead.state == FPGZ_LEAD_FOUND ? &follows : NULL;
        enum fpgz_status status =
            recording_make(&c->recording, device, codec, &coding, values, c->stream.data, &length);
        coding.lead = NULL;
        if (!status && !length) /* it is not like the first one */
            status = recording_make(&c->recording, device, codec, &coding, values, c->stream.data, &length);
        __sync_fetch_and_add(&failures, status != FPGZ_OK);
        c->task.grid = grid;
        c->task.params = params;
        c->task.length = length;
    }
    return NULL;
}

static void *open_all(void *)
{
    for (unsigned i; (i = __sync_fetch_and_add(&next, 1)) < chunk_count;) {
        struct chunk *const c = &chunks[i];
        const struct fpgz_coding coding = {grid, c->task.params, c->scratch.data, NULL};
        if (kernels->open(&coding, c->stream.data, c->task.length, c->front, &c->task.scratch_bytes))
            __sync_fetch_and_add(&failures, 1);
    }
    return NULL;
}

static void prepare(int multiprocessors)
{
    for (unsigned i = 0; i < chunk_count; i++) {
        struct chunk *const c = &chunks[i];
        const struct fpgz_coding coding = {grid, c->task.params, c->scratch.data, NULL};
        must(cudaMalloc(&c->task.values, chunk_bytes + SLACK), "device memory");
        must(cudaMalloc((void **)&c->task.stream, c->task.length + SLACK), "device memory");
        must(cudaMalloc((void **)&c->task.result, sizeof *c->task.result), "device memory");
        must(cudaStreamCreateWithFlags(&c->task.queue, cudaStreamNonBlocking), "queue");
        must(cudaEventCreateWithFlags(&c->done, cudaEventDisableTiming), "event");
        must(cudaMemcpy(c->task.stream, c->stream.data, c->task.length, cudaMemcpyHostToDevice), "copy");
        must(cudaMemset(c->task.stream + c->task.length, 0, SLACK), "memset");
        must(cudaMemset(c->task.values, 0xA5, chunk_bytes), "memset");
        must(cudaMemset(c->task.result, 0, sizeof *c->task.result), "memset");
        recording_prepare(&c->recording, kernels->aide, source + (size_t)i * chunk_bytes, c->task.queue);
        /* What was coded stands in the same scratch: it is gone then. */
        must(cudaHostAlloc(&c->front, kernels->front(&coding, c->stream.data, c->task.length),
                           cudaHostAllocDefault),
             "host memory");
        failures +=
            kernels->open(&coding, c->stream.data, c->task.length, c->front, &c->task.scratch_bytes) != 0;
        must(cudaMalloc(&c->task.scratch, c->task.scratch_bytes), "device memory");
        c->task.front = c->front;
        c->task.multiprocessors = multiprocessors;
    }
}

static void release(void)
{
    for (unsigned i = 0; i < chunk_count; i++) {
        struct chunk *const c = &chunks[i];
        cudaFreeHost(c->front);
        cudaFree(c->task.values);
        cudaFree(c->task.stream);
        cudaFree(c->task.scratch);
        cudaFree(c->task.result);
        recording_free(&c->recording);
        cudaStreamDestroy(c->task.queue);
        cudaEventDestroy(c->done);
    }
}

/* The checksums of all chunks' values are taken beside the encoders' kernels, as of arrays. */
static struct {
    cudaStream_t queue;
    cudaEvent_t done;
    struct checksum_span *span; /* in pinned memory, as checksums are */
    uint64_t *sums, *checksums;
} summing;

static void prepare_sums(void)
{
    const uint64_t blocks = checksum_blocks(chunk_bytes);
    must(cudaStreamCreateWithFlags(&summing.queue, cudaStreamNonBlocking), "queue");
    must(cudaEventCreateWithFlags(&summing.done, cudaEventDisableTiming), "event");
    must(cudaMalloc((void **)&summing.sums, CHUNKS * blocks * CHECKSUM_WORDS * sizeof *summing.sums),
         "device memory");
    must(cudaHostAlloc((void **)&summing.span, CHUNKS * sizeof *summing.span, cudaHostAllocDefault),
         "host memory");
    must(cudaHostAlloc((void **)&summing.checksums, CHUNKS * sizeof *summing.checksums, cudaHostAllocDefault),
         "host memory");
}

static void sum_values(unsigned count, cudaEvent_t begin)
{
    const uint64_t blocks = checksum_blocks(chunk_bytes);
    for (unsigned i = 0; i < count; i++)
        summing.span[i] = {chunks[i].recording.values, chunk_bytes, i * blocks};
    must(cudaStreamWaitEvent(summing.queue, begin, 0), "wait");
    must(
        checksum_enqueue(summing.span, count, count * blocks, summing.sums, summing.checksums, summing.queue),
        "checksums");
    must(cudaEventRecord(summing.done, summing.queue), "event");
}

/* The kernels of `count` chunks, in the first one's queue. */
static cudaError_t run_kernels(struct chunk *c, unsigned count, bool decoding)
{
    const struct fpgz_cuda_task *tasks[CHUNKS];
    for (unsigned i = 0; i < count; i++)
        tasks[i] = &c[i].task;
    return decoding ? kernels->decode_many(tasks, count)
                    : recording_encode(&c->recording, kernels->aide, c->task.queue);
}

/* GB of raw data a second with so many chunks in flight, each of which is coded `rounds` times. */
static double measure(bool decoding, unsigned count, unsigned rounds, cudaStream_t queue, cudaEvent_t begin,
                      cudaEvent_t end)
{
    static double seconds[MAX_RUNS];
    for (unsigned run = 0; run <= runs; run++) { /* the first one warms up */
        float milliseconds;
        hold<<<1, 1, 0, queue>>>(400000ll * count * rounds); /* longer than it takes to enqueue all */
        must(cudaEventRecord(begin, queue), "event");
        if (!decoding) {
            for (unsigned round = 0; round < rounds; round++)
                sum_values(count, begin);
            must(cudaStreamWaitEvent(queue, summing.done, 0), "wait");
        }
        for (unsigned i = 0, some; i < count; i += some) {
            some = decoding ? (count - i < batch ? count - i : batch) : 1;
            must(cudaStreamWaitEvent(chunks[i].task.queue, begin, 0), "wait");
            for (unsigned round = 0; round < rounds; round++)
                must(run_kernels(&chunks[i], some, decoding), "kernels");
            must(cudaEventRecord(chunks[i].done, chunks[i].task.queue), "event");
            must(cudaStreamWaitEvent(queue, chunks[i].done, 0), "wait");
        }
        must(cudaEventRecord(end, queue), "event");
        must(cudaEventSynchronize(end), "kernels");
        must(cudaEventElapsedTime(&milliseconds, begin, end), "event");
        seconds[run ? run - 1 : 0] = milliseconds / 1e3;
    }
    return (double)count * rounds * chunk_bytes / 1e9 / median(seconds);
}

static bool is_restored(void)
{
    for (unsigned i = 0; i < chunk_count; i++) {
        struct fpgz_cuda_result result;
        must(cudaMemcpy(&result, chunks[i].task.result, sizeof result, cudaMemcpyDeviceToHost), "copy");
        must(cudaMemcpy(chunks[i].values.data, chunks[i].task.values, chunk_bytes, cudaMemcpyDeviceToHost),
             "copy");
        if (result.status || memcmp(chunks[i].values.data, source + (size_t)i * chunk_bytes, chunk_bytes))
            return false;
    }
    return true;
}

/* Whether segments are those at the end of the CPU's streams. */
static bool is_coded(void)
{
    for (unsigned i = 0; i < chunk_count; i++) {
        struct chunk *const c = &chunks[i];
        const struct recording *const r = &c->recording;
        struct bins_outcome o;
        kernels->aide->outcome(&r->task, r->pinned, &o);
        if (o.bytes > c->task.length)
            return false;
        must(cudaMemcpy(c->values.data, kernels->aide->body(&r->task, r->memory), o.bytes,
                        cudaMemcpyDeviceToHost),
             "copy");
        if (memcmp(c->values.data, c->stream.data + c->task.length - o.bytes, o.bytes))
            return false;
    }
    return true;
}

int main(int argc, char **argv)
{
    struct fpgz_error error = {};
    int multiprocessors;
    cudaStream_t queue;
    cudaEvent_t begin, end;
    const char *kind = NULL;
    for (int i = 1; i < argc; i++) {
        if (!strcmp(argv[i], "-n") && i + 1 < argc)
            runs = (unsigned)atoi(argv[++i]);
        else if (!strcmp(argv[i], "-s") && i + 1 < argc)
            chunk_count = (unsigned)(ALL >> 20) / (unsigned)atoi(argv[++i]);
        else if (!strcmp(argv[i], "-b") && i + 1 < argc)
            batch = (unsigned)atoi(argv[++i]);
        else
            kind = argv[i];
    }
    chunk_bytes = ALL / (chunk_count ? chunk_count : 1);
    setenv("CUDA_DEVICE_MAX_CONNECTIONS", "32", 0); /* queues that run side by side */
    if (runs < 1 || runs > MAX_RUNS || chunk_count < 1 || chunk_count > CHUNKS || batch < 1 ||
        fpgz_device_open(0, false, &device, &error)) {
        printf("skipped: %s\n",
               error.status ? error.text : "usage: gpu_chunks [-n RUNS] [-s MIB] [-b CHUNKS] [KIND]");
        return SKIPPED;
    }
    if (!fpgz_device_start(device))
        must(cudaErrorUnknown, "the GPU does not start");
    must(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, 0), "device");
    must(cudaStreamCreateWithFlags(&queue, cudaStreamNonBlocking), "queue");
    prepare_sums();
    must(cudaEventCreate(&begin), "event");
    must(cudaEventCreate(&end), "event");
    codec = fpgz_codec_by_id(FPGZ_CODEC_PRANS);
    kernels = fpgz_cuda_codec_by_id(FPGZ_CODEC_PRANS);
    source = (uint8_t *)malloc(ALL);
    printf("%s, prans, chunks of %zu MiB, kernels that encode and decode in GB/s of raw data, medians of %u\n"
           "%-24s %6s %10s %8s %8s %8s %8s %8s %8s\n",
           fpgz_device_name(device), chunk_bytes >> 20, runs, "", "ratio", "encode all", "8", "1",
           "decode all", "8", "1", "opening");
    for (const struct trial &trial : trials) {
        struct fpgz_grid all = {
            trial.dtype, 3, {trial.extent[0] * CHUNKS, trial.extent[1], trial.extent[2], 1}};
        struct fpgz_traits traits = {};
        size_t needed, bytes = 0;
        if (kind && strcmp(kind, trial.kind))
            continue;
        if (grids_fill(trial.kind, &all, 1, source, &error))
            abort();
        grid = all;
        grid.extent[0] /= chunk_count;
        lead = {};
        lead.state = FPGZ_LEAD_SOUGHT;
        next = 0;
        end_of_chunks = 1;
        encode(NULL);
        next = 1;
        end_of_chunks = chunk_count;
        run_threads(encode, NULL, THREADS);
        prepare(multiprocessors);
        next = 0;
        const double opening = run_threads(open_all, NULL, 1);
        for (unsigned i = 0; i < chunk_count; i++)
            bytes += chunks[i].task.length;
        double rate[2][3];
        for (unsigned decoding = 0; decoding < 2; decoding++) {
            rate[decoding][2] = measure(decoding, 1, 1, queue, begin, end);
            rate[decoding][1] = measure(decoding, chunk_count < 8 ? chunk_count : 8, 1, queue, begin, end);
            rate[decoding][0] = measure(decoding, chunk_count, ROUNDS, queue, begin, end);
        }
        const bool same = is_coded() && is_restored();
        const struct fpgz_coding coding = {grid, chunks[0].task.params, chunks[0].scratch.data, NULL};
        codec->describe(&coding, chunks[0].stream.data, chunks[0].task.length, &needed, &traits);
        printf(
            "%-10s %s %4ux%4ux%-7u %6.4f %10.1f %8.1f %8.1f %8.1f %8.1f %8.1f %8.1f  %s, %u special, %s%s\n",
            trial.kind, fpgz_dtype_name(trial.dtype), (unsigned)grid.extent[0], (unsigned)grid.extent[1],
            (unsigned)grid.extent[2], (double)bytes / ALL, rate[0][0], rate[0][1], rate[0][2], rate[1][0],
            rate[1][1], rate[1][2], ALL / 1e9 / opening, traits.domain, traits.specials, traits.predictors,
            same ? "" : "  FAILED: it codes or restores something else");
        failures += !same;
        fflush(stdout);
        release();
        if (!strcmp(trial.kind, "wave") && trial.extent[0] > 1)
            measure_traffic(NULL, &all, source, (unsigned)chunk_bytes, &traffic_wanted);
    }
    printf("%u failures\n", failures);
    fpgz_device_close(device);
    return failures != 0;
}
