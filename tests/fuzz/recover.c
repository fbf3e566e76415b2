/* SPDX-License-Identifier: MIT
 * Any bytes as a damaged container: what can be of it is restored, the rest is told, and nothing is touched
 * that may not be. */
#include "cli/recover.h"

#include <unistd.h>

#include "cli/message.h"
#include "fuzz.h"
#include "hostile.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    hostile_silence();
    message_verbosity = 2;
    for (enum hostile_repair repair = HOSTILE_AS_IT_IS; repair < HOSTILE_REPAIRS; repair++) {
        char path[64];
        const int fd = hostile_container(data, size, repair, path);
        const struct options options = {
            .mode = MODE_RECOVER, .threads = 1, .output = "/dev/null", .fill_nan = repair == HOSTILE_CHECKS};
        recover_file(&options, path);
        close(fd);
    }
    return 0;
}
