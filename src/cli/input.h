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
    bool sized;     /* a regular file that holds as many bytes as it says: all else is read to its end */
    uint64_t start; /* of such a file: the position where it was handed to us */
    uint64_t size;  /* bytes from there on, or FPGZ_UNKNOWN */
    struct stat stat;
    unsigned attempts; /* to read it that its becoming shorter has foiled */
};

/* Opens a file, or standard input for NULL. */
enum fpgz_status input_open(struct input *input, const char *path, struct fpgz_error *error);

/* Where a file became shorter while it was read: makes it one of the size that it has now, for another
 * attempt. False when there were enough of them. */
bool input_again(struct input *input);

/* Warns of it. */
void input_tell_attempts(const struct input *input);

/* What became of a file with a size since it was opened. */
enum input_change { INPUT_SAME, INPUT_GREW, INPUT_SHRANK, INPUT_WRITTEN };
enum input_change input_change(const struct input *input);

/* FPGZ_IO when it is not what it was; where `may_grow` says so, one that is longer gets a warning: what it
 * had was read. */
enum fpgz_status input_unchanged(const struct input *input, bool may_grow, struct fpgz_error *error);

/* Warns of a container that became longer or shorter: what was read of it is right, as its checksums tell. */
void input_tell_change(const struct input *input);

void input_close(struct input *input);

/* Length and XXH3-64 of a file, from its beginning. */
enum fpgz_status file_digest(int fd, uint64_t *bytes, uint64_t *sum, struct fpgz_error *error);

#endif
