/* SPDX-License-Identifier: MIT
 * Reads the directory at a zip archive's end, with the fields of zip64. Nothing of it is believed before it
 * was checked against the file. */
#include "source/zip_directory.h"

#include <stdlib.h>

#include "core/bytes.h"
#include "core/io.h"

/* Bytes of records without what has no fixed length, and offsets of their fields. */
enum {
    END = 22,
    END_BYTES = 12,
    END_OFFSET = 16,
    END_COMMENT = 20,
    LOCATOR = 20,
    LOCATOR_OFFSET = 8,
    END64 = 56,
    END64_BYTES = 40,
    END64_OFFSET = 48,
    ENTRY = 46,
    ENTRY_FLAGS = 8,
    ENTRY_METHOD = 10,
    ENTRY_PACKED = 20,
    ENTRY_RAW = 24,
    ENTRY_NAME = 28,
    ENTRY_EXTRA = 30,
    ENTRY_COMMENT = 32,
    ENTRY_HEADER = 42,
    LOCAL = 30,
    LOCAL_METHOD = 8,
    LOCAL_NAME = 26,
    LOCAL_EXTRA = 28,
};

enum { LENGTHS = UINT16_MAX, WINDOW = 4 * (LENGTHS + 1), EXTRA_ZIP64 = 1 };

#define SIGNATURE_END 0x06054b50u
#define SIGNATURE_LOCATOR 0x07064b50u
#define SIGNATURE_END64 0x06064b50u
#define SIGNATURE_ENTRY 0x02014b50u
#define SIGNATURE_LOCAL 0x04034b50u

static bool read_whole(int fd, void *data, size_t bytes, uint64_t offset)
{
    size_t got;
    return offset <= INT64_MAX && fpgz_read_at(fd, data, bytes, offset, &got) && got == bytes;
}

/* Reads a record that begins with a signature. */
static bool read_record(int fd, uint32_t signature, uint8_t *record, size_t bytes, uint64_t offset)
{
    return read_whole(fd, record, bytes, offset) && fpgz_load32(record) == signature;
}

/* The record that ends an archive of `size` bytes, behind which is nothing but a comment: its offset, or
 * UINT64_MAX. */
static uint64_t find_end(struct fpgz_zip *zip, uint64_t size)
{
    const size_t bytes = (size_t)fpgz_min(size, END + LENGTHS);
    if (bytes < END || !read_whole(zip->fd, zip->window, bytes, size - bytes))
        return UINT64_MAX;
    for (size_t comment = 0; comment <= bytes - END; comment++) {
        const uint8_t *const at = zip->window + bytes - END - comment;
        if (fpgz_load32(at) == SIGNATURE_END && fpgz_load16(at + END_COMMENT) == comment)
            return size - END - comment;
    }
    return UINT64_MAX;
}

/* The fields of zip64 that end the archive, if it has them: before the record at `end`. */
static bool find_end64(int fd, uint64_t end, uint64_t *at, uint64_t *bytes, uint64_t *offset)
{
    uint8_t locator[LOCATOR], record[END64];
    if (end < LOCATOR || !read_record(fd, SIGNATURE_LOCATOR, locator, LOCATOR, end - LOCATOR))
        return false;
    *at = fpgz_load64(locator + LOCATOR_OFFSET);
    if (!read_record(fd, SIGNATURE_END64, record, END64, *at)) {
        if (end < LOCATOR + END64)
            return false;
        *at = end - LOCATOR - END64; /* something stands before the archive */
        if (!read_record(fd, SIGNATURE_END64, record, END64, *at))
            return false;
    }
    *bytes = fpgz_load64(record + END64_BYTES);
    *offset = fpgz_load64(record + END64_OFFSET);
    return *at < end;
}

