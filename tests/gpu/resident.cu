/* SPDX-License-Identifier: MIT
 * Arrays in a GPU's memory, by fpgz.h: containers have the bytes of fpgz_encode(), come back from the GPU and
 * from the host, and those that are damaged or do not fit are refused as fpgz_decode() does. Checksums of all
 * lengths are those of the host. usage: resident [EVERY]   with EVERY n-th array only; 77 without a GPU */
#include <stdlib.h>
#include <string.h>

#include "checks.h"
#include "checksum.cuh"

extern "C" {
#include "core/bytes.h"
#include "core/checksum.h"
#include "engine/device.h"
#include "grids.h"
}

enum { SKIPPED = 77, MOST = 4 << 20 /* bytes of an array */, GUARD = 512, SHIFT = 24 };

/* Bytes that copies have brought over the bus so far, to the GPU and from it; only an emulated one counts. */
extern "C" void emulator_bus(uint64_t *up, uint64_t *down) __attribute__((weak));

static struct fpgz_gpu *gpu;
static cudaStream_t queue;
static uint8_t *values, *container, *restored; /* on the GPU */
static uint8_t source[MOST], back[2 * MOST];

static void must(bool ok, const char *what)
{
    if (ok)
        return;
    printf("FAILED: %s: %s\n", what, cudaGetErrorString(cudaGetLastError()));
    exit(EXIT_FAILURE);
}

/* Enqueues a copy: what reads its outcome has to wait for the queue. */
static void copy(void *to, const void *from, size_t bytes, cudaMemcpyKind kind)
{
    must(!cudaMemcpyAsync(to, from, bytes, kind, queue), "copy");
}

static void fetch(const void *from, size_t bytes)
{
    copy(back, from, bytes, cudaMemcpyDeviceToHost);
    must(!cudaStreamSynchronize(queue), "copy");
}

static bool is_filled(const uint8_t *at, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++)
        if (at[i] != 0xA5)
            return false;
    return true;
}

/* Lengths of all kinds, and longer ones; each at a multiple of 256, with other bytes behind. */
static void check_checksums(void)
{
    enum { SPANS = 2400, ALL = 2300, SLOT = 4096, LONG = 65536 };
    static struct checksum_span spans[SPANS];
    static uint64_t sums[SPANS];
    struct checksum_span *on_gpu;
    uint64_t *blocks, *checksums;
    uint64_t all = 0;
    for (size_t i = 0; i < MOST; i++)
        source[i] = (uint8_t)random_bits();
    for (unsigned i = 0; i < SPANS; i++) {
        spans[i].length = i < ALL ? i : random_bits() % (i % 2 ? LONG : SLOT) + CHECKSUM_SHORT;
        spans[i].at = values + random_bits() % ((MOST - LONG - CHECKSUM_SHORT) / 256) * 256;
        spans[i].before = all;
        all += checksum_blocks(spans[i].length);
    }
    must(!cudaMalloc((void **)&on_gpu, sizeof spans), "memory");
    must(!cudaMalloc((void **)&checksums, sizeof sums), "memory");
    must(!cudaMalloc((void **)&blocks, all * CHECKSUM_WORDS * sizeof *blocks), "memory");
    copy(values, source, MOST, cudaMemcpyHostToDevice);
    copy(on_gpu, spans, sizeof spans, cudaMemcpyHostToDevice);
    must(!checksum_enqueue(on_gpu, SPANS, all, blocks, checksums, queue), "kernels");
    fetch(checksums, sizeof sums);
    memcpy(sums, back, sizeof sums);
    for (unsigned i = 0; i < SPANS; i++)
        check_that(sums[i] == fpgz_checksum(source + (spans[i].at - values), spans[i].length),
                   "the checksum of %u bytes", (unsigned)spans[i].length);
    cudaFree(on_gpu);
    cudaFree(blocks);
    cudaFree(checksums);
}

/* Decodes a container to `to`, which has exactly `bytes` bytes. */
static void check_restored(const void *from, size_t length, uint8_t *to, size_t bytes, const uint8_t *wanted)
{
    struct fpgz_error error;
    must(!cudaMemsetAsync(restored, 0xA5, MOST + 2 * GUARD, queue), "memset");
    if (!check_that(!fpgz_gpu_decode(gpu, queue, from, length, NULL, to, bytes, &error), "%s: %s", checking,
                    error.text))
        return;
    fetch(restored, MOST + 2 * GUARD);
    CHECK(!memcmp(back + (to - restored), wanted, bytes));
    CHECK(is_filled(back, (size_t)(to - restored)) && is_filled(back + (to - restored) + bytes, GUARD));
}

