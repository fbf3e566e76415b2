/* SPDX-License-Identifier: MIT
 * A crew waits at a barrier for work, and at a second one for its end. */
#include "crew.h"

#include <pthread.h>
#include <stdlib.h>

struct member {
    struct crew *crew;
    unsigned number;
    pthread_t thread;
};

struct crew {
    unsigned threads;
    pthread_barrier_t begin, end;
    crew_work *work; /* NULL: go home */
    void *what;
    struct member member[];
};

static void *live(void *argument)
{
    struct member *const member = argument;
    struct crew *const crew = member->crew;
    for (;;) {
        pthread_barrier_wait(&crew->begin);
        if (!crew->work)
            return NULL;
        crew->work(crew->what, member->number);
        pthread_barrier_wait(&crew->end);
    }
}

struct crew *crew_begin(unsigned threads)
{
    struct crew *const crew = calloc(1, sizeof *crew + threads * sizeof crew->member[0]);
    if (!crew)
        return NULL;
    crew->threads = threads;
    pthread_barrier_init(&crew->begin, NULL, threads);
    pthread_barrier_init(&crew->end, NULL, threads);
    for (unsigned i = 1; i < threads; i++) {
        crew->member[i] = (struct member){.crew = crew, .number = i};
        if (pthread_create(&crew->member[i].thread, NULL, live, &crew->member[i]) != 0)
            return NULL; /* those that wait are lost with the process, which ends */
    }
    return crew;
}

void crew_run(struct crew *crew, crew_work *work, void *what)
{
    crew->work = work;
    crew->what = what;
    pthread_barrier_wait(&crew->begin);
    if (!work)
        return;
    work(what, 0);
    pthread_barrier_wait(&crew->end);
}

void crew_end(struct crew *crew)
{
    crew_run(crew, NULL, NULL);
    for (unsigned i = 1; i < crew->threads; i++)
        pthread_join(crew->member[i].thread, NULL);
    pthread_barrier_destroy(&crew->begin);
    pthread_barrier_destroy(&crew->end);
    free(crew);
}
