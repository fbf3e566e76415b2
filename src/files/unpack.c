/* SPDX-License-Identifier: MIT
 * From a container that was opened to the bytes and the metadata of its file. */
#include "files/unpack.h"

#include "archive/allowance.h"
#include "core/bytes.h"

struct metadata unpack_metadata(const struct fpgz_unpacking *d, const struct fpgz_input *input)
{
    struct metadata metadata = metadata_of(&d->newest->member.file); /* a second member has its own */
    metadata.has_owner = input->path && input->regular;
    metadata.owner = input->stat.st_uid;
    metadata.group = input->stat.st_gid;
    metadata.xattrs = d->xattrs;
    return metadata;
}

enum fpgz_status unpack_run(struct fpgz_unpacking *d, int fd, struct fpgz_error *error)
{
    const uint64_t told = fpgz_member_bytes(&d->newest->member);
    d->fd = fd;
    d->bounded = true;
    if (d->reader.regular &&
        fpgz_allowance_room(&d->terms->setup, fd, fpgz_min(told, d->reader.file_size), error))
        return error->status;
    return fpgz_unpacking_run(d, error);
}

enum fpgz_status unpack_into(const struct fpgz_terms *terms, const struct fpgz_input *input, int fd,
                             struct metadata *metadata, struct fpgz_error *error)
{
    struct fpgz_unpacking d = {.terms = terms, .name = input->name, .fd = -1};
    fpgz_reader_open(&d.reader, input->fd);
    if (!fpgz_unpacking_begin(&d, error)) {
        *metadata = unpack_metadata(&d, input);
        d.xattrs = (struct fpgz_xattrs){0};
        unpack_run(&d, fd, error);
    }
    fpgz_unpacking_end(&d);
    return error->status;
}