/* An array both ways: between aligned places on the GPU, from and to others, and to and from the host. */
static void check_array(const struct fpgz_array *array, const struct fpgz_settings *settings, size_t bytes)
{
    struct fpgz_error error;
    static uint8_t plain[MOST];
    void *wanted;
    size_t length, ours;
    if (!check_that(!fpgz_encode(array, source, settings, &wanted, &length, &error), "%s: %s", checking,
                    error.text))
        return;
    CHECK(!fpgz_decode(wanted, length, NULL, plain, sizeof plain, &error));
    for (unsigned shift = 0; shift <= SHIFT; shift += SHIFT) {
        must(!cudaMemsetAsync(container, 0xA5, 2 * MOST, queue), "memset");
        copy(values + shift, source, bytes, cudaMemcpyHostToDevice);
        if (!check_that(!fpgz_gpu_encode(gpu, queue, array, values + shift, settings,
                                         container + shift + shift / 8, length, &ours, &error),
                        "%s: %s", checking, error.text))
            continue;
        fetch(container, 2 * MOST);
        CHECK(ours == length && !memcmp(back + shift + shift / 8, wanted, length));
        CHECK(is_filled(back + shift + shift / 8 + length, GUARD));
        check_restored(container + shift + shift / 8, length, restored + GUARD + shift, bytes, plain);
    }
    uint8_t *const host = (uint8_t *)malloc(length);
    CHECK(!fpgz_gpu_encode(gpu, queue, array, values + SHIFT, settings, host, length, &ours, &error));
    CHECK(ours == length && !memcmp(host, wanted, length));
    check_restored(host, length, restored + GUARD, bytes, plain);
    free(host);
    free(wanted);
}

static void check_arrays(unsigned every)
{
    static const char *const codecs[] = {"store",   "ndzip",         "gfc:dim=1", "gfc",     "mpc", "arith",
                                         "predict", "frsz2:bits=16", "prans",     "deflate", NULL};
    static const char *const kinds[] = {"wave", "turbulence", "rand"};
    static const struct {
        unsigned dims;
        uint64_t extent[3];
        uint64_t chunk;
    } shapes[] = {{1, {1}, 0},
                  {1, {77}, 0},
                  {1, {70001}, 65536},
                  {2, {200, 333}, 0},
                  {3, {64, 64, 64}, 65536},
                  {3, {21, 97, 33}, 50000},
                  {3, {40, 128, 128}, 1 << 20},
                  {1, {1060001}, 1024}}; /* of two bytes a value it takes more chunks than a batch has */
    unsigned number = 0;
    for (const char *codec : codecs)
        for (const auto &shape : shapes)
            for (const char *kind : kinds)
                for (enum fpgz_dtype dtype : {FPGZ_F32, FPGZ_F64, FPGZ_U16}) {
                    struct fpgz_grid grid = {dtype, shape.dims, {1, 1, 1, 1}}, filled;
                    struct fpgz_array array = {};
                    struct fpgz_settings settings = {};
                    struct fpgz_error error = {};
                    struct fpgz_params params;
                    const struct fpgz_codec *known;
                    memcpy(grid.extent, shape.extent, sizeof shape.extent);
                    filled = grid;
                    if (dtype == FPGZ_U16) { /* halves of floats */
                        filled.dtype = FPGZ_F32;
                        filled.extent[shape.dims - 1] = (filled.extent[shape.dims - 1] + 1) / 2;
                    }
                    array.dtype = dtype;
                    array.dims = shape.dims;
                    memcpy(array.extent, shape.extent, sizeof shape.extent);
                    settings.codec = codec;
                    settings.chunk = shape.chunk;
                    settings.threads = 2;
                    if (number++ % every || fpgz_grid_bytes(&filled) > MOST - GUARD ||
                        grids_fill(kind, &filled, number, source, &error) ||
                        (codec && (fpgz_codec_parse(codec, &known, &params, &error) ||
                                   fpgz_codec_check(known, dtype, &params, &error))))
                        continue;
                    checking = codec ? codec : "default";
                    check_array(&array, &settings, fpgz_grid_bytes(&grid));
                }
}

/* What crosses the bus: of values and streams nothing, both ways. But prans' encoder looks at the values on
 * the host, once, with what is counted of each chunk. Its streams come from there, and are verified. */
