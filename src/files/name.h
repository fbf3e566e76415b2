/* SPDX-License-Identifier: MIT
 * Names of files and of their containers. */
#ifndef FPGZ_FILES_NAME_H
#define FPGZ_FILES_NAME_H

#include <stdbool.h>
#include <stddef.h>

#include "core/grid.h"

#define NAME_SUFFIX ".fpgz"

/* Bytes of a name that are shown in the middle of a message, and of a dataset's that are kept in a file's. */
enum { NAME_KEPT = 240 };

/* Where a container's suffix, this one or .fpgz, begins in the path, behind something else; NULL when it has
 * none.
 */
const char *name_suffix(const char *path, const char *suffix);

/* Takes empty components and "." out of a path, so that a file has one name. */
void name_normalize(char *path);

/* A list of names that grows; the names are not copied. */
struct name_list {
    const char **name;
    size_t count, capacity;
};
void name_list_add(struct name_list *list, const char *name);
void name_list_free(struct name_list *list);

/* These allocate; the caller frees. `length` bytes of `path`, then `tail`: */
char *name_join(const char *path, size_t length, const char *tail);

/* "a.f32" to "a.f32.fpgz" ... */
char *name_compressed(const char *path, const char *suffix);

/* ... "/x/temp" of "dir/run.h5", of type ".f32", to "dir/temp.f32" ... */
char *name_dataset(const char *path, const char *dataset, const char *type);

/* ... the same of values of the dtype. */
char *name_grid(const char *path, const char *dataset, enum fpgz_dtype dtype);

/* ... and back. Without the suffix, or with `prefer_stored`, the name that the container holds, in the
 * container's directory; NULL when it holds none. */
char *name_restored(const char *path, const char *suffix, const char *stored, bool prefer_stored);

#endif
