/* SPDX-License-Identifier: MIT
 * Where chunks are coded: on the CPU, or on GPUs as well. A GPU gets ready in the background and takes the
 * chunks that it has room for. The CPU's threads code the others, and those at which the GPU fails. The bytes
 * are the same either way. */
#ifndef FPGZ_ENGINE_BACKEND_H
#define FPGZ_ENGINE_BACKEND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "codec/codec.h"
#include "core/buffer.h"
#include "core/status.h"

enum fpgz_backend_kind {
    FPGZ_BACKEND_AUTO, /* a GPU, if there is one and it seems to save time, by what was done so far */
    FPGZ_BACKEND_CPU,
    FPGZ_BACKEND_CUDA, /* a GPU from the beginning, or an error */
};

/* For the whole process, and any number of threads. */
struct fpgz_backend;

/* `number` is of a GPU, or FPGZ_DEVICE_ALL; `sole` as fpgz_device_open() has it. watches:
 * before the driver starts, the CPU is watched for a moment, which may do a large file in less time.
 * FPGZ_UNSUPPORTED and why when a GPU was asked for and there is none; FPGZ_USAGE for a wrong number;
 * FPGZ_MEMORY. */
enum fpgz_status fpgz_backend_open(enum fpgz_backend_kind kind, int number, bool sole, bool watches,
                                   struct fpgz_backend **backend, struct fpgz_error *error);

/* Whether a GPU was looked for. The threads that do so, and those of its driver, then stay until the process
 * ends. Must not be called while another call on `backend` runs. False for NULL. */
bool fpgz_backend_begun(const struct fpgz_backend *backend);

/* The number of threads to start for `bytes` of work (or FPGZ_UNKNOWN) so that `threads` of them can be busy:
 * it is larger where some will sleep until a GPU is done, and leave their seats (engine/seats.h). `backend`
 * may be NULL: the CPU. */
unsigned fpgz_backend_threads(struct fpgz_backend *backend, unsigned threads, uint64_t bytes);

/* Pins the buffer's pages, if there is a GPU that is ready. */
void fpgz_backend_pin(struct fpgz_backend *backend, struct fpgz_buffer *buffer);

/* What a GPU tells of a stream. */
struct fpgz_proof {
    bool given;        /* it has found the values in the stream, */
    uint64_t checksum; /* which has this one */
};

/* Like codec->encode() and codec->decode(), for which `coding` is prepared, on the CPU or a GPU. Where a GPU
 * takes part, the memory of the buffers is pinned from then on. `backend` may be NULL: the CPU. proof: NULL,
 * or what a GPU, which had the values, tells of the stream. */
enum fpgz_status fpgz_backend_encode(struct fpgz_backend *backend, const struct fpgz_codec *codec,
                                     const struct fpgz_coding *coding, struct fpgz_buffer *values,
                                     struct fpgz_buffer *stream, size_t *length, struct fpgz_proof *proof);
enum fpgz_status fpgz_backend_decode(struct fpgz_backend *backend, const struct fpgz_codec *codec,
                                     const struct fpgz_coding *coding, struct fpgz_buffer *stream,
                                     size_t length, struct fpgz_buffer *values);

/* Whether the stream decodes to `values`: FPGZ_INTERNAL if it does not, by the CPU, which has the last word.
 * It decodes to `restored`, room for as many bytes, where no GPU has found the values in the stream. */
enum fpgz_status fpgz_backend_verify(struct fpgz_backend *backend, const struct fpgz_codec *codec,
                                     const struct fpgz_coding *coding, struct fpgz_buffer *stream,
                                     size_t length, struct fpgz_buffer *values, void *restored);

/* The device that was asked for, once it is ready. NULL when none was asked for, or it failed. */
struct fpgz_device *fpgz_backend_wait(struct fpgz_backend *backend);

/* Bytes that the text of any backend fits in. */
enum { FPGZ_BACKEND_TEXT = 500 };

/* Writes into text (FPGZ_BACKEND_TEXT bytes) a sentence for people: what GPUs did so far, or why none did
 * anything; empty if none was tried. Returns text. */
char *fpgz_backend_text(struct fpgz_backend *backend, char *text);

/* Reports the first failure of a GPU, once; false if there was none. A missing GPU is a failure only if one
 * was asked for. */
bool fpgz_backend_failure(struct fpgz_backend *backend, struct fpgz_error *error);

/* Frees the backend, which may be NULL. No call on it may be running. False if a GPU is still getting ready:
 * the process must then end with _exit(), which does not wait for it. */
bool fpgz_backend_close(struct fpgz_backend *backend);

#endif
