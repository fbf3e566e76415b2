/* SPDX-License-Identifier: MIT
 * A stand-in for the device layer. */
#include "stand_in.h"

#include <pthread.h>
#include <string.h>

#include "codec/codecs.h"
#include "core/checksum.h"
#include "core/grid.h"

struct fpgz_device stand_in;

static const char *const names[] = {"works",           "is busy",        "fails",
                                    "refuses streams", "leaves streams", "does not start"};

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t change = PTHREAD_COND_INITIALIZER;
static unsigned woken;

void wake_stand_in(void)
{
    pthread_mutex_lock(&mutex);
    woken++;
    pthread_cond_signal(&change);
    pthread_mutex_unlock(&mutex);
}

void calm_stand_in(void)
{
    pthread_mutex_lock(&mutex);
    woken = 0;
    pthread_mutex_unlock(&mutex);
}

enum fpgz_status fpgz_device_open(int number, bool sole, struct fpgz_device **device,
                                  struct fpgz_error *error)
{
    (void)sole;
    if (number > 0)
        return fpgz_fail(error, FPGZ_USAGE, "there is no GPU %d", number);
    *device = &stand_in;
    return FPGZ_OK;
}

/* Sleeps until it is woken, if it is slow. */
static void wait_for(bool slow)
{
    pthread_mutex_lock(&mutex);
    while (slow && !woken)
        pthread_cond_wait(&change, &mutex);
    woken -= slow;
    pthread_mutex_unlock(&mutex);
}

void fpgz_device_wake(struct fpgz_device *device)
{
    wait_for(device->slow);
}

bool fpgz_device_start(struct fpgz_device *device)
{
    stand_in.begun++;
    wait_for(device->near);
    device->failures = device->behaviour == STARTS_NOT;
    return device->behaviour != STARTS_NOT;
}

bool fpgz_device_is_near(const struct fpgz_device *device)
{
    stand_in.asked++;
    return device->near;
}

void fpgz_device_settle(struct fpgz_device *device)
{
    wait_for(device->beside);
}

const char *fpgz_device_name(const struct fpgz_device *device)
{
    return names[device->behaviour];
}

unsigned fpgz_device_lanes(const struct fpgz_device *device)
{
    (void)device;
    return 18;
}

bool fpgz_device_has(const struct fpgz_codec *codec, bool decoding)
{
    (void)decoding;
    return codec == &fpgz_ndzip;
}

void fpgz_device_pin(struct fpgz_buffer *buffer, size_t bytes)
{
    buffer->pinned = bytes;
}

static enum fpgz_status take_call(struct fpgz_device *device, bool wait, bool decoding)
{
    (void)decoding;
    device->calls++;
    device->waits += wait;
    if (device->behaviour == FAILS && device->calls == 1)
        device->failures++;
    if (device->behaviour == REFUSES && decoding)
        return FPGZ_CORRUPT;
    if (device->behaviour == LEAVES && decoding)
        return FPGZ_LIMIT;
    return device->behaviour == BUSY || device->behaviour == FAILS ? FPGZ_UNSUPPORTED : FPGZ_OK;
}

enum fpgz_status fpgz_device_encode(struct fpgz_device *device, bool wait, const struct fpgz_codec *codec,
                                    const struct fpgz_coding *coding, const void *values, uint8_t *stream,
                                    size_t *length)
{
    memset(stream, 0xA5, 1000); /* what a failed attempt leaves */
    const enum fpgz_status status = take_call(device, wait, false);
    return status || device->quick ? status : codec->encode(coding, values, stream, length);
}

enum fpgz_status fpgz_device_decode(struct fpgz_device *device, bool wait, const struct fpgz_codec *codec,
                                    const struct fpgz_coding *coding, const uint8_t *stream, size_t length,
                                    void *values)
{
    memset(values, 0xA5, 1000);
    const enum fpgz_status status = take_call(device, wait, true);
    return status ? status : codec->decode(coding, stream, length, values);
}

