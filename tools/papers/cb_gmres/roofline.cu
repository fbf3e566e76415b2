/* SPDX-License-Identifier: MIT
 * roofline: reads 2^28 values in each storage of the basis on a GPU, and computes with each value in f64: 27
 * numbers of operations. A line of JSON each. Exits 77 without a GPU. usage: roofline [LOG2-OF-VALUES] */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "engine_kernels.cuh"

enum {
    RUNS = 7,
    SKIPPED = 77,
    SIZE = 28,
    CHAINS = 16 /* values of a lane that are computed with at once */,
    SUMS = 8
};

/* Blocks of 32 values that a warp reads at once; words of codes that are not aligned take more loads. */
template <class Storage> static constexpr unsigned READ = 32;
template <> constexpr unsigned READ<frsz2<uint32_t, FRSZ2_PACKED, 4, 21>> = 16;

/* An odd one is 1; all others are chains of multiplications with additions. */
static const unsigned operations[] = {1,  2,  4,  6,  8,  10,  12,  14,  16,  20,  24,  28,  32, 40,
                                      48, 56, 64, 80, 96, 112, 128, 160, 192, 256, 320, 384, 512};
static const char *const storages[] = {"f64", "f32", "f16", "frsz2_32", "frsz2_21", "frsz2_16"};

static void must(cudaError_t status, const char *what)
{
    if (status == cudaSuccess)
        return;
    fprintf(stderr, "roofline: %s: %s\n", what, cudaGetErrorString(status));
    exit(EXIT_FAILURE);
}

/* Numbers between -1 and 1, of many exponents. */
static __global__ void fill(double *w, uint64_t count)
{
    for (uint64_t i = (uint64_t)blockIdx.x * THREADS + threadIdx.x; i < count;
         i += (uint64_t)gridDim.x * THREADS) {
        uint64_t z = (i + 1) * 0x9E3779B97F4A7C15;
        z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9;
        z = (z ^ z >> 27) * 0x94D049BB133111EB;
        w[i] = (double)(int64_t)(z ^ z >> 31) * 0x1p-63;
    }
}

/* 2 * steps operations a value, or one; the sum of what comes out. */
template <class Storage>
static __global__ void __launch_bounds__(THREADS) read(struct basis basis, unsigned steps, struct sums sums)
{
    constexpr unsigned BLOCKS = READ<Storage>;
    typename Storage::template piece<BLOCKS> piece;
    const uint64_t stride = (uint64_t)gridDim.x * WARPS * BLOCKS;
    uint64_t block = ((uint64_t)blockIdx.x * WARPS + threadIdx.x / 32) * BLOCKS;
    double sum[SUMS] = {};
    if (block < basis.blocks)
        piece.load(basis.layout, basis.vectors, block);
    for (; block < basis.blocks; block += stride) {
#pragma unroll
        for (unsigned first = 0; first < BLOCKS; first += CHAINS) {
            double value[CHAINS];
            piece.template get<CHAINS>(basis.layout, first, value);
            if (first + CHAINS == BLOCKS) /* the next one, or this one again */
                piece.load(basis.layout, basis.vectors,
                           block + stride < basis.blocks ? block + stride : block);
#pragma unroll 8
            for (unsigned step = 1; step < steps; step++)
#pragma unroll
                for (unsigned k = 0; k < CHAINS; k++)
                    value[k] = __fma_rn(value[k], 0.99, 0x1p-40);
#pragma unroll
            for (unsigned k = 0; k < CHAINS; k++)
                sum[k % SUMS] = steps ? __fma_rn(value[k], 0.99, sum[k % SUMS]) : sum[k % SUMS] + value[k];
        }
    }
    double all = 0;
#pragma unroll
    for (unsigned k = 0; k < SUMS; k++)
        all += sum[k];
    add_up(all, sums);
}

static int compare(const void *a, const void *b)
{
    const float x = *(const float *)a, y = *(const float *)b;
    return (x > y) - (x < y);
}

struct bench {
    struct basis basis;
    struct sums sums;
    double *w, *v;
    unsigned *bad;
    cudaEvent_t begin, end;
    int multiprocessors;
};

