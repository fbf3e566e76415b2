/* SPDX-License-Identifier: MIT
 * Reads and writes all of a range, with a checksum or with holes for zeros where that is asked for. */
#include "core/io.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "core/bytes.h"
#include "core/checksum.h"

/* Linux moves at most 0x7ffff000 bytes a call. Smaller pieces keep every count within ssize_t on all
 * systems. */
static size_t piece(size_t length)
{
    const size_t most = 1 << 30;
    return length < most ? length : most;
}

bool fpgz_read(int fd, void *data, size_t length, size_t *got)
{
    *got = 0;
    while (*got < length) {
        const ssize_t count = read(fd, (char *)data + *got, piece(length - *got));
        if (count < 0 && errno == EINTR)
            continue;
        if (count <= 0)
            return count == 0;
        *got += (size_t)count;
    }
    return true;
}

bool fpgz_read_at(int fd, void *data, size_t length, uint64_t offset, size_t *got)
{
    *got = 0;
    while (*got < length) {
        const ssize_t count = pread(fd, (char *)data + *got, piece(length - *got), (off_t)(offset + *got));
        if (count < 0 && errno == EINTR)
            continue;
        if (count <= 0)
            return count == 0;
        *got += (size_t)count;
    }
    return true;
}

bool fpgz_read_at_summed(int fd, void *data, size_t length, uint64_t offset, size_t *got, uint64_t *checksum)
{
    enum { PIECE = 256 << 10 };
    struct fpgz_checksum_stream *sum = fpgz_checksum_begin();
    bool ok = sum != NULL, more = true;
    *got = 0;
    while (ok && more && *got < length) {
        const size_t wanted = length - *got < PIECE ? length - *got : PIECE;
        size_t count;
        ok = fpgz_read_at(fd, (char *)data + *got, wanted, offset + *got, &count);
        fpgz_checksum_add(sum, (char *)data + *got, count);
        *got += count;
        more = count == wanted;
    }
    const int reason = errno;
    if (sum)
        *checksum = fpgz_checksum_end(sum);
    errno = reason;
    return ok;
}

/* Whether the file has a byte at `offset`; `unread` where it cannot be read. */
static bool has_byte(int fd, uint64_t offset, bool unread)
{
    char byte;
    size_t got;
    return fpgz_read_at(fd, &byte, 1, offset, &got) ? got : unread;
}

bool fpgz_file_sized(int fd, struct stat *stat)
{
    for (int tries = 0; tries < 5; tries++) {
        const off_t said = stat->st_size;
        if (!has_byte(fd, (uint64_t)said, false) && (!said || has_byte(fd, (uint64_t)said - 1, true)))
            return true;
        if (fstat(fd, stat) != 0 || stat->st_size == said)
            return false;
    }
    return true; /* the file keeps changing, and each time its size was what fstat() said */
}

bool fpgz_write(int fd, const void *data, size_t length)
{
    for (size_t done = 0; done < length;) {
        const ssize_t count = write(fd, (const char *)data + done, piece(length - done));
        if (count < 0 && errno == EINTR)
            continue;
        if (count < 0)
            return false;
        done += (size_t)count;
    }
    return true;
}

bool fpgz_write_at(int fd, const void *data, size_t length, uint64_t offset)
{
    for (size_t done = 0; done < length;) {
        const ssize_t count =
            pwrite(fd, (const char *)data + done, piece(length - done), (off_t)(offset + done));
        if (count < 0 && errno == EINTR)
            continue;
        if (count < 0)
            return false;
        done += (size_t)count;
    }
    return true;
}

static bool all_zero(const uint8_t *data, size_t length)
{
    return !data[0] && !memcmp(data, data + 1, length - 1);
}

bool fpgz_write_sparse_at(int fd, const void *data, size_t length, uint64_t offset)
{
    /* BLOCK: of most file systems. HOLE: a smaller one costs more time, in calls and extents, than it saves.
     */
    enum { BLOCK = 4096, HOLE = 16 * BLOCK };
    const uint8_t *const from = data;
    size_t first = 0, last = 0; /* the bytes still to be written; zeros are behind them */
    for (size_t at = 0, block; at < length; at += block) {
        block = fpgz_min(BLOCK - (offset + at) % BLOCK, length - at);
        if (all_zero(from + at, block))
            continue;
        if (at - last >= HOLE) {
            if (!fpgz_write_at(fd, from + first, last - first, offset + first))
                return false;
            first = at;
        }
        last = at + block;
    }
    return fpgz_write_at(fd, from + first, last - first, offset + first);
}
