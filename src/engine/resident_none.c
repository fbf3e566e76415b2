/* SPDX-License-Identifier: MIT
 * No chunks in a GPU's memory, in a build without CUDA: there is no device to open them on. */
#include "engine/resident.h"

enum fpgz_status fpgz_resident_open(struct fpgz_device *device, struct fpgz_resident **resident,
                                    struct fpgz_error *error)
{
    (void)device;
    *resident = NULL;
    return fpgz_fail(error, FPGZ_UNSUPPORTED, "this fpgz was built without CUDA");
}

void fpgz_resident_close(struct fpgz_resident *resident)
{
    (void)resident;
}

enum fpgz_status fpgz_resident_enter(struct fpgz_resident *resident, void *stream, struct fpgz_error *error)
{
    (void)resident, (void)stream, (void)error;
    return FPGZ_UNSUPPORTED;
}

void fpgz_resident_leave(struct fpgz_resident *resident)
{
    (void)resident;
}

bool fpgz_resident_has(const struct fpgz_resident *resident, const void *memory)
{
    (void)resident, (void)memory;
    return false;
}

enum fpgz_status fpgz_resident_copy(struct fpgz_resident *resident, void *to, const void *from, size_t bytes,
                                    uint64_t *checksum, struct fpgz_error *error)
{
    (void)resident, (void)to, (void)from, (void)bytes, (void)checksum, (void)error;
    return FPGZ_UNSUPPORTED;
}

enum fpgz_status fpgz_resident_look(struct fpgz_resident *resident, void *to, const void *from, size_t bytes,
                                    const struct fpgz_looked *run, size_t runs, uint64_t *checksum,
                                    struct fpgz_error *error)
{
    (void)resident, (void)to, (void)from, (void)bytes, (void)run, (void)runs, (void)checksum, (void)error;
    return FPGZ_UNSUPPORTED;
}

enum fpgz_status fpgz_resident_put(struct fpgz_resident *resident, void *to, const void *from, size_t bytes,
                                   bool stays, struct fpgz_error *error)
{
    (void)resident, (void)to, (void)from, (void)bytes, (void)stays, (void)error;
    return FPGZ_UNSUPPORTED;
}

enum fpgz_status fpgz_resident_flush(struct fpgz_resident *resident, struct fpgz_error *error)
{
    (void)resident, (void)error;
    return FPGZ_UNSUPPORTED;
}

enum fpgz_status fpgz_resident_peek(struct fpgz_resident *resident, const void *from, size_t length,
                                    const uint8_t **ends, struct fpgz_error *error)
{
    (void)resident, (void)from, (void)length, (void)ends, (void)error;
    return FPGZ_UNSUPPORTED;
}

bool fpgz_resident_codes(const struct fpgz_codec *codec, bool decoding)
{
    (void)codec, (void)decoding;
    return false;
}

bool fpgz_resident_reads(const struct fpgz_codec *codec)
{
    (void)codec;
    return false;
}

enum fpgz_status fpgz_resident_begin(struct fpgz_resident *resident, struct fpgz_resident_chunk *chunk,
                                     size_t count, const void *end, bool decoding, struct fpgz_error *error)
{
    (void)resident, (void)chunk, (void)count, (void)end, (void)decoding, (void)error;
    return FPGZ_UNSUPPORTED;
}

enum fpgz_status fpgz_resident_code(struct fpgz_resident *resident, struct fpgz_resident_chunk *chunk,
                                    unsigned thread, struct fpgz_error *error)
{
    (void)resident, (void)chunk, (void)thread, (void)error;
    return FPGZ_UNSUPPORTED;
}

enum fpgz_status fpgz_resident_end(struct fpgz_resident *resident, struct fpgz_error *error)
{
    (void)resident, (void)error;
    return FPGZ_UNSUPPORTED;
}
