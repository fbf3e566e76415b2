/* SPDX-License-Identifier: MIT */
#include "cli/frame.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/describe.h"
#include "cli/landing.h"
#include "core/gather.h"

/* Restores one array's bytes into fd. */
static enum fpgz_status restore_array(struct archive *archive, uint32_t array, int fd,
                                      struct fpgz_chunk_buffers *buffers, struct fpgz_error *error)
{
    const struct fpgz_part *part = &archive->member.array[array].part;
    const size_t size = fpgz_dtype_size(part->array.dtype);
    struct fpgz_chunk_head head;
    struct fpgz_coded coded;
    uint64_t offset;
    if (archive_table(archive, array, error))
        return error->status;
    archive_rewind(archive);
    while (!error->status && archive_next(archive, FPGZ_SECTION_CHUNK, array)) {
        archive_chunk(archive, &head, &coded, &offset);
        if (archive_stream(archive, offset, &buffers->stream, &coded, error) ||
            fpgz_chunk_decode(&coded, part->array.order == FPGZ_BIG, buffers))
            fpgz_fail(error, FPGZ_CORRUPT, "chunk %" PRIu64 " of array %" PRIu32 " is damaged", head.number,
                      array);
        else if (!fpgz_scatter(fd, 0, &part->place, head.first * size, buffers->raw.data,
                               fpgz_grid_bytes(&head.grid), true))
            fpgz_fail(error, FPGZ_IO, "cannot write to $TMPDIR: %s", strerror(errno));
    }
    return error->status;
}

/* Restores the file into fd: all of it, or without its arrays' bytes. */
static enum fpgz_status restore(struct archive *archive, bool all, int fd, struct fpgz_error *error)
{
    const struct fpgz_member *member = &archive->member;
    struct fpgz_chunk_buffers buffers = {0};
    if (fd < 0 || ftruncate(fd, (off_t)member->file.size) != 0)
        return fpgz_fail(error, FPGZ_IO, "no temporary file in $TMPDIR: %s", strerror(errno));
    for (uint32_t i = 0; i < member->arrays && !error->status; i++)
        if (all || member->array[i].part.layout == FPGZ_BYTES)
            restore_array(archive, i, fd, &buffers, error);
    fpgz_chunk_buffers_free(&buffers);
    return error->status;
}

enum fpgz_status frame_dataset(const struct options *options, struct archive *archive, const char *name,
                               bool values, struct fpgz_dataset *dataset, struct fpgz_error *error)
{
    const int fd = landing_temporary();
    if (!restore(archive, values, fd, error)) {
        const struct fpgz_source *const source = fpgz_source_probe(fd, archive->member.file.size);
        if (!describe_begin(options, source, error))
            fpgz_dataset_open(source, fd, NULL, name, values, dataset, error);
    }
    if (fd >= 0)
        close(fd);
    return error->status;
}

enum fpgz_status frame_attributes(const struct options *options, struct archive *archive, uint32_t array,
                                  struct fpgz_dataset *dataset, struct fpgz_error *error)
{
    struct fpgz_attributes *const attributes = &dataset->attributes;
    struct fpgz_dataset opened;
    archive_rewind(archive);
    if (archive_next(archive, FPGZ_SECTION_ATTRIBUTES, array)) {
        struct fpgz_buffer body = {0};
        const size_t length = archive->reader.section.body_length;
        if (!archive_body(archive, &body, error)) {
            attributes->data = malloc(length + 1);
            if (!attributes->data)
                return fpgz_fail(error, FPGZ_MEMORY, "no memory for %zu bytes", length);
            memcpy(attributes->data, body.data, length);
            attributes->length = length;
        }
        fpgz_buffer_free(&body);
        if (!error->status && !fpgz_attributes_valid(attributes))
            fpgz_fail(error, FPGZ_CORRUPT, "they contradict themselves");
    } else if (archive->member.file.kind == FPGZ_KIND_HDF5 &&
               !frame_dataset(options, archive, archive->member.array[array].part.name, false, &opened,
                              error)) {
        *attributes = opened.attributes;
        dataset->left = opened.left;
        opened.attributes = (struct fpgz_attributes){0};
        fpgz_dataset_close(&opened, error);
    }
    return error->status;
}
