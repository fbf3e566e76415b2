/* SPDX-License-Identifier: MIT
 * Any bytes as a damaged container: what can be of it is restored, the rest is told, and nothing is touched
 * that may not be. */
#include "cli/recover.h"

#include "fuzz.h"
#include "hostile.h"

static void run(char *path, enum hostile_repair repair)
{
    const struct options options = {.mode = MODE_RECOVER,
                                    .setup.threads = 1,
                                    .output = "/dev/null",
                                    .fill_nan = repair == HOSTILE_CHECKS};
    struct console console = {.verbosity = 2};
    const struct command command = {&options, &console, {.setup = options.setup}};
    recover_file(&command, path);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    hostile_containers(data, size, run);
    return 0;
}
