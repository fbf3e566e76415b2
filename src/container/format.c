/* SPDX-License-Identifier: MIT
 * Packs and unpacks the heads of sections, field by field, and refuses values that fpgz.5 does not allow. */
#include "container/format.h"

#include <inttypes.h>
#include <string.h>

#include "core/bytes.h"

enum {
    FILE_BYTES = 32,
    ARRAY_BYTES = 32,
    END_BYTES = FPGZ_END_BYTES - FPGZ_SECTION_BYTES,
    SHORT_END_BYTES = FPGZ_SHORT_END_BYTES - FPGZ_SECTION_BYTES,
    ATTRIBUTES_BYTES = 4,
    ARRAYS_BYTES = 4,
    CODED_BYTES = 12,
};
enum { FILE_HAS_MODE = 1, FILE_HAS_MTIME = 2, FILE_SCATTERED = 4, IMAGE_BYTES = 8 };
/* Layouts beside those of enum fpgz_layout: FPGZ_DENSE, FPGZ_GROUP and FPGZ_PIECES otherwise. LAYOUT_TURNED
 * and LAYOUT_FOLDED are added to FPGZ_DENSE and FPGZ_PIECES. */
enum {
    LAYOUT_COLUMN_MAJOR = FPGZ_BYTES + 1,
    LAYOUT_GROUP = 4,
    LAYOUT_FILTERED = 5,
    LAYOUT_BANDED = 7, /* FPGZ_LAYOUT_COPY is between */
    LAYOUT_TURNED = 8,
    LAYOUT_FOLDED = 10, /* turned, too: the table tells how many values a row has */
    LAYOUT_PIECED = 12, /* a group whose members may be in pieces */
};
enum { PIECES_BYTES = 16 }; /* of an array of pieces, besides their extents */

uint8_t *fpgz_head_begin(struct fpgz_section *section, enum fpgz_section_type type, size_t length)
{
    section->type = type;
    section->coded = false;
    section->head_length = length;
    return memset(section->bytes + FPGZ_SECTION_BYTES, 0, length);
}

void fpgz_pack_file(const struct fpgz_file_head *head, struct fpgz_section *section)
{
    const size_t name = strlen(head->name);
    const bool image = head->image != head->size;
    uint8_t *bytes = fpgz_head_begin(section, FPGZ_SECTION_FILE,
                                     FILE_BYTES + (image ? IMAGE_BYTES : 0) + name + head->table_length);
    bytes[0] = head->kind;
    bytes[1] = (head->has_mode ? FILE_HAS_MODE : 0) | (head->has_mtime ? FILE_HAS_MTIME : 0) |
               (head->scattered ? FILE_SCATTERED : 0) | (image ? FPGZ_FILE_HAS_IMAGE : 0) |
               (head->table_length ? FPGZ_FILE_HAS_TABLE : 0);
    fpgz_store16(bytes + 2, (uint16_t)name);
    fpgz_store32(bytes + 4, head->mode);
    fpgz_store64(bytes + 8, head->size);
    fpgz_store64(bytes + 16, (uint64_t)head->mtime);
    fpgz_store32(bytes + 24, head->mtime_ns);
    bytes += FILE_BYTES;
    if (image) {
        fpgz_store64(bytes, head->image);
        bytes += IMAGE_BYTES;
    }
    memcpy(bytes, head->name, name);
    if (head->table_length)
        memcpy(bytes + name, head->table, head->table_length);
}

static const uint8_t *load_extents(const uint8_t *bytes, uint64_t *extent, unsigned dims)
{
    for (unsigned d = 0; d < dims; d++)
        extent[d] = fpgz_load64(bytes + 8 * d);
    return bytes + 8 * dims;
}

/* Bytes of an array's head without its name. */
static size_t array_bytes(enum fpgz_layout layout, unsigned dims)
{
    return ARRAY_BYTES + 8 * dims + (layout == FPGZ_PIECES ? 8 * dims + PIECES_BYTES : 0);
}

