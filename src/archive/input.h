/* SPDX-License-Identifier: MIT
 * A source file as jobs read it. */
#ifndef FPGZ_ARCHIVE_INPUT_H
#define FPGZ_ARCHIVE_INPUT_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/stat.h>

#include "archive/listener.h"

struct fpgz_input {
    const char *path; /* NULL: standard input */
    const char *name; /* for messages */
    int fd;
    bool regular;
    bool sized; /* a regular file with as many bytes as its size says; everything else is read to its end */
    uint64_t start; /* of such a file: the position at which it was opened or handed over */
    uint64_t size;  /* bytes from there on, or FPGZ_UNKNOWN */
    struct stat stat;
    unsigned attempts; /* to read it, ended by the file becoming shorter */
};

/* Opens a file, or standard input for NULL. */
enum fpgz_status fpgz_input_open(struct fpgz_input *input, const char *path, struct fpgz_error *error);

/* The same for a descriptor of the caller's, from its position on; it was opened as `path`. */
enum fpgz_status fpgz_input_take(struct fpgz_input *input, int fd, const char *path,
                                 struct fpgz_error *error);

/* For another attempt after a file became shorter while it was read: takes its present size. False when
 * there were enough attempts. */
bool fpgz_input_again(struct fpgz_input *input);

/* Warns that there were several attempts. */
void fpgz_input_tell_attempts(const struct fpgz_input *input, const struct fpgz_listener *listener);

/* How a file with a size changed after it was opened. */
enum fpgz_input_change { INPUT_SAME, INPUT_GREW, INPUT_SHRANK, INPUT_WRITTEN };
enum fpgz_input_change fpgz_input_change(const struct fpgz_input *input);

/* FPGZ_IO when the file changed. With `may_grow` a file that grew only gets a warning, since the bytes
 * that it had were read. */
enum fpgz_status fpgz_input_unchanged(const struct fpgz_input *input, bool may_grow,
                                      const struct fpgz_listener *listener, struct fpgz_error *error);

/* Warns of a container that became longer or shorter. What was read of it is right, as its checksums show. */
void fpgz_input_tell_change(const struct fpgz_input *input, const struct fpgz_listener *listener);

void fpgz_input_close(struct fpgz_input *input);

/* Length and XXH3-64 of a file, from its beginning. */
enum fpgz_status fpgz_file_digest(int fd, uint64_t *bytes, uint64_t *sum, struct fpgz_error *error);

#endif
