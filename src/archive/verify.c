/* SPDX-License-Identifier: MIT
 * Decodes a whole container, and writes nothing. */
#include "archive/verify.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "archive/input.h"
#include "archive/landing.h"
#include "archive/unpacking.h"

enum fpgz_status fpgz_check_container(const struct fpgz_terms *terms, int fd, const char *name,
                                      const struct fpgz_writer *written, bool whole,
                                      struct fpgz_verified *verified, struct fpgz_error *error)
{
    struct fpgz_unpacking d = {.terms = terms, .name = name, .fd = -1, .sum = fpgz_checksum_begin()};
    const struct fpgz_section *const last = &d.reader.section, *const end =
                                                                   written ? &written->section : NULL;
    if (!d.sum)
        return fpgz_fail(error, FPGZ_MEMORY, "no memory");
    if (lseek(fd, 0, SEEK_SET) != 0)
        fpgz_fail(error, FPGZ_IO, "cannot be read back: %s", strerror(errno));
    posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED); /* so that the bytes are read from the disk */
    fpgz_reader_open(&d.reader, fd);
    if (!error->status && !fpgz_unpacking_begin(&d, error) && whole && d.newest->member.file.scattered) {
        d.fd = fpgz_landing_temporary();
        if (d.fd < 0)
            fpgz_fail(error, FPGZ_IO, "cannot create a temporary file in $TMPDIR: %s", strerror(errno));
    }
    if (!error->status && !fpgz_unpacking_run(&d, error) && written &&
        (d.reader.member_start != written->start || last->head_length != end->head_length ||
         memcmp(last->bytes, end->bytes, FPGZ_SECTION_BYTES + end->head_length) != 0))
        fpgz_fail(error, FPGZ_CORRUPT, "read back, it is not the container that was written");
    *verified = (struct fpgz_verified){d.raw_bytes, !d.disordered || d.fd >= 0, fpgz_checksum_end(d.sum),
                                       fpgz_xattrs_digest(&d.xattrs)};
    if (d.fd >= 0) {
        if (!error->status)
            fpgz_file_digest(d.fd, &verified->bytes, &verified->sum, error);
        close(d.fd);
    }
    fpgz_unpacking_end(&d);
    return error->status;
}
