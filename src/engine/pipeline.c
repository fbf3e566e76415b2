/* SPDX-License-Identifier: MIT
 * Threads that share jobs: each fills, works on or drains the one that is due, within the memory that jobs
 * may claim. */
#include "engine/pipeline.h"

#include <pthread.h>
#include <stdlib.h>

#include "engine/seats.h"

/* Larger jobs get no spare ones: the first touch of fresh memory costs more than the wait for a job in
 * use. */
enum { LARGE_JOB = 16 << 20 };

struct fpgz_pipeline_state {
    const struct fpgz_pipeline *pipeline;
    struct fpgz_seats seats; /* if `seated`: fewer threads may be busy than there are */
    unsigned slots;          /* jobs in flight */
    pthread_mutex_t mutex;
    pthread_cond_t change;
    /* Jobs by their turn, modulo slots; a stack of free ones, so that the buffers used last are used next. */
    void **turn, **free;
    bool *done;
    char *jobs;
    uint64_t *held, held_sum; /* memory that each job of `jobs`, and all of them, may hold */
    unsigned free_count;
    size_t filled, taken, drained; /* turns */
    bool seated, filling, draining, ended, stopped;
};

static bool is_over(const struct fpgz_pipeline_state *s)
{
    return s->stopped || (s->ended && s->drained == s->filled);
}

/* Does one thing that is due; false when nothing is. Called with the mutex held, which it also holds when
 * it returns. */
static bool step(struct fpgz_pipeline_state *s)
{
    const struct fpgz_pipeline *p = s->pipeline;
    if (!s->draining && s->drained < s->taken && s->done[s->drained % s->slots]) {
        void *job = s->turn[s->drained % s->slots];
        s->draining = true;
        pthread_mutex_unlock(&s->mutex);
        const bool go_on = p->drain(p->context, job);
        pthread_mutex_lock(&s->mutex);
        s->draining = false;
        s->free[s->free_count++] = job;
        s->drained++;
        s->stopped |= !go_on;
    } else if (s->taken < s->filled) {
        const size_t turn = s->taken++ % s->slots;
        pthread_mutex_unlock(&s->mutex);
        p->work(p->context, s->turn[turn]);
        pthread_mutex_lock(&s->mutex);
        s->done[turn] = true;
    } else if (!s->filling && !s->ended && s->free_count) {
        void *job = s->free[--s->free_count];
        s->filling = true;
        pthread_mutex_unlock(&s->mutex);
        const bool got = p->fill(p->context, job);
        pthread_mutex_lock(&s->mutex);
        s->filling = false;
        if (got) {
            s->turn[s->filled % s->slots] = job;
            s->done[s->filled % s->slots] = false;
            s->filled++;
        } else {
            s->free[s->free_count++] = job;
            s->ended = true;
        }
    } else {
        return false;
    }
    pthread_cond_broadcast(&s->change);
    return true;
}

/* Waits for a seat without the mutex, which others need to give theirs back. */
static void take_seat(struct fpgz_pipeline_state *s)
{
    if (!s->seated)
        return;
    pthread_mutex_unlock(&s->mutex);
    fpgz_seat_take(&s->seats);
    pthread_mutex_lock(&s->mutex);
}

static void *run_thread(void *state)
{
    struct fpgz_pipeline_state *s = state;
    pthread_mutex_lock(&s->mutex);
    while (!is_over(s)) {
        take_seat(s);
        const bool due = !is_over(s) && step(s);
        fpgz_seat_give();
        if (!due && !is_over(s))
            pthread_cond_wait(&s->change, &s->mutex);
    }
    pthread_mutex_unlock(&s->mutex);
    return NULL;
}

static uint64_t *held_by(const struct fpgz_pipeline_state *s, const void *job)
{
    return &s->held[(size_t)((const char *)job - s->jobs) / s->pipeline->job_size];
}

