/* SPDX-License-Identifier: MIT
 * What a member's index tells, gathered for -l. */
#include "cli/summary.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "source/formats.h"

static double larger(double a, double b)
{
    return a > b ? a : b;
}

static void count_chunk(struct tally *tally, const struct fpgz_section *section,
                        const struct fpgz_chunk_head *head, const struct fpgz_codec *codec)
{
    unsigned place = 0;
    while (fpgz_codecs[place] != codec)
        place++;
    tally->stored += FPGZ_SECTION_BYTES + section->head_length + section->body_length;
    tally->codecs |= (uint32_t)1 << place;
    tally->lossy |= head->has_errors;
    tally->absolute_error = larger(tally->absolute_error, head->absolute_error);
    tally->relative_error = larger(tally->relative_error, head->relative_error);
}

/* Counts a chunk for its array and for all; with more than the index to be told, reads the front of its
 * stream. */
static void take_chunk(const struct fpgz_reader *reader, const struct summary_wish *wish,
                       const struct fpgz_chunk_head *head, const struct fpgz_codec *codec,
                       struct traits_room *room, struct summary *summary)
{
    const struct fpgz_section *section = &reader->section;
    const uint64_t at = fpgz_reader_body_offset(reader);
    struct tally *const tallies[] = {&summary->all, &summary->each[head->array]};
    struct fpgz_traits traits;
    const bool known =
        wish->more && traits_read(room, reader->fd, at, section->body_length, codec, head, &traits);
    for (unsigned i = 0; i < 2; i++) {
        count_chunk(tallies[i], section, head, codec);
        if (known)
            traits_count(&tallies[i]->traits, codec, &traits);
    }
    if (wish->chunk)
        wish->chunk(&summary->member.array[head->array].part, section, head, codec, known ? &traits : NULL);
}

enum fpgz_status summary_read(struct fpgz_reader *reader, const struct summary_wish *wish,
                              struct summary *summary, struct fpgz_error *error)
{
    struct fpgz_section *section = &reader->section;
    struct fpgz_member *member = &summary->member;
    struct traits_room room = {0};
    struct fpgz_chunk_head head;
    const struct fpgz_codec *codec;
    for (size_t at = 0; at < reader->index.length && !error->status;) {
        if (fpgz_index_next(&reader->index, &at, section, error))
            break;
        switch (section->type) {
        case FPGZ_SECTION_FILE:
            fpgz_member_file(member, section, fpgz_source_has_kind, error);
            break;
        case FPGZ_SECTION_XATTRS:
            reader->position = fpgz_reader_body_offset(reader);
            fpgz_xattrs_free(&summary->xattrs); /* a hostile container has them twice */
            if (wish->more)
                fpgz_reader_xattrs(reader, &member->file, &summary->xattrs, error);
            break;
        case FPGZ_SECTION_ARRAY:
            fpgz_member_array(member, section, NULL, error);
            break;
        case FPGZ_SECTION_ARRAYS:
            fpgz_reader_arrays(reader, member, error);
            break;
        case FPGZ_SECTION_CHUNK:
            if (fpgz_member_chunk(member, section, &head, &codec, error))
                break;
            if (!summary->each && !(summary->each = calloc(member->arrays, sizeof *summary->each))) {
                fpgz_fail(error, FPGZ_MEMORY, "no memory for %zu arrays", member->arrays);
                break;
            }
            take_chunk(reader, wish, &head, codec, &room, summary);
            break;
        default:
            break;
        }
    }
    traits_room_free(&room);
    return error->status ? error->status : fpgz_member_end(member, error);
}

const char *summary_codecs(const struct tally *tally, char text[SUMMARY_CODECS_TEXT])
{
    size_t used = 0;
    strcpy(text, "-");
    for (unsigned place = 32; place-- > 0 && used < SUMMARY_CODECS_TEXT;)
        if (tally->codecs >> place & 1)
            used += (size_t)snprintf(text + used, SUMMARY_CODECS_TEXT - used, used ? "+%s" : "%s",
                                     fpgz_codecs[place]->name);
    return text;
}

const char *summary_shape(const struct fpgz_member_array *from, char text[FPGZ_SHAPE_TEXT])
{
    struct fpgz_array array;
    uint64_t reversed[FPGZ_MAX_DIMS];
    fpgz_member_shape(from, &array);
    for (unsigned d = 0; d < array.dims; d++)
        reversed[array.dims - 1 - d] = array.extent[d];
    return fpgz_shape_text(from->part.column_major ? reversed : array.extent, array.dims, text,
                           FPGZ_SHAPE_TEXT);
}

uint64_t summary_raw(const struct fpgz_member_array *array)
{
    return (array->part.carrier ? array->due : array->values) * fpgz_dtype_size(array->part.array.dtype);
}

const char *summary_name(const struct fpgz_part *part)
{
    return part->layout == FPGZ_BYTES   ? "(all else)"
           : part->layout == FPGZ_GROUP ? "(arrays together)"
                                        : part->name;
}

const char *summary_order(const struct fpgz_part *part)
{
    return part->array.order == FPGZ_BIG ? "big" : "little";
}

void summary_free(struct summary *summary)
{
    free(summary->each);
    fpgz_xattrs_free(&summary->xattrs);
    fpgz_member_free(&summary->member);
}
