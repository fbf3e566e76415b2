/* SPDX-License-Identifier: MIT
 * gpu_bench: times every codec's kernels on large generated grids and compares every byte with the CPU's.
 * Prints a table for people and exits 1 where a byte differs. usage: gpu_bench [-n RUNS] [-g DTYPE SHAPE]...
 * [CODEC]... (77: no GPU)   With -g on those grids, a first extent of 0 for as many slices as 512 MiB take.
 */
#include "codec.cuh"
#include "gpu_trials.cuh"

extern "C" {
#include "core/buffer.h"
#include "engine/device.h"
}

enum { SLACK = 256 };

/* What is wanted, in GB of raw data a second: at least `must`, at best `aim`, for compression and
 * decompression. Where `share` is set, the two are parts of what copying the bytes that move would allow. */
struct wanted {
    const char *codec;
    bool share;
    double must[2], aim[2];
};

static const struct wanted wanted[] = {
    {"ndzip f32", false, {1700, 1800}, {2100, 2250}},   {"ndzip f64", false, {1600, 1700}, {2000, 2200}},
    {"gfc f64", false, {900, 1000}, {1600, 1800}},      {"mpc f32", false, {1000, 1000}, {1800, 1800}},
    {"mpc f64", false, {1000, 1000}, {1800, 1800}},     {"frsz2 f64", true, {0.7, 0.7}, {0.9, 0.9}},
    {"predict f32", false, {1000, 1000}, {1800, 1800}}, {"predict f64", false, {1000, 1000}, {1800, 1800}},
    {"arith u8", false, {30, 15}, {100, 60}},
};

static double copy_rate; /* bytes read and written a second, on the device */

static const struct traffic_wanted traffic_wanted = {{33, 33}, {49.5, 49.5}};

/* Seconds from one event to the other. */
struct stopwatch {
    cudaEvent_t begin, end;
};

static double stop(const struct stopwatch *watch, cudaStream_t queue)
{
    float milliseconds;
    must(cudaEventRecord(watch->end, queue), "event");
    must(cudaEventSynchronize(watch->end), "kernels");
    must(cudaEventElapsedTime(&milliseconds, watch->begin, watch->end), "event");
    return milliseconds / 1e3;
}

/* The device's copy bandwidth and the bus's, as they are now. */
static void measure_copies(uint8_t *a, uint8_t *b, uint8_t *host, uint8_t *host2,
                           const struct stopwatch *watch)
{
    static double seconds[MAX_RUNS];
    cudaStream_t queue, other;
    must(cudaStreamCreateWithFlags(&queue, cudaStreamNonBlocking), "stream");
    must(cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking), "stream");
    const double gb = GRID_BYTES / 1e9;
    for (unsigned i = 0; i < runs; i++) {
        must(cudaEventRecord(watch->begin, queue), "event");
        must(cudaMemcpyAsync(b, a, GRID_BYTES, cudaMemcpyDeviceToDevice, queue), "copy");
        seconds[i] = stop(watch, queue);
    }
    copy_rate = 2e9 * gb / median(seconds);
    printf("copy on the device: %.0f GB/s read and written\n", copy_rate / 1e9);
    static const char *const names[] = {"down", "up", "both"};
    for (unsigned way = 0; way < 3; way++) {
        for (unsigned i = 0; i < runs; i++) {
            const double begin = now();
            if (way != 1)
                must(cudaMemcpyAsync(a, host, GRID_BYTES, cudaMemcpyHostToDevice, queue), "copy");
            if (way != 0)
                must(cudaMemcpyAsync(host2, b, GRID_BYTES, cudaMemcpyDeviceToHost, other), "copy");
            must(cudaStreamSynchronize(queue), "copy");
            must(cudaStreamSynchronize(other), "copy");
            seconds[i] = now() - begin;
        }
        printf("%s%s %.1f", way ? ", " : "bus, pinned, GB/s: ", names[way],
               (way == 2 ? 2 : 1) * gb / median(seconds));
    }
    printf("\n");
}

static const struct wanted *wanted_of(const struct fpgz_codec *codec, enum fpgz_dtype dtype)
{
    char name[40];
    snprintf(name, sizeof name, "%s %s", codec->name, fpgz_dtype_name(dtype));
    for (unsigned i = 0; i < sizeof wanted / sizeof *wanted; i++)
        if (!strcmp(wanted[i].codec, name))
            return &wanted[i];
    return NULL;
}

