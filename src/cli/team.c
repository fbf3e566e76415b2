/* SPDX-License-Identifier: MIT
 * The threads of --bench, which two barriers keep together. */
#include "cli/team.h"

#include "core/clock.h"

#include <stdlib.h>
#include <string.h>

struct member {
    struct team *team;
    unsigned number;
    pthread_t id;
};

static void run_pieces(struct team *t, unsigned number)
{
    struct fpgz_coding coding = {.params = t->params};
    if (t->operation != COPY)
        coding.scratch = t->scratch.data + number * t->scratch_size;
    for (unsigned i; (i = t->next_piece++) < t->piece_count;) {
        struct piece *p = &t->pieces[i];
        enum fpgz_status status = FPGZ_OK;
        coding.grid = p->coded;
        if (t->operation == COPY)
            memcpy(p->restored, p->raw, p->bytes);
        else if (t->operation == ENCODE && t->on_device)
            status = fpgz_device_encode(t->device, true, t->codec, &coding, p->raw, p->stream, &p->length);
        else if (t->on_device)
            status =
                fpgz_device_decode(t->device, true, t->codec, &coding, p->stream, p->length, p->restored);
        else if (t->operation == ENCODE)
            status = t->codec->encode(&coding, p->raw, p->stream, &p->length);
        else
            status = t->codec->decode(&coding, p->stream, p->length, p->restored);
        t->failures += status != FPGZ_OK;
    }
}

static void *run_member(void *argument)
{
    const struct member *member = argument;
    struct team *t = member->team;
    for (;;) {
        pthread_barrier_wait(&t->begin);
        if (t->quit)
            return NULL;
        run_pieces(t, member->number);
        pthread_barrier_wait(&t->finish);
    }
}

double team_time(struct team *t, enum operation operation)
{
    t->operation = operation;
    t->next_piece = 0;
    const double start = fpgz_clock();
    if (t->threads > 1)
        pthread_barrier_wait(&t->begin);
    run_pieces(t, 0);
    if (t->threads > 1)
        pthread_barrier_wait(&t->finish);
    return fpgz_clock() - start;
}

bool team_begin(struct team *t, unsigned threads)
{
    t->member = calloc(threads, sizeof *t->member);
    if (!t->member)
        return false;
    t->threads = threads;
    t->quit = false;
    pthread_barrier_init(&t->begin, NULL, threads);
    pthread_barrier_init(&t->finish, NULL, threads);
    for (unsigned i = 1; i < threads; i++) {
        t->member[i] = (struct member){.team = t, .number = i};
        if (pthread_create(&t->member[i].id, NULL, run_member, &t->member[i]) != 0)
            abort(); /* those that wait at the barrier could not be stopped any more */
    }
    return true;
}

void team_end(struct team *t)
{
    t->quit = true;
    if (t->threads > 1)
        pthread_barrier_wait(&t->begin);
    for (unsigned i = 1; i < t->threads; i++)
        pthread_join(t->member[i].id, NULL);
    pthread_barrier_destroy(&t->begin);
    pthread_barrier_destroy(&t->finish);
    free(t->member);
}
