/* SPDX-License-Identifier: MIT
 * The table of arrays and the coded index: what is written is read again, and what is cut or changed is
 * refused or read as something else, but never from beyond its bytes. usage: unit_coded   prints what failed,
 * then "N passed, N failed". */
#include <stdlib.h>
#include <string.h>

#include "../checks.h"
#include "container/coded_index.h"
#include "container/member.h"
#include "container/table.h"
#include "core/bytes.h"
#include "core/checksum.h"
#include "core/group.h"

enum { PARTS = 40, FILE_BYTES = 1 << 20, HDF5 = 1 };

static uint64_t below(uint64_t limit)
{
    return random_bits() % limit;
}

static bool any_kind(unsigned kind)
{
    (void)kind;
    return true;
}

/* Arrays one behind the other, and bytes in the gaps. */
static void make_parts(struct fpgz_part part[PARTS], char names[PARTS][16], uint64_t largest[PARTS])
{
    struct fpgz_place gaps = {0};
    uint64_t at = 0;
    for (unsigned i = 0; i < PARTS; i++) {
        const unsigned dims = 1 + (unsigned)below(3);
        const uint64_t gap = below(3) * 9;
        part[i] = (struct fpgz_part){.name = names[i], .array = {FPGZ_F32, below(2), dims, {0}}};
        for (unsigned d = 0; d < dims; d++)
            part[i].array.extent[d] = 1 + below(4);
        snprintf(names[i], 16, "/g%u/d%u", i / 8, i);
        uint64_t bytes;
        fpgz_extents_bytes(FPGZ_F32, part[i].array.extent, dims, &bytes);
        CHECK(!gap || fpgz_place_add(&gaps, at, gap, 0));
        CHECK(fpgz_place_add(&part[i].place, at + gap, bytes, 0));
        at += gap + bytes;
        if (dims == 1 && below(2)) { /* the same as pieces of one value */
            struct fpgz_run *run = part[i].place.run;
            part[i].layout = FPGZ_PIECES;
            part[i].piece[0] = 1;
            *run = (struct fpgz_run){0, part[i].array.extent[0], 4, run->offset, 4, 0};
        }
        largest[i] = below(1 << 20);
    }
    part[PARTS - 1].array = (struct fpgz_array){FPGZ_U8, FPGZ_LITTLE, 1, {gaps.bytes}};
    part[PARTS - 1].layout = FPGZ_BYTES;
    free(part[PARTS - 1].place.run);
    part[PARTS - 1].place = gaps;
}

static bool same_part(const struct fpgz_part *a, const struct fpgz_part *b)
{
    bool same = a->layout == b->layout && !strcmp(a->name, b->name) && a->array.dims == b->array.dims &&
                a->array.order == b->array.order && a->place.count == b->place.count &&
                a->place.bytes == b->place.bytes;
    for (unsigned d = 0; same && d < a->array.dims; d++)
        same = a->array.extent[d] == b->array.extent[d];
    for (size_t i = 0; same && i < a->place.count; i++)
        same = a->place.run[i].offset == b->place.run[i].offset &&
               a->place.run[i].count == b->place.run[i].count;
    return same;
}

static void test_table(void)
{
    static struct fpgz_section file, section;
    struct fpgz_part part[PARTS];
    char names[PARTS][16];
    uint64_t largest[PARTS];
    struct fpgz_numbers numbers = {0}, packed = {0};
    struct fpgz_error error = {0};
    make_parts(part, names, largest);
    fpgz_table_write(part, PARTS, largest, &numbers);
    fpgz_numbers_pack(&numbers, &packed);
    CHECK(!packed.failed && packed.length < numbers.length);
    fpgz_pack_file(&(struct fpgz_file_head){.kind = HDF5, .size = FILE_BYTES, .image = FILE_BYTES}, &file);
    fpgz_pack_arrays(&(struct fpgz_arrays_head){(uint32_t)numbers.length}, &section);
    section.body_length = packed.length;
    struct fpgz_member member = {0};
    CHECK(!fpgz_member_file(&member, &file, any_kind, &error));
    CHECK(!fpgz_member_arrays(&member, &section, packed.bytes.data, &error) && member.arrays == PARTS);
    for (unsigned i = 0; i < PARTS && i < member.arrays; i++)
        CHECK(same_part(&part[i], &member.array[i].part) && largest[i] == member.array[i].largest_chunk);
    fpgz_member_free(&member);
    for (size_t cut = 0; cut < numbers.length; cut++) { /* and a byte changed */
        struct fpgz_error cause = {0};
        uint8_t *const copy = malloc(cut + 1);
        memcpy(copy, numbers.bytes.data, cut + 1);
        copy[below(cut + 1)] ^= (uint8_t)(1 << below(8));
        fpgz_pack_arrays(&(struct fpgz_arrays_head){(uint32_t)cut + 1}, &section);
        section.body_length = cut + 1;
        CHECK(!fpgz_member_file(&member, &file, any_kind, &cause));
        fpgz_member_arrays(&member, &section, copy, &cause);
        CHECK(member.arrays <= PARTS);
        fpgz_member_free(&member);
        free(copy);
    }
    for (unsigned i = 0; i < PARTS; i++)
        free(part[i].place.run);
    fpgz_numbers_free(&numbers);
    fpgz_numbers_free(&packed);
}

