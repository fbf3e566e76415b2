/* SPDX-License-Identifier: MIT
 * The image of a member's file: where its filtered pieces stand, and how long they are in the file. */
#include "container/member.h"

enum fpgz_status fpgz_member_image(const struct fpgz_member *member, struct fpgz_image *image,
                                   struct fpgz_error *error)
{
    uint64_t size = 0;
    bool filtered = false;
    for (size_t i = 0; i < member->arrays; i++) {
        const struct fpgz_part *const part = &member->array[i].part;
        filtered |= part->filters.count;
        for (uint64_t at = 0; at < part->place.bytes && part->stored; at += fpgz_part_piece_bytes(part))
            if (!fpgz_image_add(image, fpgz_place_span(&part->place, at, 1).offset,
                                fpgz_part_piece_bytes(part),
                                part->stored[at / fpgz_part_piece_bytes(part)].length))
                return fpgz_fail(error, FPGZ_MEMORY, "no memory for an image");
    }
    if (!filtered && member->file.image == member->file.size)
        return FPGZ_OK;
    return fpgz_image_end(image, member->file.image, &size) && size == member->file.size
               ? FPGZ_OK
               : fpgz_fail(error, FPGZ_CORRUPT, "its filtered pieces do not make the file");
}
