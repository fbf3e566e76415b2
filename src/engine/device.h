/* SPDX-License-Identifier: MIT
 * GPUs as a second backend of the table's codecs, whose streams they write and read byte for byte. Made by
 * cuda/device.cu; a build without CUDA has device_none.c, which finds none. */
#ifndef FPGZ_ENGINE_DEVICE_H
#define FPGZ_ENGINE_DEVICE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "codec/codec.h"
#include "core/buffer.h"
#include "core/status.h"

enum {
    FPGZ_DEVICE_ALL = -1,
    FPGZ_DEVICE_LANES = 8, /* of a GPU: chunks that it has under way at once */
};

/* One GPU, or all of them: a number of lanes that chunks take side by side. */
struct fpgz_device;

/* Looks for GPU `number`, or FPGZ_DEVICE_ALL. `sole`: the environment (CUDA_VISIBLE_DEVICES) lets the driver
 * see that one and no other, for each further one would take it 0.2 seconds to start. FPGZ_UNSUPPORTED, and
 * why, when there is none, or none of that number among those that the driver sees (FPGZ_USAGE where it sees
 * others); FPGZ_MEMORY. Takes milliseconds where there is no driver, or GPU 0 seems to be there: it may turn
 * out not to be so when it is started. */
enum fpgz_status fpgz_device_open(int number, bool sole, struct fpgz_device **device,
                                  struct fpgz_error *error);

/* Makes the GPUs ready, which takes some tenths of a second; before, encode() and decode() say
 * FPGZ_UNSUPPORTED. Once, on any thread. False, as fpgz_device_failure() then tells, when no GPU is. */
bool fpgz_device_start(struct fpgz_device *device);

/* "GPU 0 (NVIDIA H200)", or "4 GPUs". */
const char *fpgz_device_name(const struct fpgz_device *device);

/* Chunks that can be under way at once, on all GPUs. */
unsigned fpgz_device_lanes(const struct fpgz_device *device);

/* Whether the codec has kernels. */
bool fpgz_device_has(const struct fpgz_codec *codec);

/* Makes the buffer's pages stay in place, which transfers are faster with, until it is freed. It may fail. */
void fpgz_device_pin(struct fpgz_buffer *buffer);

/* As codec->encode() and codec->decode(), from host memory to host memory; coding->scratch is not used.
 * FPGZ_UNSUPPORTED when the device cannot do it: the grid is empty, it has no kernels, no free lane (unless
 * `wait`: then it waits for one), too little memory, or failed. What `stream` or `values` hold is then lost,
 * and the caller does it on the CPU. */
enum fpgz_status fpgz_device_encode(struct fpgz_device *device, bool wait, const struct fpgz_codec *codec,
                                    const struct fpgz_coding *coding, const void *values, uint8_t *stream,
                                    size_t *length);
enum fpgz_status fpgz_device_decode(struct fpgz_device *device, bool wait, const struct fpgz_codec *codec,
                                    const struct fpgz_coding *coding, const uint8_t *stream, size_t length,
                                    void *values);

/* The first failure of a GPU (which is then used no more), once; false when there is nothing to tell. */
bool fpgz_device_failure(struct fpgz_device *device, struct fpgz_error *error);

/* Waits for nothing: no call may be under way. NULL is fine. */
void fpgz_device_close(struct fpgz_device *device);

#endif
