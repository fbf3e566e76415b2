/* SPDX-License-Identifier: MIT
 * Turns what the child tells of an HDF5 file into a file's content. Nothing of it is trusted before
 * fpgz_content_complete() has checked it: the file may be damaged, and the child may have crashed. */
#include <stdlib.h>

#include "core/bytes.h"
#include "core/io.h"
#include "core/table.h"
#include "core/text.h"
#include "source/hdf5.h"
#include "source/hdf5_formats.h"
#include "source/hdf5_survey.h"
#include "source/helper.h"

/* Reads exactly `length` bytes. */
static bool take(int fd, void *data, size_t length)
{
    size_t got;
    return fpgz_read(fd, data, length, &got) && got == length;
}

/* Reads the places of the record's pieces, of `bytes` bytes each. The place stays empty where they cannot
 * be right. */
static bool take_pieces(int fd, const struct fpgz_hdf5_record *record, uint64_t bytes,
                        struct fpgz_place *place)
{
    struct fpgz_hdf5_piece piece[1024];
    bool right = true;
    for (uint64_t left = record->pieces; left;) {
        const size_t count = fpgz_min(left, sizeof piece / sizeof *piece);
        if (!take(fd, piece, count * sizeof *piece))
            return false;
        for (size_t i = 0; i < count && right; i++)
            right = fpgz_place_add(place, piece[i].offset, bytes, piece[i].number);
        left -= count;
    }
    if (!right)
        place->bytes = 0;
    return true;
}

/* Makes records the pieces of a table, whose chunks are whole rows of them. What cannot be right leaves an
 * empty place. */
static bool cut_records(struct fpgz_part *table)
{
    const struct fpgz_array *array = &table->array;
    struct fpgz_place chunks = table->place;
    const uint64_t bytes = array->extent[array->dims - 1];
    uint64_t row = 1, records = 1;
    for (unsigned d = 1; d + 1 < array->dims; d++)
        row *= array->extent[d];
    records = row * array->extent[0];
    table->place = (struct fpgz_place){0};
    bool ok = true;
    for (size_t i = 0; i < chunks.count && ok; i++)
        for (uint64_t j = 0; j < chunks.run[i].count && ok; j++) {
            const struct fpgz_run *run = &chunks.run[i];
            const uint64_t each = run->bytes / bytes; /* records of a chunk */
            struct fpgz_run own = {.bytes = bytes, .step = bytes, .offset = run->offset + j * run->step};
            ok = fpgz_mul(run->number + j, each, &own.number) && own.number < records;
            own.count = ok ? fpgz_min(each, records - own.number) : 0;
            ok = ok && fpgz_place_add_run(&table->place, &own);
        }
    free(chunks.run);
    for (unsigned d = 0; d + 1 < array->dims; d++)
        table->piece[d] = 1;
    table->piece[array->dims - 1] = bytes;
    return ok;
}

/* Reads the fields of a table. *right is false where they cannot be right. */
static bool take_fields(int fd, uint32_t fields, struct fpgz_part *table, bool *right)
{
    struct fpgz_hdf5_field field;
    char name[FPGZ_HDF5_NAME_LIMIT + 1];
    for (uint32_t i = 0; i < fields; i++) {
        if (!take(fd, &field, sizeof field) || field.name_length >= sizeof name ||
            !take(fd, name, field.name_length) || field.array.dims > FPGZ_MAX_DIMS ||
            !fpgz_dtype_known(field.array.dtype))
            return false;
        name[field.name_length] = '\0';
        if (!fpgz_table_add(table, name, &field.array, field.offset))
            return false;
    }
    const struct fpgz_array *const array = &table->array;
    uint64_t bytes;
    const bool records = array->dtype == FPGZ_U8 && array->dims > 1 &&
                         fpgz_extents_bytes(array->dtype, array->extent, array->dims, &bytes);
    const enum fpgz_status status = records ? fpgz_table_complete(table) : FPGZ_CORRUPT;
    *right = !status && (table->layout == FPGZ_DENSE || cut_records(table));
    return status != FPGZ_MEMORY;
}

static bool take_name(int fd, const struct fpgz_hdf5_record *record, struct fpgz_part *part)
{
    part->name = calloc(1, record->name_length + 1);
    return part->name && take(fd, part->name, record->name_length);
}

/* An array that is the beginning of its only piece is dense; what the file has behind it in the piece belongs
 * to no array. */
static void trim(struct fpgz_part *part)
{
    struct fpgz_run *const run = part->place.run;
    uint64_t bytes;
    for (unsigned d = 1; d < part->array.dims; d++)
        if (part->piece[d] != part->array.extent[d])
            return;
    if (part->layout != FPGZ_PIECES || part->place.count != 1 || run->count != 1 || run->number ||
        part->piece[0] <= part->array.extent[0] ||
        !fpgz_extents_bytes(part->array.dtype, part->array.extent, part->array.dims, &bytes))
        return;
    part->layout = FPGZ_DENSE;
    run->bytes = run->step = part->place.bytes = bytes;
}

