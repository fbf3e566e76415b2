/* SPDX-License-Identifier: MIT
 * Where chunks are coded: on the CPU, or on GPUs as well. A GPU gets ready in the background and takes what
 * it has room for; all else, and what it fails at, is done by the CPU's threads. The bytes are the same
 * either way. */
#ifndef FPGZ_ENGINE_BACKEND_H
#define FPGZ_ENGINE_BACKEND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "codec/codec.h"
#include "core/buffer.h"
#include "core/status.h"

enum fpgz_backend_kind {
    FPGZ_BACKEND_AUTO, /* a GPU, if there is one and it saves time, as far as can be told from what was done
                          so far */
    FPGZ_BACKEND_CPU,
    FPGZ_BACKEND_CUDA, /* a GPU from the beginning, or an error */
};

/* For the whole process, and any number of threads. */
struct fpgz_backend;

/* `number` is of a GPU, or FPGZ_DEVICE_ALL; `sole` as fpgz_device_open() has it. FPGZ_UNSUPPORTED and why
 * when a GPU was asked for and there is none; FPGZ_USAGE for a wrong number; FPGZ_MEMORY. */
enum fpgz_status fpgz_backend_open(enum fpgz_backend_kind kind, int number, bool sole,
                                   struct fpgz_backend **backend, struct fpgz_error *error);

/* Whether a GPU was looked for: threads that do so, and those of its driver, stay until the process ends. To
 * be asked when no call is under way; false for NULL. */
bool fpgz_backend_begun(const struct fpgz_backend *backend);

/* The threads to run for `bytes` (or FPGZ_UNKNOWN) that are coming where `threads` would be busy: more where
 * some will sleep while a GPU works. `backend` may be NULL: the CPU. */
unsigned fpgz_backend_threads(struct fpgz_backend *backend, unsigned threads, uint64_t bytes);

/* As codec->encode() and codec->decode() (which `coding` is for), on the CPU or a GPU. Where a GPU takes
 * part, what the buffers' memory is stays in place from then on. `backend` may be NULL: the CPU. */
enum fpgz_status fpgz_backend_encode(struct fpgz_backend *backend, const struct fpgz_codec *codec,
                                     const struct fpgz_coding *coding, struct fpgz_buffer *values,
                                     struct fpgz_buffer *stream, size_t *length);
enum fpgz_status fpgz_backend_decode(struct fpgz_backend *backend, const struct fpgz_codec *codec,
                                     const struct fpgz_coding *coding, struct fpgz_buffer *stream,
                                     size_t length, struct fpgz_buffer *values);

/* The device that was asked for, when it is ready; NULL when none was, or it failed. */
struct fpgz_device *fpgz_backend_wait(struct fpgz_backend *backend);

/* Bytes that the text of any backend fits in. */
enum { FPGZ_BACKEND_TEXT = 500 };

/* What GPUs did so far, or why none did, as people read it, into text (FPGZ_BACKEND_TEXT); returns text.
 * Empty where none was tried. */
char *fpgz_backend_text(struct fpgz_backend *backend, char *text);

/* What went wrong with a GPU, once; false when nothing did. Where none was asked for, that there is none is
 * not wrong. */
bool fpgz_backend_failure(struct fpgz_backend *backend, struct fpgz_error *error);

/* When no call is under way any more. NULL is fine. False when a GPU is still being made ready: the process
 * must then end by _exit(), which spares it the wait. */
bool fpgz_backend_close(struct fpgz_backend *backend);

#endif
