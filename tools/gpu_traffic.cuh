/* SPDX-License-Identifier: MIT
 * Times chunks of a grid that go through the device layer, from memory to memory, by threads that mostly
 * sleep. */
#pragma once

#include <string.h>

#include "codec.cuh"
#include "gpu_timing.cuh"

extern "C" {
#include "engine/device.h"
}

enum { GRID_BYTES = 512 << 20, LEAST_CHUNK = 4 << 20, PASSES = 4 };

struct traffic {
    struct fpgz_device *device;
    const struct fpgz_codec *codec;
    struct fpgz_params params;
    const uint8_t *values; /* of all chunks, pinned */
    struct fpgz_grid chunk;
    unsigned chunks;
    size_t bound, *length;
    uint8_t *streams, *restored;
    bool decoding;
    unsigned next, failures;
};

static void *carry(void *argument)
{
    struct traffic *t = (struct traffic *)argument;
    struct fpgz_coding coding = {t->chunk, t->params, NULL};
    for (unsigned n; (n = __sync_fetch_and_add(&t->next, 1)) < PASSES * t->chunks;) {
        const unsigned i = n % t->chunks;
        const size_t at = (size_t)i * (GRID_BYTES / t->chunks);
        uint8_t *stream = t->streams + i * t->bound;
        const enum fpgz_status status = t->decoding
                                            ? fpgz_device_decode(t->device, true, t->codec, &coding, stream,
                                                                 t->length[i], t->restored + at)
                                            : fpgz_device_encode(t->device, true, t->codec, &coding,
                                                                 t->values + at, stream, &t->length[i]);
        if (status)
            __sync_fetch_and_add(&t->failures, 1);
    }
    return NULL;
}

/* `values` are a grid of GRID_BYTES, pinned. */
static void measure_traffic(struct fpgz_device *device, const struct fpgz_grid *grid, const uint8_t *values,
                            unsigned chunk_bytes)
{
    static double seconds[2][MAX_RUNS];
    static size_t length[GRID_BYTES / LEAST_CHUNK];
    struct traffic t = {};
    t.device = device;
    t.codec = fpgz_codec_by_id(FPGZ_CODEC_NDZIP);
    t.values = values;
    t.chunk = *grid;
    t.chunks = GRID_BYTES / chunk_bytes;
    t.chunk.extent[0] /= t.chunks;
    t.length = length;
    t.bound = t.codec->bound(&t.chunk, &t.params);
    must(cudaHostAlloc((void **)&t.streams, t.bound * t.chunks, cudaHostAllocDefault), "host memory");
    must(cudaHostAlloc((void **)&t.restored, GRID_BYTES, cudaHostAllocDefault), "host memory");
    for (unsigned i = 0; i < runs; i++)
        for (unsigned way = 0; way < 2; way++) {
            t.decoding = way;
            t.next = 0;
            seconds[way][i] = run_threads(carry, &t, fpgz_device_lanes(device));
        }
    check(!t.failures && !memcmp(t.restored, values, GRID_BYTES), "memory to memory restores something else");
    const double gb = PASSES * (GRID_BYTES / 1e9);
    printf("ndzip %s 3-D in chunks of %u MiB, memory to memory: %.1f / %.1f GB/s (must 33, aim 49.5)\n",
           fpgz_dtype_name(t.chunk.dtype), chunk_bytes >> 20, gb / median(seconds[0]),
           gb / median(seconds[1]));
    cudaFreeHost(t.streams);
    cudaFreeHost(t.restored);
}
