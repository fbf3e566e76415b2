/* SPDX-License-Identifier: MIT
 * Threads that share jobs: each fills, works on or drains the one that is due, within the memory that jobs
 * may claim. */
#include "engine/pipeline.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "engine/seats.h"

/* Without a GPU, larger jobs get no spare ones: the first touch of fresh memory costs more than the wait for
 * a job in use. */
enum { LARGE_JOB = 16 << 20 };

/* Others get these. With a GPU, jobs take it a few milliseconds, and those that it leaves to the CPU, or that
 * lead, many times that: there is a spare one for each thread, for all to go on behind one of the latter. */
enum { SPARE_JOBS = 2 };

/* Memory that a job may hold, and what is lent to it. */
struct held {
    uint64_t own, lent;
};

struct fpgz_pipeline_state {
    const struct fpgz_pipeline *pipeline;
    struct fpgz_seats seats; /* if `seated`: fewer threads may be busy than there are */
    unsigned slots;          /* jobs in flight */
    pthread_mutex_t mutex;
    pthread_cond_t change; /* something is due, for threads that have nothing to do */
    pthread_cond_t room;   /* jobs hold less, for the one that claims memory */
    /* Jobs by their turn, modulo slots; a stack of free ones, so that the buffers used last are used next. Of
     * jobs->lent the first idle_count are such a stack. */
    void **turn, **free;
    bool *done;
    struct fpgz_pipeline_jobs *jobs;
    struct held *held;        /* of each job */
    uint64_t *idle, held_sum; /* of what is idle of jobs->lent, and of all */
    unsigned free_count, idle_count;
    size_t filled, taken, drained; /* turns */
    bool seated, filling, draining, ended, stopped;
};

static bool is_over(const struct fpgz_pipeline_state *s)
{
    return s->stopped || (s->ended && s->drained == s->filled);
}

static struct held *held_by(const struct fpgz_pipeline_state *s, const void *job)
{
    return &s->held[(size_t)((const char *)job - s->jobs->job) / s->pipeline->job_size];
}

static size_t lent_bytes(const struct fpgz_pipeline_state *s)
{
    return s->pipeline->lent * sizeof **s->jobs->lent;
}

/* As many are lent as there are threads: no thread fills a job while another one waits to be worked on. */
static void lend(struct fpgz_pipeline_state *s, void *job)
{
    memcpy((char *)job + s->pipeline->lent_at, s->jobs->lent[--s->idle_count], lent_bytes(s));
    held_by(s, job)->lent = s->idle[s->idle_count];
}

static void take_back(struct fpgz_pipeline_state *s, void *job)
{
    char *const lent = (char *)job + s->pipeline->lent_at;
    memcpy(s->jobs->lent[s->idle_count], lent, lent_bytes(s));
    memset(lent, 0, lent_bytes(s));
    s->idle[s->idle_count++] = held_by(s, job)->lent;
    held_by(s, job)->lent = 0;
}

static bool may_drain(const struct fpgz_pipeline_state *s)
{
    return !s->draining && s->drained < s->taken && s->done[s->drained % s->slots];
}

static bool may_fill(const struct fpgz_pipeline_state *s)
{
    return !s->filling && !s->ended && s->free_count;
}

/* Before a thread begins with what was due: another one is woken, if there is more. That one does the same,
 * so that none is woken in vain. */
static void part(struct fpgz_pipeline_state *s)
{
    if (may_drain(s) || s->taken < s->filled || may_fill(s))
        pthread_cond_signal(&s->change);
    pthread_mutex_unlock(&s->mutex);
}

/* Does one thing that is due; false when nothing is. Called with the mutex held, which it also holds when
 * it returns. */
