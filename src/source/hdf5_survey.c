/* SPDX-License-Identifier: MIT
 * Goes through all datasets of an HDF5 file and tells where the numbers are. */
#include "source/hdf5_survey.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "core/bytes.h"
#include "core/table.h"
#include "source/hdf5.h"
#include "source/hdf5_header.h"

struct survey {
    FILE *pipe;
    int fd;
    uint64_t size; /* of the file */
    struct fpgz_hdf5_watch *watch;
    struct fpgz_hdf5_known known;
    struct fpgz_hdf5_record total;
};

/* One dataset of numbers, or of records. */
struct candidate {
    hid_t id, type, plist;
    hid_t read; /* the type to read a value with: of records a field, for others may lie elsewhere */
    char *name;
    unsigned rank; /* axes without those of the type */
    struct fpgz_hdf5_record record;
    struct fpgz_hdf5_piece *piece;
    uint64_t room;          /* for pieces */
    uint64_t found;         /* bytes of the pieces */
    uint32_t steps;         /* a bit for each filter */
    struct fpgz_part table; /* its fields, where it is one */
};

static bool tell(struct survey *survey, struct candidate *c)
{
    c->record.name_length = (uint32_t)strlen(c->name);
    bool ok = fwrite(&c->record, sizeof c->record, 1, survey->pipe) == 1 &&
              fwrite(c->piece, sizeof *c->piece, c->record.pieces, survey->pipe) == c->record.pieces &&
              fwrite(c->name, 1, c->record.name_length, survey->pipe) == c->record.name_length;
    for (size_t i = 0; i < c->table.fields && ok; i++) {
        const struct fpgz_field *field = &c->table.field[i];
        const size_t length = strlen(field->name);
        const struct fpgz_hdf5_field sent = {field->array, field->offset, (uint32_t)length};
        ok = fwrite(&sent, sizeof sent, 1, survey->pipe) == 1 &&
             fwrite(field->name, 1, length, survey->pipe) == length;
    }
    return ok;
}

/* Finds where the library reads the first value of a contiguous dataset. False when it has no place in the
 * file. */
static bool find_contiguous(struct survey *survey, struct candidate *c)
{
    uint64_t bytes;
    H5D_space_status_t status;
    if (H5Pget_external_count(c->plist) != 0 || H5Dget_space_status(c->id, &status) < 0 ||
        status == H5D_SPACE_STATUS_NOT_ALLOCATED ||
        !fpgz_extents_bytes(c->record.array.dtype, c->record.array.extent, c->record.array.dims, &bytes))
        return false;
    const hid_t there = H5Dget_space(c->id), one = H5Screate(H5S_SCALAR);
    const hsize_t first[H5S_MAX_RANK] = {0};
    struct fpgz_hdf5_piece piece = {0};
    void *value = malloc(H5Tget_size(c->type));
    if (c->rank)
        H5Sselect_elements(there, H5S_SELECT_SET, 1, first);
    fpgz_hdf5_watch_begin(survey->watch);
    bool ok = value && H5Dread(c->id, c->read, one, there, H5P_DEFAULT, value) >= 0;
    ok = fpgz_hdf5_watch_end(survey->watch, &piece.offset) && ok && (c->piece = malloc(sizeof piece));
    if (ok) {
        *c->piece = piece;
        c->record.pieces = 1;
    }
    survey->total.damaged += !ok;
    free(value);
    H5Sclose(one);
    H5Sclose(there);
    return ok;
}

/* Finds the value of missing chunks, if that is a single one. */
static bool find_fill(struct candidate *c)
{
    const size_t size = H5Tget_size(c->type), value = fpgz_dtype_size(c->record.array.dtype);
    uint8_t *fill = calloc(1, size);
    bool alike = fill != NULL;
    if (fill && H5Pget_fill_value(c->plist, c->type, fill) >= 0) {
        memcpy(c->record.fill, fill, value);
        for (size_t at = value; at < size && alike; at += value)
            alike = !memcmp(fill + at, fill, value);
    }
    free(fill);
    return alike;
}

