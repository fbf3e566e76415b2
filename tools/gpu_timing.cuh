/* SPDX-License-Identifier: MIT
 * What the benchmarks of kernels share: errors end them, times are medians, and a queue is held while the
 * host fills it. */
#pragma once

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { MAX_RUNS = 101, SKIPPED = 77 };

static unsigned runs = 15, failures;

static void must(cudaError_t status, const char *what)
{
    if (status == cudaSuccess)
        return;
    printf("FAILED: %s: %s\n", what, cudaGetErrorString(status));
    exit(EXIT_FAILURE);
}

static inline void check(bool ok, const char *what)
{
    if (!ok)
        printf("FAILED: %s\n", what);
    failures += !ok;
}

static int compare(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(double *seconds)
{
    qsort(seconds, runs, sizeof *seconds, compare);
    return seconds[runs / 2];
}

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* Keeps a queue busy for so many cycles, in which the host enqueues what is to be timed: what it does itself,
 * as looking at a sample of the values, is not the kernels' time. */
static __global__ void hold(long long cycles)
{
    const long long begin = clock64();
    while (clock64() - begin < cycles)
        ;
}

/* Runs `threads` threads of a function, and gives the seconds until the last one ends. */
static inline double run_threads(void *(*function)(void *), void *argument, unsigned threads)
{
    enum { MOST_THREADS = 64 };
    pthread_t thread[MOST_THREADS];
    const double begin = now();
    threads = threads < MOST_THREADS ? threads : (unsigned)MOST_THREADS;
    for (unsigned i = 0; i < threads; i++)
        if (pthread_create(&thread[i], NULL, function, argument))
            abort();
    for (unsigned i = 0; i < threads; i++)
        pthread_join(thread[i], NULL);
    return now() - begin;
}
