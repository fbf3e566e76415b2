/* SPDX-License-Identifier: MIT
 * Makes containers of any bytes. Checksums and index can be put right, so that the checks behind them are
 * reached. */
#include "hostile.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include "container/compact.h"
#include "core/bytes.h"
#include "core/checksum.h"

enum { OFFSET_BYTES = 8, CHECK_AT = 8, CONTENT_CHECK_AT = FPGZ_SECTION_BYTES + 24 };

void hostile_silence(void)
{
    static bool silent;
    if (!silent && !(stdout = stderr = fopen("/dev/null", "w")))
        __builtin_trap();
    silent = true;
    /* A container may claim any size: temporary files stay small. */
    const struct rlimit limit = {1 << 24, 1 << 24};
    signal(SIGXFSZ, SIG_IGN);
    setrlimit(RLIMIT_FSIZE, &limit);
}

/* Bytes of the section header and head at `section`, or 0 when they are not within `left`. */
static size_t head_size(const uint8_t *section, size_t left)
{
    if (left < FPGZ_SECTION_BYTES || fpgz_load32(section + 4) > left - FPGZ_SECTION_BYTES)
        return 0;
    return FPGZ_SECTION_BYTES + fpgz_load32(section + 4);
}

static void repair_head(uint8_t *section, size_t size)
{
    memcpy(section, FPGZ_MARKER, 4);
    fpgz_store64(section + CHECK_AT, fpgz_checksum(section + 16, size - 16));
}

/* The index of a member whose sections lie at data[at, end), written into its body. */
static void list_sections(const uint8_t *data, size_t at, size_t end, uint8_t *body, size_t room)
{
    const size_t start = at - FPGZ_HEADER_BYTES;
    for (size_t size; at < end && (size = head_size(data + at, end - at)) && size + OFFSET_BYTES <= room;) {
        fpgz_store64(body, at - start);
        memcpy(body + OFFSET_BYTES, data + at, size);
        body += OFFSET_BYTES + size;
        room -= OFFSET_BYTES + size;
        at += size + fpgz_load64(data + at + 24);
    }
}

/* Makes the checks in an index right, and gathers them in `checks`. */
static size_t repair_index(uint8_t *body, size_t length, uint8_t *checks)
{
    size_t used = 0;
    for (size_t size; length > OFFSET_BYTES && (size = head_size(body + OFFSET_BYTES, length - OFFSET_BYTES));
         body += OFFSET_BYTES + size, length -= OFFSET_BYTES + size, used += 8) {
        repair_head(body + OFFSET_BYTES, size);
        memcpy(checks + used, body + OFFSET_BYTES + CHECK_AT, 8);
    }
    return used;
}

/* Gathers the checks of the sections that lie at data[at, end), which are right already. */
static size_t gather_checks(const uint8_t *data, size_t at, size_t end, uint8_t *checks)
{
    size_t used = 0;
    for (size_t size; at < end && (size = head_size(data + at, end - at)); used += 8) {
        memcpy(checks + used, data + at + CHECK_AT, 8);
        at += size + fpgz_load64(data + at + 24);
    }
    return used;
}

/* Makes the checks of a compact member right, as far as it is one; returns its bytes. */
static size_t repair_compact(uint8_t *data, size_t size)
{
    struct fpgz_section *const section = calloc(1, sizeof *section);
    struct fpgz_compact member;
    struct fpgz_error none = {0};
    uint8_t *const front = data + FPGZ_HEADER_BYTES;
    size_t numbers, left = size - FPGZ_HEADER_BYTES;
    const size_t own = fpgz_compact_length(front, left, &numbers),
                 length = own + numbers + FPGZ_COMPACT_CHECKS;
    if (!section)
        __builtin_trap();
    fpgz_pack_header(data, FPGZ_VERSION_COMPACT);
    if (own && own <= FPGZ_COMPACT_LENGTH_MOST && length <= left) {
        uint8_t *const checks = front + length - FPGZ_COMPACT_CHECKS, *const stream = front + length;
        left -= length;
        fpgz_store32(checks + 8, (uint32_t)fpgz_checksum(front, length - 4));
        if (!fpgz_compact_read(front, length, section, &member, &none) && left >= FPGZ_COMPACT_END &&
            member.length <= left - FPGZ_COMPACT_END) {
            size = FPGZ_HEADER_BYTES + length + member.length + FPGZ_COMPACT_END;
            fpgz_store64(checks, fpgz_checksum(stream, member.length));
            fpgz_store32(checks + 8, (uint32_t)fpgz_checksum(front, length - 4));
            fpgz_store32(stream + member.length, (uint32_t)size);
        }
    }
    free(section);
    return size;
}

