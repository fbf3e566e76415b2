/* SPDX-License-Identifier: MIT
 * Decides for each chunk whether a GPU or the calling thread codes it, and takes over from a GPU that fails.
 */
#include "engine/backend.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/bytes.h"
#include "core/clock.h"
#include "core/grid.h"
#include "engine/device.h"
#include "engine/pace.h"

/* The CPU codes smaller chunks in less time than the bus takes to carry them. */
enum { LEAST_CHUNK = 512 << 10 };

/* The costs that the automatic choice assumes, from an H200 beside 16 CPUs: the seconds that the driver takes
 * to start and to end, and the bytes a second that the bus carries. A GPU is started only after so many
 * seconds of observation, and only if it saves at least so many seconds and this part of the remaining time.
 */
static const double start_seconds = 0.4, bus_rate = 40e9, watched_seconds = 0.2, least_seconds = 0.5,
                    least_part = 0.25,
                    aided_part = 0.45; /* of an encoder's time, that its aide leaves to it */

/* Once its driver runs, a GPU still takes so long to get going and to end, on the same machine, that the CPU
 * may do what is left in these seconds. */
static const double late_seconds = 0.6;

/* LATE: the driver runs, and the GPU waits for more work. */
enum state { NOT_READY, READY, ABSENT, FAILED, LATE };

/* What is done to a chunk. */
enum work { ENCODING, DECODING, VERIFYING, WORKS };

