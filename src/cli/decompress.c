/* SPDX-License-Identifier: MIT
 * The restoring of one file: from its container's name to its own. */
#include "cli/decompress.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "archive/allowance.h"
#include "archive/input.h"
#include "cli/extract.h"
#include "core/bytes.h"
#include "core/io.h"
#include "core/text.h"
#include "files/name.h"
#include "files/output.h"
#include "files/removal.h"
#include "files/unpack.h"

static enum fpgz_status digest(int fd, struct fpgz_verified *held, struct fpgz_error *error)
{
    held->summed = true;
    return fpgz_file_digest(fd, &held->bytes, &held->sum, error);
}

/* Reads the synced output back, before its container may go: each chunk, and that there is nothing behind the
 * last. */
static enum fpgz_status read_back(const struct fpgz_unpacking *done, const struct output *output,
                                  int container, struct fpgz_error *error)
{
    struct fpgz_unpacking d = {
        .terms = done->terms, .name = done->name, .fd = -1, .compares = true, .restored = output->fd};
    struct stat stat;
    if (!output->synced)
        return FPGZ_OK;
    posix_fadvise(output->fd, 0, 0, POSIX_FADV_DONTNEED); /* what is read shall come from the disk */
    if (lseek(container, 0, SEEK_SET) != 0 || fstat(output->fd, &stat) != 0)
        return fpgz_fail(error, FPGZ_IO, "cannot be read again: %s", strerror(errno));
    fpgz_reader_open(&d.reader, container);
    d.reader.file_size = done->reader.file_size; /* it may have grown: then it stays, but this was restored */
    if (!fpgz_unpacking_begin(&d, error) && !fpgz_unpacking_run(&d, error) &&
        (d.raw_bytes != done->raw_bytes || (uint64_t)stat.st_size != d.raw_bytes))
        fpgz_fail(error, FPGZ_IO, "has %jd bytes, not the %" PRIu64 " that were written",
                  (intmax_t)stat.st_size, d.raw_bytes);
    fpgz_unpacking_end(&d);
    return output_refuse(output, error);
}

static enum fpgz_status restore(struct fpgz_unpacking *d, const struct command *command,
                                const struct fpgz_input *input, const char *target, struct fpgz_error *error)
{
    const struct options *options = command->options;
    const struct metadata metadata = unpack_metadata(d, input);
    struct output output;
    struct proof proof = {.source = input->stat, .force = options->force, .is_container = true};
    const bool prove = options->remove_source && input->path && input->sized;
    if ((prove && digest(input->fd, &proof.held, error)) ||
        output_open(&output, command->console, target, options_output(options), input, error))
        return error->status;
    if (!unpack_run(d, output.fd, error) && !output_sync(&output, &metadata, error) &&
        !(prove && read_back(d, &output, input->fd, error)) && !output_commit(&output, &metadata, error) &&
        options->remove_source && input->path) {
        proof.synced = output.complete;
        proof.lost = output.lost;
        source_remove(command->console, input->path, &proof);
    }
    output_discard(&output);
    return error->status;
}

/* The name to restore under; NULL (for standard output) when there is none. The caller frees it. */
static char *choose_name(const struct fpgz_unpacking *d, const struct command *command, const char *path)
{
    const struct options *options = command->options;
    const char *stored = d->newest->member.file.name;
    char *name = name_restored(path, options->suffix, stored, options->stored_name);
    if (name && *stored && strcmp(fpgz_text_base(name), stored) != 0)
        message_notice(command->console, 0, path,
                       "was made from %s; restored as %s (-N restores under the name it had)", stored,
                       fpgz_text_base(name));
    return name;
}

/* As cat(1). What begins a pipe was read already; of a file the position was not moved. */
static enum fpgz_status pass_through(struct fpgz_unpacking *d, struct fpgz_error *error)
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
        if (fpgz_allowance_check(&d->terms->setup, done, FPGZ_UNKNOWN, error))
            break;
        if (!fpgz_write(STDOUT_FILENO, piece, got))
            fpgz_fail(error, errno == EPIPE ? FPGZ_CLOSED : FPGZ_IO, "cannot write: %s", strerror(errno));
        else if (!fpgz_read(d->reader.fd, piece, PIECE, &got))
            fpgz_fail(error, FPGZ_IO, "cannot read: %s", strerror(errno));
    } while (!error->status && got);
    free(piece);
    return error->status;
}

static enum fpgz_status convert(struct fpgz_unpacking *d, const struct command *command,
                                const struct fpgz_input *input, struct fpgz_error *error)
{
    const struct options *options = command->options;
    if (extract_wanted(command, NULL))
        return extract_array(command, input, error);
    if (fpgz_unpacking_begin(d, error)) {
        if (error->status != FPGZ_FOREIGN || !options->force || !options->to_stdout ||
            options->mode != MODE_DECOMPRESS || d->reader.member_start)
            return error->status;
        error->status = FPGZ_OK;
        return pass_through(d, error);
    }
    if (extract_wanted(command, &d->newest->member))
        return extract_array(command, input, error);
    if (options->mode == MODE_TEST) {
        d->fd = -1;
        return fpgz_unpacking_run(d, error);
    }
    char *own_target = NULL;
    const char *target = options->output;
    if (!target && input->path && !options->to_stdout) {
        target = own_target = choose_name(d, command, input->path);
        if (!target)
            return fpgz_fail(error, FPGZ_USAGE,
                             "neither ends in " NAME_SUFFIX " nor holds a name; choose one with -o");
    }
    restore(d, command, input, target, error);
    free(own_target);
    return error->status;
}

void decompress_file(const struct command *command, const char *path)
{
    const struct options *options = command->options;
    struct fpgz_unpacking d;
    struct fpgz_error error = {0};
    struct fpgz_input input;
    fpgz_unpacking_clear(&d);
    d.terms = &command->terms;
    if (fpgz_input_open(&input, path, &error)) {
        message_failure(command->console, path, &error);
        return;
    }
    d.name = input.name;
    if (!path && isatty(STDIN_FILENO))
        fpgz_fail(&error, FPGZ_USAGE, "a container is not read from a terminal; name a file");
    fpgz_reader_open(&d.reader, input.fd);
    const bool shown =
        progress_begin(&command->console->progress, input.name, input.regular ? input.size : FPGZ_UNKNOWN,
                       true, command->console->verbosity >= 0);
    if (!error.status)
        convert(&d, command, &input, &error);
    if (shown)
        progress_end(&command->console->progress);
    if (!error.status) {
        fpgz_input_tell_change(&input, command->terms.listener);
        if (d.chunks)
            progress_count(&command->console->progress, d.raw_bytes, d.reader.position);
        message_notice(command->console, 1, input.name, "%s: %" PRIu64 " bytes in %" PRIu64 " chunks",
                       options->mode == MODE_TEST ? "all is well" : "restored", d.raw_bytes, d.chunks);
    } else {
        message_failure(command->console, input.name, &error);
    }
    fpgz_unpacking_end(&d);
    fpgz_input_close(&input);
}
