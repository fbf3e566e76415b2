/* SPDX-License-Identifier: MIT
 * The device layer of a build without CUDA. */
#include "engine/device.h"

enum fpgz_status fpgz_device_open(int number, bool sole, struct fpgz_device **device,
                                  struct fpgz_error *error)
{
    (void)number, (void)sole;
    *device = NULL;
    return fpgz_fail(error, FPGZ_UNSUPPORTED, "this fpgz was built without CUDA");
}

void fpgz_device_wake(struct fpgz_device *device)
{
    (void)device;
}

bool fpgz_device_start(struct fpgz_device *device)
{
    (void)device;
    return false;
}

bool fpgz_device_is_near(const struct fpgz_device *device)
{
    (void)device;
    return false;
}

void fpgz_device_settle(struct fpgz_device *device)
{
    (void)device;
}

const char *fpgz_device_name(const struct fpgz_device *device)
{
    (void)device;
    return "no GPU";
}

unsigned fpgz_device_lanes(const struct fpgz_device *device)
{
    (void)device;
    return 0;
}

bool fpgz_device_has(const struct fpgz_codec *codec, bool decoding)
{
    (void)codec, (void)decoding;
    return false;
}

void fpgz_device_pin(struct fpgz_buffer *buffer, size_t bytes)
{
    (void)buffer, (void)bytes;
}

enum fpgz_status fpgz_device_encode(struct fpgz_device *device, bool wait, const struct fpgz_codec *codec,
                                    const struct fpgz_coding *coding, const void *values, uint8_t *stream,
                                    size_t *length)
{
    (void)device, (void)wait, (void)codec, (void)coding, (void)values, (void)stream, (void)length;
    return FPGZ_UNSUPPORTED;
}

enum fpgz_status fpgz_device_decode(struct fpgz_device *device, bool wait, const struct fpgz_codec *codec,
                                    const struct fpgz_coding *coding, const uint8_t *stream, size_t length,
                                    void *values)
{
    (void)device, (void)wait, (void)codec, (void)coding, (void)stream, (void)length, (void)values;
    return FPGZ_UNSUPPORTED;
}

enum fpgz_status fpgz_device_verify(struct fpgz_device *device, bool wait, const struct fpgz_codec *codec,
                                    const struct fpgz_coding *coding, const uint8_t *stream, size_t length,
                                    const void *values)
{
    (void)device, (void)wait, (void)codec, (void)coding, (void)stream, (void)length, (void)values;
    return FPGZ_UNSUPPORTED;
}

bool fpgz_device_complete(struct fpgz_buffer *stream)
{
    (void)stream;
    return false;
}

bool fpgz_device_aids(const struct fpgz_codec *codec)
{
    (void)codec;
    return false;
}

void fpgz_device_aide(struct fpgz_device *device, const struct fpgz_codec *codec, const void *whole,
                      struct fpgz_device_aide *aide)
{
    (void)device, (void)codec, (void)whole, (void)aide;
}

bool fpgz_device_aide_end(struct fpgz_device_aide *aide)
{
    (void)aide;
    return true;
}

enum fpgz_status fpgz_device_aide_verify(struct fpgz_device_aide *aide, const struct fpgz_coding *coding,
                                         const uint8_t *stream, size_t length, uint64_t *checksum)
{
    (void)aide, (void)coding, (void)stream, (void)length, (void)checksum;
    return FPGZ_UNSUPPORTED;
}

bool fpgz_device_failure(struct fpgz_device *device, struct fpgz_error *error)
{
    (void)device, (void)error;
    return false;
}

void fpgz_device_close(struct fpgz_device *device)
{
    (void)device;
}
