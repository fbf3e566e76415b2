/* SPDX-License-Identifier: MIT
 * Any bytes as a container that is listed: what is printed is UTF-8 without control characters, which a
 * terminal might obey, and with --json is JSON. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/list.h"
#include "console/json.h"
#include "core/text.h"
#include "fuzz.h"
#include "hostile.h"

/* What listing prints, to be freed. */
static char *listing(const struct options *options, int verbosity)
{
    FILE *const nowhere = stdout;
    char *text;
    size_t length;
    if (!(stdout = open_memstream(&text, &length)))
        __builtin_trap();
    struct console console = {.verbosity = verbosity};
    const struct command command = {options, &console, {.setup = options->setup}};
    list_files(&command);
    fclose(stdout);
    stdout = nowhere;
    return text;
}

static void check_text(const struct options *options, int verbosity)
{
    char *const text = listing(options, verbosity);
    unsigned code, length;
    for (const char *at = text; *at; at += length)
        if (!(length = fpgz_text_character(at, &code)) || (fpgz_text_steers(code) && code != '\n'))
            __builtin_trap();
    free(text);
}

static void check_json(struct options *options)
{
    options->json = true;
    char *const text = listing(options, 0);
    for (char *line = text, *end; *line; line = end + 1) {
        if (!(end = strchr(line, '\n')))
            __builtin_trap();
        struct json json = {line, end, false};
        json_skip(&json);
        if (!json_end(&json))
            __builtin_trap();
    }
    free(text);
}

static void run(char *path, enum hostile_repair repair)
{
    (void)repair;
    struct options options = {
        .mode = MODE_LIST, .setup.threads = 1, .selection = {.files = &path, .file_count = 1}};
    for (int verbosity = 0; verbosity <= 2; verbosity++)
        check_text(&options, verbosity);
    check_json(&options);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    hostile_containers(data, size, run);
    return 0;
}
