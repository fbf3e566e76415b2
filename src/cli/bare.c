/* SPDX-License-Identifier: MIT
 * --bare: one codec's stream without a container, both ways. The whole grid is in memory. */
#include "cli/bare.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "archive/allowance.h"
#include "archive/budget.h"
#include "archive/input.h"
#include "core/buffer.h"
#include "core/bytes.h"
#include "core/checksum.h"
#include "core/io.h"
#include "core/text.h"
#include "files/name.h"
#include "files/output.h"
#include "files/removal.h"

/* Everything that a pipe brings; *length receives its bytes. */
static enum fpgz_status read_all(const struct command *command, const struct fpgz_input *input,
                                 struct fpgz_buffer *data, size_t *length, struct fpgz_error *error)
{
    size_t got;
    *length = 0;
    do {
        const size_t wanted = 2 * *length + (1 << 20);
        struct fpgz_buffer larger = {0};
        if (fpgz_budget_check(&command->terms.setup, fpgz_buffer_rounded(wanted) + data->capacity, error))
            return error->status;
        if (!fpgz_buffer_reserve(&larger, wanted))
            return fpgz_fail(error, FPGZ_MEMORY, "no memory for %zu bytes: a bare grid is held whole",
                             wanted);
        if (*length)
            memcpy(larger.data, data->data, *length);
        fpgz_buffer_free(data);
        *data = larger;
        if (!fpgz_read(input->fd, data->data + *length, data->capacity - *length, &got))
            return fpgz_fail(error, FPGZ_IO, "cannot read: %s", strerror(errno));
        *length += got;
    } while (*length == data->capacity);
    return FPGZ_OK;
}

/* The bytes that a file had when it was opened or, where it has fewer now, these. */
static enum fpgz_status read_sized(const struct command *command, struct fpgz_input *input,
                                   struct fpgz_buffer *data, size_t *length, struct fpgz_error *error)
{
    do {
        if (fpgz_budget_check(&command->terms.setup, fpgz_buffer_rounded(input->size + 1), error))
            return error->status;
        if (!fpgz_buffer_reserve(data, input->size + 1))
            return fpgz_fail(error, FPGZ_MEMORY, "no memory for %" PRIu64 " bytes: a bare grid is held whole",
                             input->size);
        if (!fpgz_read_at(input->fd, data->data, input->size, input->start, length))
            return fpgz_fail(error, FPGZ_IO, "cannot read: %s", strerror(errno));
    } while ((*length < input->size || fpgz_input_change(input) == INPUT_SHRANK) && fpgz_input_again(input));
    if (fpgz_input_unchanged(input, true, command->terms.listener, error))
        return error->status;
    fpgz_input_tell_attempts(input, command->terms.listener);
    return FPGZ_OK;
}

/* The grid that the codec codes: as it is described, without the merging of axes that containers record. */
static enum fpgz_status describe(const struct command *command, const char *name, uint64_t bytes,
                                 struct fpgz_grid *grid, struct fpgz_error *error)
{
    const struct fpgz_codec *codec = command->terms.setup.codec;
    struct fpgz_array array;
    char shape[FPGZ_SHAPE_TEXT];
    if (fpgz_raw_describe(&command->terms.setup.raw, name, bytes, &array, error) ||
        fpgz_codec_check(codec, array.dtype, &command->terms.setup.params, error))
        return error->status;
    if (array.extent[0] == FPGZ_UNKNOWN)
        return fpgz_fail(error, FPGZ_USAGE,
                         "a bare stream of %s does not say how many values it holds; give the whole --shape",
                         codec->name);
    *grid = (struct fpgz_grid){array.dtype, array.dims, {1, 1, 1, 1}};
    if (codec->max_dims == 1) {
        grid->dims = 1;
        for (unsigned d = 0; d < array.dims; d++)
            grid->extent[0] *= array.extent[d];
        return FPGZ_OK;
    }
    if (array.dims > codec->max_dims)
        return fpgz_fail(
            error, FPGZ_USAGE, "shape %s has more than the %u dimensions that a bare stream of %s can have",
            fpgz_shape_text(array.extent, array.dims, shape, sizeof shape), codec->max_dims, codec->name);
    memcpy(grid->extent, array.extent, array.dims * sizeof *array.extent);
    return FPGZ_OK;
}

/* Whether the name ends in ".CODEC", with something before it. */
static bool has_suffix(const char *name, const struct fpgz_codec *codec)
{
    const char *dot = strrchr(name, '.');
    return dot && dot != name && !strcmp(dot + 1, codec->name);
}

