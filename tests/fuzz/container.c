/* SPDX-License-Identifier: MIT
 * Any bytes as a container: testing it, restoring it and taking a part out of it ends with a
 * message, and touches nothing that it may not. */
#include "cli/decompress.h"
#include "fuzz.h"
#include "hostile.h"

static void run(char *path, enum hostile_repair repair)
{
    (void)repair;
    char *files[] = {path};
    struct options options = {
        .mode = MODE_TEST, .setup.threads = 1, .selection = {.files = files, .file_count = 1}};
    struct console console = {.verbosity = 2};
    const struct command command = {&options, &console, {.setup = options.setup}};
    decompress_file(&command, path);
    options.mode = MODE_DECOMPRESS;
    options.output = "/dev/null";
    decompress_file(&command, path);
    options.region = "-1";
    decompress_file(&command, path);
    options.dataset = "/group/pieces";
    options.region = NULL;
    decompress_file(&command, path);
    options.region = "1:,-1";
    decompress_file(&command, path);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    hostile_containers(data, size, run);
    return 0;
}
