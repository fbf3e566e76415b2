/* SPDX-License-Identifier: MIT
 * The directory of a zip archive, and where its members' bytes are. */
#ifndef FPGZ_SOURCE_ZIP_DIRECTORY_H
#define FPGZ_SOURCE_ZIP_DIRECTORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { FPGZ_ZIP_STORED = 0, FPGZ_ZIP_DEFLATED = 8 };

/* A member, as the directory tells of it. */
struct fpgz_zip_member {
    const char *name;   /* until the next one is read */
    size_t name_length; /* a name may hold a NUL */
    unsigned method;
    bool encrypted;
    uint64_t packed, bytes; /* as they stand in the archive, and as they were */
    uint64_t header;        /* byte of the file where the member's own header begins */
};

struct fpgz_zip {
    int fd;
    uint64_t base;       /* byte of the file that members' offsets count from */
    uint64_t first, end; /* of the directory */
    uint64_t at;         /* of what is not read yet */
    uint64_t window_at;
    size_t window_bytes;
    uint8_t *window; /* what was read of the directory last */
    char *name;
};

/* Finds the directory of the archive of `size` bytes. False where there is none, and without memory. To be
 * closed in any case. */
bool fpgz_zip_open(int fd, uint64_t size, struct fpgz_zip *zip);

/* Begins with the first member again. */
void fpgz_zip_rewind(struct fpgz_zip *zip);

/* Reads the next member. False at the end, where zip->at is zip->end, and where the directory is damaged. */
bool fpgz_zip_next(struct fpgz_zip *zip, struct fpgz_zip_member *member);

/* Where the member's bytes begin. False where its own header tells of another one, or its bytes do not lie
 * before the directory. */
bool fpgz_zip_place(const struct fpgz_zip *zip, const struct fpgz_zip_member *member, uint64_t *offset);

void fpgz_zip_close(struct fpgz_zip *zip);

#endif