static bool step(struct fpgz_pipeline_state *s)
{
    const struct fpgz_pipeline *p = s->pipeline;
    if (may_drain(s)) {
        void *job = s->turn[s->drained % s->slots];
        s->draining = true;
        part(s);
        const bool go_on = p->drain(p->context, job);
        pthread_mutex_lock(&s->mutex);
        s->draining = false;
        s->free[s->free_count++] = job;
        s->drained++;
        s->stopped |= !go_on;
    } else if (s->taken < s->filled) {
        const size_t turn = s->taken++ % s->slots;
        part(s);
        p->work(p->context, s->turn[turn]);
        pthread_mutex_lock(&s->mutex);
        take_back(s, s->turn[turn]);
        s->done[turn] = true;
    } else if (may_fill(s)) {
        void *job = s->free[--s->free_count];
        s->filling = true;
        lend(s, job);
        part(s);
        const bool got = p->fill(p->context, job);
        pthread_mutex_lock(&s->mutex);
        s->filling = false;
        if (got) {
            s->turn[s->filled % s->slots] = job;
            s->done[s->filled % s->slots] = false;
            s->filled++;
        } else {
            take_back(s, job);
            s->free[s->free_count++] = job;
            s->ended = true;
        }
    } else {
        return false;
    }
    pthread_cond_signal(&s->room);
    if (is_over(s)) {
        pthread_cond_broadcast(&s->change);
        pthread_cond_broadcast(&s->room);
    }
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

static void lend_seat(struct fpgz_pipeline_state *s)
{
    if (!s->seated)
        return;
    pthread_mutex_unlock(&s->mutex);
    fpgz_seat_lend();
    pthread_mutex_lock(&s->mutex);
}

static void *run_thread(void *state)
{
    struct fpgz_pipeline_state *s = state;
    pthread_mutex_lock(&s->mutex);
    take_seat(s);
    while (!is_over(s)) {
        if (step(s)) {
            lend_seat(s);
            continue;
        }
        fpgz_seat_give();
        pthread_cond_wait(&s->change, &s->mutex);
        take_seat(s);
    }
    pthread_mutex_unlock(&s->mutex);
    fpgz_seat_give();
    return NULL;
}

static void free_lent(struct fpgz_buffer *lent)
{
    for (unsigned i = 0; i < FPGZ_LENT; i++)
        fpgz_buffer_free(&lent[i]);
}

/* Releases one idle job, or idle buffers; false when none holds anything. */
static bool release_idle(struct fpgz_pipeline_state *s)
{
    for (unsigned i = 0; i < s->free_count; i++) {
        struct held *const held = held_by(s, s->free[i]);
        if (held->own) {
            s->pipeline->release(s->free[i]);
            s->held_sum -= held->own;
            held->own = 0;
            return true;
        }
    }
    for (unsigned i = 0; i < s->idle_count; i++)
        if (s->idle[i]) {
            free_lent(s->jobs->lent[i]);
            s->held_sum -= s->idle[i];
            s->idle[i] = 0;
            return true;
        }
    return false;
}

bool fpgz_pipeline_claim(const struct fpgz_pipeline *p, const void *job, uint64_t bytes, uint64_t lent)
{
    struct fpgz_pipeline_state *const s = p->state;
    pthread_mutex_lock(&s->mutex);
    struct held *const held = held_by(s, job);
    s->held_sum += bytes + lent - held->own - held->lent;
    *held = (struct held){bytes, lent};
    while (s->held_sum > p->memory && !s->stopped) {
        if (release_idle(s))
            continue;
        if (s->drained == s->filled)
            break;
        fpgz_seat_leave();
        pthread_cond_wait(&s->room, &s->mutex); /* other threads have all the jobs */
        pthread_mutex_unlock(&s->mutex);
        fpgz_seat_return();
        pthread_mutex_lock(&s->mutex);
    }
    pthread_mutex_unlock(&s->mutex);
    return bytes + lent <= p->memory;
}

static void free_jobs(const struct fpgz_pipeline *p, struct fpgz_pipeline_jobs *jobs)
{
    for (unsigned i = 0; i < jobs->count; i++) {
        p->release(jobs->job + i * p->job_size);
        free_lent(jobs->lent[i]);
    }
    free(jobs->job);
    free(jobs->lent);
    *jobs = (struct fpgz_pipeline_jobs){.count = 0};
}

void fpgz_pipeline_forget(const struct fpgz_pipeline *p)
{
    free_jobs(p, p->kept);
}

/* At least `slots` jobs: those that were kept, if there are enough. */
static bool take_jobs(const struct fpgz_pipeline *p, struct fpgz_pipeline_jobs *jobs, unsigned slots)
{
    if (jobs->count >= slots)
        return true;
    free_jobs(p, jobs);
    jobs->job = calloc(slots, p->job_size);
    jobs->lent = calloc(slots, sizeof *jobs->lent);
    jobs->count = jobs->job && jobs->lent ? slots : 0;
    return jobs->count;
}

bool fpgz_pipeline_run(struct fpgz_pipeline *p)
{
    const unsigned wanted = p->expected && p->expected < p->threads ? (unsigned)p->expected : p->threads;
    const bool seated = p->busy && p->busy < wanted;
    const unsigned spare = seated ? wanted : SPARE_JOBS,
                   slots = wanted + (wanted > 1 && (seated || p->job_bytes < LARGE_JOB) ? spare : 0);
    struct fpgz_pipeline_jobs own = {.count = 0}, *const jobs = p->kept ? p->kept : &own;
    struct fpgz_pipeline_state s = {.pipeline = p,
                                    .seated = seated,
                                    .slots = slots,
                                    .free_count = slots,
                                    .idle_count = wanted,
                                    .jobs = jobs};
    p->state = &s;
    s.held = calloc(slots, sizeof *s.held);
    s.idle = calloc(slots, sizeof *s.idle);
    s.turn = calloc(slots, sizeof *s.turn);
    s.free = calloc(slots, sizeof *s.free);
    s.done = calloc(slots, sizeof *s.done);
    pthread_t *threads = calloc(wanted, sizeof *threads);
    const bool ok = take_jobs(p, jobs, slots) && s.held && s.idle && s.turn && s.free && s.done && threads;
    if (ok) {
        for (unsigned i = 0; i < slots; i++)
            s.free[i] = jobs->job + i * p->job_size;
        pthread_mutex_init(&s.mutex, NULL);
        pthread_cond_init(&s.change, NULL);
        pthread_cond_init(&s.room, NULL);
        fpgz_seats_open(&s.seats, p->busy);
        unsigned started = 0;
        while (started + 1 < wanted && pthread_create(&threads[started], NULL, run_thread, &s) == 0)
            started++;
        run_thread(&s);
        while (started)
            pthread_join(threads[--started], NULL);
        while (s.taken < s.filled) /* where it was stopped */
            take_back(&s, s.turn[s.taken++ % slots]);
        fpgz_seats_close(&s.seats);
        pthread_cond_destroy(&s.room);
        pthread_cond_destroy(&s.change);
        pthread_mutex_destroy(&s.mutex);
    }
    free(threads);
    free(s.done);
    free(s.free);
    free(s.turn);
    free(s.idle);
    free(s.held);
    free_jobs(p, &own);
    p->state = NULL;
    return ok;
}
