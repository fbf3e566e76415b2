/* SPDX-License-Identifier: MIT
 * Adds sections to an index, walks through one, and computes the check over all content from it. */
#include "container/index.h"

#include <string.h>

#include "core/bytes.h"
#include "core/checksum.h"

enum { OFFSET_BYTES = 8 };

bool fpgz_index_add(struct fpgz_index *index, const struct fpgz_section *section)
{
    const size_t size = FPGZ_SECTION_BYTES + section->head_length;
    if (index->length + OFFSET_BYTES + size > index->body.capacity) {
        struct fpgz_buffer larger = {0};
        if (!fpgz_buffer_reserve(&larger, 2 * (index->length + OFFSET_BYTES + size)))
            return false;
        if (index->length)
            memcpy(larger.data, index->body.data, index->length);
        fpgz_buffer_free(&index->body);
        index->body = larger;
    }
    uint8_t *at = index->body.data + index->length;
    fpgz_store64(at, section->offset);
    memcpy(at + OFFSET_BYTES, section->bytes, size);
    index->length += OFFSET_BYTES + size;
    index->sections++;
    return true;
}

enum fpgz_status fpgz_index_next(const struct fpgz_index *index, size_t *at, struct fpgz_section *section,
                                 struct fpgz_error *error)
{
    const uint8_t *entry = index->body.data + *at;
    const size_t left = index->length - *at;
    if (left < OFFSET_BYTES + FPGZ_SECTION_BYTES)
        return fpgz_fail(error, FPGZ_CORRUPT, "the index ends within an entry");
    if (fpgz_unpack_head_length(entry + OFFSET_BYTES, &section->head_length, error))
        return error->status;
    const size_t size = FPGZ_SECTION_BYTES + section->head_length;
    if (left - OFFSET_BYTES < size)
        return fpgz_fail(error, FPGZ_CORRUPT, "the index ends within an entry");
    section->offset = fpgz_load64(entry);
    memcpy(section->bytes, entry + OFFSET_BYTES, size);
    *at += OFFSET_BYTES + size;
    return fpgz_unpack_section(section, error);
}

uint64_t fpgz_index_content_check(struct fpgz_index *index, uint64_t last)
{
    /* The checks are gathered at the front of the body, which is no longer needed. */
    uint8_t *const body = index->body.data;
    size_t checks = 0;
    for (size_t at = 0; at < index->length; checks += 8) {
        const uint8_t *entry = body + at + OFFSET_BYTES;
        at += OFFSET_BYTES + FPGZ_SECTION_BYTES + fpgz_load32(entry + 4);
        memmove(body + checks, entry + 8, 8);
    }
    uint8_t final[8];
    fpgz_store64(final, last);
    if (!body)
        return fpgz_checksum(final, sizeof final);
    memcpy(body + checks, final, sizeof final);
    index->length = 0;
    return fpgz_checksum(body, checks + sizeof final);
}

void fpgz_index_free(struct fpgz_index *index)
{
    fpgz_buffer_free(&index->body);
    index->length = 0;
    index->sections = 0;
}
