/* SPDX-License-Identifier: MIT
 * fpgz batch, from the command's options: each file is compressed as the command would. */
#include "cli/batch.h"

#include "batch/batch.h"
#include "cli/compress.h"
#include "cli/device.h"

/* A process has one GPU context for all its files. */
struct context {
    struct command command;
    bool opened;
};

static bool compress(const void *context, const struct batch_file *file, struct proof *proof,
                     struct fpgz_verified *restored)
{
    struct command command = ((const struct context *)context)->command;
    struct options options = *command.options;
    command.options = &options;
    command.terms = *file->terms;
    options.output = file->container;
    options.force = file->replaces;
    options.remove_source = options.verify = false;
    return compress_and_tell(&command, file->source, proof, restored);
}

static void lend_device(void *context, struct fpgz_terms *terms)
{
    struct context *const c = context;
    if (!c->opened)
        device_open(&c->command, true);
    c->opened = true;
    terms->backend = c->command.terms.backend;
}

static void end_device(void *context)
{
    const struct context *const c = context;
    if (c->command.terms.backend)
        device_tell(&c->command, true);
}

void batch_files(const struct command *command)
{
    const struct options *options = command->options;
    struct context context = {.command = *command};
    const struct batch_means means = {.console = command->console,
                                      .suffix = options->suffix,
                                      .terms = &command->terms,
                                      .selection = &options->selection,
                                      .output = options->output,
                                      .replaces = options->force,
                                      .removes = options->remove_source,
                                      .has_gpu = options->device == FPGZ_BACKEND_CUDA,
                                      .compress = compress,
                                      .lend_device = lend_device,
                                      .end_device = end_device,
                                      .context = &context};
    if (device_is_there(command))
        batch_run(&options->batch, &means);
}