bool fpgz_zip_open(int fd, uint64_t size, struct fpgz_zip *zip)
{
    *zip = (struct fpgz_zip){.fd = fd, .window = malloc(WINDOW), .name = malloc(LENGTHS + 1)};
    uint8_t record[END];
    uint64_t bytes, offset;
    if (!zip->window || !zip->name)
        return false;
    zip->end = find_end(zip, size);
    if (!read_record(fd, SIGNATURE_END, record, END, zip->end))
        return false;
    if (!find_end64(fd, zip->end, &zip->end, &bytes, &offset)) {
        bytes = fpgz_load32(record + END_BYTES);
        offset = fpgz_load32(record + END_OFFSET);
    }
    if (bytes > zip->end || offset > zip->end - bytes)
        return false;
    zip->first = zip->end - bytes;
    zip->base = zip->first - offset;
    fpgz_zip_rewind(zip);
    return true;
}

void fpgz_zip_rewind(struct fpgz_zip *zip)
{
    zip->at = zip->first;
    zip->window_bytes = 0;
}

/* The next `bytes` bytes of the directory, at most WINDOW; NULL where it does not have them. */
static const uint8_t *look(struct fpgz_zip *zip, size_t bytes)
{
    if (bytes > zip->end - zip->at)
        return NULL;
    if (!zip->window_bytes || zip->at + bytes > zip->window_at + zip->window_bytes) {
        zip->window_at = zip->at;
        zip->window_bytes = (size_t)fpgz_min(zip->end - zip->at, WINDOW);
        if (!read_whole(zip->fd, zip->window, zip->window_bytes, zip->window_at))
            return NULL;
    }
    return zip->window + (zip->at - zip->window_at);
}

/* Replaces the numbers that are too large for their fields by those of zip64. */
static bool read_large(const uint8_t *extra, size_t left, struct fpgz_zip_member *member)
{
    uint64_t *const number[] = {&member->bytes, &member->packed, &member->header};
    for (size_t length; left >= 4; extra += 4 + length, left -= 4 + length) {
        length = fpgz_load16(extra + 2);
        if (length > left - 4)
            return false;
        if (fpgz_load16(extra) != EXTRA_ZIP64)
            continue;
        size_t at = 0;
        for (size_t i = 0; i < sizeof number / sizeof *number; i++)
            if (*number[i] == UINT32_MAX) {
                if (length - at < 8)
                    return false;
                *number[i] = fpgz_load64(extra + 4 + at);
                at += 8;
            }
        return true;
    }
    return true;
}

bool fpgz_zip_next(struct fpgz_zip *zip, struct fpgz_zip_member *member)
{
    const uint8_t *entry = look(zip, ENTRY);
    if (!entry || fpgz_load32(entry) != SIGNATURE_ENTRY)
        return false;
    const size_t name = fpgz_load16(entry + ENTRY_NAME), extra = fpgz_load16(entry + ENTRY_EXTRA);
    const size_t bytes = ENTRY + name + extra + fpgz_load16(entry + ENTRY_COMMENT);
    entry = look(zip, bytes);
    if (!entry)
        return false;
    memcpy(zip->name, entry + ENTRY, name);
    zip->name[name] = '\0';
    *member = (struct fpgz_zip_member){.name = zip->name,
                                       .name_length = name,
                                       .method = fpgz_load16(entry + ENTRY_METHOD),
                                       .encrypted = entry[ENTRY_FLAGS] & 1,
                                       .packed = fpgz_load32(entry + ENTRY_PACKED),
                                       .bytes = fpgz_load32(entry + ENTRY_RAW),
                                       .header = fpgz_load32(entry + ENTRY_HEADER)};
    if (!read_large(entry + ENTRY + name, extra, member) ||
        !fpgz_add(member->header, zip->base, &member->header))
        return false;
    zip->at += bytes;
    return true;
}

bool fpgz_zip_place(const struct fpgz_zip *zip, const struct fpgz_zip_member *member, uint64_t *offset)
{
    uint8_t local[LOCAL];
    if (!read_record(zip->fd, SIGNATURE_LOCAL, local, LOCAL, member->header) ||
        fpgz_load16(local + LOCAL_NAME) != member->name_length ||
        fpgz_load16(local + LOCAL_METHOD) != member->method)
        return false;
    *offset = member->header + LOCAL + fpgz_load16(local + LOCAL_NAME) + fpgz_load16(local + LOCAL_EXTRA);
    return *offset <= zip->first && member->packed <= zip->first - *offset;
}

void fpgz_zip_close(struct fpgz_zip *zip)
{
    free(zip->window);
    free(zip->name);
}
