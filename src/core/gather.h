/* SPDX-License-Identifier: MIT
 * Bytes between memory and their places in a file. On failure errno tells why. */
#ifndef FPGZ_CORE_GATHER_H
#define FPGZ_CORE_GATHER_H

#include "core/content.h"

/* A file that begins at byte `base` of fd. Places in it are those of its image; NULL: it has none. */
struct fpgz_area {
    int fd;
    uint64_t base;
    const struct fpgz_image *image;
};

/* Reads `bytes` bytes of the place's sequence, from `at` on, and takes their checksum. *stopped receives the
 * byte of fd behind the last one that was read: where it failed, or (errno is 0) where fd ended too early. */
bool fpgz_gather(const struct fpgz_area *area, const struct fpgz_place *place, uint64_t at, void *data,
                 size_t bytes, uint64_t *stopped, uint64_t *checksum);

/* Writes them back. `sparse`: the places were never written. `readable` is a descriptor of the same file that
 * can be read, or -1: then pieces with small gaps are written one by one, which takes long. With one the
 * bytes in the gaps are written again as they are, so nothing else may write to the file meanwhile. */
bool fpgz_scatter(const struct fpgz_area *area, int readable, const struct fpgz_place *place, uint64_t at,
                  const void *data, size_t bytes, bool sparse);

/* The byte of fd where a place of the image is. */
uint64_t fpgz_area_offset(const struct fpgz_area *area, uint64_t offset);

#endif
