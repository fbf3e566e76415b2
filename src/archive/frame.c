/* SPDX-License-Identifier: MIT
 * Restores the archived file to a temporary one, to read from it what the container does not hold as
 * arrays. */
#include "archive/frame.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "archive/describe.h"
#include "archive/landing.h"
#include "source/formats.h"

/* Restores one array's bytes into fd. */
static enum fpgz_status restore_array(struct fpgz_catalog *archive, uint32_t array,
                                      struct fpgz_landing *landing, const struct fpgz_terms *terms,
                                      struct fpgz_chunk_job *job, struct fpgz_error *error)
{
    const struct fpgz_part *part = &archive->member.array[array].part;
    fpgz_catalog_rewind(archive);
    while (!error->status && fpgz_catalog_next(archive, FPGZ_SECTION_CHUNK, array)) {
        fpgz_catalog_chunk(archive, false, job);
        if (fpgz_chunk_job_decode(job, &archive->reader, terms))
            fpgz_fail(error, FPGZ_CORRUPT, "chunk %" PRIu64 " of array %" PRIu32 " is damaged",
                      job->head.number, array);
        else
            fpgz_landing_write(landing, part, job->at, job->restored, fpgz_grid_bytes(&job->head.grid),
                               error);
    }
    return error->status;
}

/* Restores the file into fd: all of it, or without its arrays' bytes. */
static enum fpgz_status restore(struct fpgz_catalog *archive, const struct fpgz_terms *terms, bool all,
                                int fd, struct fpgz_error *error)
{
    const struct fpgz_member *member = &archive->member;
    struct fpgz_chunk_job job = {.loaded = false};
    struct fpgz_landing landing;
    struct fpgz_image image = {0};
    if (fd < 0 || ftruncate(fd, (off_t)member->file.size) != 0)
        return fpgz_fail(error, FPGZ_IO, "no temporary file in $TMPDIR: %s", strerror(errno));
    for (uint32_t i = 0; i < member->arrays && !error->status; i++)
        fpgz_catalog_table(archive, i, error);
    if (!error->status && !fpgz_member_image(member, &image, error) &&
        !fpgz_landing_begin(&landing, fd, true, member->file.size, &image, error)) {
        landing.sparse = true; /* as all of it is new */
        for (uint32_t i = 0; i < member->arrays && !error->status; i++)
            if (all || !fpgz_part_is_array(&member->array[i].part))
                restore_array(archive, i, &landing, terms, &job, error);
        fpgz_landing_end(&landing, error);
    }
    fpgz_image_free(&image);
    fpgz_chunk_buffers_free(&job.buffers);
    return error->status;
}

enum fpgz_status fpgz_frame_dataset(const struct fpgz_terms *terms, struct fpgz_catalog *archive,
                                    const char *name, bool values, struct fpgz_dataset *dataset,
                                    struct fpgz_error *error)
{
    const int fd = fpgz_landing_temporary();
    if (!restore(archive, terms, values, fd, error)) {
        const struct fpgz_source *const source = fpgz_source_of_kind(archive->member.file.kind);
        if (!fpgz_describe_begin(terms, source, error))
            fpgz_dataset_open(source, fd, NULL, name, values, dataset, error);
    }
    if (fd >= 0)
        close(fd);
    return error->status;
}

enum fpgz_status fpgz_frame_attributes(const struct fpgz_terms *terms, struct fpgz_catalog *archive,
                                       uint32_t array, struct fpgz_dataset *dataset, struct fpgz_error *error)
{
    const struct fpgz_source *const source = fpgz_source_of_kind(archive->member.file.kind);
    struct fpgz_attributes *const attributes = &dataset->attributes;
    struct fpgz_dataset opened;
    fpgz_catalog_rewind(archive);
    if (fpgz_catalog_next(archive, FPGZ_SECTION_ATTRIBUTES, array)) {
        struct fpgz_buffer body = {0};
        const size_t length = archive->reader.section.body_length;
        if (!fpgz_catalog_body(archive, &body, error)) {
            attributes->data = malloc(length + 1);
            if (!attributes->data)
                return fpgz_fail(error, FPGZ_MEMORY, "no memory for %zu bytes", length);
            memcpy(attributes->data, body.data, length);
            attributes->length = length;
        }
        fpgz_buffer_free(&body);
        if (!error->status && !fpgz_attributes_valid(attributes))
            fpgz_fail(error, FPGZ_CORRUPT, "they contradict themselves");
    } else if (source && source->attributes &&
               !fpgz_frame_dataset(terms, archive, archive->member.array[array].part.name, false, &opened,
                                   error)) {
        *attributes = opened.attributes;
        dataset->left = opened.left;
        opened.attributes = (struct fpgz_attributes){0};
        fpgz_dataset_close(&opened, error);
    }
    return error->status;
}