/* Both ways: `data`, of `length` bytes, to `result`, of *result_length; *grid receives what is coded. */
static enum fpgz_status convert(const struct command *command, const struct fpgz_input *input,
                                const struct fpgz_buffer *data, size_t length, struct fpgz_buffer *result,
                                size_t *result_length, struct fpgz_grid *grid, struct fpgz_error *error)
{
    const struct options *options = command->options;
    const struct fpgz_codec *codec = command->terms.setup.codec;
    const bool restore = options->mode == MODE_DECOMPRESS;
    struct fpgz_coding coding = {.params = command->terms.setup.params};
    struct command described = *command;
    struct fpgz_raw_request *const request = &described.terms.setup.raw;
    char name[256] = "";
    if (input->path)
        snprintf(name, sizeof name, "%s", fpgz_text_base(input->path));
    if (restore && has_suffix(name, codec))
        name[strlen(name) - strlen(codec->name) - 1] = '\0';             /* temp_20x180x360.f32.ndzip */
    if (!request->has_dtype && !(codec->dtypes & (codec->dtypes - 1))) { /* there is but one */
        request->has_dtype = true;
        request->array.dtype = (enum fpgz_dtype)__builtin_ctz(codec->dtypes);
    }
    if (restore && !request->has_shape && codec->stream_values) {
        request->has_shape = codec->stream_values(data->data, length, &request->array.extent[0]);
        request->array.dims = 1;
    }
    if (describe(&described, name, restore ? FPGZ_UNKNOWN : length, &coding.grid, error) ||
        (restore &&
         fpgz_allowance_check(&command->terms.setup, fpgz_grid_bytes(&coding.grid), length, error)))
        return error->status;

    struct fpgz_buffer scratch = {0};
    *grid = coding.grid;
    const size_t bytes = fpgz_grid_bytes(grid);
    const size_t capacity = restore ? bytes + 1 : codec->bound(&coding.grid, &coding.params);
    const size_t memory = codec->memory(&coding.grid, &coding.params);
    enum fpgz_status status;
    if (fpgz_budget_check(&command->terms.setup,
                          data->capacity + fpgz_buffer_rounded(capacity) + fpgz_buffer_rounded(memory),
                          error))
        return error->status;
    if (!fpgz_buffer_reserve(result, capacity) || !fpgz_buffer_reserve(&scratch, memory))
        return fpgz_fail(error, FPGZ_MEMORY, "no memory: a bare grid is held whole");
    coding.scratch = scratch.data;
    *result_length = bytes;
    if (restore)
        status = codec->decode(&coding, data->data, length, result->data);
    else
        status = codec->encode(&coding, data->data, result->data, result_length);
    fpgz_buffer_free(&scratch);
    if (status == FPGZ_LIMIT)
        return fpgz_fail(error, status,
                         "the grid is larger than a bare stream of %s can say; compress it without --bare",
                         codec->name);
    if (status)
        return fpgz_fail(
            error, status,
            "these %zu bytes are no stream of %s for a grid of this type, shape and these parameters", length,
            codec->name);
    return FPGZ_OK;
}

/* Whether the stream decodes: to the very `data` it was made from, unless the codec is lossy. */
static enum fpgz_status check_stream(const struct command *command, const struct fpgz_grid *grid,
                                     const struct fpgz_buffer *data, const struct fpgz_buffer *stream,
                                     size_t length, struct fpgz_error *error)
{
    const struct fpgz_codec *codec = command->terms.setup.codec;
    struct fpgz_coding coding = {.params = command->terms.setup.params, .grid = *grid};
    struct fpgz_buffer restored = {0}, scratch = {0};
    const size_t bytes = fpgz_grid_bytes(grid),
                 memory = fpgz_codec_decode_memory(codec, grid, &coding.params);
    if (fpgz_budget_check(&command->terms.setup,
                          data->capacity + stream->capacity + fpgz_buffer_rounded(bytes) +
                              fpgz_buffer_rounded(memory),
                          error))
        return error->status;
    if (!fpgz_buffer_reserve(&restored, bytes) || !fpgz_buffer_reserve(&scratch, memory))
        fpgz_fail(error, FPGZ_MEMORY, "no memory: a bare grid is held whole");
    coding.scratch = scratch.data;
    if (!error->status && (codec->decode(&coding, stream->data, length, restored.data) ||
                           (codec->lossless && memcmp(restored.data, data->data, bytes) != 0)))
        fpgz_fail(error, FPGZ_INTERNAL, "codec %s cannot decode what it encoded: a defect of fpgz",
                  codec->name);
    fpgz_buffer_free(&scratch);
    fpgz_buffer_free(&restored);
    return error->status;
}

