/* SPDX-License-Identifier: MIT
 * What the engine does with a device that is busy, fails, or refuses what it should not: bytes stay the same,
 * and a failure is told once. The device layer is a stand-in, which works on the CPU. */
#include "engine/backend.h"
#include "../checks.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "codec/codecs.h"
#include "core/cpu.h"
#include "stand_in.h"

static void check(bool ok, const char *what)
{
    check_that(ok, "a device that %s: %s", fpgz_device_name(&stand_in), what);
}

static void reserve(struct fpgz_buffer *buffer, size_t bytes)
{
    if (!fpgz_buffer_reserve(buffer, bytes))
        abort();
}

/* One chunk of `rows` rows of 4 KiB, there and back. */
static void check_chunk(struct fpgz_backend *backend, uint64_t rows, bool on_device)
{
    struct fpgz_buffer values = {0}, stream = {0}, expected = {0}, restored = {0}, scratch = {0};
    struct fpgz_coding coding = {.grid = {FPGZ_F32, 2, {rows, 1024, 1, 1}}};
    const struct fpgz_codec *codec = &fpgz_ndzip;
    const size_t raw = fpgz_grid_bytes(&coding.grid), bound = codec->bound(&coding.grid, &coding.params);
    size_t length = 0, expected_length = 0;
    reserve(&values, raw);
    reserve(&restored, raw);
    reserve(&stream, bound);
    reserve(&expected, bound);
    reserve(&scratch, codec->memory(&coding.grid, &coding.params));
    coding.scratch = scratch.data;
    for (size_t i = 0; i < raw; i++)
        values.data[i] = (uint8_t)(i * i >> 7);
    codec->encode(&coding, values.data, expected.data, &expected_length);

    stand_in.calls = 0;
    check(!fpgz_backend_encode(backend, codec, &coding, &values, &stream, &length, NULL), "encoding fails");
    check(length == expected_length && !memcmp(stream.data, expected.data, length), "another stream");
    check(!fpgz_backend_decode(backend, codec, &coding, &stream, length, &restored), "decoding fails");
    check(!memcmp(restored.data, values.data, raw), "another grid");
    check((stand_in.calls > 0) == on_device, "it is not used as it should be");
    memset(restored.data, 0xA5, raw);
    check(!fpgz_backend_verify(backend, codec, &coding, &stream, length, &values, restored.data),
          "a good stream is not verified");
    const bool itself = on_device && stand_in.behaviour == WORKS;
    check(memcmp(restored.data, values.data, raw) ? itself : !itself, "the CPU verifies what it did, or not");
    values.data[raw - 1] ^= 1;
    check(fpgz_backend_verify(backend, codec, &coding, &stream, length, &values, restored.data) ==
              FPGZ_INTERNAL,
          "a stream of other values is verified");
    values.data[raw - 1] ^= 1;
    stream.data[0] ^= 1;
    check(fpgz_backend_decode(backend, codec, &coding, &stream, length, &restored) == FPGZ_CORRUPT,
          "a corrupt stream passes");

    struct fpgz_buffer *const all[] = {&values, &stream, &expected, &restored, &scratch};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        fpgz_buffer_free(all[i]);
}

/* One chunk of a codec that has an aide, which does none of it: the bytes are those of the CPU. */
static void check_aide(struct fpgz_backend *backend, bool on_device)
{
    struct fpgz_buffer values = {0}, stream = {0}, expected = {0}, scratch = {0};
    struct fpgz_coding coding = {.grid = {FPGZ_F32, 2, {256, 1024, 1, 1}}};
    const size_t raw = fpgz_grid_bytes(&coding.grid);
    size_t length = 0, expected_length = 0;
    fpgz_codec_defaults(&fpgz_prans, &coding.params);
    reserve(&values, raw);
    reserve(&stream, fpgz_prans.bound(&coding.grid, &coding.params));
    reserve(&expected, fpgz_prans.bound(&coding.grid, &coding.params));
    reserve(&scratch, fpgz_prans.memory(&coding.grid, &coding.params));
    coding.scratch = scratch.data;
    for (size_t i = 0; i < raw / sizeof(float); i++)
        ((float *)values.data)[i] = (float)(i * i % 10007) / 3;
    fpgz_prans.encode(&coding, values.data, expected.data, &expected_length);
    stand_in.calls = 0;
    check(!fpgz_backend_encode(backend, &fpgz_prans, &coding, &values, &stream, &length, NULL), "aid fails");
    check(length == expected_length && !memcmp(stream.data, expected.data, length),
          "another stream, where it aids");
    check((stand_in.calls > 0) == on_device, "it is not asked to aid as it should be");

    struct fpgz_buffer *const all[] = {&values, &stream, &expected, &scratch};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        fpgz_buffer_free(all[i]);
}