/* Makes room for one more chunk. */
static bool has_room(struct candidate *c)
{
    if (c->record.pieces < c->room)
        return true;
    const uint64_t room = c->room ? 2 * c->room : 64;
    struct fpgz_hdf5_piece *larger = reallocarray(c->piece, room, sizeof *larger);
    if (!larger)
        return false;
    c->piece = larger;
    c->room = room;
    return true;
}

/* Adds the chunk that begins at these coordinates, if it exists. If it does not, the library calls that an
 * error. */
static void find_chunk(struct survey *survey, struct candidate *c, const hsize_t *start, uint64_t number,
                       void *buffer)
{
    uint32_t skipped = 0;
    uint64_t offset;
    fpgz_hdf5_watch_begin(survey->watch);
    const bool ok = H5Dread_chunk(c->id, H5P_DEFAULT, start, &skipped, buffer) >= 0;
    const uint64_t length = fpgz_hdf5_watch_length(survey->watch);
    if (!fpgz_hdf5_watch_end(survey->watch, &offset) || !ok || length > UINT32_MAX || !has_room(c))
        return;
    c->piece[c->record.pieces++] =
        (struct fpgz_hdf5_piece){offset, number, (uint32_t)length, skipped & c->steps};
    c->found += length;
}

/* A sparse dataset may have more possible chunks than can be asked for one by one. The library's list of
 * existing chunks takes time with the square of their number. */
enum { ASK_ALWAYS = 1 << 20, ASK_FOR_ONE = 16, INDEX_MOST = 4096 };

/* How many chunks a dataset may have, and how many it has. */
struct chunks {
    uint64_t bytes; /* of each, without filters */
    uint64_t along[H5S_MAX_RANK], possible;
    uint64_t there;  /* with filters the most that there may be */
    uint64_t stored; /* bytes of all */
};

/* Asks for each possible chunk, in row-major order, until all existing ones are found. */
static void find_by_place(struct survey *survey, struct candidate *c, const struct chunks *chunks,
                          void *buffer)
{
    hsize_t start[H5S_MAX_RANK] = {0};
    for (uint64_t number = 0; number < chunks->possible && c->found < chunks->stored; number++) {
        find_chunk(survey, c, start, number, buffer);
        for (unsigned d = c->rank; d-- > 0;) {
            start[d] += c->record.piece[d];
            if (start[d] < c->record.array.extent[d])
                break;
            start[d] = 0;
        }
    }
}

/* Asks the library which chunks exist, where those are few. */
static void find_by_index(struct survey *survey, struct candidate *c, const struct chunks *chunks,
                          void *buffer)
{
    const hid_t space = H5Dget_space(c->id);
    for (uint64_t i = 0; i < fpgz_min(chunks->there, INDEX_MOST) && c->found < chunks->stored; i++) {
        hsize_t start[H5S_MAX_RANK];
        uint64_t number = 0;
        if (H5Dget_chunk_info(c->id, space, i, start, NULL, NULL, NULL) < 0)
            break;
        for (unsigned d = 0; d < c->rank; d++)
            number = number * chunks->along[d] + start[d] / c->record.piece[d];
        find_chunk(survey, c, start, number, buffer);
    }
    H5Sclose(space);
}

static int by_offset(const void *a, const void *b)
{
    const uint64_t x = ((const struct fpgz_hdf5_piece *)a)->offset,
                   y = ((const struct fpgz_hdf5_piece *)b)->offset;
    return (x > y) - (x < y);
}

