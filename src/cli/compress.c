/* SPDX-License-Identifier: MIT
 * The compression of one file: from its name to its named container. */
#include "cli/compress.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "archive/budget.h"
#include "archive/describe.h"
#include "archive/packing.h"
#include "archive/parts.h"
#include "cli/remark.h"
#include "core/text.h"
#include "files/name.h"
#include "files/output.h"
#include "files/removal.h"
#include "source/source.h"

struct compression {
    const struct command *command;
    const struct fpgz_input *input;
    struct fpgz_input stream;    /* of --dataset: the pipe that brings its values */
    struct fpgz_dataset dataset; /* the same */
    bool has_dataset;
    bool undone;                   /* what goes wrong leaves nothing behind */
    bool prove;                    /* that the source is no longer needed */
    struct fpgz_verified verified; /* what the container restores */
    struct fpgz_verified held;     /* what the source held before it was read, where `verified` is not that */
    struct proof proof;
    struct fpgz_packing packing;
};

/* One dataset of a file, as a grid. */
static enum fpgz_status describe_dataset(struct compression *c, struct fpgz_error *error)
{
    const struct options *options = c->command->options;
    const struct fpgz_input *input = c->input;
    const struct fpgz_source *source = fpgz_describe_format(&c->command->terms.setup, input);
    if (!source)
        return fpgz_fail(error, FPGZ_USAGE,
                         "--dataset takes one from a file of datasets, which this is not%s",
                         input->sized ? "" : ": a pipe cannot be sought in");
    if (fpgz_describe_begin(&c->command->terms, source, error) ||
        fpgz_dataset_open(source, input->fd, input->path, options->dataset, true, &c->dataset, error))
        return error->status;
    c->has_dataset = true;
    fpgz_describe_left(&c->command->terms, input, options->dataset, &c->dataset.left);
    const struct fpgz_array *array = &c->dataset.array;
    if (c->command->terms.setup.codec &&
        fpgz_codec_check(c->command->terms.setup.codec, array->dtype, &c->command->terms.setup.params, error))
        return error->status;
    c->stream = (struct fpgz_input){.path = input->path, .name = input->name, .fd = c->dataset.fd};
    if (!fpgz_extents_bytes(array->dtype, array->extent, array->dims, &c->packing.intake.content.size))
        return fpgz_fail(error, FPGZ_USAGE, "dataset %s holds no values", options->dataset);
    char *name = NULL; /* the path from the root, as all containers have it */
    if (strlen(options->dataset) >= FPGZ_MAX_NAME_BYTES)
        return fpgz_fail(error, FPGZ_USAGE,
                         "the name of the dataset has more than the %d bytes of a container",
                         FPGZ_MAX_NAME_BYTES);
    if (asprintf(&name, "%s%s", *options->dataset == '/' ? "" : "/", options->dataset) < 0)
        return fpgz_fail(error, FPGZ_MEMORY, "no memory");
    fpgz_describe_grid(array, name, 0, &c->packing.intake.content, error);
    free(name);
    return error->status;
}

/* Finds what the input holds, before there are threads. */
static enum fpgz_status describe(struct compression *c, struct fpgz_error *error)
{
    const struct options *options = c->command->options;
    if (options->dataset)
        return describe_dataset(c, error);
    if (fpgz_packing_describe(&c->packing, error))
        return error->status;
    if (!c->input->attempts)
        remark_content(c->command, c->input, &c->packing);
    return FPGZ_OK;
}

/* Reads the synced container back, before it has its name and the source may go. */
static enum fpgz_status verify(struct compression *c, const struct output *output, struct fpgz_error *error)
{
    if (!c->command->options->verify && !c->prove)
        return FPGZ_OK;
    if (!output->synced) {
        if (c->command->options->verify)
            message_warning(c->command->console, FPGZ_WARNING_UNVERIFIED, c->input->name,
                            "not verified: %s cannot be read back", output->name);
        return FPGZ_OK;
    }
    fpgz_check_container(&c->command->terms, output->fd, output->name, &c->packing.writer, false,
                         &c->verified, error);
    return output_refuse(output, error);
}

/* Takes down what the source holds, where the container that is to be made will not tell: what it restores
 * differs if the codec is lossy, and comes in another order if the plan is scattered. Whether it was this
 * that was read is known by the source's times, which must not change until it is removed. */