/* "2123 (must 1700, aim 2100)" */
static void print_rate(double rate, double share, const struct wanted *w, unsigned way)
{
    const double compared = w && w->share ? share : rate;
    printf("  %6.0f %5.2f", rate, share);
    if (w)
        printf(" %s%4g,%5g",
               compared >= w->aim[way]    ? "++"
               : compared >= w->must[way] ? "+ "
                                          : "- ",
               w->must[way], w->aim[way]);
}

static void measure(const struct chosen *choice, const char *kind, int multiprocessors, cudaStream_t queue,
                    const struct stopwatch *watch)
{
    const struct trial *const trial = &choice->trial;
    static double seconds[MAX_RUNS];
    struct fpgz_error error = {};
    const struct fpgz_codec *codec;
    struct fpgz_cuda_task task = {};
    const struct source *source = source_of(trial, kind);
    struct fpgz_grid grid = source->grid;
    if (fpgz_codec_parse(trial->codec, &codec, &task.params, &error)) {
        check(false, error.text);
        return;
    }
    const struct fpgz_cuda_codec *kernels = fpgz_cuda_codec_by_id(codec->id);
    if (trial->dtype == FPGZ_U8) {
        grid.dtype = FPGZ_U8;
        grid.extent[2] *= 4;
    }
    const size_t bytes = fpgz_grid_bytes(&grid);
    codec->fold(&grid, &task.grid);
    const size_t bound = codec->bound(&task.grid, &task.params);
    const size_t encoding = kernels->scratch(&task.grid, &task.params, false),
                 decoding = kernels->scratch(&task.grid, &task.params, true);
    struct fpgz_buffer reference = {}, scratch = {}, restored = {}, lossy = {};
    size_t length = 0;
    if (!fpgz_buffer_reserve(&reference, bound) ||
        !fpgz_buffer_reserve(&restored, bound > bytes ? bound : bytes) ||
        !fpgz_buffer_reserve(&scratch, codec->memory(&task.grid, &task.params)))
        must(cudaErrorMemoryAllocation, "host memory");
    const struct fpgz_coding coding = {task.grid, task.params, scratch.data, NULL};
    check(!codec->encode(&coding, source->values, reference.data, &length), "the CPU cannot encode");

    must(cudaMalloc(&task.values, bytes + SLACK), "device memory");
    must(cudaMalloc((void **)&task.stream, bound + SLACK), "device memory");
    must(cudaMalloc(&task.scratch, (encoding > decoding ? encoding : decoding) + SLACK), "device memory");
    must(cudaMalloc((void **)&task.result, sizeof *task.result), "device memory");
    must(cudaMemcpy(task.values, source->values, bytes, cudaMemcpyHostToDevice), "copy");
    must(cudaMemset(task.stream, 0xA5, bound), "memset");
    task.host_values = source->values;
    task.queue = queue;
    task.multiprocessors = multiprocessors;

    double rate[2], share[2];
    struct fpgz_cuda_result result;
    for (unsigned way = 0; way < 2; way++) {
        for (unsigned i = 0; i <= runs; i++) { /* the first one warms up */
            hold<<<1, 1, 0, queue>>>(400000);
            must(cudaEventRecord(watch->begin, queue), "event");
            must(cudaMemsetAsync(task.result, 0, sizeof *task.result, queue), "memset");
            must((way ? kernels->decode : kernels->encode)(&task), trial->codec);
            seconds[i ? i - 1 : 0] = stop(watch, queue);
        }
        rate[way] = bytes / median(seconds);
        must(cudaMemcpy(&result, task.result, sizeof result, cudaMemcpyDeviceToHost), "copy");
        check(!result.status, "the GPU refuses");
        if (!way) {
            check(result.length == length, "the GPU's stream has another length");
            must(cudaMemcpy(restored.data, task.stream, length, cudaMemcpyDeviceToHost), "copy");
            check(!memcmp(restored.data, reference.data, length), "the GPU's stream is not the CPU's");
            must(cudaMemcpy(task.stream, reference.data, length, cudaMemcpyHostToDevice), "copy");
            must(cudaMemset(task.values, 0xA5, bytes), "memset");
            task.length = length;
        }
    }
    must(cudaMemcpy(restored.data, task.values, bytes, cudaMemcpyDeviceToHost), "copy");
    const uint8_t *expected = source->values;
    if (!codec->lossless) {
        if (!fpgz_buffer_reserve(&lossy, bytes))
            must(cudaErrorMemoryAllocation, "host memory");
        check(!codec->decode(&coding, reference.data, length, lossy.data), "the CPU cannot decode");
        expected = lossy.data;
    }
    check(!memcmp(restored.data, expected, bytes), "the GPU restores something else");

    char name[60], shape[FPGZ_SHAPE_TEXT] = {(char)('0' + task.grid.dims), '-', 'D'};
    if (choice->hard)
        fpgz_shape_text(grid.extent, grid.dims, shape, sizeof shape);
    snprintf(name, sizeof name, "%s %s %s %s", trial->codec, fpgz_dtype_name(trial->dtype), shape, kind);
    const struct wanted *w = wanted_of(codec, trial->dtype);
    printf("%-36s %.4f", name, (double)length / bytes);
    for (unsigned way = 0; way < 2; way++) {
        share[way] = rate[way] * (1 + (double)length / bytes) / copy_rate;
        print_rate(rate[way] / 1e9, share[way], w, way);
    }
    printf("\n");
    fflush(stdout);
    cudaFree(task.values);
    cudaFree(task.stream);
    cudaFree(task.scratch);
    cudaFree(task.result);
    fpgz_buffer_free(&reference);
    fpgz_buffer_free(&restored);
    fpgz_buffer_free(&scratch);
    fpgz_buffer_free(&lossy);
}