/* Nothing but the codec. */
static void check_encoding(struct fpgz_backend *backend)
{
    static struct fpgz_buffer values, stream, scratch;
    struct fpgz_coding coding = {.grid = {FPGZ_F32, 2, {1024, 1024, 1, 1}}};
    size_t length;
    reserve(&values, fpgz_grid_bytes(&coding.grid));
    reserve(&stream, fpgz_ndzip.bound(&coding.grid, &coding.params));
    reserve(&scratch, fpgz_ndzip.memory(&coding.grid, &coding.params));
    coding.scratch = scratch.data;
    check(!fpgz_backend_encode(backend, &fpgz_ndzip, &coding, &values, &stream, &length, NULL),
          "encoding fails");
}

/* A GPU whose driver runs when little is left waits for more. */
static void check_late(void)
{
    struct fpgz_backend *backend;
    struct fpgz_error error = {0};
    char text[FPGZ_BACKEND_TEXT];
    stand_in.slow = true;
    check(!fpgz_backend_open(FPGZ_BACKEND_CUDA, 0, false, false, &backend, &error), "it cannot be opened");
    fpgz_backend_threads(backend, 1, (4 << 20) + 1);
    check_encoding(backend); /* 4 MiB */
    wake_stand_in();
    check(!fpgz_backend_wait(backend), "it gets ready for a byte");
    check(strstr(fpgz_backend_text(backend, text), "not ready in time"), "it does not say that it is late");
    check_chunk(backend, 1024, false);
    wake_stand_in();
    fpgz_backend_threads(backend, 1, (uint64_t)1 << 50);
    check(fpgz_backend_wait(backend), "it does not get ready for all that is left");
    check_chunk(backend, 1024, true);
    check(fpgz_backend_close(backend), "it cannot be closed");
    stand_in.slow = false;
}

/* One of several GPUs takes chunks while another one still starts, which nothing but the end waits for. */
static void check_beside(void)
{
    struct fpgz_backend *backend;
    struct fpgz_error error = {0};
    const time_t begin = time(NULL);
    stand_in.beside = true;
    check(!fpgz_backend_open(FPGZ_BACKEND_CUDA, 0, false, false, &backend, &error), "it cannot be opened");
    while (fpgz_backend_threads(backend, 2, 0) != 5 && time(NULL) < begin + 20)
        usleep(1000);
    check_chunk(backend, 1024, true);
    check(!fpgz_backend_close(backend), "it is closed while another one starts");
    wake_stand_in();
    check(fpgz_backend_wait(backend) && fpgz_backend_close(backend), "it cannot be closed");
    stand_in.beside = false;
}

static void *encode_aided(void *backend)
{
    check_aide(backend, true);
    return NULL;
}

static void wait_until(const atomic_uint *count)
{
    for (const time_t begin = time(NULL); !*count && time(NULL) < begin + 20;)
        usleep(1000);
}

