/* SPDX-License-Identifier: MIT */
#include "cli/decompress.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/allowance.h"
#include "cli/decompression.h"
#include "cli/extract.h"
#include "cli/input.h"
#include "cli/message.h"
#include "cli/name.h"
#include "cli/output.h"
#include "cli/progress.h"
#include "cli/removal.h"
#include "core/bytes.h"
#include "core/io.h"

/* What the file gets that decompression_begin() has found: its own, and the container's owner. */
static struct metadata metadata_for(const struct decompression *d, const struct input *input)
{
    struct metadata metadata = metadata_of(&d->newest->member.file); /* a second member has its own */
    metadata.has_owner = input->path && input->regular;
    metadata.owner = input->stat.st_uid;
    metadata.group = input->stat.st_gid;
    metadata.xattrs = d->xattrs;
    return metadata;
}

static enum fpgz_status digest(int fd, struct verified *held, struct fpgz_error *error)
{
    held->summed = true;
    return file_digest(fd, &held->bytes, &held->sum, error);
}

/* Reads the synced output back, before its container may go: each chunk, and that there is nothing behind the
 * last. */
static enum fpgz_status read_back(const struct decompression *done, const struct output *output,
                                  int container, struct fpgz_error *error)
{
    struct decompression d = {
        .options = done->options, .name = done->name, .fd = -1, .compares = true, .restored = output->fd};
    struct stat stat;
    if (!output->synced)
        return FPGZ_OK;
    posix_fadvise(output->fd, 0, 0, POSIX_FADV_DONTNEED); /* what is read shall come from the disk */
    if (lseek(container, 0, SEEK_SET) != 0 || fstat(output->fd, &stat) != 0)
        return fpgz_fail(error, FPGZ_IO, "cannot be read again: %s", strerror(errno));
    fpgz_reader_open(&d.reader, container);
    if (!decompression_begin(&d, error) && !decompression_run(&d, error) &&
        (d.raw_bytes != done->raw_bytes || (uint64_t)stat.st_size != d.raw_bytes))
        fpgz_fail(error, FPGZ_IO, "has %jd bytes, not the %" PRIu64 " that were written",
                  (intmax_t)stat.st_size, d.raw_bytes);
    decompression_end(&d);
    return output_refuse(output, error);
}

/* Restores to a file, of a container that decompression_begin() has begun. */
static enum fpgz_status run_into(struct decompression *d, int fd, struct fpgz_error *error)
{
    const uint64_t told = fpgz_member_bytes(&d->newest->member);
    d->fd = fd;
    d->bounded = true;
    if (d->reader.regular && allowance_room(d->options, fd, fpgz_min(told, d->reader.file_size), error))
        return error->status;
    return decompression_run(d, error);
}

static enum fpgz_status restore(struct decompression *d, const struct input *input, const char *target,
                                struct fpgz_error *error)
{
    const struct metadata metadata = metadata_for(d, input);
    struct output output;
    struct proof proof = {.source = input->stat, .force = d->options->force, .is_container = true};
    const bool prove = d->options->remove_source && input->path && input->sized;
    if ((prove && digest(input->fd, &proof.held, error)) ||
        output_open(&output, target, d->options, input, error))
        return error->status;
    if (!run_into(d, output.fd, error) && !output_sync(&output, &metadata, error) &&
        !(prove && read_back(d, &output, input->fd, error)) && !output_commit(&output, &metadata, error) &&
        d->options->remove_source && input->path) {
        proof.synced = output.complete;
        proof.lost = output.lost;
        source_remove(input->path, &proof);
    }
    output_discard(&output);
    return error->status;
}

/* The name to restore under; NULL (for standard output) when there is none. The caller frees it. */
static char *choose_name(const struct decompression *d, const char *path)
{
    const char *stored = d->newest->member.file.name;
    char *name = name_restored(path, stored, d->options->stored_name);
    if (name && *stored && strcmp(name_base(name), stored) != 0)
        message_notice(0, path, "was made from %s; restored as %s (-N restores under the name it had)",
                       stored, name_base(name));
    return name;
}

/* As cat(1). What begins a pipe was read already; of a file the position was not moved. */
static enum fpgz_status pass_through(struct decompression *d, struct fpgz_error *error)
{
    enum { PIECE = 1 << 18 };
    uint8_t *const piece = malloc(PIECE);
    size_t got = d->reader.regular ? 0 : d->reader.header_bytes;
    uint64_t done = 0;
    if (!piece)
        return fpgz_fail(error, FPGZ_MEMORY, "no memory");
    memcpy(piece, d->reader.header, got);
    do {
        done += got;
        if (allowance_check(d->options, done, FPGZ_UNKNOWN, error))
            break;
        if (!fpgz_write(STDOUT_FILENO, piece, got))
            fpgz_fail(error, errno == EPIPE ? FPGZ_CLOSED : FPGZ_IO, "cannot write: %s", strerror(errno));
        else if (!fpgz_read(d->reader.fd, piece, PIECE, &got))
            fpgz_fail(error, FPGZ_IO, "cannot read: %s", strerror(errno));
    } while (!error->status && got);
    free(piece);
    return error->status;
}

