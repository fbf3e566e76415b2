/* SPDX-License-Identifier: MIT
 * Whether a GPU is worth its start, by what the CPU has done so far. */
#include <time.h>

#include "core/clock.h"
#include "engine/backend_state.h"
#include "engine/seats.h"

/* The costs that the automatic choice assumes, from an H200 beside 16 CPUs: the seconds that the driver takes
 * to start, while the CPU goes on, and to end, and the bytes a second that the bus carries. A GPU is started
 * only after so many seconds of observation, and only if it saves at least so many seconds and this part of
 * the remaining time. */
static const double start_seconds = 0.3, end_seconds = 0.1, bus_rate = 40e9, watched_seconds = 0.2,
                    least_seconds = 0.3, least_part = 0.25,
                    aided_part = 0.25; /* of an encoder's time, that its aide leaves to it */

/* So long the CPU is watched, or until it has done one part of so much as is worth to be watched. */
static const double watching_seconds = 0.05;
enum { WATCHED = 64 << 20, WATCHED_PART = 16 };

/* Once its driver runs, a GPU still takes so long to get going and to end, on the same machine, that the CPU
 * may do what is left in these seconds. */
static const double late_seconds = 0.5;

/* Whether little is left at the speed seen so far. */
static bool is_late(const struct fpgz_backend *b)
{
    const double done = (double)b->done_bytes, left = (double)b->expected_bytes - done;
    return done > 0 && left * (fpgz_clock() - b->begin) < late_seconds * done;
}

static void watch(const struct fpgz_backend *b)
{
    const struct timespec moment = {.tv_nsec = 1000000};
    const double begin = fpgz_clock();
    for (uint64_t expected = 0; fpgz_clock() - begin < watching_seconds; nanosleep(&moment, NULL)) {
        expected = b->expected_bytes;
        if (expected && (expected < WATCHED || b->done_bytes > expected / WATCHED_PART))
            return;
    }
}

/* Gets the GPU ready, or finds why not. */
static enum state get_ready(struct fpgz_backend *b)
{
    if (b->watches)
        watch(b);
    if (!b->device && fpgz_device_open(b->number, b->sole, &b->device, &b->reason))
        return ABSENT;
    if (!is_late(b))
        fpgz_device_wake(b->device);
    if (is_late(b))
        return LATE;
    atomic_store(&b->awake, true);
    return fpgz_device_start(b->device) ? READY : FAILED;
}

static void *start(void *argument)
{
    struct fpgz_backend *b = argument;
    const enum state state = get_ready(b);
    pthread_mutex_lock(&b->mutex);
    atomic_store(&b->state, state);
    pthread_cond_broadcast(&b->started);
    pthread_mutex_unlock(&b->mutex);
    if (state == READY || state == FAILED)
        fpgz_device_settle(b->device);
    atomic_store(&b->settled, true);
    return NULL;
}

void fpgz_backend_start_beside(struct fpgz_backend *b)
{
    if (atomic_load(&b->state) != NOT_READY || atomic_exchange(&b->starting, true))
        return;
    atomic_store(&b->settled, false);
    if (pthread_create(&b->starter, NULL, start, b) != 0)
        atomic_store(&b->starting, false);
}

/* Whether one more thread waits for a GPU that starts: some do while a context is made, with their chunk
 * read, since the others slow that down; all do once it is there. What begins now would take the CPU longer.
 */
static bool may_wait(const struct fpgz_backend *b)
{
    enum { CODING_PART = 4 }; /* of the threads that could code */
    return fpgz_device_is_near(b->device) ||
           b->waiting < FPGZ_DEVICE_LANES / SLEEPING_PART + b->threads / CODING_PART;
}

/* Waits until it is known whether the GPU is ready. With the mutex held. */
static void await_state(struct fpgz_backend *b)
{
    enum { MOST = 200000000, SECOND = 1000000000 }; /* nanoseconds */
    struct timespec end;
    clock_gettime(CLOCK_MONOTONIC, &end);
    end.tv_sec += (end.tv_nsec + MOST) / SECOND;
    end.tv_nsec = (end.tv_nsec + MOST) % SECOND;
    while (atomic_load(&b->state) == NOT_READY)
        if (pthread_cond_timedwait(&b->started, &b->mutex, &end)) {
            atomic_store(&b->awake, false); /* nobody waits any more */
            return;
        }
}

void fpgz_backend_await(struct fpgz_backend *b)
{
    if (!atomic_load(&b->awake) || atomic_load(&b->state) != NOT_READY)
        return;
    pthread_mutex_lock(&b->mutex);
    const bool waits = may_wait(b);
    if (waits) {
        b->waiting++;
        fpgz_seat_leave();
        await_state(b);
        b->waiting--;
    }
    pthread_mutex_unlock(&b->mutex);
    if (waits)
        fpgz_seat_return();
}

void fpgz_backend_resume(struct fpgz_backend *b)
{
    enum state late = LATE;
    if (atomic_load(&b->state) != LATE || is_late(b) ||
        !atomic_compare_exchange_strong(&b->state, &late, NOT_READY))
        return;
    if (atomic_exchange(&b->starting, false))
        pthread_join(b->starter, NULL);
    fpgz_backend_start_beside(b);
}

void fpgz_backend_weigh(struct fpgz_backend *b)
{
    const double done = (double)b->done_bytes, left = (double)b->expected_bytes - done;
    const double elapsed = fpgz_clock() - b->begin, codecs = 1e-9 * (double)b->codec_nanoseconds / b->threads;
    const double aided = 1e-9 * (double)b->aided_nanoseconds / b->threads;
    const double others = (elapsed - codecs - (1 - aided_part) * aided) / done;
    const double without = left * elapsed / done, then = left - start_seconds * done / elapsed;
    const double with = start_seconds + end_seconds + then * (others > 1 / bus_rate ? others : 1 / bus_rate);
    if (elapsed > watched_seconds && without - with > least_seconds && without - with > least_part * without)
        fpgz_backend_start_beside(b);
}
