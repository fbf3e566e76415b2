/* SPDX-License-Identifier: MIT
 * read() and write() that carry on after signals and short counts. On failure errno tells why. */
#ifndef FPGZ_CORE_IO_H
#define FPGZ_CORE_IO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>

/* Reads `length` bytes, fewer only at the end of the input; *got receives the count. */
bool fpgz_read(int fd, void *data, size_t length, size_t *got);

/* The same at `offset`, without moving the file's position. */
bool fpgz_read_at(int fd, void *data, size_t length, uint64_t offset, size_t *got);

/* The same, with the checksum of the bytes read, taken in pieces while they are in the cache. Also false
 * without memory. */
bool fpgz_read_at_summed(int fd, void *data, size_t length, uint64_t offset, size_t *got, uint64_t *checksum);

/* Whether the regular file fd holds as many bytes as *stat says. If the file is growing or shrinking, *stat
 * is brought up to date. The sizes of files in /proc, in /sys and in some FUSE file systems mean nothing:
 * such files are read to their end. */
bool fpgz_file_sized(int fd, struct stat *stat);

bool fpgz_write(int fd, const void *data, size_t length);

/* The same at `offset`, without moving the file's position. */
bool fpgz_write_at(int fd, const void *data, size_t length, uint64_t offset);

/* The same for a range that was never written: runs of zeros of 64 KiB and more, and those at its end, are
 * left out, as holes. The file may then end up shorter than it should be. */
bool fpgz_write_sparse_at(int fd, const void *data, size_t length, uint64_t offset);

#endif
