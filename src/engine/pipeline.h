/* SPDX-License-Identifier: MIT
 * Jobs that are filled one after another, worked on side by side, and drained in the order of filling, with a
 * bounded number in flight. No thread has a fixed role: each does what is due next. One thread alone can
 * therefore do everything, and many threads seldom wait. */
#ifndef FPGZ_ENGINE_PIPELINE_H
#define FPGZ_ENGINE_PIPELINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/buffer.h"

struct fpgz_pipeline_state;

/* Buffers that a job only needs until it is worked on. Jobs that wait to be drained, behind one that takes
 * longer, do without them. */
enum { FPGZ_LENT = 3 };

/* Jobs that outlive a run, and what is lent to them. */
struct fpgz_pipeline_jobs {
    char *job;
    struct fpgz_buffer (*lent)[FPGZ_LENT];
    unsigned count; /* of either */
};

struct fpgz_pipeline {
    unsigned threads;                /* at least 1; the caller is one of them */
    unsigned busy;                   /* of them at once, the others sleep (engine/seats.h); 0: all */
    uint64_t expected;               /* jobs, where known (else 0): no more threads than that are started */
    size_t job_size;                 /* bytes of a job: zeroed at first, then reused as it was left */
    size_t lent_at;                  /* where it has the buffers lent to it */
    unsigned lent;                   /* how many, FPGZ_LENT at most */
    size_t job_bytes;                /* memory that a job keeps: the larger, the fewer jobs are in flight */
    uint64_t memory;                 /* that jobs may hold together, as they claim it */
    struct fpgz_pipeline_jobs *kept; /* for the next run, with what they hold; NULL: they are released */
    void *context;

    /* Prepares the next job, to which buffers are lent from now on until work() is done; false at the end.
     * Never runs beside another fill(). */
    bool (*fill)(void *context, void *job);
    /* Any number run at once. What goes wrong is kept in the job for drain(). */
    void (*work)(void *context, void *job);
    /* Uses up a job, in the order of filling; false stops the pipeline. Never runs beside another drain(). */
    bool (*drain)(void *context, void *job);
    /* Frees what a job holds: at the very end, if no jobs are kept, or when others claim memory; it may be
     * filled again. */
    void (*release)(void *job);

    struct fpgz_pipeline_state *state; /* of the run */
};

/* Runs until fill() has returned false and all jobs are drained, or drain() has returned false. False when
 * no thread or memory is to be had. It goes on with fewer threads than asked for. */
bool fpgz_pipeline_run(struct fpgz_pipeline *pipeline);

/* Releases the jobs that were kept. */
void fpgz_pipeline_forget(const struct fpgz_pipeline *pipeline);

/* For fill(): claims `bytes` bytes for `job`, and `lent` bytes for what is lent to it, including those that
 * they hold already. Waits for jobs in flight, and releases what is idle, until there is room. False when the
 * job alone exceeds pipeline->memory: it may go on all the same, while no other job is in flight. */
bool fpgz_pipeline_claim(const struct fpgz_pipeline *pipeline, const void *job, uint64_t bytes,
                         uint64_t lent);

#endif
