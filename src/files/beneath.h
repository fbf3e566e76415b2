/* SPDX-License-Identifier: MIT
 * Paths below a folder, from files that anybody may have written: whatever such a path says, and whatever
 * symbolic links are there, nothing outside the folder is reached. */
#ifndef FPGZ_FILES_BENEATH_H
#define FPGZ_FILES_BENEATH_H

#include <stdbool.h>
#include <stddef.h>

struct beneath {
    int root; /* the folder */
    int home; /* the one that was current */
};

/* Opens the folder, or the current one for NULL; one that is not there is made. False, with errno. */
bool beneath_begin(struct beneath *beneath, const char *folder);

/* Opens, for paths alone (O_PATH), the folder that the first `length` bytes of `path` name; with `make` those
 * on the way that are not there are made. -1 with errno: ELOOP for a symbolic link, EXDEV for "..". */
int beneath_open(const struct beneath *beneath, const char *path, size_t length, bool make);

/* Makes the folder that `path` lies in the current one, so that its last component is the file's name; false
 * with errno. */
bool beneath_enter(const struct beneath *beneath, const char *path, bool make);
bool beneath_leave(const struct beneath *beneath);

/* Whether names that differ by case alone are two files there; false where that cannot be found out. */
bool beneath_tells_case(const struct beneath *beneath);

void beneath_end(struct beneath *beneath);

#endif
