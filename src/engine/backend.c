/* SPDX-License-Identifier: MIT
 * Decides for each chunk whether a GPU or the calling thread codes it, and takes over from a GPU that fails.
 */
#include "engine/backend.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "codec/prans/lead.h"
#include "core/bytes.h"
#include "core/clock.h"
#include "core/grid.h"
#include "engine/backend_state.h"

/* The CPU codes smaller chunks in less time than the bus takes to carry them. */
enum { LEAST_CHUNK = 512 << 10 };

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
    fpgz_backend_resume(b);
    if (b->kind != FPGZ_BACKEND_AUTO || b->starting)
        return;
    if (fits)
        b->codec_nanoseconds += (uint64_t)(1e9 * seconds);
    else if (work == ENCODING && may_aid(codec, coding))
        b->aided_nanoseconds += (uint64_t)(1e9 * seconds);
    if (work != VERIFYING)
        fpgz_backend_weigh(b);
}

enum fpgz_status fpgz_backend_open(enum fpgz_backend_kind kind, int number, bool sole, bool watches,
                                   struct fpgz_backend **backend, struct fpgz_error *error)
{
    struct fpgz_backend *b = *backend = calloc(1, sizeof *b);
    if (!b)
        return fpgz_fail(error, FPGZ_MEMORY, "no memory");
    b->kind = kind;
    b->number = number;
    b->sole = sole;
    b->watches = watches;
    pthread_condattr_t steady;
    pthread_condattr_init(&steady);
    pthread_condattr_setclock(&steady, CLOCK_MONOTONIC);
    pthread_cond_init(&b->started, &steady);
    pthread_condattr_destroy(&steady);
    pthread_mutex_init(&b->mutex, NULL);
    if (kind == FPGZ_BACKEND_CUDA && !fpgz_device_open(number, sole, &b->device, error))
        fpgz_backend_start_beside(b);
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
    fpgz_backend_resume(b);
    const enum state state = atomic_load(&b->state);
    if (state == READY)
        return threads + fpgz_device_lanes(b->device) / SLEEPING_PART;
    return threads + (b->starting && state == NOT_READY ? FPGZ_DEVICE_LANES / SLEEPING_PART : 0);
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

/* By the CPU's encoder, to which a GPU is an aide. */
static enum fpgz_status encode_aided(struct fpgz_backend *b, const struct fpgz_codec *codec,
                                     const struct fpgz_coding *coding, struct fpgz_buffer *values,
                                     struct fpgz_buffer *stream, size_t *length, struct fpgz_proof *proof)
{
    struct fpgz_device_aide aide;
    fpgz_device_aide(b->device, codec, values->data, &aide);
    if (values->there) {
        aide.host = values->data;
        aide.there = values->there;
        aide.length = fpgz_grid_bytes(&coding->grid);
    }
    fpgz_device_pin(values, values->capacity);
    aide.aide.raw = values;
    aide.stream = stream;
    aide.coding = coding;
    aide.proves = proof != NULL;
    const enum fpgz_status status =
        codec->encode_aided(coding, &aide.aide, values->data, stream->data, length);
    if (stream->near + stream->beyond != *length) /* it became another one, on the host */
        stream->beyond = 0;
    if (proof && !status && *length && *length < fpgz_grid_bytes(&coding->grid))
        proof->given = !fpgz_device_aide_verify(&aide, coding, stream->data, *length, &proof->checksum);
    bool ended = fpgz_device_aide_end(&aide);
    if (ended && stream->beyond && !(proof && proof->given))
        ended = fpgz_device_complete(stream);
    if (!ended) {
        if (proof)
            proof->given = false;
        stream->beyond = 0;
        if (!fpgz_buffer_complete(values))
            return FPGZ_MEMORY;
        return codec->encode(coding, values->data, stream->data, length);
    }
    b->chunks += aide.tasks > 0;
    b->left += *length && aide.tasks == 0;
    return status;
}

enum fpgz_status fpgz_backend_encode(struct fpgz_backend *backend, const struct fpgz_codec *codec,
                                     const struct fpgz_coding *coding, struct fpgz_buffer *values,
                                     struct fpgz_buffer *stream, size_t *length, struct fpgz_proof *proof)
{
    const struct turn turn = take_turn(backend, codec, coding, ENCODING);
    if (proof)
        proof->given = false;
    stream->beyond = 0;
    if (turn.device) {
        fpgz_device_pin(values, values->capacity);
        fpgz_device_pin(stream, stream->capacity);
        if (!fpgz_device_encode(turn.device, turn.wait, codec, coding, values->data, stream->data, length)) {
            end_turn(backend, &turn, coding);
            return FPGZ_OK;
        }
    }
    const bool suits = backend && may_aid(codec, coding);
    if (suits)
        fpgz_backend_await(backend);
    const double begin = fpgz_clock();
    const bool aided = suits && atomic_load(&backend->state) == READY;
    if (!aided && !fpgz_buffer_complete(values))
        return FPGZ_MEMORY;
    const enum fpgz_status status = aided
                                        ? encode_aided(backend, codec, coding, values, stream, length, proof)
                                        : codec->encode(coding, values->data, stream->data, length);
    if (*length) /* else the lead is refused, and it is coded once more */
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
    /* Values that are not pinned were coded before the GPU was ready: bringing them there takes longer. */
    if (turn.device && values->pinned) {
        const void *const wanted = values->there ? values->there : values->data;
        if (!fpgz_device_verify(turn.device, turn.wait, codec, coding, stream->data, length, wanted)) {
            fpgz_pace_note(&turn.pace->gpu, fpgz_clock() - turn.begin, fpgz_grid_bytes(&coding->grid));
            return FPGZ_OK;
        }
    }
    if (!fpgz_buffer_complete(values))
        return FPGZ_MEMORY;
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
    if (b->starting && !atomic_load(&b->settled))
        return false;
    fpgz_backend_wait(b);
    fpgz_device_close(b->device);
    pthread_cond_destroy(&b->started);
    pthread_mutex_destroy(&b->mutex);
    free(b);
    return true;
}
