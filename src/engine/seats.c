/* SPDX-License-Identifier: MIT
 * As many threads as there are seats are busy. */
#include "engine/seats.h"

#include <stdbool.h>
#include <stddef.h>

/* Where the calling thread has a seat. */
static _Thread_local struct fpgz_seats *mine;

void fpgz_seats_open(struct fpgz_seats *s, unsigned count)
{
    *s = (struct fpgz_seats){.free = count};
    pthread_mutex_init(&s->mutex, NULL);
    pthread_cond_init(&s->fresh, NULL);
    pthread_cond_init(&s->back, NULL);
}

void fpgz_seats_close(struct fpgz_seats *s)
{
    pthread_cond_destroy(&s->back);
    pthread_cond_destroy(&s->fresh);
    pthread_mutex_destroy(&s->mutex);
}

/* Wakes one thread for a seat that is free: those that had one come first. With the mutex held. */
static void offer(struct fpgz_seats *s)
{
    if (s->free)
        pthread_cond_signal(s->returning ? &s->back : &s->fresh);
}

/* Takes a seat. With the mutex held. */
static void sit(struct fpgz_seats *s, bool returns)
{
    s->returning += returns;
    while (!s->free || (s->returning && !returns))
        pthread_cond_wait(returns ? &s->back : &s->fresh, &s->mutex);
    s->returning -= returns;
    s->free--;
    offer(s);
}

void fpgz_seat_take(struct fpgz_seats *s)
{
    pthread_mutex_lock(&s->mutex);
    sit(s, false);
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
    offer(mine);
    pthread_mutex_unlock(&mine->mutex);
}

void fpgz_seat_return(void)
{
    if (!mine)
        return;
    pthread_mutex_lock(&mine->mutex);
    sit(mine, true);
    pthread_mutex_unlock(&mine->mutex);
}

void fpgz_seat_lend(void)
{
    if (!mine)
        return;
    pthread_mutex_lock(&mine->mutex);
    if (mine->returning) {
        mine->free++;
        offer(mine);
        sit(mine, false);
    }
    pthread_mutex_unlock(&mine->mutex);
}