static int usage(void)
{
    fprintf(stderr, "usage: gpu_bench [-n RUNS] [-g DTYPE SHAPE]... [CODEC]...\n");
    return EXIT_FAILURE;
}

int main(int argc, char **argv)
{
    char **rest = argv + 1;
    if (argc > 2 && !strcmp(rest[0], "-n")) {
        runs = (unsigned)atoi(rest[1]);
        rest += 2;
    }
    char **const grids = rest;
    while (*rest && !strcmp(*rest, "-g") && rest[1] && rest[2])
        rest += 3;
    if (runs < 1 || runs > MAX_RUNS || (*rest && **rest == '-'))
        return usage();
    struct fpgz_device *device;
    struct fpgz_error error = {};
    if (fpgz_device_open(0, false, &device, &error)) {
        printf("skipped: %s\n", error.text);
        return SKIPPED;
    }
    if (!fpgz_device_start(device))
        must(cudaErrorUnknown, "the GPU does not start");
    if (grids < rest) {
        if (!choose_given(grids, rest))
            return usage();
    } else {
        choose_named(usual, sizeof usual / sizeof *usual, false, rest);
        choose_named(hard, sizeof hard / sizeof *hard, true, rest);
    }
    end_sources();

    int multiprocessors;
    cudaStream_t queue;
    struct stopwatch watch;
    must(cudaSetDevice(0), "device");
    must(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, 0), "device");
    must(cudaStreamCreateWithFlags(&queue, cudaStreamNonBlocking), "stream");
    must(cudaEventCreate(&watch.begin), "event");
    must(cudaEventCreate(&watch.end), "event");
    uint8_t *a, *b, *host, *host2;
    must(cudaMalloc((void **)&a, GRID_BYTES), "device memory");
    must(cudaMalloc((void **)&b, GRID_BYTES), "device memory");
    must(cudaHostAlloc((void **)&host, GRID_BYTES, cudaHostAllocDefault), "host memory");
    must(cudaHostAlloc((void **)&host2, GRID_BYTES, cudaHostAllocDefault), "host memory");
    printf("%s, grids of 512 MiB, medians of %u; GB/s of raw data, and the share of what copying the bytes "
           "that move "
           "would allow\n",
           fpgz_device_name(device), runs);
    measure_copies(a, b, host, host2, &watch);
    cudaFree(a);
    cudaFree(b);
    cudaFreeHost(host);
    cudaFreeHost(host2);

    printf("%-36s %-6s  %6s %5s    %-10s  %6s %5s    %-10s\n", "kernels only (++ aim, + must, - below)",
           "ratio", "compr.", "share", "must, aim", "decomp.", "share", "must, aim");
    unsigned measured = 0;
    for (unsigned c = 0; c < chosen_count; c++)
        for (unsigned k = 0; k < kinds_of(&chosen[c]); k++, measured++)
            measure(&chosen[c], kinds[k], multiprocessors, queue, &watch);
    for (unsigned c = 0; c < chosen_count; c++) {
        const struct source *source = source_of(&chosen[c].trial, kinds[0]);
        for (unsigned chunk = LEAST_CHUNK; chunk <= 4 * LEAST_CHUNK; chunk *= 4)
            if (!chosen[c].hard && !strcmp(chosen[c].trial.codec, "ndzip") && source->grid.dims == 3)
                measure_traffic(fpgz_codec_by_id(FPGZ_CODEC_NDZIP), &source->grid, source->values, chunk,
                                &traffic_wanted);
    }
    fpgz_device_close(device);
    printf("%u trials, %u failures\n", measured, failures);
    return measured == 0 || failures != 0;
}