unsigned fpgz_layout_id(const struct fpgz_part *part)
{
    return part->turned                 ? (part->axes ? LAYOUT_FOLDED : LAYOUT_TURNED) + part->layout
           : part->column_major         ? LAYOUT_COLUMN_MAJOR
           : part->banded               ? LAYOUT_BANDED
           : part->filters.count        ? LAYOUT_FILTERED
           : part->layout == FPGZ_GROUP ? (part->pieced ? LAYOUT_PIECED : LAYOUT_GROUP)
                                        : part->layout;
}

static bool layout_known(uint64_t layout, bool table)
{
    return layout <= (table ? LAYOUT_FILTERED : LAYOUT_COLUMN_MAJOR) ||
           (table && layout >= LAYOUT_BANDED && layout <= LAYOUT_PIECED);
}

bool fpgz_layout_set(struct fpgz_part *part, uint64_t dtype, uint64_t layout, uint64_t order, bool table,
                     struct fpgz_error *error)
{
    if (dtype >= FPGZ_DTYPES || !fpgz_dtype_known((unsigned)dtype) || order > FPGZ_BIG ||
        !layout_known(layout, table))
        return fpgz_fail(error, FPGZ_UNSUPPORTED,
                         "an array has dtype %" PRIu64 ", byte order %" PRIu64 ", layout %" PRIu64
                         ", not all known to this fpgz: use a newer fpgz",
                         dtype, order, layout),
               false;
    part->array.dtype = (enum fpgz_dtype)dtype;
    part->array.order = (enum fpgz_order)order;
    part->pieced = layout == LAYOUT_PIECED;
    if (part->pieced)
        layout = LAYOUT_GROUP;
    part->turned = layout >= LAYOUT_TURNED;
    part->axes = layout >= LAYOUT_FOLDED;
    layout -= part->axes ? LAYOUT_FOLDED : part->turned ? LAYOUT_TURNED : 0;
    part->column_major = layout == LAYOUT_COLUMN_MAJOR;
    part->banded = layout == LAYOUT_BANDED;
    part->filters.count = part->banded || layout == LAYOUT_FILTERED; /* there is a first one at least */
    part->layout = part->column_major       ? FPGZ_DENSE
                   : part->filters.count    ? FPGZ_PIECES
                   : layout == LAYOUT_GROUP ? FPGZ_GROUP
                                            : (enum fpgz_layout)layout;
    return true;
}

bool fpgz_layout_copied(uint64_t layout)
{
    return layout == FPGZ_DENSE || layout == FPGZ_PIECES || layout == LAYOUT_COLUMN_MAJOR ||
           layout == LAYOUT_FILTERED || layout == LAYOUT_BANDED;
}

void fpgz_pack_arrays(const struct fpgz_arrays_head *head, struct fpgz_section *section)
{
    uint8_t *bytes = fpgz_head_begin(section, FPGZ_SECTION_ARRAYS, ARRAYS_BYTES);
    fpgz_store32(bytes, head->bytes);
}

void fpgz_pack_coded(const struct fpgz_coded_head *head, struct fpgz_section *section)
{
    uint8_t *bytes = fpgz_head_begin(section, FPGZ_SECTION_CODED_INDEX, CODED_BYTES);
    fpgz_store32(bytes, head->bytes);
    fpgz_store32(bytes + 4, head->checks);
    fpgz_store32(bytes + 8, head->reserve);
}

void fpgz_pack_attributes(uint32_t array, struct fpgz_section *section)
{
    fpgz_store32(fpgz_head_begin(section, FPGZ_SECTION_ATTRIBUTES, ATTRIBUTES_BYTES), array);
}

void fpgz_pack_xattrs(struct fpgz_section *section)
{
    fpgz_head_begin(section, FPGZ_SECTION_XATTRS, 0);
}

void fpgz_pack_end(const struct fpgz_end_head *head, struct fpgz_section *section)
{
    if (!head->index_offset) {
        uint8_t *const bytes = fpgz_head_begin(section, FPGZ_SECTION_SHORT_END, SHORT_END_BYTES);
        fpgz_store64(bytes, head->content_check);
        fpgz_store32(bytes + 8, (uint32_t)head->member_length);
        return;
    }
    uint8_t *const bytes = fpgz_head_begin(section, FPGZ_SECTION_END, END_BYTES);
    fpgz_store64(bytes, head->index_offset);
    fpgz_store64(bytes + 8, head->member_length);
    fpgz_store64(bytes + 16, head->raw_bytes);
    fpgz_store64(bytes + 24, head->content_check);
    fpgz_store64(bytes + 32, head->sections);
}

