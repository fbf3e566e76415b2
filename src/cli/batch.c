/* SPDX-License-Identifier: MIT
 * fpgz batch, from the command's options: each file is compressed as the command would. */
#include "cli/batch.h"

#include "batch/batch.h"
#include "cli/compress.h"

static bool compress(const void *context, const struct batch_file *file, struct proof *proof,
                     struct fpgz_verified *restored)
{
    struct command command = *(const struct command *)context;
    struct options options = *command.options;
    command.options = &options;
    command.terms = *file->terms;
    options.output = file->container;
    options.force = file->replaces;
    options.remove_source = options.verify = false;
    return compress_and_tell(&command, file->source, proof, restored);
}

void batch_files(const struct command *command)
{
    const struct options *options = command->options;
    const struct batch_means means = {.console = command->console,
                                      .suffix = options->suffix,
                                      .terms = &command->terms,
                                      .selection = &options->selection,
                                      .output = options->output,
                                      .replaces = options->force,
                                      .removes = options->remove_source,
                                      .compress = compress,
                                      .context = command};
    batch_run(&options->batch, &means);
}
