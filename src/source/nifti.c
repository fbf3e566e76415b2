/* SPDX-License-Identifier: MIT
 * NIfTI-1 and NIfTI-2 images in one file (.nii): a header, and one array, the first axis of which is the
 * fastest. */
#include <string.h>

#include "core/bytes.h"
#include "core/io.h"
#include "source/arrays.h"
#include "source/source.h"
#include "source/stored.h"

enum { HEADER_1 = 348, HEADER_2 = 540, AXES = 7 };

/* What both headers tell, in one form. */
struct header {
    enum fpgz_order order;
    unsigned type;
    uint64_t extent[AXES + 1]; /* the first is how many there are */
    uint64_t first;            /* byte of the first value */
};

/* An integer of `bytes` bytes, with the sign that it has. */
static uint64_t read_number(const struct header *header, const uint8_t *at, unsigned bytes)
{
    uint64_t number = 0;
    for (unsigned i = 0; i < bytes; i++)
        number = number << 8 | at[header->order == FPGZ_BIG ? i : bytes - 1 - i];
    return number >> (8 * bytes - 1) ? number | -((uint64_t)1 << (8 * bytes - 1)) : number;
}

/* A float that is a whole number: the offset of NIfTI-1's values. */
static uint64_t read_whole(const struct header *header, const uint8_t *at)
{
    const uint32_t word = (uint32_t)read_number(header, at, 4);
    float value;
    memcpy(&value, &word, sizeof value);
    return value >= 0 && value < 0x1p31F ? (uint64_t)value : UINT64_MAX;
}

static bool read_header(int fd, struct header *header)
{
    uint8_t head[HEADER_2] = {0};
    size_t got;
    if (!fpgz_read_at(fd, head, sizeof head, 0, &got))
        return false;
    for (unsigned order = 0; order < 2; order++) {
        *header = (struct header){.order = order ? FPGZ_BIG : FPGZ_LITTLE};
        const uint64_t bytes = read_number(header, head, 4);
        const bool wide = bytes == HEADER_2;
        if ((!wide && bytes != HEADER_1) || got < bytes ||
            (wide ? memcmp(head + 4, "n+2\0\r\n\x1a\n", 8) : memcmp(head + 344, "n+1", 4)))
            continue;
        header->type = (unsigned)read_number(header, head + (wide ? 12 : 70), 2);
        header->first = wide ? read_number(header, head + 168, 8) : read_whole(header, head + 108);
        for (unsigned i = 0; i <= AXES; i++)
            header->extent[i] =
                wide ? read_number(header, head + 16 + 8 * i, 8) : read_number(header, head + 40 + 2 * i, 2);
        return true;
    }
    return false;
}

static bool nifti_probe(int fd, uint64_t size)
{
    struct header header;
    return size > HEADER_1 && read_header(fd, &header);
}

/* The type by its code, and how many values one is. */
static bool read_type(unsigned code, enum fpgz_dtype *dtype, unsigned *parts)
{
    static const struct {
        unsigned code;
        enum fpgz_dtype dtype;
        unsigned parts;
    } types[] = {{2, FPGZ_U8, 1},     {4, FPGZ_I16, 1},   {8, FPGZ_I32, 1},    {16, FPGZ_F32, 1},
                 {32, FPGZ_F32, 2},   {64, FPGZ_F64, 1},  {128, FPGZ_U8, 3},   {256, FPGZ_I8, 1},
                 {512, FPGZ_U16, 1},  {768, FPGZ_U32, 1}, {1024, FPGZ_I64, 1}, {1280, FPGZ_U64, 1},
                 {1792, FPGZ_F64, 2}, {2304, FPGZ_U8, 4}};
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (types[i].code == code) {
            *dtype = types[i].dtype;
            *parts = types[i].parts;
            return true;
        }
    return false;
}

static enum fpgz_status nifti_describe(int fd, struct fpgz_content *content, struct fpgz_error *remark,
                                       struct fpgz_error *error)
{
    struct header header;
    struct fpgz_array array = {0};
    unsigned parts = 1;
    if (!read_header(fd, &header) || !header.extent[0] || header.extent[0] > AXES)
        fpgz_fail(remark, FPGZ_CORRUPT, "its NIfTI header cannot be right; archived as bytes");
    else if (!read_type(header.type, &array.dtype, &parts))
        fpgz_fail(remark, FPGZ_UNSUPPORTED, "its values of NIfTI's type %u are archived as bytes",
                  header.type);
    if (remark->status)
        return FPGZ_OK;
    array.order = header.order;
    for (uint64_t d = header.extent[0]; d > 0; d--)
        array.extent[array.dims++] = header.extent[d];
    if (parts > 1)
        array.extent[array.dims++] = parts;
    return fpgz_arrays_add_dense(content, "image", &array, header.first, remark, error);
}

const struct fpgz_source fpgz_source_nifti = {
    .name = "nifti",
    .summary = "NIfTI-1 and NIfTI-2 in one file (.nii): the image",
    .kind = 11,
    .probe = nifti_probe,
    .describe = nifti_describe,
    FPGZ_STORED,
};
