/* SPDX-License-Identifier: MIT
 * Files as the command reads them. */
#ifndef FPGZ_CLI_INPUT_H
#define FPGZ_CLI_INPUT_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/stat.h>

#include "core/status.h"

struct input {
    const char *path; /* NULL: standard input */
    const char *name; /* for messages */
    int fd;
    bool regular;
    uint64_t start; /* of a regular file: the position where it was handed to us */
    uint64_t size;  /* bytes from there on, or FPGZ_UNKNOWN */
    struct stat stat;
};

/* Opens a file, or standard input for NULL. */
enum fpgz_status input_open(struct input *input, const char *path, struct fpgz_error *error);

/* FPGZ_IO when a regular file is not what it was when it was opened. */
enum fpgz_status input_unchanged(const struct input *input, struct fpgz_error *error);

void input_close(struct input *input);

/* Length and XXH3-64 of a file, from its beginning. */
enum fpgz_status file_digest(int fd, uint64_t *bytes, uint64_t *sum, struct fpgz_error *error);

#endif
