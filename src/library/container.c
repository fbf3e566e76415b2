/* SPDX-License-Identifier: MIT
 * fpgz_container_*() and fpgz_decode(): the arrays of all members, found through their indexes. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "archive/extraction.h"
#include "archive/unpacking.h"
#include "library/common.h"

static const enum fpgz_order native = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__ ? FPGZ_BIG : FPGZ_LITTLE;

/* An array of a member. */
struct entry {
    uint64_t end;    /* of the member, absolute */
    uint32_t number; /* of the array in it */
    char *name;
    struct fpgz_array array; /* as a user indexes it */
};

struct fpgz_container {
    int fd;
    const void *memory;             /* NULL: fd */
    size_t length;                  /* there */
    const struct fpgz_fetch *fetch; /* what it comes out of there by */
    uint64_t start;                 /* where it begins */
    struct fpgz_terms terms;
    struct entry *entry;
    size_t count, capacity;
};

static void open_reader(const struct fpgz_container *c, struct fpgz_reader *reader)
{
    if (c->memory)
        fpgz_reader_open_memory(reader, c->memory, c->length);
    else
        fpgz_reader_open(reader, c->fd);
    reader->fetch = c->fetch;
    reader->position = c->start;
}

/* An array as a user indexes it. */
static void take_shape(const struct fpgz_member_array *from, struct fpgz_array *array)
{
    struct fpgz_array shape;
    fpgz_member_shape(from, &shape);
    fpgz_slice_shape(&from->part, &shape, array);
}

static bool add_entry(struct fpgz_container *c, const struct fpgz_member_array *from, uint64_t end,
                      uint32_t number)
{
    if (c->count == c->capacity) {
        const size_t capacity = 2 * c->capacity + 8;
        struct entry *more = realloc(c->entry, capacity * sizeof *more);
        if (!more)
            return false;
        c->entry = more;
        c->capacity = capacity;
    }
    struct entry *entry = &c->entry[c->count];
    *entry = (struct entry){.end = end, .number = number, .name = strdup(from->part.name)};
    take_shape(from, &entry->array);
    c->count += entry->name != NULL;
    return entry->name != NULL;
}

/* Takes the arrays of the member that ends at byte *end, the last one first. */
static enum fpgz_status take_member(struct fpgz_container *c, struct fpgz_catalog *catalog, uint64_t *end,
                                    struct fpgz_error *error)
{
    const uint64_t stop = *end;
    fpgz_member_free(&catalog->member);
    catalog->member = (struct fpgz_member){0};
    if (fpgz_catalog_member(catalog, end, error))
        return error->status;
    for (size_t i = catalog->member.arrays; i-- > 0;)
        if (fpgz_part_is_array(&catalog->member.array[i].part) &&
            !add_entry(c, &catalog->member.array[i], stop, (uint32_t)i))
            return fpgz_fail(error, FPGZ_MEMORY, "no memory for a list of arrays");
    return FPGZ_OK;
}

/* Finds all arrays, in the order in which they stand. */
static enum fpgz_status take_all(struct fpgz_container *c, struct fpgz_error *error)
{
    struct fpgz_catalog *catalog = calloc(1, sizeof *catalog);
    if (!catalog)
        return fpgz_fail(error, FPGZ_MEMORY, "no memory");
    struct fpgz_reader *reader = &catalog->reader;
    open_reader(c, reader);
    if (!reader->regular)
        fpgz_fail(error, FPGZ_USAGE, "a container is opened in a file that can be sought, or in memory");
    else
        fpgz_reader_check_magic(reader, error);
    for (uint64_t end = reader->file_size; end > c->start && !error->status;)
        take_member(c, catalog, &end, error);
    for (size_t i = 0; i < c->count / 2; i++) {
        const struct entry other = c->entry[i];
        c->entry[i] = c->entry[c->count - 1 - i];
        c->entry[c->count - 1 - i] = other;
    }
    fpgz_catalog_close(catalog);
    free(catalog);
    return error->status;
}

