/* SPDX-License-Identifier: MIT
 * What a backend knows, and when its GPU is started. */
#ifndef FPGZ_ENGINE_BACKEND_STATE_H
#define FPGZ_ENGINE_BACKEND_STATE_H

#include <pthread.h>
#include <stdatomic.h>

#include "engine/device.h"
#include "engine/pace.h"

/* LATE: the GPU waits for more work. */
enum state { NOT_READY, READY, ABSENT, FAILED, LATE };

/* Of a GPU's lanes: threads besides those that are busy. Few sleep at a time until a GPU is done, and each
 * that there is pins buffers. */
enum { SLEEPING_PART = 6 };

/* What is done to a chunk. */
enum work { ENCODING, DECODING, VERIFYING, WORKS };

struct fpgz_backend {
    unsigned kind; /* an enum fpgz_backend_kind */
    int number;
    bool sole, watches;   /* as fpgz_device_open() and fpgz_backend_open() have it */
    atomic_bool starting; /* a thread was started to get the GPU ready */
    pthread_t starter;
    atomic_bool settled;      /* it ends, and starts nothing any more */
    _Atomic enum state state; /* READY and FAILED: there is a device; ABSENT: there is a reason */
    atomic_bool awake;        /* there is a device, whose driver runs */
    pthread_mutex_t mutex;
    pthread_cond_t started; /* `state` is known */
    unsigned waiting;       /* threads, for that */
    struct fpgz_device *device;
    struct fpgz_error reason;
    atomic_uint_fast64_t chunks, left; /* that the GPU coded, or left to the CPU */
    struct fpgz_pace pace[FPGZ_CODEC_IDS][WORKS];

    /* For the automatic choice: bytes expected and done, the time of the beginning, and the time that threads
     * spent in codecs, and in those that a GPU would aid. */
    unsigned threads;
    double begin;
    atomic_uint_fast64_t expected_bytes, done_bytes, codec_nanoseconds, aided_nanoseconds;
};

/* Starts a thread that gets the GPU ready, unless there was one. */
void fpgz_backend_start_beside(struct fpgz_backend *backend);

/* Goes on with starting a GPU that was late, if there is more to do than it seemed. */
void fpgz_backend_resume(struct fpgz_backend *backend);

/* Before a chunk is coded that a GPU would aid: waits for one that is about to be ready, but not long. */
void fpgz_backend_await(struct fpgz_backend *backend);

/* Starts a GPU if, at the speed seen so far, the rest would be done markedly sooner with it: when codecs
 * take much of the time, and more of it than the bus would. */
void fpgz_backend_weigh(struct fpgz_backend *backend);

#endif
