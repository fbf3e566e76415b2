/* SPDX-License-Identifier: MIT
 * -l: what containers hold, read from their indexes, as a table or as JSON. */
#include "cli/list.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "archive/input.h"
#include "cli/list_json.h"
#include "cli/list_table.h"
#include "cli/summary.h"
#include "core/room.h"

/* Lists the member whose index the reader has just loaded, of `stored` bytes. */
static enum fpgz_status list_member(const struct command *command, const char *path,
                                    struct fpgz_reader *reader, uint64_t stored, uint64_t totals[2],
                                    struct fpgz_error *error)
{
    const struct options *options = command->options;
    const bool more = command->console->verbosity > 0;
    const struct summary_wish wish = {more,
                                      command->console->verbosity > 1 && !options->json ? list_chunk : NULL};
    struct summary summary = {.stored = stored};
    if (!summary_read(reader, &wish, &summary, error)) {
        totals[0] += stored;
        totals[1] += fpgz_member_come(&summary.member);
        if (options->json)
            list_json(path, &summary, more);
        else
            list_line(path, &summary, more);
    }
    summary_free(&summary);
    return error->status;
}

/* Members are found from the end of the file backwards, but told in their order. */
static enum fpgz_status list_file(const struct command *command, const char *path,
                                  const struct fpgz_input *input, uint64_t totals[2],
                                  struct fpgz_error *error)
{
    struct fpgz_reader reader = {0};
    struct fpgz_end_head end;
    uint64_t *ends = NULL, at, count = 0;
    fpgz_reader_open(&reader, input->fd);
    if (!reader.regular)
        fpgz_fail(error, FPGZ_USAGE, "a list is read from the container's end: it takes a file, not a pipe");
    else if (reader.file_size == 0)
        fpgz_fail(error, FPGZ_FOREIGN, "not an fpgz container");
    else
        fpgz_reader_check_magic(&reader, error);
    for (at = reader.file_size; at && !error->status; count++) {
        uint64_t *const more = fpgz_room(ends, count, sizeof *more);
        if (!more) {
            fpgz_fail(error, FPGZ_MEMORY, "no memory for a list of %" PRIu64 " containers", count);
            break;
        }
        ends = more;
        ends[count] = at;
        fpgz_reader_last_member(&reader, &at, &end, error);
    }
    while (count-- && !error->status) {
        at = ends[count];
        if (!fpgz_reader_last_member(&reader, &at, &end, error))
            list_member(command, path, &reader, end.member_length, totals, error);
    }
    free(ends);
    fpgz_reader_free(&reader);
    return error->status;
}

void list_files(const struct command *command)
{
    const struct options *options = command->options;
    uint64_t totals[2] = {0, 0};
    if (!options->selection.file_count) {
        message_error(
            command->console, FPGZ_USAGE, NULL,
            "-l takes files: a list is read from the container's end, and a pipe has none to seek to");
        return;
    }
    if (!options->json)
        list_titles();
    for (int i = 0; i < options->selection.file_count; i++) {
        struct fpgz_error error = {0};
        struct fpgz_input input;
        const char *path = options->selection.files[i];
        if (fpgz_input_open(&input, path, &error) || list_file(command, path, &input, totals, &error))
            message_failure(command->console, path, &error);
        fpgz_input_close(&input);
    }
    if (!options->json && options->selection.file_count > 1)
        list_totals(totals, options->selection.file_count);
}
