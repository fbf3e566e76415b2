/* SPDX-License-Identifier: MIT
 * Writes and reads the fronts of compact members. */
#include "container/compact.h"

#include <string.h>

#include "core/bytes.h"
#include "core/checksum.h"

enum { HAS_MODE = 1, HAS_MTIME = 2 };

bool fpgz_compact_takes(const struct fpgz_compact *member)
{
    const struct fpgz_file_head *const file = &member->file;
    return file->kind == FPGZ_KIND_RAW && file->table_length && file->size != FPGZ_UNKNOWN &&
           !member->chunk.array && !member->chunk.number && !member->chunk.first &&
           member->length < UINT32_MAX - FPGZ_HEADER_BYTES - 2 * FPGZ_COMPACT_NUMBERS;
}

void fpgz_compact_write(const struct fpgz_compact *member, struct fpgz_numbers *front)
{
    const struct fpgz_file_head *const file = &member->file;
    const size_t name = strlen(file->name);
    uint8_t header[FPGZ_HEADER_BYTES], checks[FPGZ_COMPACT_CHECKS];
    struct fpgz_numbers n = {0};
    fpgz_numbers_add(&n, (file->has_mode ? HAS_MODE : 0) | (file->has_mtime ? HAS_MTIME : 0));
    if (file->has_mode)
        fpgz_numbers_add(&n, file->mode);
    if (file->has_mtime) {
        fpgz_numbers_add(&n, fpgz_zigzag((uint64_t)file->mtime));
        fpgz_numbers_add(&n, file->mtime_ns);
    }
    fpgz_numbers_add(&n, file->size);
    fpgz_numbers_add(&n, name);
    fpgz_numbers_add_bytes(&n, file->name, name);
    fpgz_numbers_add(&n, file->table_length);
    fpgz_numbers_add_bytes(&n, file->table, file->table_length);
    fpgz_numbers_add(&n, member->length);
    fpgz_lone_chunk_write(&member->chunk, &n);
    fpgz_pack_header(header, FPGZ_VERSION_COMPACT);
    fpgz_numbers_add_bytes(front, header, sizeof header);
    fpgz_numbers_add(front, n.length);
    fpgz_numbers_add_bytes(front, n.bytes.data, n.length);
    front->failed |= n.failed;
    fpgz_numbers_free(&n);
    if (front->failed)
        return;
    fpgz_store64(checks, member->checksum);
    fpgz_numbers_add_bytes(front, checks, 8);
    fpgz_store32(checks,
                 (uint32_t)fpgz_checksum(front->bytes.data + sizeof header, front->length - sizeof header));
    fpgz_numbers_add_bytes(front, checks, 4);
}

size_t fpgz_compact_length(const uint8_t *bytes, size_t have, size_t *numbers)
{
    *numbers = 0;
    for (size_t i = 0; i < have && i < FPGZ_COMPACT_LENGTH_MOST; i++) {
        *numbers |= (size_t)(bytes[i] & 0x7F) << 7 * i;
        if (bytes[i] < 0x80)
            return *numbers <= FPGZ_COMPACT_NUMBERS ? i + 1 : FPGZ_COMPACT_LENGTH_MOST + 1;
    }
    return have < FPGZ_COMPACT_LENGTH_MOST ? 0 : FPGZ_COMPACT_LENGTH_MOST + 1;
}

/* Takes a number that must not exceed `most`. */
static uint64_t take_up_to(struct fpgz_number_view *view, uint64_t most)
{
    const uint64_t number = fpgz_number_take(view);
    view->bad |= number > most;
    return number;
}