/* Reads the table of the content's parts into the member. */
static void reread(const struct fpgz_content *content, struct fpgz_member *member)
{
    static struct fpgz_section file, section;
    static const uint64_t largest[PARTS + FPGZ_GROUP_KINDS];
    struct fpgz_numbers numbers = {0};
    struct fpgz_error error = {0};
    fpgz_table_write(content->part, content->count, largest, &numbers);
    fpgz_pack_file(&(struct fpgz_file_head){.kind = HDF5, .size = content->size, .image = content->size},
                   &file);
    fpgz_pack_arrays(&(struct fpgz_arrays_head){(uint32_t)numbers.length}, &section);
    section.body_length = numbers.length;
    CHECK(!fpgz_member_file(member, &file, any_kind, &error));
    CHECK(!fpgz_member_arrays(member, &section, numbers.bytes.data, &error));
    fpgz_numbers_free(&numbers);
}

/* Small arrays of two types and two that are too large become two groups, and what is read is the same. */
static void test_groups(void)
{
    struct fpgz_content content = {.kind = HDF5};
    struct fpgz_member member = {0};
    uint64_t grouped = 0;
    for (unsigned i = 0; i < PARTS; i++) {
        struct fpgz_part *const part = fpgz_content_add(&content);
        const uint64_t values = i % 20 == 7 ? FPGZ_GROUPED_BYTES : 1 + below(20);
        char name[16];
        snprintf(name, sizeof name, "/d%u", i);
        part->name = strdup(name);
        part->array = (struct fpgz_array){i % 3 ? FPGZ_F32 : FPGZ_I16, FPGZ_LITTLE, 2, {values, 2}};
        const uint64_t bytes = 2 * values * fpgz_dtype_size(part->array.dtype);
        CHECK(fpgz_place_add(&part->place, content.size, bytes, 0));
        content.size += bytes;
        grouped += bytes <= FPGZ_GROUPED_BYTES ? bytes : 0;
    }
    fpgz_grouping_begin(&content);
    CHECK(fpgz_content_group(&content) && content.count == PARTS + 2);
    reread(&content, &member);
    CHECK(member.arrays == content.count);
    for (size_t i = 0; i < member.arrays; i++) {
        const struct fpgz_part *const a = &content.part[i], *const b = &member.array[i].part;
        CHECK(same_part(a, b) && a->carrier == b->carrier && a->first == b->first &&
              a->members == b->members && a->array.dtype == b->array.dtype);
        grouped -= a->layout == FPGZ_GROUP ? a->place.bytes : 0;
        CHECK(!a->carrier || (a->carrier <= i && !a->place.count));
    }
    CHECK(!grouped);
    fpgz_member_free(&member);
    fpgz_content_free(&content);
}

/* A section behind the others. */
static void add_section(struct fpgz_index *index, struct fpgz_section *section, uint64_t *offset,
                        uint64_t body)
{
    section->number = (uint32_t)index->sections;
    section->offset = *offset;
    section->body_length = body;
    section->body_checksum = body ? random_bits() : fpgz_checksum("", 0);
    fpgz_pack_section(section);
    *offset += FPGZ_SECTION_BYTES + section->head_length + body;
    CHECK(fpgz_index_add(index, section));
}

