/* SPDX-License-Identifier: MIT
 * Folders: made with their parents, and synced to the disk. */
#include "files/folder.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/text.h"
#include "files/name.h"

bool folder_sync(const char *path)
{
    const char *slash = strrchr(path, '/');
    char *directory = slash ? strndup(path, (size_t)(slash + 1 - path)) : strdup(".");
    const int fd = directory ? open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;
    /* Not every file system can; then the file itself, which is synced already, is all there is to sync. */
    const bool ok = fd >= 0 && (fsync(fd) == 0 || errno == EINVAL || errno == ENOSYS || errno == EOPNOTSUPP);
    const int reason = errno;
    if (fd >= 0)
        close(fd);
    free(directory);
    errno = reason;
    return ok;
}

bool folders_make(const char *path)
{
    bool ok = true;
    for (const char *slash = path; ok && (slash = strchr(slash + 1, '/'));) {
        char *folder = name_join(path, (size_t)(slash - path), "");
        const bool made = mkdir(folder, 0777) == 0;
        ok = made ? folder_sync(folder) : errno == EEXIST;
        free(folder);
    }
    return ok;
}

bool folder_same(const char *a, const char *b)
{
    const size_t length = (size_t)(fpgz_text_base(a) - a);
    return length == (size_t)(fpgz_text_base(b) - b) && !memcmp(a, b, length);
}