/* One storage; its sum of all values. */
template <class Storage> static double measure(struct bench *bench, const struct storage *storage)
{
    int held = 0;
    must(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&held, read<Storage>, THREADS, 0), "a kernel");
    const unsigned blocks = (unsigned)(held * bench->multiprocessors);
    double sum = 0;
    append<Storage><<<blocks, THREADS>>>(bench->basis, bench->w, 1, NULL, bench->v, 0, bench->bad);
    for (unsigned i = 0; i < sizeof operations / sizeof operations[0]; i++) {
        float milliseconds[RUNS];
        for (int run = -1; run < RUNS; run++) {
            must(cudaEventRecord(bench->begin), "an event");
            read<Storage><<<blocks, THREADS>>>(bench->basis, operations[i] / 2, bench->sums);
            must(cudaEventRecord(bench->end), "an event");
            must(cudaEventSynchronize(bench->end), "reading");
            must(cudaEventElapsedTime(&milliseconds[run < 0 ? 0 : run], bench->begin, bench->end),
                 "an event");
        }
        qsort(milliseconds, RUNS, sizeof milliseconds[0], compare);
        const double seconds = 1e-3 * milliseconds[RUNS / 2];
        sum = i ? sum : *bench->sums.answer;
        printf("{\"storage\": \"%s\", \"flops_a_value\": %u, \"gbps\": %.1f, \"gflops\": %.1f}\n",
               storage->name, operations[i], 1e-9 * (double)storage->bytes / seconds,
               1e-9 * operations[i] * (double)storage->values / seconds);
    }
    fflush(stdout);
    return sum;
}

int main(int argc, char **argv)
{
    struct bench bench = {};
    const int size = argc > 1 ? atoi(argv[1]) : SIZE;
    if (cudaDeviceGetAttribute(&bench.multiprocessors, cudaDevAttrMultiProcessorCount, 0) != cudaSuccess)
        return SKIPPED;
    const uint64_t values = (uint64_t)1 << (size < 20 ? 20 : size);
    must(cudaMalloc((void **)&bench.w, values * sizeof *bench.w), "memory");
    must(cudaMalloc((void **)&bench.v, values * sizeof *bench.v), "memory");
    must(cudaMalloc((void **)&bench.basis.vectors, 10 * values), "memory");
    must(cudaMalloc((void **)&bench.sums.partial, (size_t)bench.multiprocessors * 32 * sizeof(double)),
         "memory");
    must(cudaMalloc((void **)&bench.sums.ticket, sizeof *bench.sums.ticket), "memory");
    must(cudaMalloc((void **)&bench.sums.sum, sizeof *bench.sums.sum), "memory");
    must(cudaMemset(bench.sums.ticket, 0, sizeof *bench.sums.ticket), "memory");
    must(cudaHostAlloc((void **)&bench.sums.answer, sizeof(double), cudaHostAllocMapped), "memory");
    must(cudaHostAlloc((void **)&bench.bad, sizeof *bench.bad, cudaHostAllocMapped), "memory");
    must(cudaEventCreate(&bench.begin), "an event");
    must(cudaEventCreate(&bench.end), "an event");
    fill<<<8 * bench.multiprocessors, THREADS>>>(bench.w, values);
    *bench.bad = 0;
    double first = 0;
    for (unsigned i = 0; i < sizeof storages / sizeof storages[0]; i++) {
        struct storage storage;
        storage_parse(storages[i], &storage);
        storage_lay_out(&storage, values);
        bench.basis.blocks = values / FRSZ2_BLOCK;
        bench.basis.layout = storage.layout;
        const double sum =
            with_storage(&storage, [&](auto s) { return measure<decltype(s)>(&bench, &storage); });
        first = i ? first : sum;
        if (*bench.bad || !(fabs(sum - first) < 1e-3 * sqrt((double)values) * 8)) {
            fprintf(stderr, "roofline: %s has a sum of %g, f64 of %g\n", storage.name, sum, first);
            return EXIT_FAILURE;
        }
    }
    return EXIT_SUCCESS;
}