static enum fpgz_status digest_source(struct compression *c, const struct fpgz_input *input,
                                      struct fpgz_error *error)
{
    const bool lossless = !c->command->terms.setup.codec || c->command->terms.setup.codec->lossless;
    if (!c->prove || !input->path || !input->sized ||
        (lossless && !fpgz_plan_scattered(&c->packing.intake.plan)))
        return FPGZ_OK;
    c->held.summed = true;
    return fpgz_file_digest(input->fd, &c->held.bytes, &c->held.sum, error);
}

/* What the file section says: of a dataset, as if it had been a file of its own. */
static void name_file(struct compression *c)
{
    struct fpgz_file_head *file = &c->packing.file;
    const struct fpgz_input *input = c->input;
    const char *const dataset = c->command->options->dataset;
    if (!input->path)
        return;
    const char *const base = fpgz_text_base(dataset ? dataset : input->path);
    if (dataset)
        snprintf(file->name, sizeof file->name, "%.*s.%s", fpgz_text_fit(base, NAME_KEPT), base,
                 fpgz_dtype_name(c->packing.intake.content.part->array.dtype));
    else
        snprintf(file->name, sizeof file->name, "%s", base);
    file->has_mode = file->has_mtime = input->regular;
    file->mode = input->stat.st_mode & 07777;
    file->mtime = input->stat.st_mtim.tv_sec;
    file->mtime_ns = (uint32_t)input->stat.st_mtim.tv_nsec;
}

/* Reads the extended attributes of a file that the container keeps, and tells of those that it cannot. */
static enum fpgz_status take_xattrs(struct compression *c, struct fpgz_error *error)
{
    const struct fpgz_input *input = c->input;
    struct xattrs_lost lost;
    char text[FPGZ_XATTR_NAME + 60];
    if (!input->path || !input->regular ||
        xattrs_read(input->fd, input->stat.st_mode, &c->packing.xattrs, &lost, error))
        return error->status;
    lost.foreign = 0;
    if (lost.kept)
        message_warning(
            c->command->console, FPGZ_WARNING_METADATA, input->name,
            "%s cannot be kept: a container takes values of up to 64 KiB, 1 MiB in all, that can be read",
            xattrs_lost_text(&lost, text));
    return FPGZ_OK;
}

/* From the opened input to the committed output. */
static enum fpgz_status convert(struct compression *c, struct fpgz_input *input, const char *target,
                                struct fpgz_error *error)
{
    const struct options *options = c->command->options;
    struct console *const console = c->command->console;
    struct output output;
    name_file(c);
    if (fpgz_packing_plan(&c->packing, c->has_dataset ? &c->stream : input, error) || take_xattrs(c, error) ||
        digest_source(c, input, error) ||
        output_open(&output, console, target, options_output(options), input, error))
        return error->status;
    c->packing.may_grow =
        c->packing.intake.content.kind == FPGZ_KIND_RAW && !c->has_dataset && options->mode != MODE_BATCH;
    c->undone = output.temporary;
    const bool named = input->path && input->regular;
    const struct metadata metadata = {.has_mode = named,
                                      .has_mtime = named,
                                      .has_owner = named,
                                      .mode = input->stat.st_mode,
                                      .mtime = input->stat.st_mtim,
                                      .owner = input->stat.st_uid,
                                      .group = input->stat.st_gid,
                                      .xattrs = c->packing.xattrs,
                                      .only_rights = true};
    struct fpgz_error cut_off = {0}; /* why a dataset's values ended too early */
    const bool shown = progress_begin(&console->progress, input->name, c->packing.intake.content.size, false,
                                      console->verbosity >= 0);
    fpgz_packing_run(&c->packing, (struct fpgz_out){.fd = output.fd}, error);
    if (shown)
        progress_end(&console->progress);
    if (c->has_dataset && fpgz_dataset_close(&c->dataset, &cut_off))
        *error = cut_off;
    c->has_dataset = false;
    if (!error->status && !output_sync(&output, &metadata, error) && !verify(c, &output, error) &&
        !output_commit(&output, &metadata, error)) {
        remark_result(c->command, input, &c->packing);
        progress_count(&console->progress,
                       c->packing.writer.raw_bytes - (c->packing.file.image - c->packing.file.size),
                       c->packing.writer.start + c->packing.writer.position);
        c->proof = (struct proof){.source = input->stat,
                                  .held = c->held.summed ? c->held : c->verified,
                                  .synced = output.complete,
                                  .xattrs = c->verified.xattrs,
                                  .force = options->force};
    }
    output_discard(&output);
    return error->status;
}