static enum fpgz_status open_any(int fd, const void *memory, size_t length, const struct fpgz_fetch *fetch,
                                 struct fpgz_container **container, struct fpgz_error *error)
{
    struct fpgz_container *c = calloc(1, sizeof *c);
    *container = NULL;
    if (!c)
        return fpgz_fail(error, FPGZ_MEMORY, "no memory");
    const off_t start = memory ? 0 : lseek(fd, 0, SEEK_CUR);
    c->fd = fd;
    c->memory = memory;
    c->length = length;
    c->fetch = fetch;
    c->start = start > 0 ? (uint64_t)start : 0;
    fpgz_library_terms(NULL, &c->terms, error);
    c->terms.setup.trusting = true; /* the caller's room is the bound */
    if (take_all(c, error)) {
        fpgz_container_close(c);
        return error->status;
    }
    *container = c;
    return FPGZ_OK;
}

enum fpgz_status fpgz_container_open(int fd, struct fpgz_container **container, struct fpgz_error *error)
{
    struct fpgz_error own;
    return open_any(fd, NULL, 0, NULL, container, fpgz_library_error(error, &own));
}

enum fpgz_status fpgz_container_open_memory(const void *bytes, size_t length,
                                            struct fpgz_container **container, struct fpgz_error *error)
{
    struct fpgz_error own;
    return open_any(-1, bytes, length, NULL, container, fpgz_library_error(error, &own));
}

enum fpgz_status fpgz_library_open(const void *bytes, size_t length, const struct fpgz_fetch *fetch,
                                   struct fpgz_backend *backend, struct fpgz_container **container,
                                   struct fpgz_error *error)
{
    if (!open_any(-1, bytes, length, fetch, container, error))
        (*container)->terms.backend = backend;
    return error->status;
}

size_t fpgz_container_arrays(const struct fpgz_container *container)
{
    return container->count;
}

const char *fpgz_container_array(const struct fpgz_container *container, size_t index,
                                 struct fpgz_array *array)
{
    *array = container->entry[index].array;
    return container->entry[index].name;
}

/* A sink that is memory of the caller's. */
static enum fpgz_status take_values(void *state, const void *data, size_t length, struct fpgz_error *error)
{
    uint8_t **const to = state;
    (void)error;
    memcpy(*to, data, length);
    *to += length;
    return FPGZ_OK;
}

static const struct fpgz_sink memory_sink = {.name = "memory", .write = take_values};

static bool box_fits(const struct fpgz_box *box, const struct fpgz_array *array)
{
    bool fits = box->dims == array->dims;
    for (unsigned d = 0; fits && d < box->dims; d++)
        fits = box->first[d] <= box->end[d] && box->end[d] <= array->extent[d];
    return fits;
}

/* Reads what the box names of the array that is chosen. */
static enum fpgz_status extract(struct fpgz_extraction *e, const struct fpgz_box *box, size_t room,
                                struct fpgz_error *error)
{
    struct fpgz_array shape;
    const struct fpgz_part *part = fpgz_extraction_part(e, &shape);
    fpgz_slice_of_box(&e->slice, part, &shape, box, native);
    if (e->slice.bytes > room)
        return fpgz_fail(error, FPGZ_LIMIT, "needs %zu bytes, and has room for %zu", e->slice.bytes, room);
    return fpgz_slice_open(&e->slice, error) ? error->status : fpgz_extraction_run(e, error);
}

enum fpgz_status fpgz_library_catalog(const struct fpgz_container *c, size_t index,
                                      struct fpgz_catalog *catalog, uint32_t *array, struct fpgz_error *error)
{
    uint64_t end = c->entry[index].end;
    *array = c->entry[index].number;
    open_reader(c, &catalog->reader);
    return fpgz_catalog_member(catalog, &end, error) ? error->status
                                                     : fpgz_catalog_table(catalog, *array, error);
}