struct fpgz_backend {
    enum fpgz_backend_kind kind;
    int number;
    bool sole;            /* as fpgz_device_open() has it */
    atomic_bool starting; /* a thread was started to get the GPU ready */
    pthread_t starter;
    _Atomic enum state state; /* READY and FAILED: there is a device; ABSENT: there is a reason */
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

/* Whether little is left at the speed seen so far. */
static bool is_late(const struct fpgz_backend *b)
{
    const double done = (double)b->done_bytes, left = (double)b->expected_bytes - done;
    return done > 0 && left * (fpgz_clock() - b->begin) < late_seconds * done;
}

static void *start(void *argument)
{
    struct fpgz_backend *b = argument;
    if (!b->device && fpgz_device_open(b->number, b->sole, &b->device, &b->reason)) {
        atomic_store(&b->state, ABSENT);
        return NULL;
    }
    fpgz_device_wake(b->device);
    atomic_store(&b->state, is_late(b) ? LATE : fpgz_device_start(b->device) ? READY : FAILED);
    return NULL;
}

static bool has_size(const struct fpgz_coding *coding)
{
    const size_t bytes = fpgz_grid_bytes(&coding->grid);
    return bytes >= LEAST_CHUNK && bytes <= FPGZ_CHUNK_LIMIT;
}

static bool fits_device(const struct fpgz_codec *codec, const struct fpgz_coding *coding, enum work work)
{
    return fpgz_device_has(codec, work != ENCODING) && has_size(coding);
}

/* Whether a GPU may be an aide for the chunk. */
static bool may_aid(const struct fpgz_codec *codec, const struct fpgz_coding *coding)
{
    return codec->encode_aided && fpgz_device_aids(codec) && has_size(coding);
}

static void start_beside(struct fpgz_backend *b)
{
    if (!atomic_exchange(&b->starting, true) && pthread_create(&b->starter, NULL, start, b) != 0)
        atomic_store(&b->starting, false);
}

/* Goes on with starting a GPU that was late, if there is more to do than it seemed. */
static void resume(struct fpgz_backend *b)
{
    enum state late = LATE;
    if (atomic_load(&b->state) != LATE || is_late(b) ||
        !atomic_compare_exchange_strong(&b->state, &late, NOT_READY))
        return;
    if (atomic_exchange(&b->starting, false))
        pthread_join(b->starter, NULL);
    start_beside(b);
}

/* Starts a GPU if, at the speed seen so far, the rest would be done markedly sooner with it: when codecs
 * take much of the time, and more of it than the bus would. */
static void weigh(struct fpgz_backend *b)
{
    const double done = (double)b->done_bytes, left = (double)b->expected_bytes - done;
    const double elapsed = fpgz_clock() - b->begin, codecs = 1e-9 * (double)b->codec_nanoseconds / b->threads;
    const double aided = 1e-9 * (double)b->aided_nanoseconds / b->threads;
    const double others = (elapsed - codecs - (1 - aided_part) * aided) / done;
    const double without = left * elapsed / done;
    const double with = start_seconds + left * (others > 1 / bus_rate ? others : 1 / bus_rate);
    if (elapsed > watched_seconds && without - with > least_seconds && without - with > least_part * without)
        start_beside(b);
}

/* Notes what a codec did on the CPU since `begin`. */
static void account(struct fpgz_backend *b, double begin, const struct fpgz_codec *codec,
                    const struct fpgz_coding *coding, enum work work)
{
    if (!b || b->kind == FPGZ_BACKEND_CPU)
        return;
    const double seconds = fpgz_clock() - begin;
    const bool fits = fits_device(codec, coding, work);
    if (fits)
        fpgz_pace_note(&b->pace[codec->id][work].cpu, seconds, fpgz_grid_bytes(&coding->grid));
    if (!b->expected_bytes)
        return;
    b->done_bytes += work == VERIFYING ? 0 : fpgz_grid_bytes(&coding->grid);
    resume(b);
    if (b->kind != FPGZ_BACKEND_AUTO || b->starting)
        return;
    if (fits)
        b->codec_nanoseconds += (uint64_t)(1e9 * seconds);
    else if (work == ENCODING && may_aid(codec, coding))
        b->aided_nanoseconds += (uint64_t)(1e9 * seconds);
    if (work != VERIFYING)
        weigh(b);
}

enum fpgz_status fpgz_backend_open(enum fpgz_backend_kind kind, int number, bool sole,
                                   struct fpgz_backend **backend, struct fpgz_error *error)
{
    struct fpgz_backend *b = *backend = calloc(1, sizeof *b);
    if (!b)
        return fpgz_fail(error, FPGZ_MEMORY, "no memory");
    b->kind = kind;
    b->number = number;
    b->sole = sole;
    if (kind == FPGZ_BACKEND_CUDA && !fpgz_device_open(number, sole, &b->device, error))
        start_beside(b);
    return error->status;
}

bool fpgz_backend_begun(const struct fpgz_backend *b)
{
    return b && (b->starting || b->device || atomic_load(&b->state) != NOT_READY);
}

unsigned fpgz_backend_threads(struct fpgz_backend *b, unsigned threads, uint64_t bytes)
{
    if (!b)
        return threads;
    if (!b->expected_bytes)
        b->begin = fpgz_clock();
    b->threads = threads;
    b->expected_bytes += bytes != FPGZ_UNKNOWN ? bytes : 0;
    resume(b);
    /* A lane's thread is awake half of the time, about: it has work of its own. */
    const enum state state = atomic_load(&b->state);
    if (state == READY)
        return threads + fpgz_device_lanes(b->device) / 2;
    return threads + (b->starting && state == NOT_READY ? FPGZ_DEVICE_LANES / 2 : 0);
}

/* A chunk that a GPU may take. */
struct turn {
    struct fpgz_device *device; /* NULL: it may not */
    struct fpgz_pace *pace;
    double begin;
    bool wait; /* if the GPU is busy, wait for it: that takes less time than coding on the CPU */
};

static struct turn take_turn(struct fpgz_backend *b, const struct fpgz_codec *codec,
                             const struct fpgz_coding *coding, enum work work)
{
    if (!b || atomic_load(&b->state) != READY || !fits_device(codec, coding, work))
        return (struct turn){0};
    struct fpgz_pace *const pace = &b->pace[codec->id][work];
    return (struct turn){b->device, pace, fpgz_clock(), pace->gpu && pace->gpu < pace->cpu};
}

/* Updates the counts after the GPU coded a chunk. */
static void end_turn(struct fpgz_backend *b, const struct turn *turn, const struct fpgz_coding *coding)
{
    fpgz_pace_note(&turn->pace->gpu, fpgz_clock() - turn->begin, fpgz_grid_bytes(&coding->grid));
    b->chunks++;
}

void fpgz_backend_pin(struct fpgz_backend *b, struct fpgz_buffer *buffer)
{
    if (b && atomic_load(&b->state) == READY)
        fpgz_device_pin(buffer, buffer->capacity);
}

/* By the CPU's encoder, to which a GPU is an aide. The room for the stream is large: of its pages those are
 * worth pinning that a stream has which is shorter than the values. */
static enum fpgz_status encode_aided(struct fpgz_backend *b, const struct fpgz_codec *codec,
                                     const struct fpgz_coding *coding, struct fpgz_buffer *values,
                                     struct fpgz_buffer *stream, size_t *length, bool *verified)
{
    struct fpgz_device_aide aide;
    fpgz_device_aide(b->device, codec, values->data, &aide);
    if (values->there) {
        aide.host = values->data;
        aide.there = values->there;
        aide.length = fpgz_grid_bytes(&coding->grid);
    }
    fpgz_device_pin(values, values->capacity);
    fpgz_device_pin(stream, fpgz_min(stream->capacity, fpgz_grid_bytes(&coding->grid)));
    aide.stream = stream;
    const enum fpgz_status status =
        codec->encode_aided(coding, &aide.aide, values->data, stream->data, length);
    if (verified && !status && *length < fpgz_grid_bytes(&coding->grid))
        *verified = !fpgz_device_aide_verify(&aide, coding, stream->data, *length);
    fpgz_device_aide_end(&aide);
    b->chunks += aide.tasks > 0;
    b->left += aide.tasks == 0;
    return status;
}

enum fpgz_status fpgz_backend_encode(struct fpgz_backend *backend, const struct fpgz_codec *codec,
                                     const struct fpgz_coding *coding, struct fpgz_buffer *values,
                                     struct fpgz_buffer *stream, size_t *length, bool *verified)
{
    const struct turn turn = take_turn(backend, codec, coding, ENCODING);
    if (verified)
        *verified = false;
    if (turn.device) {
        fpgz_device_pin(values, values->capacity);
        fpgz_device_pin(stream, stream->capacity);
        if (!fpgz_device_encode(turn.device, turn.wait, codec, coding, values->data, stream->data, length)) {
            end_turn(backend, &turn, coding);
            return FPGZ_OK;
        }
    }
    const double begin = fpgz_clock();
    const enum fpgz_status status =
        backend && atomic_load(&backend->state) == READY && may_aid(codec, coding)
            ? encode_aided(backend, codec, coding, values, stream, length, verified)
            : codec->encode(coding, values->data, stream->data, length);
    account(backend, begin, codec, coding, ENCODING);
    return status;
}

enum fpgz_status fpgz_backend_decode(struct fpgz_backend *backend, const struct fpgz_codec *codec,
                                     const struct fpgz_coding *coding, struct fpgz_buffer *stream,
                                     size_t length, struct fpgz_buffer *values)
{
    const struct turn turn = take_turn(backend, codec, coding, DECODING);
    if (turn.device) {
        fpgz_device_pin(stream, stream->capacity);
        fpgz_device_pin(values, values->capacity);
        /* Only the CPU reports corrupt streams, so that errors do not depend on the device. */
        const enum fpgz_status status =
            fpgz_device_decode(turn.device, turn.wait, codec, coding, stream->data, length, values->data);
        if (!status) {
            end_turn(backend, &turn, coding);
            return FPGZ_OK;
        }
        backend->left += status == FPGZ_LIMIT;
    }
    const double begin = fpgz_clock();
    const enum fpgz_status status = codec->decode(coding, stream->data, length, values->data);
    account(backend, begin, codec, coding, DECODING);
    return status;
}

enum fpgz_status fpgz_backend_verify(struct fpgz_backend *backend, const struct fpgz_codec *codec,
                                     const struct fpgz_coding *coding, struct fpgz_buffer *stream,
                                     size_t length, struct fpgz_buffer *values, void *restored)
{
    const struct turn turn = take_turn(backend, codec, coding, VERIFYING);
    if (turn.device) {
        fpgz_device_pin(values, values->capacity);
        const void *const wanted = values->there ? values->there : values->data;
        if (!fpgz_device_verify(turn.device, turn.wait, codec, coding, stream->data, length, wanted)) {
            fpgz_pace_note(&turn.pace->gpu, fpgz_clock() - turn.begin, fpgz_grid_bytes(&coding->grid));
            return FPGZ_OK;
        }
    }
    const double begin = fpgz_clock();
    const bool same = !codec->decode(coding, stream->data, length, restored) &&
                      !memcmp(restored, values->data, fpgz_grid_bytes(&coding->grid));
    account(backend, begin, codec, coding, VERIFYING);
    return same ? FPGZ_OK : FPGZ_INTERNAL;
}

struct fpgz_device *fpgz_backend_wait(struct fpgz_backend *b)
{
    if (b->starting)
        pthread_join(b->starter, NULL);
    b->starting = false;
    return atomic_load(&b->state) == READY ? b->device : NULL;
}

char *fpgz_backend_text(struct fpgz_backend *b, char *text)
{
    const enum state state = atomic_load(&b->state);
    *text = '\0';
    if (state == ABSENT)
        snprintf(text, FPGZ_BACKEND_TEXT, "%s", b->reason.text);
    else if (state == READY || state == FAILED)
        snprintf(text, FPGZ_BACKEND_TEXT,
                 atomic_load(&b->left) ? "%s: %" PRIuFAST64 " chunks, %" PRIuFAST64 " left to the CPU"
                                       : "%s: %" PRIuFAST64 " chunks",
                 fpgz_device_name(b->device), atomic_load(&b->chunks), atomic_load(&b->left));
    else if (b->starting || state == LATE)
        snprintf(text, FPGZ_BACKEND_TEXT, "the GPU was not ready in time");
    return text;
}

bool fpgz_backend_failure(struct fpgz_backend *b, struct fpgz_error *error)
{
    const enum state state = atomic_load(&b->state);
    return (state == READY || state == FAILED) && fpgz_device_failure(b->device, error);
}

bool fpgz_backend_close(struct fpgz_backend *b)
{
    if (!b)
        return true;
    if (b->starting && atomic_load(&b->state) == NOT_READY)
        return false;
    fpgz_backend_wait(b);
    fpgz_device_close(b->device);
    free(b);
    return true;
}
