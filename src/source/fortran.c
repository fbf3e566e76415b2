/* SPDX-License-Identifier: MIT
 * Sequential files of Fortran: records between two marks, which hold their length. Records of one length that
 * follow each other, or alternate with others, are the rows of an array. What values they hold is not told.
 */
#include <stdio.h>
#include <stdlib.h>

#include "core/bytes.h"
#include "source/arrays.h"
#include "source/cursor.h"
#include "source/source.h"
#include "source/stored.h"

enum {
    RECORDS = 1 << 20, /* of a file, at most */
    PERIOD = 32,       /* records that alternate */
    LEAST_ROWS = 3,    /* of an array; two records of one length may be of two variables */
    LONGEST = 64,      /* bytes that the longest record has at least: short ones may be chance */
};

static const uint32_t part_of_record = 2147483639; /* of one that is longer than marks of 4 bytes can tell */

struct file {
    unsigned mark; /* its bytes: 4 or 8 */
    bool big_endian;
    uint64_t *length;        /* of each record; NULL: they are only counted */
    size_t records, most;    /* most: that are followed */
    uint64_t longest, bytes; /* of all records */
};

/* Follows the records of such marks. False where two marks of one differ before the file's end. Where marks
 * of 4 bytes cannot tell the length, a record has parts: the first mark of each is negative but in the last
 * one, and the second but in the first one. */
static bool follow(int fd, uint64_t size, struct file *file)
{
    struct fpgz_cursor cursor = {.fd = fd, .size = size, .big_endian = file->big_endian};
    bool within = false;
    file->records = 0;
    file->longest = file->bytes = 0;
    while (cursor.at < size) {
        const uint64_t front = fpgz_cursor_number(&cursor, file->mark);
        const bool more = file->mark == 4 && front == -part_of_record;
        const uint64_t length = more ? part_of_record : front;
        if (file->records == file->most || !fpgz_cursor_skip(&cursor, length))
            return false;
        const uint64_t back = fpgz_cursor_number(&cursor, file->mark);
        if (cursor.failed || (back != length && !(within && back == -(uint32_t)length)))
            return false;
        within = more;
        if (file->length)
            file->length[file->records] = length;
        file->records++;
        file->longest = fpgz_max(file->longest, length);
        file->bytes += length;
    }
    return file->longest >= LONGEST && file->bytes >= size / 2;
}

/* Finds marks that agree to the end of the file. */
static bool find_marks(int fd, uint64_t size, struct file *file)
{
    for (unsigned way = 0; way < 4; way++) {
        file->mark = way < 2 ? 4 : 8;
        file->big_endian = way % 2;
        if (follow(fd, size, file))
            return true;
    }
    return false;
}

static bool fortran_probe(int fd, uint64_t size)
{
    struct file file = {.most = RECORDS};
    return size >= LONGEST && find_marks(fd, size, &file);
}

/* How many times the next records repeat each other's lengths, *period at a time. */
static size_t repeats(const struct file *file, size_t first, size_t *period)
{
    const uint64_t *const length = file->length + first;
    const size_t left = file->records - first;
    size_t best = 1;
    *period = 1;
    for (size_t tried = 1; tried <= PERIOD && 2 * tried <= left; tried++) {
        size_t alike = 0;
        while (tried + alike < left && length[alike] == length[tried + alike])
            alike++;
        const size_t times = alike / tried + 1;
        if (times >= LEAST_ROWS && times * tried > best * *period) {
            best = times;
            *period = tried;
        }
    }
    return best;
}

/* Adds arrays for the records from `first` on, which begins at byte *at. Returns how many records these are.
 */
static size_t add_records(const struct file *file, size_t first, uint64_t *at, struct fpgz_content *content,
                          struct fpgz_error *remark, struct fpgz_error *error)
{
    size_t period;
    const size_t times = repeats(file, first, &period);
    uint64_t step = 0;
    for (size_t i = 0; i < period; i++)
        step += file->length[first + i] + 2 * file->mark;
    const uint64_t end = *at + times * step;
    for (size_t i = 0; i < period; i++) {
        const uint64_t length = file->length[first + i];
        const size_t parts = content->count;
        const struct fpgz_array array = {.dtype = FPGZ_U8,
                                         .order = file->big_endian ? FPGZ_BIG : FPGZ_LITTLE,
                                         .dims = 1 + (times > 1),
                                         .extent = {times > 1 ? times : length, length}};
        const struct fpgz_run run = {
            .count = times, .bytes = length, .offset = *at + file->mark, .step = step};
        char name[40];
        snprintf(name, sizeof name, "record.%zu", first + i + 1);
        if (!error->status && length)
            fpgz_arrays_add(content, name, &array, &run, remark, error);
        if (content->count > parts)
            content->part[parts].untyped = true;
        *at += length + 2 * file->mark;
    }
    *at = end;
    return times * period;
}

static enum fpgz_status fortran_describe(int fd, struct fpgz_content *content, struct fpgz_error *remark,
                                         struct fpgz_error *error)
{
    struct file file = {.most = RECORDS};
    uint64_t at = 0;
    if (!find_marks(fd, content->size, &file)) {
        fpgz_fail(remark, FPGZ_CORRUPT, "has no records whose marks agree to its end; archived as bytes");
        return FPGZ_OK;
    }
    file.length = malloc(file.records * sizeof *file.length);
    if (!file.length)
        return fpgz_fail(error, FPGZ_MEMORY, "no memory");
    file.most = file.records;
    if (!follow(fd, content->size, &file))
        file.records = 0; /* it changed meanwhile */
    for (size_t i = 0; i < file.records && !error->status;)
        i += add_records(&file, i, &at, content, remark, error);
    free(file.length);
    return error->status;
}

const struct fpgz_source fpgz_source_fortran = {
    .name = "fortran",
    .summary = "Fortran's sequential files: records of one length are rows",
    .kind = 14,
    .probe = fortran_probe,
    .describe = fortran_describe,
    FPGZ_STORED,
};