/* Counts the dataset's chunks by its properties and sizes; false where these contradict each other. */
static bool count_chunks(struct candidate *c, struct chunks *chunks)
{
    const struct fpgz_array *array = &c->record.array;
    hsize_t extent[H5S_MAX_RANK];
    if (H5Pget_chunk(c->plist, H5S_MAX_RANK, extent) != (int)c->rank)
        return false;
    for (unsigned d = 0; d < array->dims; d++)
        c->record.piece[d] = d < c->rank ? extent[d] : array->extent[d];
    if (!fpgz_extents_bytes(array->dtype, c->record.piece, array->dims, &chunks->bytes))
        return false;
    chunks->possible = 1;
    for (unsigned d = 0; d < c->rank; d++) {
        chunks->along[d] = (array->extent[d] - 1) / extent[d] + 1;
        if (!fpgz_mul(chunks->possible, chunks->along[d], &chunks->possible))
            chunks->possible = UINT64_MAX;
    }
    chunks->stored = H5Dget_storage_size(c->id);
    if (c->steps) {
        chunks->there = fpgz_min(chunks->stored, chunks->possible);
    } else {
        chunks->there = fpgz_min(chunks->stored / chunks->bytes, chunks->possible);
        chunks->stored = chunks->there * chunks->bytes;
    }
    return chunks->there > 0;
}

/* Whether chunks of records become runs of pieces: they must be of whole rows, and missing ones of zeros. */
static bool table_chunks(const struct candidate *c, bool all)
{
    for (unsigned d = 1; d < c->rank; d++)
        if (c->record.piece[d] != c->record.array.extent[d])
            return false;
    return all || !c->record.fill[0];
}

/* Finds where the library reads the chunks of a dataset. False when that is not possible. */
static bool find_chunked(struct survey *survey, struct candidate *c)
{
    struct chunks chunks;
    if (!count_chunks(c, &chunks))
        return false;
    const bool dense =
        chunks.possible <= ASK_ALWAYS || (!c->steps && chunks.possible / ASK_FOR_ONE <= chunks.there);
    const bool alike = find_fill(c);
    if (!c->steps && ((!dense && chunks.there > INDEX_MOST) || (!alike && chunks.there < chunks.possible)))
        return false;
    if (c->record.fields && !table_chunks(c, chunks.there == chunks.possible))
        return false;
    void *buffer = malloc(chunks.bytes); /* never written to */
    if (buffer)
        (dense ? find_by_place : find_by_index)(survey, c, &chunks, buffer);
    free(buffer);
    const bool all = c->found == chunks.stored;
    survey->total.damaged += !all && (dense || !c->steps);
    if (all)
        qsort(c->piece, c->record.pieces, sizeof *c->piece, by_offset);
    return all && (alike || c->record.pieces == chunks.possible);
}

/* A dataset in filtered chunks. If its values are no numbers, its bytes are an array. */
static bool find_filtered(struct survey *survey, struct candidate *c)
{
    enum { STRING = 16 }; /* bytes of one of any length in the file: how long, and where it is */
    struct fpgz_array value;
    const size_t size = H5Tis_variable_str(c->type) > 0 ? STRING : H5Tget_size(c->type);
    char foreign[sizeof survey->total.foreign_filter] = "what has too many chunks";
    if (!fpgz_hdf5_value(c->type, &value) && !fpgz_hdf5_words(c->type, &value, c->name))
        value = (struct fpgz_array){FPGZ_U8, FPGZ_LITTLE, 1, {size}};
    if (!fpgz_hdf5_shape(c->id, &value, &c->record.array, &c->rank))
        return false;
    const bool known = fpgz_hdf5_filters(c->plist, &c->record.filters, &c->record.level, foreign);
    c->steps = (1u << c->record.filters.count) - 1;
    if (known && find_chunked(survey, c))
        return true;
    survey->total.foreign += H5Dget_storage_size(c->id);
    fpgz_hdf5_foreign(foreign, survey->total.foreign_filter);
    return false;
}

