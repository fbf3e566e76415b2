/* SPDX-License-Identifier: MIT
 * --dataset, --region and --to: one array of a container, to a file of its own. */
#include "cli/extract.h"

#include <stdlib.h>
#include <string.h>

#include "archive/allowance.h"
#include "archive/describe.h"
#include "archive/extraction.h"
#include "archive/frame.h"
#include "files/name.h"
#include "files/output.h"
#include "files/removal.h"
#include "source/formats.h"

static const struct fpgz_sink *sink_for(const struct command *command)
{
    const struct options *options = command->options;
    const struct fpgz_sink *sink = options->to;
    if (!sink && options->output)
        sink = fpgz_sink_by_path(options->output);
    return sink ? sink : fpgz_sink_plain();
}

bool extract_wanted(const struct command *command, const struct fpgz_member *member)
{
    const struct options *options = command->options;
    if (options->mode != MODE_DECOMPRESS)
        return false;
    if (options->dataset || options->region || options->to)
        return true;
    return member && member->file.kind == FPGZ_KIND_RAW && member->arrays &&
           (member->array->part.array.dtype != FPGZ_U8 || member->array->part.array.dims > 1) &&
           sink_for(command) != fpgz_sink_plain();
}

/* From the planned extraction to the committed output. */
static enum fpgz_status convert(struct fpgz_extraction *e, const struct command *command,
                                const struct fpgz_input *input, const char *target, struct fpgz_error *error)
{
    const struct options *options = command->options;
    const struct fpgz_file_head *file = &e->archive.member.file;
    struct metadata metadata = metadata_of(file);
    struct fpgz_xattrs xattrs;
    struct fpgz_error lost = {0};
    struct output output;
    /* Without its attributes an array is still worth writing. */
    if (!e->framed && e->sink->attributes &&
        fpgz_frame_attributes(e->terms, &e->archive, e->array, &e->dataset, &lost)) {
        message_warning(command->console, FPGZ_WARNING_ATTRIBUTES, input->name,
                        "the attributes of the dataset are not kept: %s", lost.text);
        fpgz_attributes_free(&e->dataset.attributes);
    }
    if (e->sink->attributes)
        fpgz_describe_left(e->terms, input, e->slice.part->name, &e->dataset.left);
    if (fpgz_catalog_xattrs(&e->archive, &xattrs, error) ||
        output_open(&output, command->console, target, options_output(options), input, error)) {
        fpgz_xattrs_free(&xattrs);
        return error->status;
    }
    metadata.xattrs = xattrs;
    metadata.only_rights = true; /* what else the file has is not of an array of it */
    const struct fpgz_sink_array what = {output.fd, e->slice.part->name, &e->slice.out,
                                         &e->dataset.attributes};
    if (!fpgz_allowance_room(&e->terms->setup, output.fd, e->slice.bytes, error) &&
        !e->sink->begin(&what, &e->state, error)) {
        fpgz_extraction_run(e, error);
        e->sink->end(e->state, error);
    }
    if (!error->status && !output_commit(&output, &metadata, error) && options->remove_source && input->path)
        source_remove(command->console, input->path,
                      &(struct proof){0}); /* an array is not all that the container restores */
    output_discard(&output);
    fpgz_xattrs_free(&xattrs);
    return error->status;
}

/* The name that the array gets beside the container; NULL where it is to go to standard output, or has none.
 * The caller frees it. */
static char *choose_target(const struct fpgz_extraction *e, const struct command *command,
                           const struct fpgz_input *input)
{
    const struct options *options = command->options;
    const char *const suffix = e->sink == fpgz_sink_plain() ? "" : e->sink->suffixes[0];
    const char *const name = e->slice.part->name;
    if (options->output)
        return strdup(options->output);
    if (!input->path || options->to_stdout)
        return NULL;
    if (*name && !*suffix)
        return name_grid(input->path, name, e->slice.out.dtype);
    if (*name)
        return name_dataset(input->path, name, suffix);
    char *restored =
        name_restored(input->path, options->suffix, e->archive.member.file.name, options->stored_name);
    char *target = restored ? name_dataset(input->path, restored, suffix) : NULL;
    free(restored);
    return target;
}

enum fpgz_status extract_array(const struct command *command, const struct fpgz_input *input,
                               struct fpgz_error *error)
{
    const struct options *options = command->options;
    struct fpgz_extraction e = {.terms = &command->terms, .sink = sink_for(command)};
    if (!fpgz_catalog_open(&e.archive, input->fd, error) &&
        !fpgz_extraction_choose(&e, options->dataset, error))
        fpgz_extraction_plan(&e, options->region, command->terms.setup.raw.array.order, error);
    if (!error->status) {
        char *target = choose_target(&e, command, input);
        if (!target && input->path && !options->to_stdout)
            fpgz_fail(error, FPGZ_USAGE,
                      "neither ends in " NAME_SUFFIX " nor holds a name; choose one with -o");
        else
            convert(&e, command, input, target, error);
        free(target);
    }
    return fpgz_extraction_free(&e, error);
}
