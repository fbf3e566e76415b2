/* SPDX-License-Identifier: MIT
 * Packs and unpacks what a container begins with, and what each of its sections does, checks included. */
#include "container/format.h"

#include <inttypes.h>
#include <string.h>

#include "core/bytes.h"
#include "core/checksum.h"

enum { CHECKED_FROM = 16 }; /* a section's check covers its bytes from here on */

void fpgz_pack_header(uint8_t bytes[FPGZ_HEADER_BYTES], unsigned version)
{
    memcpy(bytes, FPGZ_MAGIC, 8);
    fpgz_store16(bytes + 8, (uint16_t)version);
    fpgz_store16(bytes + 10, 0);
    fpgz_store32(bytes + 12, (uint32_t)fpgz_checksum(bytes, 12));
}

enum fpgz_status fpgz_unpack_header(const uint8_t bytes[FPGZ_HEADER_BYTES], unsigned *version,
                                    struct fpgz_error *error)
{
    if (memcmp(bytes, FPGZ_MAGIC, 4) != 0)
        return fpgz_fail(error, FPGZ_FOREIGN, "not an fpgz container");
    if (memcmp(bytes, FPGZ_MAGIC, 8) != 0)
        return fpgz_fail(
            error, FPGZ_CORRUPT,
            "the container's first bytes were changed, as by a transfer in text mode; transfer it as binary");
    if (fpgz_load32(bytes + 12) != (uint32_t)fpgz_checksum(bytes, 12))
        return fpgz_fail(error, FPGZ_CORRUPT, "the container's header is damaged");
    *version = fpgz_load16(bytes + 8);
    if (*version == 0)
        return fpgz_fail(error, FPGZ_UNSUPPORTED, "the container has version 0, which never existed");
    if ((*version != FPGZ_VERSION && *version != FPGZ_VERSION_COMPACT) || fpgz_load16(bytes + 10) != 0)
        return fpgz_fail(
            error, FPGZ_UNSUPPORTED,
            "the container has version %u (flags %u), this fpgz reads versions %d and %d: use a newer fpgz",
            *version, fpgz_load16(bytes + 10), FPGZ_VERSION, FPGZ_VERSION_COMPACT);
    return FPGZ_OK;
}

void fpgz_pack_section(struct fpgz_section *section)
{
    uint8_t *bytes = section->bytes;
    memcpy(bytes, FPGZ_MARKER, 4);
    fpgz_store32(bytes + 4, (uint32_t)section->head_length);
    fpgz_store16(bytes + 16, section->coded ? FPGZ_SECTION_CODED_CHUNK : section->type);
    fpgz_store16(bytes + 18, 0);
    fpgz_store32(bytes + 20, section->number);
    fpgz_store64(bytes + 24, section->body_length);
    fpgz_store64(bytes + 32, section->body_checksum);
    section->check =
        fpgz_checksum(bytes + CHECKED_FROM, FPGZ_SECTION_BYTES - CHECKED_FROM + section->head_length);
    fpgz_store64(bytes + 8, section->check);
}

enum fpgz_status fpgz_unpack_head_length(const uint8_t *bytes, size_t *head_length, struct fpgz_error *error)
{
    *head_length = fpgz_load32(bytes + 4);
    if (memcmp(bytes, FPGZ_MARKER, 4) != 0)
        return fpgz_fail(error, FPGZ_CORRUPT, "no section begins where one should");
    if (*head_length > FPGZ_MAX_HEAD_BYTES)
        return fpgz_fail(error, FPGZ_CORRUPT,
                         "a section's head claims %zu bytes, more than the %d there can be", *head_length,
                         FPGZ_MAX_HEAD_BYTES);
    return FPGZ_OK;
}

enum fpgz_status fpgz_unpack_section(struct fpgz_section *section, struct fpgz_error *error)
{
    const uint8_t *bytes = section->bytes;
    section->check = fpgz_load64(bytes + 8);
    section->type = fpgz_load16(bytes + 16);
    section->coded = section->type == FPGZ_SECTION_CODED_CHUNK;
    if (section->coded)
        section->type = FPGZ_SECTION_CHUNK;
    section->number = fpgz_load32(bytes + 20);
    section->body_length = fpgz_load64(bytes + 24);
    section->body_checksum = fpgz_load64(bytes + 32);
    if (section->check !=
        fpgz_checksum(bytes + CHECKED_FROM, FPGZ_SECTION_BYTES - CHECKED_FROM + section->head_length))
        return fpgz_fail(error, FPGZ_CORRUPT, "a section's header is damaged");
    if (fpgz_load16(bytes + 18) != 0)
        return fpgz_fail(error, FPGZ_UNSUPPORTED,
                         "a section has flags %u that this fpgz does not know: use a newer fpgz",
                         fpgz_load16(bytes + 18));
    return FPGZ_OK;
}