/* A GPU that is about to be ready is waited for, but not for long. */
static void check_near(bool woken)
{
    struct fpgz_backend *backend;
    struct fpgz_error error = {0};
    pthread_t thread;
    calm_stand_in();
    stand_in.near = true;
    stand_in.begun = stand_in.asked = 0;
    check(!fpgz_backend_open(FPGZ_BACKEND_CUDA, 0, false, false, &backend, &error), "it cannot be opened");
    wait_until(&stand_in.begun);
    if (!woken) {
        check_aide(backend, false);
        check_aide(backend, false);
    } else if (pthread_create(&thread, NULL, encode_aided, backend) == 0) {
        wait_until(&stand_in.asked);
        wake_stand_in();
        pthread_join(thread, NULL);
    }
    check(stand_in.asked == 1, "it is waited for again, or not at all");
    if (!woken)
        wake_stand_in();
    check(fpgz_backend_wait(backend) && fpgz_backend_close(backend), "it cannot be closed");
    stand_in.near = false;
}

int main(void)
{
    for (stand_in.behaviour = WORKS; stand_in.behaviour < BEHAVIOURS; stand_in.behaviour++) {
        struct fpgz_backend *backend;
        struct fpgz_error error = {0};
        char text[FPGZ_BACKEND_TEXT];
        const bool starts = stand_in.behaviour != STARTS_NOT;
        check(!fpgz_backend_open(FPGZ_BACKEND_CUDA, 0, false, false, &backend, &error),
              "it cannot be opened");
        check(fpgz_backend_begun(backend), "its threads are not known");
        check((fpgz_backend_wait(backend) != NULL) == starts, "it gets ready, or not");
        check(fpgz_backend_threads(backend, 2, 0) == (starts ? 5 : 2), "another number of threads");
        check_chunk(backend, 1024, starts);
        check_chunk(backend, 64, false); /* too small to be worth it */
        check(!stand_in.waits, "it is waited for, and nobody knows how long");
        const bool fails = stand_in.behaviour == FAILS || stand_in.behaviour == STARTS_NOT;
        check(fpgz_backend_failure(backend, &error) == fails, "its failure is not told");
        check(!fpgz_backend_failure(backend, &error), "its failure is told twice");
        check(strstr(fpgz_backend_text(backend, text), fpgz_device_name(&stand_in)) != NULL,
              "it has no name");
        check((strstr(text, " left to the CPU") != NULL) == (stand_in.behaviour == LEAVES),
              "what it leaves to the CPU is not told");
        check_aide(backend, starts);
        check(fpgz_backend_close(backend), "it cannot be closed");
    }
    stand_in.behaviour = WORKS;
    check_beside();
    check_late();
    check_near(true);
    check_near(false);
    struct fpgz_backend *backend;
    struct fpgz_error error = {0};
    check(fpgz_backend_open(FPGZ_BACKEND_CUDA, 1, false, false, &backend, &error) == FPGZ_USAGE,
          "a wrong number passes");
    check(!fpgz_backend_begun(backend), "threads are to be there");
    fpgz_backend_close(backend);
    error.status = FPGZ_OK;
    check(!fpgz_backend_open(FPGZ_BACKEND_AUTO, 0, false, false, &backend, &error), "it cannot be opened");
    check(!fpgz_backend_begun(backend), "threads are there before it is worth while");
    check(fpgz_backend_threads(backend, 2, 1 << 20) == 2, "it is started for little");
    check_chunk(backend, 1024, false);
    fpgz_backend_wait(backend);
    check_chunk(backend, 1024, false);
    check(fpgz_backend_threads(backend, 1, (uint64_t)1 << 40) == 1, "it is started at once");
    fpgz_cpu_set(FPGZ_CPU_C); /* slower than any bus */
    const time_t begin = time(NULL);
    while (fpgz_backend_threads(backend, 1, 0) == 1 && time(NULL) < begin + 20)
        check_encoding(backend); /* takes all of the time, and there is no end to it */
    fpgz_backend_wait(backend);
    check_chunk(backend, 1024, true);
    stand_in.quick = true;
    for (stand_in.waits = 0; !stand_in.waits && stand_in.calls < 1000;)
        check_encoding(backend);
    check(stand_in.waits, "it is quicker than the CPU, but not waited for");
    fpgz_backend_close(backend);
    check_chunk(NULL, 1024, false);
    return checks_end();
}
