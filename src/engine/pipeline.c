/* SPDX-License-Identifier: MIT */
#include "engine/pipeline.h"

#include <pthread.h>
#include <stdlib.h>

struct state {
    const struct fpgz_pipeline *pipeline;
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
    if (!s->draining && s->drained < s->taken && s->done[s->drained % p->slots]) {
        void *job = s->turn[s->drained % p->slots];
        s->draining = true;
        pthread_mutex_unlock(&s->mutex);
        const bool go_on = p->drain(p->context, job);
        pthread_mutex_lock(&s->mutex);
        s->draining = false;
        s->free[s->free_count++] = job;
        s->drained++;
        s->stopped |= !go_on;
    } else if (s->taken < s->filled) {
        const size_t turn = s->taken++ % p->slots;
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
            s->turn[s->filled % p->slots] = job;
            s->done[s->filled % p->slots] = false;
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
    struct state s = {.pipeline = p, .free_count = p->slots};
    s.turn = calloc(p->slots, sizeof *s.turn);
    s.free = calloc(p->slots, sizeof *s.free);
    s.done = calloc(p->slots, sizeof *s.done);
    pthread_t *threads = calloc(p->threads, sizeof *threads);
    const bool ok = s.turn && s.free && s.done && threads;
    if (ok) {
        for (unsigned i = 0; i < p->slots; i++)
            s.free[i] = (char *)p->jobs + (p->slots - 1 - i) * p->job_size;
        pthread_mutex_init(&s.mutex, NULL);
        pthread_cond_init(&s.change, NULL);
        unsigned started = 0;
        while (started + 1 < p->threads && pthread_create(&threads[started], NULL, run_thread, &s) == 0)
            started++;
        run_thread(&s);
        while (started)
            pthread_join(threads[--started], NULL);
        pthread_cond_destroy(&s.change);
        pthread_mutex_destroy(&s.mutex);
    }
    free(threads);
    free(s.done);
    free(s.free);
    free(s.turn);
    return ok;
}