/* Whether the synced output is the `length` bytes of `result`. */
static enum fpgz_status read_back(const struct output *output, const struct fpgz_buffer *result,
                                  size_t length, struct fpgz_error *error)
{
    struct fpgz_verified there;
    posix_fadvise(output->fd, 0, 0, POSIX_FADV_DONTNEED); /* what is read shall come from the disk */
    if (!fpgz_file_digest(output->fd, &there.bytes, &there.sum, error) &&
        (there.bytes != length || there.sum != fpgz_checksum(result->data, length)))
        fpgz_fail(error, FPGZ_IO, "it is read back as other bytes than were written");
    return output_refuse(output, error);
}

/* FILE to FILE.codec, and back. The caller frees it. */
static char *choose_target(const struct command *command, const char *path)
{
    const struct options *options = command->options;
    const size_t length = strlen(path), suffix = strlen(command->terms.setup.codec->name) + 1;
    char *target = NULL;
    const int made = options->mode == MODE_COMPRESS
                         ? asprintf(&target, "%s.%s", path, command->terms.setup.codec->name)
                         : asprintf(&target, "%.*s", (int)(length - suffix), path);
    return made < 0 ? NULL : target;
}

static enum fpgz_status run(const struct command *command, struct fpgz_input *input, struct fpgz_error *error)
{
    const struct options *options = command->options;
    const char *target = options->output;
    char *own_target = NULL;
    struct fpgz_buffer data = {0}, result = {0};
    struct fpgz_grid grid;
    size_t length, result_length;
    if (!target && input->path && !options->to_stdout) {
        if (options->mode == MODE_DECOMPRESS &&
            !has_suffix(fpgz_text_base(input->path), command->terms.setup.codec))
            return fpgz_fail(error, FPGZ_USAGE, "does not end in .%s; choose a name with -o",
                             command->terms.setup.codec->name);
        target = own_target = choose_target(command, input->path);
    }
    if (!target && isatty(STDOUT_FILENO) && !options->force)
        return fpgz_fail(error, FPGZ_USAGE, "binary data are not written to a terminal; use -o FILE");
    struct output output;
    struct fpgz_xattrs xattrs = {0};
    struct xattrs_lost lost; /* a bare stream keeps none, but the access list says who may read it */
    const enum fpgz_status unread = input->sized ? read_sized(command, input, &data, &length, error)
                                                 : read_all(command, input, &data, &length, error);
    if (!unread && !convert(command, input, &data, length, &result, &result_length, &grid, error) &&
        !(options->remove_source && options->mode == MODE_COMPRESS &&
          check_stream(command, &grid, &data, &result, result_length, error)) &&
        !(input->regular && xattrs_read(input->fd, input->stat.st_mode, &xattrs, &lost, error)) &&
        !output_open(&output, command->console, target, options_output(options), input, error)) {
        const struct metadata metadata = {.has_mode = input->path && input->regular,
                                          .has_mtime = input->path && input->regular,
                                          .mode = input->stat.st_mode,
                                          .mtime = input->stat.st_mtim,
                                          .xattrs = xattrs,
                                          .only_rights = true};
        if (!fpgz_write(output.fd, result.data, result_length))
            fpgz_fail(error, errno == EPIPE ? FPGZ_CLOSED : FPGZ_IO, "cannot write: %s", strerror(errno));
        else if (!output_sync(&output, &metadata, error) &&
                 !(options->remove_source && output.synced &&
                   read_back(&output, &result, result_length, error)) &&
                 !output_commit(&output, &metadata, error) && options->remove_source && input->path)
            source_remove(command->console, input->path,
                          &(struct proof){
                              .source = input->stat,
                              .changed = input->attempts,
                              .held = {length, true, fpgz_checksum(data.data, length), 0},
                              .is_container = options->mode == MODE_DECOMPRESS,
                              .force = options->force,
                              .synced = output.complete,
                          });
        output_discard(&output);
    }
    fpgz_buffer_free(&data);
    fpgz_buffer_free(&result);
    fpgz_xattrs_free(&xattrs);
    free(own_target);
    return error->status;
}

void bare_file(const struct command *command, const char *path)
{
    const struct options *options = command->options;
    struct fpgz_error error = {0};
    struct fpgz_input input;
    if (!command->terms.setup.codec)
        fpgz_fail(&error, FPGZ_USAGE, "--bare needs --codec: a bare stream does not say what it is");
    else if (options->mode != MODE_COMPRESS && options->mode != MODE_DECOMPRESS)
        fpgz_fail(&error, FPGZ_USAGE,
                  "--bare goes with -z or -d: a bare stream has no checksums and no index");
    else if (!fpgz_input_open(&input, path, &error)) {
        run(command, &input, &error);
        fpgz_input_close(&input);
    }
    if (error.status)
        message_failure(command->console, path ? path : "(stdin)", &error);
}