static void check_bus(const char *codec, bool aided)
{
    enum { CHUNK = 1 << 20, COUNTS = 1 << 20 };
    struct fpgz_array array = {};
    struct fpgz_settings settings = {};
    struct fpgz_error error = {};
    const struct fpgz_grid grid = {FPGZ_F32, 3, {60, 128, 128, 1}};
    const size_t bytes = fpgz_grid_bytes(&grid), little = bytes / 32;
    size_t length;
    uint64_t begin[2], end[2];
    if (!emulator_bus)
        return;
    checking = codec;
    array.dtype = grid.dtype;
    array.dims = grid.dims;
    memcpy(array.extent, grid.extent, sizeof grid.extent);
    settings.codec = codec;
    settings.chunk = CHUNK;
    must(!grids_fill("wave", &grid, 1, source, &error), "values");
    copy(values, source, bytes, cudaMemcpyHostToDevice);
    must(!cudaStreamSynchronize(queue), "copy");
    emulator_bus(&begin[0], &begin[1]);
    CHECK(!fpgz_gpu_encode(gpu, queue, &array, values, &settings, container, 2 * MOST, &length, &error));
    emulator_bus(&end[0], &end[1]);
    check_that(end[0] - begin[0] < (aided ? 2 * length : 0) + little, "%s: %zu bytes go to the GPU", codec,
               (size_t)(end[0] - begin[0]));
    check_that(end[1] - begin[1] < (aided ? bytes + length + bytes / CHUNK * COUNTS : 0) + little,
               "%s: %zu bytes come from the GPU", codec, (size_t)(end[1] - begin[1]));
    CHECK(!fpgz_gpu_decode(gpu, queue, container, length, NULL, restored, bytes, &error));
    emulator_bus(&begin[0], &begin[1]);
    check_that(begin[0] - end[0] + begin[1] - end[1] < little, "%s: %zu bytes cross the bus", codec,
               (size_t)(begin[0] - end[0] + begin[1] - end[1]));
    fetch(restored, bytes);
    CHECK(!memcmp(back, source, bytes));
}

/* Arrays of so many chunks that the last ones follow the first, large enough for an aide. Of those that are
 * alike only what is looked at is brought, elsewhere buffers have what was brought before, or ones
 * (fpgz_intake_look()); and their streams' segments stay. */
static void check_following(void)
{
    enum { CHUNK = 1 << 19, CHUNKS = 18, BYTES = CHUNKS * CHUNK, ROOM = BYTES + BYTES / 8 };
    enum { CHOOSE = 16 /* chunks that follow none */ };
    static const char *const kinds[] = {"constant", "wave", "rand", "poly",    "turbulence",
                                        "special",  "map",  "walk", "repeats", NULL};
    uint8_t *from, *to;
    if (cudaMalloc((void **)&from, BYTES + ROOM)) { /* an emulated GPU may have less */
        cudaGetLastError();
        return;
    }
    to = from + BYTES;
    uint8_t *const host = (uint8_t *)malloc(BYTES), *const ours = (uint8_t *)malloc(ROOM);
    must(host && ours, "memory");
    for (unsigned i = 0; kinds[i]; i++)
        for (enum fpgz_dtype dtype : {FPGZ_F32, FPGZ_F64}) {
            const uint64_t row = dtype == FPGZ_F32 ? 512 : 1, /* of chunks with more axes all is looked at */
                rows = BYTES / fpgz_dtype_size(dtype) / row;
            const struct fpgz_grid grid = {dtype, 1u + (row > 1), {rows, row, 1, 1}};
            const bool alike = !strcmp(kinds[i], "wave");
            struct fpgz_array array = {};
            struct fpgz_settings settings = {};
            struct fpgz_error error = {};
            uint64_t begin[2] = {0, 0}, end[2] = {0, 0};
            void *wanted;
            size_t length, got;
            if (emulator_bus && (!alike || dtype == FPGZ_F64)) /* it takes long */
                break;
            checking = kinds[i];
            array.dtype = dtype;
            array.dims = grid.dims;
            memcpy(array.extent, grid.extent, sizeof grid.extent);
            settings.codec = "prans";
            settings.chunk = CHUNK;
            must(!grids_fill(kinds[i], &grid, 1, host, &error), "values");
            must(!fpgz_encode(&array, host, &settings, &wanted, &length, &error), "container");
            copy(from, host, BYTES, cudaMemcpyHostToDevice);
            must(!cudaStreamSynchronize(queue), "copy");
            if (emulator_bus)
                emulator_bus(&begin[0], &begin[1]);
            CHECK(!fpgz_gpu_encode(gpu, queue, &array, from, &settings, to, ROOM, &got, &error));
            if (emulator_bus)
                emulator_bus(&end[0], &end[1]);
            const uint64_t streams = length / CHUNKS * CHOOSE, little = CHUNK / 2;
            check_that(!alike || end[1] - begin[1] < CHOOSE * CHUNK + streams + little,
                       "%s: %zu bytes come from the GPU", checking, (size_t)(end[1] - begin[1]));
            check_that(!alike || end[0] - begin[0] < streams + little, "%s: %zu bytes go to the GPU",
                       checking, (size_t)(end[0] - begin[0]));
            copy(ours, to, fpgz_min(got, ROOM), cudaMemcpyDeviceToHost);
            must(!cudaStreamSynchronize(queue), "copy");
            CHECK(got == length && !memcmp(ours, wanted, length));
            for (const uint64_t memory : {0, 1 << 28}) { /* to the host, and with so much of it */
                if (emulator_bus && (!memory || getenv("FPGZ_EMULATOR"))) /* once, and not as variants */
                    continue;
                settings.memory = memory;
                memset(ours, 0xA5, ROOM);
                CHECK(!fpgz_gpu_encode(gpu, queue, &array, from, &settings, ours, ROOM, &got, &error));
                CHECK(got == length && !memcmp(ours, wanted, length));
            }
            free(wanted);
        }
    cudaFree(from);
    free(host);
    free(ours);
}

