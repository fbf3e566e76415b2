/* SPDX-License-Identifier: MIT
 * A task has a turn. Who wakes up for it takes part, unless the caller has found it done meanwhile. */
#include "engine/team.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

struct fpgz_team {
    pthread_mutex_t mutex;
    pthread_cond_t begun, ended;
    pthread_t thread[FPGZ_TEAM_MOST];
    unsigned started; /* members, with the caller */
    bool quit;

    /* The task */
    uint64_t turn;
    unsigned wanted, busy; /* members that may take part; those beside the caller that do */
    atomic_size_t next;
    size_t count;
    void (*work)(void *context, size_t i, unsigned member);
    void *context;
};

static void take_part(struct fpgz_team *t, unsigned member)
{
    for (size_t i; (i = atomic_fetch_add(&t->next, 1)) < t->count;)
        t->work(t->context, i, member);
}

/* What a new thread is told. */
struct newcomer {
    struct fpgz_team *team;
    unsigned member;
};

static void *serve(void *argument)
{
    struct newcomer *const n = argument;
    struct fpgz_team *const t = n->team;
    const unsigned member = n->member;
    uint64_t seen = 0;
    free(n);
    pthread_mutex_lock(&t->mutex);
    while (!t->quit) {
        if (t->turn == seen || member >= t->wanted) {
            pthread_cond_wait(&t->begun, &t->mutex);
            continue;
        }
        seen = t->turn;
        t->busy++;
        pthread_mutex_unlock(&t->mutex);
        take_part(t, member);
        pthread_mutex_lock(&t->mutex);
        if (!--t->busy)
            pthread_cond_signal(&t->ended);
    }
    pthread_mutex_unlock(&t->mutex);
    return NULL;
}

/* With the mutex held. */
static bool start(struct fpgz_team *t)
{
    struct newcomer *const n = malloc(sizeof *n);
    if (!n)
        return false;
    *n = (struct newcomer){t, t->started};
    if (pthread_create(&t->thread[t->started], NULL, serve, n)) {
        free(n);
        return false;
    }
    t->started++;
    return true;
}

struct fpgz_team *fpgz_team_open(void)
{
    struct fpgz_team *const t = calloc(1, sizeof *t);
    if (!t)
        return NULL;
    pthread_mutex_init(&t->mutex, NULL);
    pthread_cond_init(&t->begun, NULL);
    pthread_cond_init(&t->ended, NULL);
    t->started = 1;
    return t;
}

void fpgz_team_close(struct fpgz_team *t)
{
    if (!t)
        return;
    pthread_mutex_lock(&t->mutex);
    t->quit = true;
    pthread_cond_broadcast(&t->begun);
    pthread_mutex_unlock(&t->mutex);
    while (--t->started)
        pthread_join(t->thread[t->started], NULL);
    pthread_cond_destroy(&t->begun);
    pthread_cond_destroy(&t->ended);
    pthread_mutex_destroy(&t->mutex);
    free(t);
}

void fpgz_team_run(struct fpgz_team *t, unsigned threads, size_t count,
                   void (*work)(void *context, size_t i, unsigned member), void *context)
{
    pthread_mutex_lock(&t->mutex);
    t->next = 0;
    t->count = count;
    t->work = work;
    t->context = context;
    t->wanted = threads < count ? threads : (unsigned)count;
    t->turn++;
    if (t->wanted > 1)
        pthread_cond_broadcast(&t->begun);
    while (t->started < t->wanted && start(t))
        ;
    pthread_mutex_unlock(&t->mutex);
    take_part(t, 0);
    pthread_mutex_lock(&t->mutex);
    t->wanted = 0; /* who has not woken up yet is late */
    while (t->busy)
        pthread_cond_wait(&t->ended, &t->mutex);
    pthread_mutex_unlock(&t->mutex);
}
