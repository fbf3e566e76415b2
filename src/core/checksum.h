/* SPDX-License-Identifier: MIT
 * The container's checksum: XXH3-64, seed 0. Nothing else includes xxhash.h. And that of zlib's streams. */
#ifndef FPGZ_CORE_CHECKSUM_H
#define FPGZ_CORE_CHECKSUM_H

#include <stddef.h>
#include <stdint.h>

uint64_t fpgz_checksum(const void *data, size_t length);

/* The same in pieces. fpgz_checksum_begin() is NULL when there is no memory; fpgz_checksum_end() frees what
 * it gave. */
struct fpgz_checksum_stream;
struct fpgz_checksum_stream *fpgz_checksum_begin(void);
void fpgz_checksum_add(struct fpgz_checksum_stream *stream, const void *data, size_t length);
uint64_t fpgz_checksum_end(struct fpgz_checksum_stream *stream);

/* Adler-32 (RFC 1950). */
uint32_t fpgz_adler32(const void *data, size_t length);

#endif