enum fpgz_status fpgz_head_bad(const struct fpgz_section *section, struct fpgz_error *error)
{
    static const char *const names[] = {"",    "file",   "array", "chunk", "", "index",
                                        "end", "arrays", "index", "",      "", "end"},
                             *const more[] = {"", "attributes", "extended attributes"};
    return fpgz_fail(error, FPGZ_CORRUPT, "section %" PRIu32 " (%s): its fields contradict each other",
                     section->number,
                     section->type > FPGZ_SECTION_MAY_SKIP ? more[section->type - FPGZ_SECTION_MAY_SKIP]
                                                           : names[section->type]);
}

enum fpgz_status fpgz_unpack_file(const struct fpgz_section *section, bool (*has_kind)(unsigned kind),
                                  struct fpgz_file_head *head, struct fpgz_error *error)
{
    const uint8_t *bytes = fpgz_section_head(section);
    if (section->head_length < FILE_BYTES)
        return fpgz_head_bad(section, error);
    /* Only a file of several arrays can have an image, or its chunks in another order than its bytes. */
    const unsigned flags =
        FILE_HAS_MODE | FILE_HAS_MTIME |
        (bytes[0] == FPGZ_KIND_RAW ? FPGZ_FILE_HAS_TABLE : FILE_SCATTERED | FPGZ_FILE_HAS_IMAGE);
    if (!has_kind(bytes[0]) || bytes[1] & ~flags)
        return fpgz_fail(
            error, FPGZ_UNSUPPORTED,
            "the file was archived as kind %u (flags %u), which this fpgz does not know: use a newer fpgz",
            bytes[0], bytes[1]);
    head->kind = bytes[0];
    head->has_mode = bytes[1] & FILE_HAS_MODE;
    head->has_mtime = bytes[1] & FILE_HAS_MTIME;
    head->scattered = bytes[1] & FILE_SCATTERED;
    head->mode = fpgz_load32(bytes + 4);
    head->size = fpgz_load64(bytes + 8);
    head->mtime = (int64_t)fpgz_load64(bytes + 16);
    head->mtime_ns = fpgz_load32(bytes + 24);
    const size_t name = fpgz_load16(bytes + 2),
                 before = bytes[1] & FPGZ_FILE_HAS_IMAGE ? FILE_BYTES + IMAGE_BYTES : FILE_BYTES;
    const bool table = bytes[1] & FPGZ_FILE_HAS_TABLE;
    if (section->head_length < before + name + table ||
        section->head_length > before + name + FPGZ_MAX_ARRAY_BYTES ||
        (!table && section->head_length > before + name))
        return fpgz_head_bad(section, error);
    head->table = bytes + before + name;
    head->table_length = section->head_length - before - name;
    head->image = before > FILE_BYTES ? fpgz_load64(bytes + FILE_BYTES) : head->size;
    bytes += before;
    if (name >= sizeof head->name ||
        (before > FILE_BYTES &&
         (head->image > INT64_MAX || head->size > INT64_MAX || head->image == head->size)) ||
        memchr(bytes, '\0', name) || memchr(bytes, '/', name) || head->mode > 07777 ||
        head->mtime_ns > 999999999)
        return fpgz_head_bad(section, error);
    memcpy(head->name, bytes, name);
    head->name[name] = '\0';
    return FPGZ_OK;
}

