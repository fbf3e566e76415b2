/* SPDX-License-Identifier: MIT
 * Folders that outputs stand in. */
#ifndef FPGZ_FILES_FOLDER_H
#define FPGZ_FILES_FOLDER_H

#include <stdbool.h>

/* Syncs the folder that a path lies in, where the file system can. False, with errno, when that fails. */
bool folder_sync(const char *path);

/* Makes the folders above `path` that are not there, and syncs them. False, with errno, when one cannot be
 * made or synced. */
bool folders_make(const char *path);

/* Whether two files are in the same folder, by the letters of their paths. */
bool folder_same(const char *a, const char *b);

#endif
