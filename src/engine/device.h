/* SPDX-License-Identifier: MIT
 * GPUs as a second backend of the table's codecs, whose streams they write and read byte for byte. Made by
 * cuda/device*.cu; a build without CUDA has device_none.c, which finds none. */
#ifndef FPGZ_ENGINE_DEVICE_H
#define FPGZ_ENGINE_DEVICE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "codec/codec.h"
#include "codec/prans/bins/aide.h"
#include "core/buffer.h"
#include "core/status.h"

enum {
    FPGZ_DEVICE_ALL = -1,
    FPGZ_DEVICE_LANES = 24, /* of a GPU: chunks that it has under way at once */
};

/* One GPU, or all of them: a number of lanes that chunks take side by side. */
struct fpgz_device;

/* Looks for GPU `number`, or FPGZ_DEVICE_ALL. `sole`: the environment (CUDA_VISIBLE_DEVICES) shows the driver
 * that GPU alone, since the driver takes 0.2 seconds to start each further one.
 * FPGZ_UNSUPPORTED, with the reason: there is no GPU. FPGZ_USAGE: the driver sees GPUs, but none of this
 * number. FPGZ_MEMORY.
 * Takes milliseconds if there is no driver, or if GPU 0 seems to be there and nothing else is asked for than
 * it, or all. Only starting it shows whether it really is. */
enum fpgz_status fpgz_device_open(int number, bool sole, struct fpgz_device **device,
                                  struct fpgz_error *error);

/* Starts the driver, the first half of the next call, which does it if nobody did. */
void fpgz_device_wake(struct fpgz_device *device);

/* Makes the GPUs ready, which takes some tenths of a second: several side by side, until the first one is.
 * Called once, on any thread. Before it, fpgz_device_encode() and fpgz_device_decode() return
 * FPGZ_UNSUPPORTED. False if no GPU got ready: fpgz_device_failure() then says why. */
bool fpgz_device_start(struct fpgz_device *device);

/* Meanwhile, on any thread: whether a GPU's context is there, so that it will be ready in some 20 ms. */
bool fpgz_device_is_near(const struct fpgz_device *device);

/* Behind that: waits until the others are ready, too, which take chunks as soon as they are. */
void fpgz_device_settle(struct fpgz_device *device);

/* "GPU 0 (NVIDIA H200)", or "4 GPUs". */
const char *fpgz_device_name(const struct fpgz_device *device);

/* Chunks that can be under way at once, on all GPUs. */
unsigned fpgz_device_lanes(const struct fpgz_device *device);

/* Whether the codec has kernels that encode, or that decode. */
bool fpgz_device_has(const struct fpgz_codec *codec, bool decoding);

/* Pins the pages of the buffer's first bytes, at least of so many, until it is freed, which makes transfers
 * faster. It may fail, and nothing else changes then. */
void fpgz_device_pin(struct fpgz_buffer *buffer, size_t bytes);

/* Like codec->encode() and codec->decode(), from host memory to host memory. coding->scratch is that of the
 * CPU's decode(), for what is read on the host; encoding does not use it.
 * FPGZ_UNSUPPORTED when the device cannot do it: the grid is empty, the codec has no kernels, no lane is free
 * (with `wait` it waits for one), memory is short, or the device failed. FPGZ_LIMIT: only the CPU
 * decodes such streams. The contents of `stream` or `values` are then lost, and the caller does the chunk on
 * the CPU. */
enum fpgz_status fpgz_device_encode(struct fpgz_device *device, bool wait, const struct fpgz_codec *codec,
                                    const struct fpgz_coding *coding, const void *values, uint8_t *stream,
                                    size_t *length);
enum fpgz_status fpgz_device_decode(struct fpgz_device *device, bool wait, const struct fpgz_codec *codec,
                                    const struct fpgz_coding *coding, const uint8_t *stream, size_t length,
                                    void *values);

/* Whether the stream decodes to these values, which are on the host or on the device. The verdict is that of
 * fpgz_device_decode(), or FPGZ_INTERNAL where other values come out. */
enum fpgz_status fpgz_device_verify(struct fpgz_device *device, bool wait, const struct fpgz_codec *codec,
                                    const struct fpgz_coding *coding, const uint8_t *stream, size_t length,
                                    const void *values);

/* An aide for one call of the codec's encode_aided(). */
struct fpgz_device_aide {
    struct fpgz_aide aide;
    unsigned tasks, counts; /* that it did: segments coded, residuals counted */
    /* The caller may say that values at `host` stand at `there`, on the device: so many bytes. */
    const uint8_t *host, *there;
    size_t length;
    const struct fpgz_coding *coding; /* and of what call this is; */
    bool proves;                      /* its stream will be verified: that begins as segments are taken */
    /* Its own: */
    struct fpgz_device *device;
    const void *codec;
    const void *whole;        /* values that stay on the lane once they are coded */
    struct prans_parts parts; /* of which those at `part` are such ones: */
    bool second;
    const void *part; /* NULL: nothing */
    bool apart;       /* the lane has them besides the whole */
    void *lane;       /* of the chunk; NULL before its first call */
    struct bins_shape shape;
    const void *values;      /* that were brought there, */
    const uint8_t *at;       /* or stand here on the device; */
    const uint8_t *whole_at; /* the whole, where it is apart */
    bool flagged;            /* there are special values among them */
    enum prans_number number;
    bool chosen; /* words of these numbers were chosen, for such a probe: */
    enum matched_roughness roughness;
    struct matched_chosen words; /* these, where it is not the roughest, */
    uint64_t bits;               /* which sees values that take so many; 0: it has not begun */
    const uint8_t *segments;     /* on the device, */
    size_t bytes;
    const uint8_t *taken;       /* and on the host, in pinned memory; NULL: not there, */
    bool coming, lost;          /* or as long as they are under way; they did not come */
    bool verified;              /* the stream that ends in them is, or is under way to be */
    struct fpgz_buffer *stream; /* that is pinned where segments go; NULL: they go elsewhere */
};

/* Brings what only the device has of a stream. False where that fails. */
bool fpgz_device_complete(struct fpgz_buffer *stream);

/* Whether there are kernels that aid the codec's encoder. */
bool fpgz_device_aids(const struct fpgz_codec *codec);
/* whole: the values of the call, others are of its parts. Until the end the aide may have a lane. */
void fpgz_device_aide(struct fpgz_device *device, const struct fpgz_codec *codec, const void *whole,
                      struct fpgz_device_aide *aide);

/* False where segments did not come that were late: there is no stream. */
bool fpgz_device_aide_end(struct fpgz_device_aide *aide);

/* As fpgz_device_verify(), by the whole values that the aide has, and by the segments as it made them, if the
 * stream ends in these; FPGZ_UNSUPPORTED where it has the values no more. Of a stream that is right *checksum
 * is set (core/checksum.h). */
enum fpgz_status fpgz_device_aide_verify(struct fpgz_device_aide *aide, const struct fpgz_coding *coding,
                                         const uint8_t *stream, size_t length, uint64_t *checksum);

/* Reports the first failure of a GPU, which is then no longer used, once; false if there is nothing to
 * report. */
bool fpgz_device_failure(struct fpgz_device *device, struct fpgz_error *error);

/* Frees the device, which may be NULL. It does not wait: no call on it may be running, and no GPU starting.
 */
void fpgz_device_close(struct fpgz_device *device);

#endif
