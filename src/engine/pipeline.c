/* SPDX-License-Identifier: MIT */
#include "engine/pipeline.h"

#include <pthread.h>
#include <stdlib.h>

/* With jobs above this no spare ones are kept: touching fresh memory would cost more than waiting for one's
 * turn. */
enum { LARGE_JOB = 16 << 20 };

struct state {
    const struct fpgz_pipeline *pipeline;
    unsigned slots; /* jobs in flight */
    pthread_mutex_t mutex;
    pthread_cond_t change;
    /* Jobs by their turn, modulo slots; a stack of free ones, so that the buffers used last are used next. */
    void **turn, **free;
    bool *done;
    unsigned free_count;
    size_t filled, taken, drained; /* turns */
    bool filling, draining, ended, stopped;
};

/* Does one thing that is due; false when there is none. Called, and returns, with the mutex held. */
static bool step(struct state *s)
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

static void *run_thread(void *state)
{
    struct state *s = state;
    pthread_mutex_lock(&s->mutex);
    while (!s->stopped && !(s->ended && s->drained == s->filled))
        if (!step(s))
            pthread_cond_wait(&s->change, &s->mutex);
    pthread_mutex_unlock(&s->mutex);
    return NULL;
}

bool fpgz_pipeline_run(const struct fpgz_pipeline *p)
{
    const unsigned wanted = p->expected && p->expected < p->threads ? (unsigned)p->expected : p->threads;
    const unsigned slots = wanted + (wanted > 1 && p->job_bytes < LARGE_JOB ? 2 : 0);
    struct state s = {.pipeline = p, .slots = slots, .free_count = slots};
    char *jobs = calloc(s.slots, p->job_size);
    s.turn = calloc(s.slots, sizeof *s.turn);
    s.free = calloc(s.slots, sizeof *s.free);
    s.done = calloc(s.slots, sizeof *s.done);
    pthread_t *threads = calloc(wanted, sizeof *threads);
    const bool ok = jobs && s.turn && s.free && s.done && threads;
    if (ok) {
        for (unsigned i = 0; i < s.slots; i++)
            s.free[i] = jobs + i * p->job_size;
        pthread_mutex_init(&s.mutex, NULL);
        pthread_cond_init(&s.change, NULL);
        unsigned started = 0;
        while (started + 1 < wanted && pthread_create(&threads[started], NULL, run_thread, &s) == 0)
            started++;
        run_thread(&s);
        while (started)
            pthread_join(threads[--started], NULL);
        pthread_cond_destroy(&s.change);
        pthread_mutex_destroy(&s.mutex);
        for (unsigned i = 0; i < s.slots; i++)
            p->release(jobs + i * p->job_size);
    }
    free(threads);
    free(s.done);
    free(s.free);
    free(s.turn);
    free(jobs);
    return ok;
}