/* What the library refuses on the host it refuses here, with the same words. */
static void check_refusals(const char *codec)
{
    enum { VALUES = 60000 };
    struct fpgz_array array = {};
    struct fpgz_settings settings = {};
    struct fpgz_error error = {}, wanted;
    const struct fpgz_grid grid = {FPGZ_F32, 1, {VALUES, 1, 1, 1}};
    void *bytes;
    size_t length, ours;
    checking = codec;
    array.dtype = FPGZ_F32;
    array.dims = 1;
    array.extent[0] = VALUES;
    settings.codec = codec;
    settings.chunk = 65536;
    must(!grids_fill("wave", &grid, 1, source, &error), "values");
    must(!fpgz_encode(&array, source, &settings, &bytes, &length, &error), "container");
    uint8_t *const damaged = (uint8_t *)bytes;
    for (unsigned i = 0; i < 60; i++) {
        const size_t at = random_bits() % length, left = i % 4 ? length : at;
        damaged[at] ^= i % 4 ? 1 << i % 8 : 0;
        copy(container, damaged, left, cudaMemcpyHostToDevice);
        const enum fpgz_status status = fpgz_decode(damaged, left, NULL, back, sizeof source, &wanted);
        CHECK(fpgz_gpu_decode(gpu, queue, container, left, NULL, restored, MOST, &error) == status);
        CHECK(!strcmp(error.text, wanted.text));
        CHECK(fpgz_gpu_decode(gpu, queue, damaged, left, NULL, restored, MOST, &error) == status);
        damaged[at] ^= i % 4 ? 1 << i % 8 : 0;
    }
    copy(container, bytes, length, cudaMemcpyHostToDevice);
    copy(values, source, sizeof(float) * VALUES, cudaMemcpyHostToDevice);
    CHECK(fpgz_gpu_decode(gpu, queue, container, length, NULL, restored, 4 * VALUES - 1, &error) ==
          FPGZ_LIMIT);
    CHECK(fpgz_gpu_decode(gpu, queue, container, length, NULL, source, MOST, &error) == FPGZ_USAGE);
    CHECK(fpgz_gpu_encode(gpu, queue, &array, source, &settings, container, 2 * MOST, &ours, &error) ==
          FPGZ_USAGE);
    must(!cudaMemsetAsync(container, 0xA5, 2 * MOST, queue), "memset");
    CHECK(fpgz_gpu_encode(gpu, queue, &array, values, &settings, container, length - 1, &ours, &error) ==
              FPGZ_LIMIT &&
          ours == length);
    fetch(container, 2 * MOST);
    CHECK(is_filled(back + length - 1, GUARD));
    free(bytes);
}

int main(int argc, char **argv)
{
    struct fpgz_error error;
    const int every = argc > 1 ? atoi(argv[1]) : 1;
    const enum fpgz_status status = fpgz_gpu_open(0, &gpu, &error);
    if (status == FPGZ_UNSUPPORTED || every < 1) {
        printf("skipped: %s\n", status ? error.text : "usage: resident [EVERY]");
        return SKIPPED;
    }
    must(!status && !cudaStreamCreateWithFlags(&queue, cudaStreamNonBlocking) &&
             !cudaMalloc((void **)&values, MOST + SHIFT) && !cudaMalloc((void **)&container, 2 * MOST) &&
             !cudaMalloc((void **)&restored, MOST + 2 * GUARD),
         "GPU");
    check_checksums();
    check_arrays((unsigned)every);
    check_bus("store", false);
    check_bus("ndzip", false);
    check_bus("prans", true);
    check_following();
    check_refusals("ndzip");
    check_refusals("prans");
    cudaFree(values);
    cudaFree(container);
    cudaFree(restored);
    cudaStreamDestroy(queue);
    fpgz_gpu_close(gpu);
    return checks_end();
}