/* Takes the fields of the file's head. */
static void take_file(struct fpgz_number_view *view, unsigned flags, struct fpgz_file_head *file)
{
    *file = (struct fpgz_file_head){
        .kind = FPGZ_KIND_RAW, .has_mode = flags & HAS_MODE, .has_mtime = flags & HAS_MTIME};
    if (file->has_mode)
        file->mode = (uint32_t)take_up_to(view, UINT32_MAX);
    if (file->has_mtime) {
        file->mtime = (int64_t)fpgz_unzigzag(fpgz_number_take(view));
        file->mtime_ns = (uint32_t)take_up_to(view, UINT32_MAX);
    }
    file->image = file->size = fpgz_number_take(view);
    const uint64_t name = take_up_to(view, sizeof file->name - 1);
    const uint8_t *const bytes = fpgz_number_take_bytes(view, name);
    view->bad |= file->size == FPGZ_UNKNOWN || !bytes || memchr(bytes, '\0', name);
    if (!view->bad)
        memcpy(file->name, bytes, name);
    file->table_length = take_up_to(view, FPGZ_MAX_ARRAY_BYTES);
    file->table = fpgz_number_take_bytes(view, file->table_length);
    view->bad |= !file->table_length || !file->table;
}

enum fpgz_status fpgz_compact_read(const uint8_t *front, size_t length, struct fpgz_section *section,
                                   struct fpgz_compact *member, struct fpgz_error *error)
{
    size_t numbers;
    const uint8_t *const checks = front + length - FPGZ_COMPACT_CHECKS;
    struct fpgz_number_view view = {front + fpgz_compact_length(front, length, &numbers), checks, false};
    if (fpgz_load32(checks + 8) != (uint32_t)fpgz_checksum(front, length - 4))
        return fpgz_fail(error, FPGZ_CORRUPT, "the container's front is damaged");
    const uint64_t flags = fpgz_number_take(&view);
    if (flags > HAS_MODE + HAS_MTIME)
        return fpgz_fail(error, FPGZ_UNSUPPORTED,
                         "a compact container has flags that this fpgz does not know: use a newer fpgz");
    section->type = FPGZ_SECTION_FILE;
    section->number = FPGZ_COMPACT_FILE;
    take_file(&view, (unsigned)flags, &member->file);
    member->length = fpgz_number_take(&view);
    member->checksum = fpgz_load64(checks);
    if (view.bad)
        return fpgz_head_bad(section, error);
    section->type = FPGZ_SECTION_CHUNK;
    section->number = FPGZ_COMPACT_CHUNK;
    return fpgz_lone_chunk_read(&view, section, &member->chunk, error);
}

void fpgz_compact_section(const struct fpgz_compact *member, enum fpgz_compact_section which, uint64_t body,
                          struct fpgz_section *section)
{
    const bool chunk = which == FPGZ_COMPACT_CHUNK;
    if (chunk)
        fpgz_pack_chunk(&member->chunk, true, section);
    else
        fpgz_pack_file(&member->file, section);
    section->number = which;
    section->body_length = chunk ? member->length : 0;
    section->body_checksum = chunk ? member->checksum : fpgz_checksum("", 0);
    section->offset = body - FPGZ_SECTION_BYTES - section->head_length; /* modulo 2^64: there is no header */
    fpgz_pack_section(section);
}

void fpgz_compact_end(const struct fpgz_compact *member, uint64_t length, struct fpgz_section *section)
{
    uint8_t checks[3 * 8];
    for (unsigned which = FPGZ_COMPACT_FILE; which < FPGZ_COMPACT_SHORT_END; which++) {
        fpgz_compact_section(member, which, 0, section);
        fpgz_store64(checks + 8 * which, section->check);
    }
    fpgz_store64(checks + 8 * FPGZ_COMPACT_SHORT_END, length);
    fpgz_pack_end(&(struct fpgz_end_head){.member_length = length,
                                          .content_check = fpgz_checksum(checks, sizeof checks)},
                  section);
    section->number = FPGZ_COMPACT_SHORT_END;
    section->body_length = 0;
    section->body_checksum = fpgz_checksum("", 0);
    fpgz_pack_section(section);
}
