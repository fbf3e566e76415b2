/* SPDX-License-Identifier: MIT
 * A child of the helper finds the array again, undoes its filters, and writes its values to the pipe. */
#include "source/stored.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "core/bytes.h"
#include "core/gather.h"
#include "core/io.h"
#include "core/table.h"
#include "core/text.h"
#include "source/dataset.h"

enum { SLAB_BYTES = 1 << 20 };

/* What is asked for. The helper is a copy of this process, so addresses of constants are the same there. */
struct request {
    const struct fpgz_source *source;
    bool values;
    char name[];
};

/* An array of a file, which it holds as it is, or (filtered) in one piece after filters. */
struct found {
    const struct fpgz_part *part;
    const struct fpgz_filtered *filtered;
    size_t count; /* of arrays with its name */
};

static bool is_named(const struct fpgz_part *part, const char *wanted)
{
    return !strcmp(part->name + (*part->name == '/'), wanted + (*wanted == '/'));
}

/* The array of that name; a slash at its beginning makes no difference. NULL, with the reason, where there is
 * not just one, or it cannot be read in order. */
static struct found find(const struct fpgz_content *content, const char *wanted, struct fpgz_error *error)
{
    struct fpgz_dataset_names names = {0};
    struct found found = {.part = NULL};
    for (size_t i = 0; i < content->count + content->filtereds; i++) {
        const struct fpgz_filtered *const filtered =
            i < content->count ? NULL : &content->filtered[i - content->count];
        const struct fpgz_part *const part = filtered ? &filtered->part : &content->part[i];
        if (part->layout == FPGZ_BYTES || (filtered && filtered->pieces != 1))
            continue;
        fpgz_dataset_name(&names, "", part->name);
        if (is_named(part, wanted))
            found = (struct found){part, filtered, found.count + 1};
    }
    if (!found.part)
        fpgz_dataset_absent(&names, wanted, error);
    else if (found.count > 1)
        fpgz_fail(error, FPGZ_USAGE, "holds %zu arrays of the name %.*s", found.count,
                  fpgz_text_fit(wanted, FPGZ_NAME_SHOWN), wanted);
    else if (found.part->column_major || (!found.filtered && !fpgz_part_in_order(found.part)))
        fpgz_fail(error, FPGZ_UNSUPPORTED,
                  "holds the values of %.*s in another order; compress the whole file, and choose from the "
                  "container",
                  fpgz_text_fit(wanted, FPGZ_NAME_SHOWN), wanted);
    if (error->status)
        found.part = NULL;
    return found;
}

/* Writes the values of an array in one piece to the pipe, little-endian. */
static void send_filtered(const struct fpgz_filtered *filtered, int file, int fd, struct fpgz_error *error)
{
    const struct fpgz_part *const part = &filtered->part;
    const struct fpgz_kept *const piece = filtered->piece;
    const struct fpgz_refiltering how = {.skipped = piece->skipped};
    uint64_t bytes;
    size_t got;
    if (!fpgz_filters_valid(&part->filters) ||
        !fpgz_extents_bytes(part->array.dtype, part->array.extent, part->array.dims, &bytes) ||
        bytes > FPGZ_CHUNK_LIMIT) {
        fpgz_fail(error, FPGZ_UNSUPPORTED, "is too large to be decoded");
        return;
    }
    uint8_t *const stored = malloc(piece->length), *const values = malloc(bytes);
    void *const scratch = malloc(fpgz_refilter_memory(&part->filters, bytes));
    if (!stored || !values || !scratch)
        fpgz_fail(error, FPGZ_MEMORY, "no memory");
    else if (!fpgz_read_at(file, stored, piece->length, piece->offset, &got) || got < piece->length ||
             fpgz_unfilter_again(&part->filters, &how, stored, piece->length, scratch, values, bytes))
        fpgz_fail(error, FPGZ_CORRUPT, "is damaged, or compressed in another way than its file says");
    if (!error->status) {
        const struct fpgz_grid grid = {part->array.dtype, 1, {bytes / fpgz_dtype_size(part->array.dtype)}};
        if (part->array.order == FPGZ_BIG)
            fpgz_grid_swap(&grid, values);
        fpgz_write(fd, values, bytes);
    }
    free(scratch);
    free(values);
    free(stored);
}