static void set_held(struct fpgz_pipeline_state *s, const void *job, uint64_t bytes)
{
    s->held_sum += bytes - *held_by(s, job);
    *held_by(s, job) = bytes;
}

/* Releases one idle job; false when none holds anything. */
static bool release_idle(struct fpgz_pipeline_state *s)
{
    for (unsigned i = 0; i < s->free_count; i++)
        if (*held_by(s, s->free[i])) {
            s->pipeline->release(s->free[i]);
            set_held(s, s->free[i], 0);
            return true;
        }
    return false;
}

bool fpgz_pipeline_claim(const struct fpgz_pipeline *p, const void *job, uint64_t bytes)
{
    struct fpgz_pipeline_state *const s = p->state;
    pthread_mutex_lock(&s->mutex);
    set_held(s, job, bytes);
    while (s->held_sum > p->memory && !s->stopped) {
        if (release_idle(s))
            continue;
        if (s->drained == s->filled)
            break;
        fpgz_seat_leave();
        pthread_cond_wait(&s->change, &s->mutex); /* other threads have all the jobs */
        pthread_mutex_unlock(&s->mutex);
        fpgz_seat_return();
        pthread_mutex_lock(&s->mutex);
    }
    pthread_mutex_unlock(&s->mutex);
    return bytes <= p->memory;
}

void fpgz_pipeline_forget(const struct fpgz_pipeline *p)
{
    for (unsigned i = 0; i < p->kept->count; i++)
        p->release(p->kept->job + i * p->job_size);
    free(p->kept->job);
    *p->kept = (struct fpgz_pipeline_jobs){NULL, 0};
}

/* At least `slots` jobs: those that were kept, as far as there are enough. */
static char *take_jobs(const struct fpgz_pipeline *p, unsigned slots)
{
    if (!p->kept)
        return calloc(slots, p->job_size);
    if (p->kept->count < slots) {
        fpgz_pipeline_forget(p);
        p->kept->job = calloc(slots, p->job_size);
        p->kept->count = p->kept->job ? slots : 0;
    }
    return p->kept->job;
}

bool fpgz_pipeline_run(struct fpgz_pipeline *p)
{
    const unsigned wanted = p->expected && p->expected < p->threads ? (unsigned)p->expected : p->threads;
    const unsigned slots = wanted + (wanted > 1 && p->job_bytes < LARGE_JOB ? 2 : 0);
    struct fpgz_pipeline_state s = {.pipeline = p, .slots = slots, .free_count = slots};
    p->state = &s;
    s.seated = p->busy && p->busy < wanted;
    char *jobs = s.jobs = take_jobs(p, slots);
    s.held = calloc(s.slots, sizeof *s.held);
    s.turn = calloc(s.slots, sizeof *s.turn);
    s.free = calloc(s.slots, sizeof *s.free);
    s.done = calloc(s.slots, sizeof *s.done);
    pthread_t *threads = calloc(wanted, sizeof *threads);
    const bool ok = jobs && s.held && s.turn && s.free && s.done && threads;
    if (ok) {
        for (unsigned i = 0; i < s.slots; i++)
            s.free[i] = jobs + i * p->job_size;
        pthread_mutex_init(&s.mutex, NULL);
        pthread_cond_init(&s.change, NULL);
        fpgz_seats_open(&s.seats, p->busy);
        unsigned started = 0;
        while (started + 1 < wanted && pthread_create(&threads[started], NULL, run_thread, &s) == 0)
            started++;
        run_thread(&s);
        while (started)
            pthread_join(threads[--started], NULL);
        fpgz_seats_close(&s.seats);
        pthread_cond_destroy(&s.change);
        pthread_mutex_destroy(&s.mutex);
        for (unsigned i = 0; i < s.slots && !p->kept; i++)
            p->release(jobs + i * p->job_size);
    }
    free(threads);
    free(s.done);
    free(s.free);
    free(s.turn);
    free(s.held);
    if (!p->kept)
        free(jobs);
    p->state = NULL;
    return ok;
}