static void make_index(struct fpgz_index *index)
{
    static struct fpgz_section section;
    uint64_t offset = FPGZ_HEADER_BYTES;
    fpgz_pack_file(
        &(struct fpgz_file_head){
            .kind = HDF5, .size = 7, .image = 7, .mtime = -5, .has_mtime = true, .name = "n"},
        &section);
    add_section(index, &section, &offset, 0);
    fpgz_pack_arrays(&(struct fpgz_arrays_head){9}, &section);
    add_section(index, &section, &offset, 9);
    for (unsigned i = 0; i < 300; i++) {
        struct fpgz_chunk_head head = {.array = (uint32_t)below(3),
                                       .codec = (uint16_t)below(11),
                                       .param_count = (unsigned)below(FPGZ_MAX_PARAMS + 1),
                                       .number = below(9),
                                       .first = random_bits() >> below(64),
                                       .raw_checksum = random_bits(),
                                       .has_errors = !below(9),
                                       .absolute_error = 1.5};
        head.grid.dims = 1 + (unsigned)below(FPGZ_MAX_CODING_DIMS);
        for (unsigned d = 0; d < FPGZ_MAX_CODING_DIMS; d++)
            head.grid.extent[d] = d < head.grid.dims ? random_bits() >> below(64) : 1;
        for (unsigned p = 0; p < head.param_count; p++)
            head.params.value[p] = (uint32_t)random_bits();
        fpgz_pack_chunk(&head, below(2), &section);
        add_section(index, &section, &offset, below(1 << 20));
        fpgz_pack_attributes(i, &section);
        if (!below(10))
            add_section(index, &section, &offset, below(99));
    }
}

static void test_index(void)
{
    static struct fpgz_section section;
    struct fpgz_index index = {0}, read = {0};
    struct fpgz_numbers body = {0};
    struct fpgz_coded_head head;
    struct fpgz_error error = {0};
    make_index(&index);
    CHECK(!fpgz_index_code(&index, "", 0, &body, &head, &error));
    fpgz_pack_coded(&head, &section);
    section.body_length = body.length;
    CHECK(!fpgz_index_decode(&section, body.bytes.data, &read, &error) && read.sections == index.sections);
    CHECK(read.length == index.length && !memcmp(read.body.data, index.body.data, index.length));
    fpgz_index_free(&read);
    for (unsigned i = 0; i < 2000; i++) {
        struct fpgz_error cause = {0};
        const size_t length = i % 2 ? body.length : below(body.length) + 1;
        uint8_t *const copy = malloc(length);
        memcpy(copy, body.bytes.data, length);
        copy[below(length)] ^= (uint8_t)(1 << below(8));
        section.body_length = length;
        if (!fpgz_index_decode(&section, copy, &read, &cause)) /* a checksum may have changed */
            CHECK(read.sections == index.sections);
        fpgz_index_free(&read);
        free(copy);
    }
    fpgz_numbers_free(&body);
    fpgz_index_free(&index);
}

/* Three arrays of a family, of which two are in pieces, become a group, and what is read is the same. */
static void test_family(void)
{
    static const uint64_t number[] = {3, 0, 1, 5};
    struct fpgz_content content = {.kind = HDF5, .families = 1};
    struct fpgz_member member = {0};
    for (unsigned i = 0; i < 3; i++) {
        struct fpgz_part *const part = fpgz_content_add(&content);
        part->name = strdup(i ? i > 1 ? "/third" : "/second" : "/first");
        part->array = (struct fpgz_array){FPGZ_F64, FPGZ_BIG, 2, {6, 5}};
        part->family = 1;
        part->layout = i == 1 ? FPGZ_DENSE : FPGZ_PIECES;
        part->piece[0] = i == 1 ? 0 : 2;
        part->piece[1] = i == 1 ? 0 : 3;
        if (i == 1)
            CHECK(fpgz_place_add(&part->place, content.size, 240, 0));
        for (unsigned k = 0; k < 4 && i != 1; k++)
            CHECK(fpgz_place_add(&part->place, content.size + 60 * k, 48, number[(k + i) % 4]));
        content.size += 240;
    }
    CHECK(fpgz_content_group(&content) && content.count == 4 && content.part->layout == FPGZ_GROUP);
    CHECK(content.part->place.bytes == 240 + 2 * 192 && !content.part->axes);
    reread(&content, &member);
    CHECK(member.arrays == content.count);
    for (size_t i = 0; i < member.arrays; i++) {
        const struct fpgz_part *const a = &content.part[i], *const b = &member.array[i].part;
        CHECK(same_part(a, b) && a->carrier == b->carrier && a->grouped == b->grouped &&
              a->first == b->first);
        CHECK(a->pieced == b->pieced && a->pieced == !i && !memcmp(a->piece, b->piece, sizeof a->piece));
    }
    fpgz_member_free(&member);
    fpgz_content_free(&content);
}

int main(void)
{
    for (unsigned i = 0; i < 5; i++) {
        test_table();
        test_groups();
        test_family();
        test_index();
    }
    return checks_end();
}