/* Repairs headers, and compact members, from data[at] on; returns where a section follows. */
static size_t begin_member(uint8_t *data, size_t at, size_t size)
{
    while (size - at >= FPGZ_HEADER_BYTES && fpgz_load16(data + at + 8) == FPGZ_VERSION_COMPACT)
        at += repair_compact(data + at, size - at);
    if (size - at < FPGZ_HEADER_BYTES)
        return at;
    fpgz_pack_header(data + at, FPGZ_VERSION);
    return at + FPGZ_HEADER_BYTES;
}

static void repair_all(uint8_t *data, size_t size, bool with_index)
{
    uint8_t *checks = calloc(1, size + 8); /* of the sections in the index, then the index's own */
    size_t used = 0, first = begin_member(data, 0, size);
    if (!checks)
        __builtin_trap();
    for (size_t at = first, head; at < size && (head = head_size(data + at, size - at));) {
        uint8_t *const section = data + at, *const body = section + head;
        const uint64_t body_length = fpgz_load64(section + 24);
        const bool whole = body_length <= size - at - head;
        const unsigned type = fpgz_load16(section + 16);
        if (whole && type == FPGZ_SECTION_INDEX) {
            if (with_index)
                list_sections(data, first, at, body, body_length);
            used = repair_index(body, body_length, checks);
        }
        if (whole && type == FPGZ_SECTION_CODED_INDEX)
            used = gather_checks(data, first, at, checks);
        if (type == FPGZ_SECTION_END && head >= CONTENT_CHECK_AT + 8)
            fpgz_store64(section + CONTENT_CHECK_AT, fpgz_checksum(checks, used + 8));
        if (type == FPGZ_SECTION_SHORT_END && head >= FPGZ_SHORT_END_BYTES) {
            used = gather_checks(data, first, at, checks);
            fpgz_store64(checks + used, fpgz_load32(section + FPGZ_SECTION_BYTES + 8));
            fpgz_store64(section + FPGZ_SECTION_BYTES, fpgz_checksum(checks, used + 8));
        }
        if (whole)
            fpgz_store64(section + 32, fpgz_checksum(body, body_length));
        repair_head(section, head);
        memcpy(checks + used, section + CHECK_AT, 8);
        if (!whole)
            break;
        at += head + body_length;
        if (type == FPGZ_SECTION_END || type == FPGZ_SECTION_SHORT_END)
            first = at = begin_member(data, at, size);
    }
    free(checks);
}

/* An open file of these bytes, repaired, by the path that `path` receives. */
static int open_container(const uint8_t *data, size_t size, enum hostile_repair repair, char path[64])
{
    uint8_t *copy = malloc(size + 1);
    const int fd = memfd_create("container", 0);
    if (!copy || fd < 0)
        __builtin_trap();
    memcpy(copy, data, size);
    if (repair != HOSTILE_AS_IT_IS)
        repair_all(copy, size, repair == HOSTILE_INDEX);
    if (write(fd, copy, size) != (ssize_t)size)
        __builtin_trap();
    free(copy);
    snprintf(path, 64, "/proc/self/fd/%d", fd);
    return fd;
}

void hostile_containers(const uint8_t *data, size_t size, void (*run)(char *path, enum hostile_repair repair))
{
    hostile_silence();
    for (enum hostile_repair repair = HOSTILE_AS_IT_IS; repair < HOSTILE_REPAIRS; repair++) {
        char path[64];
        const int fd = open_container(data, size, repair, path);
        run(path, repair);
        close(fd);
    }
}
