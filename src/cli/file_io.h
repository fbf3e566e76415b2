/* SPDX-License-Identifier: MIT
 * Files as the command opens, writes, completes and removes them: nothing is lost, whatever happens in
 * between. */
#ifndef FPGZ_CLI_FILE_IO_H
#define FPGZ_CLI_FILE_IO_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/stat.h>
#include <time.h>

#include "container/format.h"
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

/* What a completed output gets from its source. */
struct metadata {
    bool has_mode, has_mtime;
    mode_t mode;
    struct timespec mtime;
    bool has_owner;
    uid_t owner;
    gid_t group;
};

/* What a file section says of it; owners are not there. */
struct metadata metadata_of(const struct fpgz_file_head *file);

struct output {
    const char *path; /* NULL: standard output */
    const char *name; /* for messages */
    int fd;
    bool replace;    /* an existing file may be replaced */
    bool synced;     /* a regular file, written, with its metadata */
    bool complete;   /* ... and named */
    char *temporary; /* beside the target; NULL where bytes go straight to a pipe or device */
};

/* Opens `path`, or standard output for NULL. A regular file is written under a temporary name beside it until
 * output_commit(). FPGZ_EXISTS when it is there and may not be replaced, or is the input itself. */
enum fpgz_status output_open(struct output *output, const char *path, bool replace, const struct input *input,
                             struct fpgz_error *error);

/* Gives the output its metadata and syncs it. */
enum fpgz_status output_sync(struct output *output, const struct metadata *metadata,
                             struct fpgz_error *error);

/* The same, where that was not done yet; then gives it its name, and syncs that. */
enum fpgz_status output_commit(struct output *output, const struct metadata *metadata,
                               struct fpgz_error *error);

/* Removes the file that the output was made from, once it was committed as a file: what went into a pipe or
 * device is not there to replace it. A file that took the source's place meanwhile is left alone. Both with a
 * warning. */
void output_remove_source(const struct output *output, const struct input *input);

/* Removes a file that is still what it was when it was read; else a warning tells why it stays. */
void source_remove(const char *path, const struct stat *was);

/* Syncs the folder that a path lies in, where the file system can. */
void folder_sync(const char *path);

/* Removes the temporary files beside `path` that no living process writes: a crash left them. */
void leftovers_remove(const char *path);

/* Makes the folders above `path` that are not there, and syncs them. False, with errno, when one cannot be.
 */
bool folders_make(const char *path);

/* Closes and removes what was written and not committed. Harmless after output_commit(). */
void output_discard(struct output *output);

/* On SIGINT, SIGTERM, SIGHUP, SIGPIPE and those of resource limits: no temporary file stays behind. */
void file_io_handle_signals(void);

#endif