/* A dataset of numbers or records that the file has as they are. */
static bool find_plain(struct survey *survey, struct candidate *c)
{
    struct fpgz_array value;
    if (!fpgz_hdf5_value(c->type, &value)) {
        c->read = fpgz_hdf5_fields(c->type, &c->table);
        if (c->read < 0)
            return false;
        value = (struct fpgz_array){FPGZ_U8, FPGZ_LITTLE, 1, {H5Tget_size(c->type)}};
        c->record.fields = (uint32_t)c->table.fields;
    }
    if (!fpgz_hdf5_shape(c->id, &value, &c->record.array, &c->rank) || (c->record.fields && !c->rank))
        return false;
    const H5D_layout_t layout = H5Pget_layout(c->plist);
    return layout == H5D_CONTIGUOUS ? find_contiguous(survey, c)
                                    : layout == H5D_CHUNKED && find_chunked(survey, c);
}

static bool visit_dataset(struct survey *survey, struct candidate *c)
{
    const bool filtered = H5Pget_nfilters(c->plist) > 0;
    const bool found = (filtered ? find_filtered : find_plain)(survey, c);
    return !found || tell(survey, c);
}

/* Opens a dataset and tells of it. */
static bool survey_dataset(struct survey *survey, hid_t root, const char *path,
                           const struct fpgz_hdf5_header *header, struct candidate *c)
{
    c->id = H5Dopen2(root, path, H5P_DEFAULT);
    c->type = H5Dget_type(c->id);
    c->read = c->type;
    c->plist = H5Dget_create_plist(c->id);
    const bool readable = c->type >= 0 && c->plist >= 0;
    survey->total.damaged += !readable;
    const bool ok = !readable || visit_dataset(survey, c);
    if (header && c->record.pieces == 1 && !c->record.piece[0] && !c->record.fields)
        fpgz_hdf5_known_add(&survey->known, header, &c->record.array, c->piece->offset);
    free(c->piece);
    fpgz_part_free(&c->table);
    if (c->read != c->type)
        H5Tclose(c->read);
    H5Pclose(c->plist);
    H5Tclose(c->type);
    H5Dclose(c->id);
    return ok;
}

static herr_t visit(hid_t root, const char *path, const H5O_info_t *info, void *context)
{
    struct survey *survey = context;
    struct fpgz_hdf5_header header;
    if (info->type != H5O_TYPE_DATASET || strlen(path) >= FPGZ_HDF5_NAME_LIMIT)
        return 0;
    char name[FPGZ_HDF5_NAME_LIMIT + 1];
    struct candidate c = {.name = name};
    snprintf(name, sizeof name, "/%s", path);
    const bool simple = info->hdr.nchunks == 1 && fpgz_hdf5_header_read(survey->fd, survey->size, info->addr,
                                                                        info->hdr.space.total, &header);
    const struct fpgz_array *const known = simple ? fpgz_hdf5_known_find(&survey->known, &header) : NULL;
    if (!known)
        return survey_dataset(survey, root, path, simple ? &header : NULL, &c) ? 0 : -1;
    c.piece = &(struct fpgz_hdf5_piece){.offset = header.offset};
    c.record.pieces = 1;
    c.record.array = *known;
    return tell(survey, &c) ? 0 : -1;
}

void fpgz_hdf5_survey(const void *context, int file_fd, int fd, struct fpgz_error *error)
{
    (void)context;
    struct survey survey = {.pipe = fdopen(fd, "w"), .fd = file_fd};
    struct stat status;
    if (!survey.pipe) {
        fpgz_fail(error, FPGZ_MEMORY, "no memory");
        return;
    }
    survey.size = fstat(file_fd, &status) == 0 ? (uint64_t)status.st_size : 0;
    const hid_t file = fpgz_hdf5_open(file_fd, &survey.watch);
    if (file < 0) {
        fpgz_hdf5_fail(error, FPGZ_CORRUPT, "the HDF5 library cannot read it");
        return;
    }
    /* Objects with several names are visited once; links to other files are not followed. */
    if (H5Ovisit2(file, H5_INDEX_NAME, H5_ITER_INC, visit, &survey, H5O_INFO_BASIC | H5O_INFO_HDR) < 0)
        survey.total.damaged++;
    fwrite(&survey.total, sizeof survey.total, 1, survey.pipe);
    fflush(survey.pipe);
}
