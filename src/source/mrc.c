/* SPDX-License-Identifier: MIT
 * MRC and CCP4 maps: a header of 1024 bytes, more of it by programs, and one array of sections, rows and
 * columns. */
#include <string.h>

#include "core/bytes.h"
#include "core/io.h"
#include "source/arrays.h"
#include "source/source.h"
#include "source/stored.h"

/* The header, and offsets of its fields. */
enum { HEADER = 1024, MODE = 12, MORE = 92, MAP = 208, STAMP = 212 };

static bool read_header(int fd, uint8_t header[HEADER])
{
    size_t got;
    return fpgz_read_at(fd, header, HEADER, 0, &got) && got == HEADER && !memcmp(header + MAP, "MAP", 3) &&
           (header[STAMP] == 0x44 || header[STAMP] == 0x11);
}

static bool mrc_probe(int fd, uint64_t size)
{
    uint8_t header[HEADER];
    return size > HEADER && read_header(fd, header);
}

static uint32_t read_number(const uint8_t *header, unsigned at)
{
    const uint32_t word = fpgz_load32(header + at);
    return header[STAMP] == 0x11 ? __builtin_bswap32(word) : word;
}

static enum fpgz_status mrc_describe(int fd, struct fpgz_content *content, struct fpgz_error *remark,
                                     struct fpgz_error *error)
{
    static const struct {
        enum fpgz_dtype dtype;
        unsigned parts;
    } modes[] = {[0] = {FPGZ_I8, 1},  [1] = {FPGZ_I16, 1}, [2] = {FPGZ_F32, 1}, [3] = {FPGZ_I16, 2},
                 [4] = {FPGZ_F32, 2}, [6] = {FPGZ_U16, 1}, [12] = {FPGZ_F16, 1}};
    uint8_t header[HEADER];
    struct fpgz_array array = {0};
    if (!read_header(fd, header)) {
        fpgz_fail(remark, FPGZ_CORRUPT, "has no header of MRC; archived as bytes");
        return FPGZ_OK;
    }
    const uint32_t mode = read_number(header, MODE);
    if (mode >= sizeof modes / sizeof *modes || !modes[mode].parts) {
        fpgz_fail(remark, FPGZ_UNSUPPORTED, "its values of MRC's mode %u are archived as bytes",
                  (unsigned)mode);
        return FPGZ_OK;
    }
    array.dtype = modes[mode].dtype;
    array.order = header[STAMP] == 0x11 ? FPGZ_BIG : FPGZ_LITTLE;
    for (unsigned d = 3; d-- > 0;)
        array.extent[array.dims++] = read_number(header, 4 * d);
    if (modes[mode].parts > 1)
        array.extent[array.dims++] = modes[mode].parts;
    return fpgz_arrays_add_dense(content, "map", &array, HEADER + (uint64_t)read_number(header, MORE), remark,
                                 error);
}

const struct fpgz_source fpgz_source_mrc = {
    .name = "mrc",
    .summary = "MRC and CCP4: the map, or the stack of images",
    .kind = 12,
    .probe = mrc_probe,
    .describe = mrc_describe,
    FPGZ_STORED,
};