enum fpgz_status fpgz_unpack_array(const struct fpgz_section *section, struct fpgz_array_head *head,
                                   struct fpgz_error *error)
{
    const uint8_t *bytes = fpgz_section_head(section);
    struct fpgz_array *array = &head->part.array;
    memset(head, 0, sizeof *head);
    if (section->head_length < ARRAY_BYTES)
        return fpgz_head_bad(section, error);
    if (!fpgz_layout_set(&head->part, bytes[4], bytes[7], bytes[5], false, error))
        return error->status;
    head->number = fpgz_load32(bytes);
    array->dims = bytes[6];
    head->file_offset = fpgz_load64(bytes + 8);
    head->largest_chunk = fpgz_load64(bytes + 16);
    head->name_length = fpgz_load16(bytes + 24);
    if (array->dims < 1 || array->dims > FPGZ_MAX_DIMS || head->name_length > FPGZ_MAX_NAME_BYTES ||
        section->head_length != array_bytes(head->part.layout, array->dims) + head->name_length)
        return fpgz_head_bad(section, error);
    bytes = load_extents(bytes + ARRAY_BYTES, array->extent, array->dims);
    if (head->part.layout == FPGZ_PIECES) {
        bytes = load_extents(bytes, head->part.piece, array->dims);
        head->pieces = fpgz_load64(bytes);
        memcpy(head->part.fill, bytes + 8, sizeof head->part.fill);
        bytes += PIECES_BYTES;
    }
    head->name = (const char *)bytes;
    return memchr(bytes, '\0', head->name_length) ? fpgz_head_bad(section, error) : FPGZ_OK;
}

enum fpgz_status fpgz_unpack_arrays(const struct fpgz_section *section, struct fpgz_arrays_head *head,
                                    struct fpgz_error *error)
{
    if (section->head_length != ARRAYS_BYTES)
        return fpgz_head_bad(section, error);
    const uint8_t *bytes = fpgz_section_head(section);
    head->bytes = fpgz_load32(bytes);
    return section->body_length && section->body_length <= head->bytes ? FPGZ_OK
                                                                       : fpgz_head_bad(section, error);
}

enum fpgz_status fpgz_unpack_coded(const struct fpgz_section *section, struct fpgz_coded_head *head,
                                   struct fpgz_error *error)
{
    if (section->head_length != CODED_BYTES)
        return fpgz_head_bad(section, error);
    const uint8_t *bytes = fpgz_section_head(section);
    head->bytes = fpgz_load32(bytes);
    head->checks = fpgz_load32(bytes + 4);
    head->reserve = fpgz_load32(bytes + 8);
    const uint64_t others = 8 * (uint64_t)head->checks + head->reserve;
    return others <= section->body_length && section->body_length - others <= head->bytes &&
                   head->bytes / FPGZ_INDEX_RATIO <= section->body_length
               ? FPGZ_OK
               : fpgz_head_bad(section, error);
}

enum fpgz_status fpgz_unpack_attributes(const struct fpgz_section *section, uint32_t *array,
                                        struct fpgz_error *error)
{
    if (section->head_length != ATTRIBUTES_BYTES)
        return fpgz_head_bad(section, error);
    *array = fpgz_load32(fpgz_section_head(section));
    return FPGZ_OK;
}

enum fpgz_status fpgz_unpack_xattrs(const struct fpgz_section *section, struct fpgz_error *error)
{
    return section->head_length || section->number != 1 ? fpgz_head_bad(section, error) : FPGZ_OK;
}

enum fpgz_status fpgz_unpack_end(const struct fpgz_section *section, struct fpgz_end_head *head,
                                 struct fpgz_error *error)
{
    const bool is_short = section->type == FPGZ_SECTION_SHORT_END;
    if (section->head_length != (is_short ? SHORT_END_BYTES : END_BYTES) || section->body_length != 0)
        return fpgz_head_bad(section, error);
    const uint8_t *bytes = fpgz_section_head(section);
    if (is_short) {
        *head = (struct fpgz_end_head){.member_length = fpgz_load32(bytes + 8),
                                       .raw_bytes = FPGZ_UNKNOWN,
                                       .content_check = fpgz_load64(bytes),
                                       .sections = section->number};
        return FPGZ_OK;
    }
    head->index_offset = fpgz_load64(bytes);
    head->member_length = fpgz_load64(bytes + 8);
    head->raw_bytes = fpgz_load64(bytes + 16);
    head->content_check = fpgz_load64(bytes + 24);
    head->sections = fpgz_load64(bytes + 32);
    return FPGZ_OK;
}
