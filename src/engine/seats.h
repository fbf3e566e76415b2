/* SPDX-License-Identifier: MIT
 * Seats that threads need while they work, where there are more threads than may be busy at once: those that
 * sleep until a GPU is done leave theirs to others. */
#ifndef FPGZ_ENGINE_SEATS_H
#define FPGZ_ENGINE_SEATS_H

#include <pthread.h>

struct fpgz_seats {
    pthread_mutex_t mutex;
    pthread_cond_t fresh, back; /* a seat is free, for threads that had none and for others */
    unsigned free;
    unsigned returning; /* threads that had one before, and come first */
};

void fpgz_seats_open(struct fpgz_seats *seats, unsigned count);
void fpgz_seats_close(struct fpgz_seats *seats);

/* The calling thread waits for a seat, and gives it back. It has one at a time. */
void fpgz_seat_take(struct fpgz_seats *seats);
void fpgz_seat_give(void);

/* Before the calling thread sleeps, and behind that. They do nothing for a thread that has no seat. */
void fpgz_seat_leave(void);
void fpgz_seat_return(void);

/* Between two works of the calling thread: those that come back may have its seat first. */
void fpgz_seat_lend(void);

#endif
