/* SPDX-License-Identifier: MIT
 * Processes that do one file after another, so that a file that brings a process down brings down nothing
 * else, and so that each file's work may start processes and threads of its own. */
#ifndef FPGZ_BATCH_POOL_H
#define FPGZ_BATCH_POOL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct pool {
    size_t count;       /* files, in the order in which they are begun */
    unsigned threads;   /* to be shared by the files at work */
    uint64_t large;     /* bytes from which on a file gets all of them */
    size_t result_size; /* bytes of what work() tells done() */
    void *context;

    uint64_t (*bytes)(void *context, size_t index); /* of a file */
    /* In one of the processes: does a file by so many threads, and tells of it in *result, which is zeroed.
     */
    void (*work)(void *context, size_t index, unsigned threads, void *result);
    void (*end)(void *context); /* behind all of them */
    /* In the caller's process, in the order in which files are ready; false stops the pool. `result` is NULL
     * when the process died, by `signal` if that is not 0. */
    bool (*done)(void *context, size_t index, const void *result, int signal);
    /* After one or several done(), before the pool waits again; false stops it. */
    bool (*flush)(void *context);
    /* Or NULL. After that, once for each result that done() was given, in the process that told it: what may
     * only be done now. Then settled() in the caller's process, which is as done(), but stops nothing. */
    void (*settle)(void *context, size_t index, void *result);
    void (*settled)(void *context, size_t index, const void *result, int signal);
};

/* Runs until all files are done, or it was stopped: files at work are then still ended. False, with errno,
 * when there can be no process. The processes end with their parent. */
bool pool_run(const struct pool *pool);

#endif