static bool take_part(int fd, const struct fpgz_hdf5_record *record, struct fpgz_part *part)
{
    const bool chunked = record->piece[0] != 0;
    const struct fpgz_array *array = &record->array;
    uint64_t bytes;
    part->array = *array;
    part->layout = chunked ? FPGZ_PIECES : FPGZ_DENSE;
    memcpy(part->piece, record->piece, sizeof part->piece);
    memcpy(part->fill, record->fill, sizeof part->fill);
    if (record->name_length > FPGZ_HDF5_NAME_LIMIT || array->dims > FPGZ_MAX_DIMS ||
        !fpgz_extents_bytes(array->dtype, chunked ? record->piece : array->extent, array->dims, &bytes) ||
        !take_pieces(fd, record, bytes, &part->place))
        return false;
    trim(part);
    return take_name(fd, record, part);
}

/* Reads an array in filtered pieces. What the pieces are is checked when the filters are undone. */
static bool take_filtered(int fd, const struct fpgz_hdf5_record *record, struct fpgz_filtered *filtered)
{
    struct fpgz_hdf5_piece piece;
    filtered->part.array = record->array;
    filtered->part.layout = FPGZ_PIECES;
    filtered->part.filters = record->filters;
    filtered->level = record->level <= 9 ? (uint8_t)record->level : 0;
    memcpy(filtered->part.piece, record->piece, sizeof record->piece);
    memcpy(filtered->part.fill, record->fill, sizeof record->fill);
    if (record->name_length > FPGZ_HDF5_NAME_LIMIT || record->pieces > SIZE_MAX / sizeof *filtered->piece)
        return false;
    filtered->piece = calloc(record->pieces, sizeof *filtered->piece);
    for (; filtered->piece && filtered->pieces < record->pieces; filtered->pieces++) {
        if (!take(fd, &piece, sizeof piece))
            return false;
        filtered->piece[filtered->pieces] =
            (struct fpgz_kept){piece.number, piece.offset, piece.length, (uint8_t)piece.skipped};
    }
    return filtered->piece && take_name(fd, record, &filtered->part);
}

/* Reads the fields of a part that is a table; one with fields that cannot be becomes bytes, with a remark. */
static bool take_table(int fd, const struct fpgz_hdf5_record *record, struct fpgz_part *part,
                       struct fpgz_error *remark)
{
    bool right = true;
    if (!record->fields)
        return true;
    if (!take_fields(fd, record->fields, part, &right))
        return false;
    if (!right) {
        part->layout = FPGZ_BYTES;
        fpgz_fail(remark, FPGZ_CORRUPT,
                  "fields of dataset %.*s overlap, or are not within its records; it is "
                  "archived as bytes",
                  fpgz_text_fit(part->name, FPGZ_NAME_SHOWN), part->name);
    }
    return true;
}

/* Reads all records; false when the last one is missing. */
static bool take_all(int fd, struct fpgz_content *content, struct fpgz_error *remark)
{
    struct fpgz_hdf5_record record;
    while (take(fd, &record, sizeof record)) {
        if (!record.pieces) {
            content->foreign = record.foreign;
            memcpy(content->foreign_filter, record.foreign_filter, sizeof record.foreign_filter);
            content->foreign_filter[sizeof content->foreign_filter - 1] = '\0';
            if (record.damaged)
                fpgz_fail(remark, FPGZ_CORRUPT,
                          "the HDF5 library, %s, cannot read %u of its objects; they are archived as bytes",
                          fpgz_hdf5_version(), record.damaged);
            return true;
        }
        if (record.filters.count) {
            struct fpgz_filtered *filtered = fpgz_content_add_filtered(content);
            if (!filtered || !take_filtered(fd, &record, filtered))
                return false;
            continue;
        }
        struct fpgz_part *part = fpgz_content_add(content);
        if (!part || !take_part(fd, &record, part) || !take_table(fd, &record, part, remark))
            return false;
    }
    return false;
}

enum fpgz_status fpgz_hdf5_describe(int fd, struct fpgz_content *content, struct fpgz_error *remark,
                                    struct fpgz_error *error)
{
    /* A hundred times what files without defects take. */
    const struct fpgz_work work = {.reader = "the HDF5 library",
                                   .prepare = fpgz_hdf5_prepare,
                                   .run = fpgz_hdf5_survey,
                                   .seconds = 60 + content->size / (16 << 20),
                                   .bytes = (uint64_t)8 << 30};
    struct fpgz_error failure = {0};
    int pipe;
    if (!fpgz_helper_ask(&work, NULL, 0, fd, &pipe, &failure)) {
        const bool complete = take_all(pipe, content, remark);
        if (!fpgz_helper_end(pipe, &failure) && !complete)
            fpgz_fail(&failure, FPGZ_CORRUPT, "the HDF5 library did not finish reading it");
    }
    if (failure.status) {
        fpgz_content_clear(content);
        *remark = (struct fpgz_error){0};
        fpgz_fail(remark, failure.status == FPGZ_UNSUPPORTED ? FPGZ_UNSUPPORTED : FPGZ_CORRUPT,
                  "%s; it is archived as bytes", failure.text);
    }
    return error->status;
}
