/* SPDX-License-Identifier: MIT
 * Files as the command writes and completes them: under a temporary name until all is there and synced. */
#ifndef FPGZ_FILES_OUTPUT_H
#define FPGZ_FILES_OUTPUT_H

#include <time.h>

#include "archive/input.h"
#include "console/message.h"
#include "container/format.h"
#include "files/xattrs.h"

/* What a completed output gets from its source. */
struct metadata {
    bool has_mode, has_mtime;
    mode_t mode;
    struct timespec mtime;
    bool has_owner;
    uid_t owner;
    gid_t group;
    struct fpgz_xattrs xattrs; /* not owned, unless it is said so */
    bool only_rights;          /* of the extended attributes, the access list alone */
};

/* What a file section says of it; owners are not there. */
struct metadata metadata_of(const struct fpgz_file_head *file);

struct output {
    struct console *console; /* is told what could not be set */
    const char *path;        /* NULL: standard output */
    const char *name;        /* for messages */
    int fd;
    bool replace;            /* an existing file may be replaced */
    bool synced;             /* a regular file, written, with its metadata */
    struct xattrs_lost lost; /* extended attributes that the file system did not take */
    bool complete;           /* ... and named, and its folder synced */
    char *target;            /* of its name: what `path` leads to */
    char *temporary;         /* beside the target; NULL where bytes go straight to a pipe or device */
};

/* How an output is opened. */
enum {
    OUTPUT_REPLACES = 1, /* an existing file may be replaced */
    OUTPUT_NO_LINK = 2   /* links and devices are in the way as files are: never followed, never written to */
};

/* Opens `path`, or standard output for NULL. A regular file is written under a temporary name beside it until
 * output_commit(); of a symbolic link the file that it leads to. FPGZ_EXISTS when that is there and may not
 * be replaced, or is the input itself. A pipe, a device, or a descriptor that we were given (/dev/stdout) is
 * written to as it is. */
enum fpgz_status output_open(struct output *output, struct console *console, const char *path, unsigned how,
                             const struct fpgz_input *input, struct fpgz_error *error);

/* The same of a file in the current folder, whatever folder `path`, for messages, says that this is: a link
 * of its name is never followed. */
enum fpgz_status output_open_here(struct output *output, struct console *console, const char *path,
                                  bool replaces, const struct fpgz_input *input, struct fpgz_error *error);

/* Gives the output its metadata and syncs it. */
enum fpgz_status output_sync(struct output *output, const struct metadata *metadata,
                             struct fpgz_error *error);

/* The same, where that was not done yet; then gives it its name, and syncs that. */
enum fpgz_status output_commit(struct output *output, const struct metadata *metadata,
                               struct fpgz_error *error);

/* Of a synced output that was read back: makes an error, if there is one, say so. */
enum fpgz_status output_refuse(const struct output *output, struct fpgz_error *error);

/* Closes and removes what was written and not committed. Harmless after output_commit(). */
void output_discard(struct output *output);

#endif
