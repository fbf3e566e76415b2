/* SPDX-License-Identifier: MIT
 * --recover: from a damaged container's name to the named file. */
#include "cli/recover.h"

#include <inttypes.h>

#include "archive/recovery.h"
#include "files/output.h"

static void recover(struct fpgz_recovery *r, const struct command *command, const struct fpgz_input *input)
{
    const struct options *options = command->options;
    struct output output;
    if (!options->output && !options->to_stdout)
        fpgz_fail(&r->error, FPGZ_USAGE, "name the output with -o");
    else if (!input->sized)
        fpgz_fail(&r->error, FPGZ_USAGE,
                  "a damaged container is read here and there: use a file, not a pipe");
    else
        fpgz_salvage_scan(&r->salvage, input->fd, (uint64_t)input->stat.st_size, &r->error);
    if (!r->error.status && !r->salvage.members)
        fpgz_fail(&r->error, FPGZ_FOREIGN, "no part of a container is in it");
    if (r->error.status ||
        output_open(&output, command->console, options->output, options_output(options), input, &r->error))
        return;
    if (!fpgz_recovery_run(r, output.fd)) {
        struct metadata metadata = metadata_of(&r->file);
        metadata.xattrs = r->xattrs;
        if (!output_commit(&output, &metadata, &r->error)) {
            progress_count(&command->console->progress, r->base, input->size);
            fpgz_input_tell_change(input, command->terms.listener);
            message_notice(command->console, 0, input->name, "%" PRIu64 " bytes restored, %" PRIu64 " lost",
                           r->base - r->loss.bytes, r->loss.bytes);
        }
    }
    output_discard(&output);
}

void recover_file(const struct command *command, const char *path)
{
    const struct options *options = command->options;
    struct fpgz_recovery r = {.terms = &command->terms};
    struct fpgz_input input;
    if (fpgz_input_open(&input, path, &r.error)) {
        message_failure(command->console, path, &r.error);
        return;
    }
    r.input = &input;
    r.loss = (struct fpgz_loss){.name = input.name,
                                .listener = command->terms.listener,
                                .not_a_number = options->fill_nan,
                                .landing = &r.landing};
    fpgz_reader_open(&r.archive.reader, input.fd);
    const bool shown = progress_begin(&command->console->progress, input.name, input.size, true,
                                      command->console->verbosity >= 0);
    recover(&r, command, &input);
    if (shown)
        progress_end(&command->console->progress);
    if (r.error.status)
        message_failure(command->console, input.name, &r.error);
    fpgz_recovery_free(&r);
    fpgz_input_close(&input);
}
