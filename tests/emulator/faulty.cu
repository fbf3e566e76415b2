/* SPDX-License-Identifier: MIT
 * Kernels with defects that the emulator has to find.
 *
 * usage: faulty NUMBER   runs one of them, or none of them for 0 */
#include <cuda_runtime.h>
#include <stdlib.h>

#include "machine.cuh"

static const unsigned THREADS = 64, BLOCKS = 3;

/* Reversed numbers, by way of shared memory, with the defect. */
static __global__ void faulty(unsigned defect, uint32_t *out)
{
    __shared__ uint32_t numbers[THREADS];
    __shared__ uint64_t handover;
    const unsigned thread = threadIdx.x, lane = thread % 32;
    numbers[thread] = thread;
    if (defect != 1)
        __syncthreads();
    out[blockIdx.x * THREADS + thread] = numbers[THREADS - 1 - thread];
    if (defect == 2 && thread >= 32) /* the others are at the next barrier of all */
        barrier<1, THREADS>();
    if (defect == 3) {
        if (lane % 2)
            __syncwarp();
        else
            __syncwarp();
    }
    if (defect == 4 && thread == 0)
        out[BLOCKS * THREADS] = 0;
    if (defect == 5)
        copy_async<4>(shared_address((uint8_t *)numbers + 1), out);
    if (defect == 6) {
        if (thread == 0)
            handover_make(&handover, 2);
        __syncthreads();
        handover_wait(&handover, 0);
    }
    if (defect == 7) { /* nobody waits for the copy */
        copy_async<4>(shared_address(&numbers[thread]), &out[blockIdx.x * THREADS + thread]);
        __syncthreads();
        out[blockIdx.x * THREADS + thread] = numbers[thread];
    }
    __syncthreads();
}

int main(int argc, char **argv)
{
    const unsigned defect = argc > 1 ? (unsigned)atoi(argv[1]) : 0;
    uint32_t *out, numbers[BLOCKS * THREADS];
    cudaStream_t queue;
    cudaEvent_t event;
    if (cudaMalloc((void **)&out, sizeof numbers) ||
        cudaStreamCreateWithFlags(&queue, cudaStreamNonBlocking) ||
        cudaEventCreateWithFlags(&event, cudaEventDisableTiming))
        return 2;
    faulty<<<BLOCKS, THREADS, 0, queue>>>(defect, out);
    if (cudaGetLastError() || cudaMemcpyAsync(numbers, out, sizeof numbers, cudaMemcpyDeviceToHost, queue) ||
        cudaEventRecord(event, queue) || cudaEventSynchronize(event) || cudaFree(out))
        return 2;
    for (unsigned i = 0; i < BLOCKS * THREADS; i++)
        if (numbers[i] != THREADS - 1 - i % THREADS)
            return 1;
    return cudaEventDestroy(event) || cudaStreamDestroy(queue) ? 2 : 0;
}
