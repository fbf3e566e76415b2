/* SPDX-License-Identifier: MIT
 * The files that a command line means, but for fpgz batch, gathered before the first is worked on. */
#include "cli/operands.h"

#include <stdlib.h>
#include <string.h>

static void gather(void *context, char *path, const struct stat *stat, const struct walk_folder *folder)
{
    (void)stat, (void)folder;
    name_list_add(context, path);
}

bool operands_gather(struct options *options, struct console *console)
{
    const bool converts = options->mode == MODE_COMPRESS || options->mode == MODE_DECOMPRESS;
    struct selection *const selection = &options->selection;
    struct name_list files = {0};
    struct walk w = {.console = console,
                     .suffix = options->suffix,
                     .selection = selection,
                     .recursive = selection->recursive,
                     .containers = options->mode != MODE_COMPRESS && options->mode != MODE_BENCH,
                     .special = !converts || options->to_stdout || options->output,
                     .removes = converts && options->remove_source && !options->force,
                     .file = gather,
                     .context = &files};
    walk_run(&w);
    walk_free(&w);
    options->gathered = true;
    selection->files = (char **)files.name;
    selection->file_count = (int)files.count;
    if (options->output && files.count > 1 && strcmp(options->output, "/dev/null") != 0) {
        message_error(console, FPGZ_USAGE, NULL,
                      "-o names one output, but there are %zu files; use -c, or one file at a time",
                      files.count);
        return false;
    }
    return files.count || !(w.seen || selection->lists.count);
}

void operands_release(struct options *options)
{
    for (int i = 0; options->gathered && i < options->selection.file_count; i++)
        free(options->selection.files[i]);
    if (options->gathered)
        free(options->selection.files);
}