enum fpgz_status fpgz_device_verify(struct fpgz_device *device, bool wait, const struct fpgz_codec *codec,
                                    const struct fpgz_coding *coding, const uint8_t *stream, size_t length,
                                    const void *values)
{
    static uint8_t back[4 << 20];
    const enum fpgz_status status = take_call(device, wait, true);
    if (status)
        return status;
    return codec->decode(coding, stream, length, back) || memcmp(back, values, fpgz_grid_bytes(&coding->grid))
               ? FPGZ_INTERNAL
               : FPGZ_OK;
}

static void part(struct fpgz_aide *aide, const struct prans_parts *parts, bool second, const void *values,
                 const void *at)
{
    (void)aide, (void)parts, (void)second, (void)values, (void)at;
}

/* No value has a place. */
static bool enter(struct fpgz_aide *aide, const struct bins_entry *entry, const struct bins_counting *next,
                  struct bins_common *common)
{
    (void)aide, (void)entry, (void)next;
    stand_in.calls++;
    *common = (struct bins_common){.least = 1};
    return stand_in.behaviour != BUSY;
}

/* Tells nothing of what hashes would. */
static bool distinct(struct fpgz_aide *aide, const struct bins_entry *entry, struct bins_returns *returns)
{
    (void)aide, (void)entry;
    stand_in.calls++;
    *returns = (struct bins_returns){0};
    return stand_in.behaviour != BUSY;
}

static const struct matched_chosen *choose(struct fpgz_aide *aide, const void *values,
                                           enum prans_number number, enum matched_roughness roughness)
{
    (void)aide, (void)values, (void)number, (void)roughness;
    return NULL;
}

static bool probe(struct fpgz_aide *aide, const void *values, enum prans_number number, uint64_t bits,
                  uint64_t seen[MATCHED_WAYS])
{
    (void)aide, (void)values, (void)number, (void)bits, (void)seen;
    return false;
}

static void drop(struct fpgz_aide *aide)
{
    (void)aide;
}

/* Takes the task, but not what came out, where it is to fail. */
static bool code(struct fpgz_aide *aide, const struct bins_task *task, struct bins_outcome *outcome)
{
    static const uint16_t frequency[1][PRANS_SYMBOLS] = {{PRANS_SCALE}};
    static const uint32_t lengths[1000];
    (void)aide;
    stand_in.calls++;
    *outcome = (struct bins_outcome){1, frequency, (const uint8_t *)lengths, lengths, task->shape.values};
    return stand_in.behaviour == FAILS && task->shape.segments < 500;
}

static bool take(struct fpgz_aide *aide, uint8_t *out)
{
    (void)aide;
    memset(out, 0xA5, 1000);
    return false;
}

bool fpgz_device_complete(struct fpgz_buffer *stream)
{
    (void)stream;
    return false;
}

bool fpgz_device_aids(const struct fpgz_codec *codec)
{
    return codec == &fpgz_prans;
}

void fpgz_device_aide(struct fpgz_device *device, const struct fpgz_codec *codec, const void *whole,
                      struct fpgz_device_aide *aide)
{
    (void)codec, (void)whole;
    *aide = (struct fpgz_device_aide){.aide = {.part = part,
                                               .enter = enter,
                                               .distinct = distinct,
                                               .code = code,
                                               .take = take,
                                               .choose = choose,
                                               .probe = probe,
                                               .drop = drop},
                                      .device = device};
}

bool fpgz_device_aide_end(struct fpgz_device_aide *aide)
{
    (void)aide;
    return true;
}

/* Finds the values in any stream. */
enum fpgz_status fpgz_device_aide_verify(struct fpgz_device_aide *aide, const struct fpgz_coding *coding,
                                         const uint8_t *stream, size_t length, uint64_t *checksum)
{
    (void)aide, (void)coding;
    *checksum = fpgz_checksum(stream, length);
    return FPGZ_OK;
}

bool fpgz_device_failure(struct fpgz_device *device, struct fpgz_error *error)
{
    if (!device->failures)
        return false;
    device->failures = 0;
    fpgz_fail(error, FPGZ_UNSUPPORTED, "it %s", names[device->behaviour]);
    return true;
}

void fpgz_device_close(struct fpgz_device *device)
{
    (void)device;
}