/* Where to write; NULL: to standard output. The caller frees it. */
static char *choose_target(const struct compression *c)
{
    const struct options *options = c->command->options;
    const char *path = c->input->path;
    if (options->output)
        return strdup(options->output);
    if (!path || options->to_stdout)
        return NULL;
    if (!options->dataset)
        return name_compressed(path, options->suffix);
    char *grid = name_grid(path, options->dataset, c->dataset.array.dtype);
    char *target = name_compressed(grid, options->suffix);
    free(grid);
    return target;
}

/* Whether a file that became shorter can be taken as it is now: bytes and values without a shape can, unless
 * what was there of them cannot be taken back, or, in a batch, is a container that may be the better one. */
static bool can_shrink(const struct compression *c)
{
    const struct options *options = c->command->options;
    const struct fpgz_content *content = &c->packing.intake.content;
    return c->undone && options->mode != MODE_BATCH && content->kind == FPGZ_KIND_RAW && !options->dataset &&
           !c->command->terms.setup.raw.has_shape && content->part->array.dims == 1;
}

/* From the opened input to the committed output. True where the input became shorter, which is then the
 * error, and another attempt is worth it. */
static bool attempt(struct compression *c, struct fpgz_input *input, struct fpgz_error *error)
{
    const struct options *options = c->command->options;
    if ((!input->path || options->to_stdout) && !options->output && isatty(STDOUT_FILENO) && !options->force)
        fpgz_fail(error, FPGZ_USAGE,
                  "a container is not written to a terminal; use -o FILE, or -f to do it anyway");
    else if (!describe(c, error)) {
        char *target = choose_target(c);
        convert(c, input, target, error);
        free(target);
    }
    const bool again = error->status == FPGZ_IO && fpgz_input_change(input) == INPUT_SHRANK && can_shrink(c);
    struct fpgz_error unread = {0};
    if (c->has_dataset)
        fpgz_dataset_close(&c->dataset, &unread);
    fpgz_packing_free(&c->packing);
    return again;
}

_Static_assert(offsetof(struct compression, packing) + sizeof(struct fpgz_packing) ==
                   sizeof(struct compression),
               "nothing is behind what has a call of its own to be cleared");

static void begin(struct compression *c, const struct command *command, const struct fpgz_input *input,
                  bool prove)
{
    memset(c, 0, offsetof(struct compression, packing));
    c->command = command;
    c->input = input;
    c->prove = prove;
    fpgz_packing_clear(&c->packing);
    c->packing.terms = &command->terms;
    c->packing.input = input;
    c->packing.name = input->name;
    c->packing.attributes = &c->dataset.attributes;
}

/* With `prove` a proof is made that the source is no longer needed. */
static bool compress(const struct command *given, const char *path, bool prove, struct proof *proof,
                     struct fpgz_verified *restored)
{
    const struct options *const options = given->options;
    struct command own = *given;
    if (options->dataset)
        fpgz_budget_share(&own.terms.setup);
    struct fpgz_error error = {0};
    struct fpgz_input input;
    struct compression c;
    if (fpgz_input_open(&input, path, &error)) {
        message_failure(own.console, path, &error);
        return false;
    }
    if (path && name_suffix(path, options->suffix) && !options->output && !options->to_stdout &&
        !options->force) {
        message_warning(own.console, FPGZ_WARNING_SUFFIX, path,
                        "has the suffix %s already; not compressed (-f does it anyway)",
                        name_suffix(path, options->suffix));
        fpgz_input_close(&input);
        return false;
    }
    do {
        begin(&c, &own, &input, prove);
        error.status = FPGZ_OK;
    } while (attempt(&c, &input, &error) && fpgz_input_again(&input));
    if (error.status)
        message_failure(own.console, input.name, &error);
    else
        fpgz_input_tell_attempts(&input, own.terms.listener);
    c.proof.changed = input.attempts;
    *proof = c.proof;
    *restored = c.verified;
    fpgz_input_close(&input);
    return !error.status;
}

bool compress_and_tell(const struct command *command, const char *path, struct proof *proof,
                       struct fpgz_verified *restored)
{
    return compress(command, path, true, proof, restored);
}

void compress_file(const struct command *command, const char *path)
{
    const struct options *options = command->options;
    struct proof proof;
    struct fpgz_verified restored;
    if (compress(command, path, options->remove_source, &proof, &restored) && options->remove_source && path)
        source_remove(command->console, path, &proof);
}