/* Writes all values to the pipe, little-endian. */
static void send_values(const struct fpgz_part *part, int file, int fd, struct fpgz_error *error)
{
    const struct fpgz_area area = {.fd = file};
    const size_t size = fpgz_dtype_size(part->array.dtype);
    uint8_t *const slab = malloc(SLAB_BYTES);
    uint64_t stopped, checksum;
    bool reads = true;
    if (!slab)
        fpgz_fail(error, FPGZ_MEMORY, "no memory");
    for (uint64_t at = 0; slab && reads && at < part->place.bytes; at += SLAB_BYTES) {
        const size_t bytes = fpgz_min(SLAB_BYTES, part->place.bytes - at);
        const struct fpgz_grid grid = {part->array.dtype, 1, {bytes / size}};
        if (!fpgz_gather(&area, &part->place, at, slab, bytes, &stopped, &checksum)) {
            fpgz_fail(error, FPGZ_CORRUPT, "cannot be read at byte %llu", (unsigned long long)stopped);
            break;
        }
        if (part->array.order == FPGZ_BIG)
            fpgz_grid_swap(&grid, slab);
        reads = fpgz_write(fd, slab, bytes);
    }
    free(slab);
}

static void send(const void *context, int file, int fd, struct fpgz_error *error)
{
    const struct request *const request = context;
    const struct fpgz_source *const source = request->source;
    struct fpgz_attributes attributes = {0};
    struct fpgz_attributes_left left = {0};
    struct fpgz_content content;
    struct fpgz_error remark;
    struct stat stat;
    if (fstat(file, &stat) != 0) {
        fpgz_fail(error, FPGZ_IO, "cannot be read");
        return;
    }
    if (fpgz_source_describe(source, file, (uint64_t)stat.st_size, &content, &remark, error))
        return;
    if (!fpgz_content_split(&content))
        fpgz_fail(error, FPGZ_MEMORY, "no memory");
    const struct found found = error->status ? (struct found){0} : find(&content, request->name, error);
    const struct fpgz_part *const part = found.part;
    if (part && source->attributes_of &&
        !source->attributes_of(file, (uint64_t)stat.st_size, part->name, &attributes, &left))
        fpgz_fail(error, FPGZ_MEMORY, "no memory");
    if (part && !error->status && fpgz_dataset_tell(fd, &part->array, &attributes, &left) && request->values)
        found.filtered ? send_filtered(found.filtered, file, fd, error) : send_values(part, file, fd, error);
    fpgz_attributes_free(&attributes);
    fpgz_content_free(&content);
}

enum fpgz_status fpgz_stored_open(int fd, const char *path, const char *name, bool values,
                                  struct fpgz_dataset *dataset, struct fpgz_error *error)
{
    (void)path;
    const struct fpgz_work work = {.reader = dataset->source->name, .run = send};
    const size_t bytes = strlen(name) + 1, length = sizeof(struct request) + bytes;
    struct request *const request = calloc(1, length);
    if (!request)
        return fpgz_fail(error, FPGZ_MEMORY, "no memory");
    *request = (struct request){.source = dataset->source, .values = values};
    memcpy(request->name, name, bytes);
    fpgz_helper_ask(&work, request, length, fd, &dataset->fd, error);
    free(request);
    if (error->status || fpgz_dataset_hear(dataset))
        return error->status;
    if (!fpgz_dataset_close(dataset, error))
        fpgz_fail(error, FPGZ_CORRUPT, "was not read to its end");
    return error->status;
}

enum fpgz_status fpgz_stored_close(struct fpgz_dataset *dataset, struct fpgz_error *error)
{
    return fpgz_helper_end(dataset->fd, error);
}
