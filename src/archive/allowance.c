/* SPDX-License-Identifier: MIT
 * Limits on what a container may restore. */
#include "archive/allowance.h"

#include <inttypes.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "core/grid.h"

#define MUCH (UINT64_C(64) << 30)
enum { TIMES = 1000 };

enum fpgz_status fpgz_allowance_believe(const struct fpgz_setup *setup, uint64_t restored, uint64_t container,
                                        struct fpgz_error *error)
{
    if (setup->trusting || container == FPGZ_UNKNOWN || restored <= MUCH || restored / TIMES <= container)
        return FPGZ_OK;
    return fpgz_fail(error, FPGZ_LIMIT,
                     "would restore at least %" PRIu64 " bytes, more than %d times the %" PRIu64
                     " that it has; if that is right, -f or --max-output %" PRIu64 " allows it",
                     restored, TIMES, container, restored);
}

enum fpgz_status fpgz_allowance_check(const struct fpgz_setup *setup, uint64_t restored, uint64_t container,
                                      struct fpgz_error *error)
{
    const uint64_t most = setup->max_output;
    if (!most)
        return fpgz_allowance_believe(setup, restored, container, error);
    if (restored <= most)
        return FPGZ_OK;
    return fpgz_fail(error, FPGZ_LIMIT,
                     "would restore at least %" PRIu64 " bytes, but --max-output allows %" PRIu64, restored,
                     most);
}

enum fpgz_status fpgz_allowance_room(const struct fpgz_setup *setup, int fd, uint64_t needed,
                                     struct fpgz_error *error)
{
    struct stat file;
    struct statvfs system;
    if (setup->trusting || fd < 0 || fstat(fd, &file) != 0 || !S_ISREG(file.st_mode) ||
        lseek(fd, 0, SEEK_CUR) < file.st_size || fstatvfs(fd, &system) != 0 || !system.f_blocks)
        return FPGZ_OK;
    const uint64_t blocks = geteuid() ? system.f_bavail : system.f_bfree;
    const uint64_t room = blocks * system.f_frsize;
    if (needed <= room)
        return FPGZ_OK;
    return fpgz_fail(error, FPGZ_IO,
                     "needs at least %" PRIu64 " bytes where it is restored to, but only %" PRIu64
                     " are free",
                     needed, room);
}
