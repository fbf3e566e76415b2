/* SPDX-License-Identifier: MIT
 * Which zeros become holes of a file (core/io.h). usage: unit_holes   prints what failed. */
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../checks.h"
#include "core/io.h"

int main(void)
{
    enum { BYTES = 512 << 10, AT = 100 };
    static uint8_t bytes[BYTES], back[BYTES];
    const int fd = memfd_create("holes", MFD_CLOEXEC);
    struct stat status;
    memset(bytes + 5000, 1, 7);         /* behind a few zeros */
    memset(bytes + (50 << 10), 2, 100); /* behind less than a hole */
    memset(bytes + (300 << 10), 3, 9000);
    CHECK(fd >= 0 && fpgz_write_sparse_at(fd, bytes, BYTES, AT));
    CHECK(fstat(fd, &status) == 0 && status.st_size < 320 << 10 && status.st_blocks * 512 < 100 << 10);
    CHECK(ftruncate(fd, AT + BYTES) == 0 && pread(fd, back, BYTES, AT) == BYTES);
    CHECK(!memcmp(back, bytes, BYTES));
    close(fd);
    return checks_end();
}
