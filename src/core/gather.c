/* SPDX-License-Identifier: MIT
 * Copies scattered runs of a file into one block of memory, and back. */
#include "core/gather.h"

#include <errno.h>

#include "core/checksum.h"
#include "core/io.h"

bool fpgz_gather(int fd, uint64_t base, const struct fpgz_place *place, uint64_t at, void *data, size_t bytes,
                 uint64_t *stopped, uint64_t *checksum)
{
    uint8_t *const to = data;
    for (size_t done = 0, got; done < bytes; done += got) {
        const struct fpgz_span span = fpgz_place_span(place, at + done, bytes - done);
        const uint64_t offset = base + span.offset;
        errno = 0;
        const bool ok = span.bytes == bytes ? fpgz_read_at_summed(fd, to, bytes, offset, &got, checksum)
                                            : fpgz_read_at(fd, to + done, span.bytes, offset, &got);
        *stopped = offset + got;
        if (!ok || got < span.bytes)
            return false;
        if (got == bytes)
            return true;
    }
    *checksum = fpgz_checksum(data, bytes);
    return true;
}

bool fpgz_scatter(int fd, uint64_t base, const struct fpgz_place *place, uint64_t at, const void *data,
                  size_t bytes, bool sparse)
{
    for (size_t done = 0; done < bytes;) {
        const struct fpgz_span span = fpgz_place_span(place, at + done, bytes - done);
        if (!(sparse ? fpgz_write_sparse_at : fpgz_write_at)(fd, (const uint8_t *)data + done, span.bytes,
                                                             base + span.offset))
            return false;
        done += span.bytes;
    }
    return true;
}