bool fpgz_library_sole(const void *bytes, size_t length, const struct fpgz_fetch *fetch,
                       struct fpgz_catalog *catalog, uint32_t *number, struct fpgz_array *array)
{
    struct fpgz_error error = {0};
    uint64_t end = length;
    uint32_t arrays = 0;
    fpgz_reader_open_memory(&catalog->reader, bytes, length);
    catalog->reader.fetch = fetch;
    if (fpgz_reader_check_magic(&catalog->reader, &error) || fpgz_catalog_member(catalog, &end, &error) ||
        end > 0)
        return false;
    for (uint32_t i = 0; i < catalog->member.arrays; i++)
        if (fpgz_part_is_array(&catalog->member.array[i].part) && !arrays++)
            *number = i;
    if (arrays != 1 || fpgz_catalog_table(catalog, *number, &error))
        return false;
    take_shape(&catalog->member.array[*number], array);
    return true;
}

enum fpgz_status fpgz_library_read(struct fpgz_container *c, size_t index, const struct fpgz_box *box,
                                   const struct fpgz_sink *sink, void *state, size_t room,
                                   struct fpgz_error *error)
{
    struct fpgz_box whole = {0};
    if (index >= c->count)
        return fpgz_fail(error, FPGZ_USAGE, "there is no array %zu: it holds %zu", index, c->count);
    const struct entry *entry = &c->entry[index];
    whole.dims = entry->array.dims;
    memcpy(whole.end, entry->array.extent, sizeof whole.end);
    if (box && !box_fits(box, &entry->array))
        return fpgz_fail(error, FPGZ_USAGE, "the box does not lie within array %zu", index);
    struct fpgz_extraction *e = calloc(1, sizeof *e);
    if (!e)
        return fpgz_fail(error, FPGZ_MEMORY, "no memory");
    *e = (struct fpgz_extraction){.terms = &c->terms, .sink = sink, .state = state};
    if (!fpgz_library_catalog(c, index, &e->archive, &e->array, error))
        extract(e, box ? box : &whole, room, error);
    fpgz_extraction_free(e, error);
    free(e);
    return error->status;
}

enum fpgz_status fpgz_container_read(struct fpgz_container *c, size_t index, const struct fpgz_box *box,
                                     void *values, size_t room, struct fpgz_error *error)
{
    struct fpgz_error own;
    return fpgz_library_read(c, index, box, &memory_sink, &values, room, fpgz_library_error(error, &own));
}

enum fpgz_status fpgz_container_verify(struct fpgz_container *c, struct fpgz_error *error)
{
    struct fpgz_error own;
    struct fpgz_unpacking *d = calloc(1, sizeof *d);
    error = fpgz_library_error(error, &own);
    if (!d)
        return fpgz_fail(error, FPGZ_MEMORY, "no memory");
    d->terms = &c->terms;
    d->fd = -1;
    open_reader(c, &d->reader);
    if (!fpgz_unpacking_begin(d, error))
        fpgz_unpacking_run(d, error);
    fpgz_unpacking_end(d);
    free(d);
    return error->status;
}

void fpgz_container_close(struct fpgz_container *c)
{
    for (size_t i = 0; c && i < c->count; i++)
        free(c->entry[i].name);
    if (c)
        free(c->entry);
    free(c);
}

enum fpgz_status fpgz_decode(const void *container, size_t length, struct fpgz_array *array, void *values,
                             size_t room, struct fpgz_error *error)
{
    struct fpgz_container *opened;
    struct fpgz_array own_array;
    struct fpgz_error own;
    error = error ? error : &own;
    if (fpgz_container_open_memory(container, length, &opened, error))
        return error->status;
    if (opened->count != 1) {
        fpgz_fail(error, FPGZ_USAGE, "holds %zu arrays, not one", opened->count);
    } else {
        fpgz_container_array(opened, 0, array ? array : &own_array);
        fpgz_container_read(opened, 0, NULL, values, room, error);
    }
    fpgz_container_close(opened);
    return error->status;
}
