/* SPDX-License-Identifier: MIT
 * gpu_arrays: times fpgz_gpu_encode() and fpgz_gpu_decode() from a GPU's memory to a GPU's memory: arrays of
 * 512 MiB, with all that a container takes, checksums included, and how many processors are busy. Every value
 * is compared. usage: gpu_arrays [-n RUNS] [-m MIB] [-s MIB] [CODEC]...   arrays of MIB, a multiple of 2,
 * with chunks of MIB (77: no GPU) */
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include <cuda_runtime.h>

#include "gpu_timing.cuh"

extern "C" {
#include "grids.h"
}

enum { USUAL = 512, PLANE = 2 << 20 /* the bytes of 512 x 512 f64 */ };

/* What a call takes: seconds, and processors that are busy meanwhile. */
struct taken {
    double seconds, busy;
};

static double processor_time(void)
{
    struct rusage used;
    getrusage(RUSAGE_SELF, &used);
    return (double)(used.ru_utime.tv_sec + used.ru_stime.tv_sec) +
           1e-6 * (double)(used.ru_utime.tv_usec + used.ru_stime.tv_usec);
}

/* The median of some calls; the first one, which takes memory, does not count. */
template <class CALL> static struct taken measure(CALL call)
{
    static double seconds[MAX_RUNS], busy[MAX_RUNS];
    for (unsigned i = 0; i <= runs; i++) {
        struct fpgz_error error;
        const double used = processor_time(), begin = now();
        if (call(&error))
            check(false, error.text);
        const unsigned run = i ? i - 1 : 0;
        seconds[run] = now() - begin;
        busy[run] = (processor_time() - used) / seconds[run];
    }
    return {median(seconds), median(busy)};
}

int main(int argc, char **argv)
{
    const char *codecs[] = {"ndzip", "predict", "prans", NULL}, **chosen = codecs;
    struct fpgz_settings settings = {};
    struct fpgz_error error = {};
    struct fpgz_gpu *gpu;
    uint8_t *values, *container, *restored;
    size_t bytes = (size_t)USUAL << 20;
    unsigned trials = 0;
    int first = 1;
    for (; first + 1 < argc && *argv[first] == '-'; first += 2) {
        runs = argv[first][1] == 'n' ? (unsigned)atoi(argv[first + 1]) : runs;
        bytes = argv[first][1] == 'm' ? (size_t)atoi(argv[first + 1]) << 20 : bytes;
        settings.chunk = argv[first][1] == 's' ? (uint64_t)atoi(argv[first + 1]) << 20 : settings.chunk;
    }
    if (first < argc)
        chosen = (const char **)argv + first;
    const size_t room = bytes + bytes / 16;
    setenv("CUDA_DEVICE_MAX_CONNECTIONS", "32", 0); /* queues that run side by side */
    if (runs < 1 || runs > MAX_RUNS || bytes < PLANE || fpgz_gpu_open(0, &gpu, &error)) {
        printf("skipped: %s\n",
               error.status ? error.text : "usage: gpu_arrays [-n RUNS] [-m MIB] [-s MIB] [CODEC]...");
        return SKIPPED;
    }
    uint8_t *const source = (uint8_t *)malloc(bytes), *const back = (uint8_t *)malloc(bytes);
    must(cudaMalloc((void **)&values, bytes), "device memory");
    must(cudaMalloc((void **)&restored, bytes), "device memory");
    must(cudaMalloc((void **)&container, room), "device memory");
    printf("arrays of %zu MiB, GPU memory to GPU memory, GB/s of raw data, medians of %u\n%-20s %6s %8s %5s "
           "%8s %5s\n",
           bytes >> 20, runs, "", "ratio", "encode", "busy", "decode", "busy");
    for (; *chosen; chosen++)
        for (enum fpgz_dtype dtype : {FPGZ_F32, FPGZ_F64}) {
            const uint64_t planes = bytes / PLANE * (dtype == FPGZ_F64 ? 1 : 2);
            const struct fpgz_grid grid = {dtype, 3, {planes, 512, 512, 1}};
            struct fpgz_array array = {};
            size_t length = 0;
            array.dtype = dtype;
            array.dims = 3;
            memcpy(array.extent, grid.extent, 3 * sizeof *grid.extent);
            settings.codec = *chosen;
            if (grids_fill("wave", &grid, 1, source, &error))
                abort();
            must(cudaMemcpy(values, source, bytes, cudaMemcpyHostToDevice), "copy");
            must(cudaMemset(restored, 0xA5, bytes), "memset");
            const struct taken encoding = measure([&](struct fpgz_error *e) {
                return fpgz_gpu_encode(gpu, NULL, &array, values, &settings, container, room, &length, e);
            });
            const struct taken decoding = measure([&](struct fpgz_error *e) {
                return fpgz_gpu_decode(gpu, NULL, container, length, NULL, restored, bytes, e);
            });
            must(cudaMemcpy(back, restored, bytes, cudaMemcpyDeviceToHost), "copy");
            printf("%-12s %s wave %6.4f %8.1f %5.1f %8.1f %5.1f\n", *chosen, fpgz_dtype_name(dtype),
                   (double)length / bytes, bytes / 1e9 / encoding.seconds, encoding.busy,
                   bytes / 1e9 / decoding.seconds, decoding.busy);
            fflush(stdout);
            check(!memcmp(back, source, bytes), "something else is restored");
            trials++;
        }
    printf("%u trials, %u failures\n", trials, failures);
    fpgz_gpu_close(gpu);
    return failures != 0;
}
