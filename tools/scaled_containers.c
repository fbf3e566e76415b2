/* SPDX-License-Identifier: MIT
 * usage: scaled_containers KIND COUNT FILE   writes a container of COUNT parts of a kind, for measurements of
 * how work grows with them: members, chunks, arrays (good ones), markers (false ones), claims (chunks that
 * each claim the rest of the file) or copies (an index whose chunks all claim the same bytes). */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "codec/codecs.h"
#include "container/writer.h"
#include "core/bytes.h"
#include "core/checksum.h"
#include "core/io.h"

enum { VALUES = 16, BYTES = VALUES * 4 }; /* of each array or chunk */

static struct fpgz_writer writer;
static struct fpgz_error error;
static int fd;

static void check(bool ok)
{
    if (!ok || error.status) {
        fprintf(stderr, "scaled_containers: %s\n", error.status ? error.text : "cannot write");
        exit(1);
    }
}

enum { HDF5 = 1 }; /* the kind of such files (fpgz.5) */

static void begin(uint8_t kind, uint64_t bytes)
{
    const struct fpgz_file_head file = {.kind = kind, .size = bytes, .image = bytes, .name = "scaled"};
    check(!fpgz_writer_begin(&writer, (struct fpgz_out){.fd = fd}, &file, NULL, 0, false, &error));
}

/* Arrays of `values` behind each other. */
static void put_arrays(uint64_t count, uint64_t values, uint64_t largest)
{
    enum { NAME = 32 };
    struct fpgz_part *const part = calloc(count, sizeof *part);
    struct fpgz_run *const run = calloc(count, sizeof *run);
    uint64_t *const chunk = calloc(count, sizeof *chunk);
    char *const names = calloc(count, NAME);
    check(part && run && chunk && names);
    for (uint64_t i = 0; i < count; i++) {
        run[i] =
            (struct fpgz_run){.count = 1, .bytes = 4 * values, .offset = 4 * values * i, .step = 4 * values};
        part[i] = (struct fpgz_part){.name = names + NAME * i,
                                     .array = {FPGZ_F32, FPGZ_LITTLE, 1, {values}},
                                     .place = {&run[i], 1, 4 * values}};
        chunk[i] = largest;
        snprintf(part[i].name, NAME, "/%llu", (unsigned long long)run[i].offset);
    }
    check(!fpgz_writer_arrays(&writer, part, count, chunk, &error));
    free(part);
    free(run);
    free(chunk);
    free(names);
}

static struct fpgz_chunk_head chunk_head(uint32_t array, uint64_t number, uint64_t first, uint64_t values)
{
    return (struct fpgz_chunk_head){.array = array,
                                    .codec = FPGZ_CODEC_STORE,
                                    .number = number,
                                    .first = first,
                                    .grid = {FPGZ_F32, 1, {values}}};
}

static void put_chunk(uint32_t array, uint64_t number, uint64_t first)
{
    float value[VALUES];
    for (unsigned i = 0; i < VALUES; i++)
        value[i] = (float)(first + i + 1);
    struct fpgz_chunk_head head = chunk_head(array, number, first, VALUES);
    head.raw_checksum = fpgz_checksum(value, BYTES);
    check(!fpgz_writer_chunk(&writer, &head, value, BYTES, head.raw_checksum, BYTES, &error));
}

static void end(void)
{
    check(!fpgz_writer_end(&writer, &error));
    fpgz_writer_free(&writer);
}

static void members(uint64_t count)
{
    for (uint64_t i = 0; i < count; i++) {
        begin(FPGZ_KIND_RAW, BYTES);
        put_arrays(1, VALUES, BYTES);
        put_chunk(0, 0, 0);
        end();
    }
}

static void chunks(uint64_t count)
{
    begin(FPGZ_KIND_RAW, count * BYTES);
    put_arrays(1, count * VALUES, BYTES);
    for (uint64_t i = 0; i < count; i++)
        put_chunk(0, i, i * VALUES);
    end();
}

static void arrays(uint64_t count)
{
    begin(HDF5, count * BYTES);
    put_arrays(count, VALUES, BYTES);
    for (uint64_t i = 0; i < count; i++)
        put_chunk((uint32_t)i, 0, 0);
    end();
}

/* Headers as close to each other as can be, of the longest heads that are looked at. */
static void markers(uint64_t count)
{
    uint8_t marker[20] = FPGZ_MARKER;
    fpgz_store32(marker + 4, 8 << 10);
    fpgz_store16(marker + 16, FPGZ_SECTION_CHUNK);
    begin(FPGZ_KIND_RAW, BYTES);
    for (uint64_t i = 0; i < count; i++)
        check(fpgz_write(fd, marker, sizeof marker));
}

/* A chunk's section of a body of so many bytes that is not there, or not what its checksum says. */
static void pack_claim(uint64_t number, uint64_t first, uint64_t bytes)
{
    const struct fpgz_chunk_head head = chunk_head(0, number, first, bytes / 4);
    fpgz_pack_chunk(&head, false, &writer.section);
    writer.section.number = (uint32_t)(2 + number);
    writer.section.body_length = bytes / 4 * 4;
    fpgz_pack_section(&writer.section);
}

static void claims(uint64_t count)
{
    const size_t size = FPGZ_SECTION_BYTES + 40;
    const uint64_t all = count * (count + 1) / 2 * size;
    begin(FPGZ_KIND_RAW, all);
    put_arrays(1, all / 4, count * size);
    for (uint64_t i = 0, first = 0; i < count; i++) {
        const uint64_t rest = (count - 1 - i) * size + 60; /* and a tail in which it ends */
        pack_claim(i, first, rest);
        first += rest / 4;
        check(fpgz_write(fd, writer.section.bytes, FPGZ_SECTION_BYTES + writer.section.head_length));
    }
    const uint8_t tail[64] = {0};
    check(fpgz_write(fd, tail, sizeof tail));
}

static void copies(uint64_t count)
{
    const uint64_t bytes = count * BYTES;
    uint8_t *const body = calloc(1, bytes);
    check(body);
    begin(FPGZ_KIND_RAW, count * bytes);
    put_arrays(1, count * bytes / 4, bytes);
    const uint64_t at = writer.position;
    check(fpgz_write(fd, body, bytes));
    writer.position += bytes;
    for (uint64_t i = 0; i < count; i++) {
        pack_claim(i, i * bytes / 4, bytes - i % VALUES * 4);
        writer.section.offset = at - FPGZ_SECTION_BYTES - writer.section.head_length;
        check(fpgz_index_add(&writer.index, &writer.section));
    }
    end();
    free(body);
}

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        void (*write)(uint64_t count);
    } kinds[] = {{"members", members}, {"chunks", chunks}, {"arrays", arrays},
                 {"markers", markers}, {"claims", claims}, {"copies", copies}};
    for (size_t i = 0; argc == 4 && i < sizeof kinds / sizeof *kinds; i++) {
        if (strcmp(argv[1], kinds[i].name) != 0)
            continue;
        FILE *const file = fopen(argv[3], "wb");
        check(file);
        fd = fileno(file);
        kinds[i].write(strtoull(argv[2], NULL, 10));
        return fclose(file) != 0;
    }
    fprintf(stderr, "usage: scaled_containers members|chunks|arrays|markers|claims|copies COUNT FILE\n");
    return 1;
}