static enum fpgz_status convert(struct decompression *d, const struct input *input, struct fpgz_error *error)
{
    const struct options *options = d->options;
    if (extract_wanted(options, NULL))
        return extract_array(options, input, error);
    if (decompression_begin(d, error)) {
        if (error->status != FPGZ_FOREIGN || !options->force || !options->to_stdout ||
            options->mode != MODE_DECOMPRESS || d->reader.member_start)
            return error->status;
        error->status = FPGZ_OK;
        return pass_through(d, error);
    }
    if (extract_wanted(options, &d->newest->member))
        return extract_array(options, input, error);
    if (options->mode == MODE_TEST) {
        d->fd = -1;
        return decompression_run(d, error);
    }
    char *own_target = NULL;
    const char *target = options->output;
    if (!target && input->path && !options->to_stdout) {
        target = own_target = choose_name(d, input->path);
        if (!target)
            return fpgz_fail(error, FPGZ_USAGE,
                             "neither ends in " NAME_SUFFIX " nor holds a name; choose one with -o");
    }
    restore(d, input, target, error);
    free(own_target);
    return error->status;
}

void decompress_file(const struct options *options, const char *path)
{
    struct decompression d = {.options = options};
    struct fpgz_error error = {0};
    struct input input;
    if (input_open(&input, path, &error)) {
        message_failure(path, &error);
        return;
    }
    d.name = input.name;
    if (!path && isatty(STDIN_FILENO))
        fpgz_fail(&error, FPGZ_USAGE, "a container is not read from a terminal; name a file");
    fpgz_reader_open(&d.reader, input.fd);
    const bool shown = progress_begin(input.name, input.regular ? input.size : FPGZ_UNKNOWN, true);
    if (!error.status)
        convert(&d, &input, &error);
    if (shown)
        progress_end();
    if (!error.status) {
        input_tell_change(&input);
        if (d.chunks)
            progress_count(d.raw_bytes, d.reader.position);
        message_notice(1, input.name, "%s: %" PRIu64 " bytes in %" PRIu64 " chunks",
                       options->mode == MODE_TEST ? "all is well" : "restored", d.raw_bytes, d.chunks);
    } else {
        message_failure(input.name, &error);
    }
    decompression_end(&d);
    input_close(&input);
}

enum fpgz_status decompress_into(const struct options *options, const struct input *input, int fd,
                                 struct metadata *metadata, struct fpgz_error *error)
{
    struct decompression d = {.options = options, .name = input->name, .fd = -1};
    fpgz_reader_open(&d.reader, input->fd);
    if (!decompression_begin(&d, error)) {
        *metadata = metadata_for(&d, input);
        d.xattrs = (struct fpgz_xattrs){0};
        run_into(&d, fd, error);
    }
    decompression_end(&d);
    return error->status;
}

enum fpgz_status decompress_verify(const struct options *options, int fd, const char *name,
                                   const struct fpgz_section *end, bool whole, struct verified *verified,
                                   struct fpgz_error *error)
{
    struct decompression d = {.options = options, .name = name, .fd = -1, .sum = fpgz_checksum_begin()};
    const struct fpgz_section *last = &d.reader.section;
    if (!d.sum)
        return fpgz_fail(error, FPGZ_MEMORY, "no memory");
    if (lseek(fd, 0, SEEK_SET) != 0)
        fpgz_fail(error, FPGZ_IO, "cannot be read back: %s", strerror(errno));
    posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED); /* what is read shall come from the disk */
    fpgz_reader_open(&d.reader, fd);
    if (!error->status && !decompression_begin(&d, error) && whole && d.newest->member.file.scattered) {
        d.fd = landing_temporary();
        if (d.fd < 0)
            fpgz_fail(error, FPGZ_IO, "cannot create a temporary file in $TMPDIR: %s", strerror(errno));
    }
    if (!error->status && !decompression_run(&d, error) && end &&
        (d.reader.member_start || last->head_length != end->head_length ||
         memcmp(last->bytes, end->bytes, FPGZ_SECTION_BYTES + end->head_length) != 0))
        fpgz_fail(error, FPGZ_CORRUPT, "read back, it is not the container that was written");
    *verified = (struct verified){d.raw_bytes, !d.disordered || d.fd >= 0, fpgz_checksum_end(d.sum),
                                  xattrs_digest(&d.xattrs)};
    if (d.fd >= 0) {
        if (!error->status)
            file_digest(d.fd, &verified->bytes, &verified->sum, error);
        close(d.fd);
    }
    decompression_end(&d);
    return error->status;
}
