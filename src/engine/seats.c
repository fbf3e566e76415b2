/* SPDX-License-Identifier: MIT
 * As many threads as there are seats are busy. */
#include "engine/seats.h"

#include <stddef.h>

/* Where the calling thread has a seat. */
static _Thread_local struct fpgz_seats *mine;

void fpgz_seats_open(struct fpgz_seats *s, unsigned count)
{
    *s = (struct fpgz_seats){.free = count};
    pthread_mutex_init(&s->mutex, NULL);
    pthread_cond_init(&s->change, NULL);
}

void fpgz_seats_close(struct fpgz_seats *s)
{
    pthread_cond_destroy(&s->change);
    pthread_mutex_destroy(&s->mutex);
}

void fpgz_seat_take(struct fpgz_seats *s)
{
    pthread_mutex_lock(&s->mutex);
    while (!s->free || s->returning)
        pthread_cond_wait(&s->change, &s->mutex);
    s->free--;
    pthread_mutex_unlock(&s->mutex);
    mine = s;
}

void fpgz_seat_give(void)
{
    fpgz_seat_leave();
    mine = NULL;
}

void fpgz_seat_leave(void)
{
    if (!mine)
        return;
    pthread_mutex_lock(&mine->mutex);
    mine->free++;
    pthread_cond_broadcast(&mine->change);
    pthread_mutex_unlock(&mine->mutex);
}

void fpgz_seat_return(void)
{
    if (!mine)
        return;
    pthread_mutex_lock(&mine->mutex);
    mine->returning++;
    while (!mine->free)
        pthread_cond_wait(&mine->change, &mine->mutex);
    mine->returning--;
    mine->free--;
    pthread_cond_broadcast(&mine->change);
    pthread_mutex_unlock(&mine->mutex);
}
