/* SPDX-License-Identifier: MIT
 * Whether options make sense together, and their end. */
#include "cli/options.h"

#include <math.h>
#include <stdlib.h>

#include "console/message.h"
#include "files/output.h"

/* Whether what chooses a part of a file goes with the rest. */
static bool part_fits(const struct options *o, struct console *console)
{
    if ((o->region || o->to) && o->mode != MODE_DECOMPRESS)
        message_error(console, FPGZ_USAGE, NULL, "%s goes with -d", o->region ? "--region" : "--to");
    else if (o->dataset && o->mode != MODE_DECOMPRESS && o->mode != MODE_COMPRESS)
        message_error(console, FPGZ_USAGE, NULL, "--dataset goes with -z or -d");
    else if (o->mode == MODE_RECOVER && (o->bare || o->remove_source))
        message_error(console, FPGZ_USAGE, NULL, "--recover goes with no --bare or --rm");
    else if (o->fill_nan && o->mode != MODE_RECOVER)
        message_error(console, FPGZ_USAGE, NULL, "--fill goes with --recover");
    else if (o->bare && (o->dataset || o->region || o->to))
        message_error(console, FPGZ_USAGE, NULL,
                      "--bare is for whole raw grids: it goes with no --dataset, --region or --to");
    else if (o->remove_source && (o->dataset || o->region))
        message_error(console, FPGZ_USAGE, NULL,
                      "--rm would remove a whole file of which only a part is taken");
    else if (o->setup.format && (o->setup.raw.has_dtype || o->setup.raw.has_shape))
        message_error(console, FPGZ_USAGE, NULL,
                      "--dtype and --shape are of raw grids; --format names another format");
    else
        return true;
    return false;
}

/* Whether they make sense in fpgz batch, or without. */
static bool fits_batch(const struct options *o, bool batch, struct console *console)
{
    const struct batch_request *b = &o->batch;
    const bool reads = b->check || b->restore;
    if (!batch && !b->manifest && !reads && !b->shard.count && !o->output_dir)
        return true;
    if (!batch)
        message_error(console, FPGZ_USAGE, NULL,
                      "--manifest, --shard, --check, --restore and --output-dir are for fpgz batch");
    else if (o->mode != MODE_BATCH || o->to_stdout || o->bare)
        message_error(console, FPGZ_USAGE, NULL,
                      "fpgz batch archives, or with --check or --restore reads archives; it takes no -z, "
                      "-d, -t, -l, -c or --bare");
    else if (b->check && b->restore)
        message_error(console, FPGZ_USAGE, NULL, "--check and --restore are two things; choose one");
    else if (reads ? !b->manifest && !o->selection.file_count : !b->manifest)
        message_error(console, FPGZ_USAGE, NULL, "fpgz batch needs a --manifest FILE");
    else if (!reads && !o->selection.file_count && !o->selection.lists.count)
        message_error(console, FPGZ_USAGE, NULL, "fpgz batch needs folders or files, or --files-from");
    else
        return true;
    return false;
}

bool options_fit(const struct options *o, bool batch, struct console *console)
{
    const bool bounded = o->setup.max_error.absolute < INFINITY || o->setup.max_error.relative < INFINITY;
    if (bounded && (!o->setup.codec || o->setup.codec->lossless)) {
        message_error(console, FPGZ_USAGE, NULL,
                      "--max-error is for lossy codecs, which --codec must name; fpgz --codecs tells which");
        return false;
    }
    if (o->to_stdout && o->output) {
        message_error(console, FPGZ_USAGE, NULL, "-c and -o name two outputs; choose one");
        return false;
    }
    return part_fits(o, console) && fits_batch(o, batch, console);
}

unsigned options_output(const struct options *o)
{
    return (o->force ? OUTPUT_REPLACES : 0) | (o->mode == MODE_BATCH ? OUTPUT_NO_LINK : 0);
}

void options_free(struct options *options)
{
    name_list_free(&options->selection.exclude);
    name_list_free(&options->selection.lists);
    free(options->environment);
}
