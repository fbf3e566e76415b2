/* SPDX-License-Identifier: MIT
 * An example of the library: a grid that a kernel makes in a GPU's memory becomes a container there, and
 * comes back. Exits 77 without a GPU. */
#include <stdio.h>
#include <stdlib.h>

#include <cuda_runtime.h>
#include <fpgz.h>

enum { SIDE = 160, THREADS = 256, CELLS = SIDE * SIDE * SIDE, BLOCKS = CELLS / THREADS, SKIPPED = 77 };

static __global__ void make(float *grid)
{
    const unsigned i = blockIdx.x * THREADS + threadIdx.x;
    const float x = i % SIDE, y = i / SIDE % SIDE, z = i / SIDE / SIDE;
    grid[i] = x * x + y * z;
}

static __global__ void compare(const float *a, const float *b, unsigned *differences)
{
    const unsigned i = blockIdx.x * THREADS + threadIdx.x;
    if (a[i] != b[i])
        atomicAdd(differences, 1u);
}

/* Ends the program where a call has failed. */
static void check(bool ok, const char *text)
{
    if (ok)
        return;
    fprintf(stderr, "%s\n", text);
    exit(EXIT_FAILURE);
}

int main(void)
{
    const size_t bytes = CELLS * sizeof(float), room = bytes + bytes / 16 + 65536;
    struct fpgz_array array = {};
    struct fpgz_settings settings = {};
    struct fpgz_error error;
    struct fpgz_gpu *gpu;
    float *grid, *restored;
    void *container;
    unsigned *differences, found;
    size_t length;
    cudaStream_t stream;
    if (fpgz_gpu_open(0, &gpu, &error) == FPGZ_UNSUPPORTED) {
        printf("skipped: %s\n", error.text);
        return SKIPPED;
    }
    check(!error.status, error.text);
    check(!cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), "no stream");
    check(!cudaMalloc((void **)&grid, bytes), "no memory on the GPU");
    check(!cudaMalloc((void **)&restored, bytes), "no memory on the GPU");
    check(!cudaMalloc(&container, room), "no memory on the GPU");
    check(!cudaMalloc((void **)&differences, sizeof *differences), "no memory on the GPU");
    check(!cudaMemsetAsync(differences, 0, sizeof *differences, stream), "the GPU clears nothing");

    array.dtype = FPGZ_F32;
    array.dims = 3;
    array.extent[0] = array.extent[1] = array.extent[2] = SIDE;
    settings.codec = "ndzip";
    make<<<BLOCKS, THREADS, 0, stream>>>(grid);
    check(!fpgz_gpu_encode(gpu, stream, &array, grid, &settings, container, room, &length, &error),
          error.text);
    printf("%zu bytes became %zu\n", bytes, length);
    check(!fpgz_gpu_decode(gpu, stream, container, length, NULL, restored, bytes, &error), error.text);

    compare<<<BLOCKS, THREADS, 0, stream>>>(grid, restored, differences);
    check(!cudaMemcpyAsync(&found, differences, sizeof found, cudaMemcpyDeviceToHost, stream) &&
              !cudaStreamSynchronize(stream),
          "the GPU failed");
    puts(found ? "and came back wrong" : "and came back");
    cudaStreamDestroy(stream);
    cudaFree(grid);
    cudaFree(restored);
    cudaFree(container);
    cudaFree(differences);
    fpgz_gpu_close(gpu);
    return found != 0;
}
