/* SPDX-License-Identifier: MIT
 * Paths below a folder (files/beneath.h) that no manifest brings, for batches take what leads upwards out of
 * them before. */
#include "files/beneath.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../checks.h"

/* Opens the folder that a path names; the number of its inode, or minus the reason. */
static long opened(const struct beneath *b, const char *path, bool make)
{
    struct stat stat = {0};
    const int fd = beneath_open(b, path, strlen(path), make);
    if (fd < 0)
        return -errno;
    CHECK(fstat(fd, &stat) == 0);
    close(fd);
    return (long)stat.st_ino;
}

static long inode(const char *path)
{
    struct stat stat = {0};
    CHECK(lstat(path, &stat) == 0);
    return (long)stat.st_ino;
}

int main(void)
{
    char place[] = "/tmp/beneath-XXXXXX", name[400];
    struct beneath b;
    CHECK(mkdtemp(place) && chdir(place) == 0 && beneath_begin(&b, "in/folder"));
    CHECK(mkdir("out", 0700) == 0 && symlink("../../out", "in/folder/link") == 0);
    CHECK(close(creat("in/folder/file", 0600)) == 0);
    CHECK(opened(&b, "d//e/./f/", true) == inode("in/folder/d/e/f"));
    CHECK(opened(&b, "/d/e", false) == inode("in/folder/d/e"));
    CHECK(opened(&b, "", false) == inode("in/folder"));
    CHECK(opened(&b, "..", false) == -EXDEV && opened(&b, "d/../../out", false) == -EXDEV);
    CHECK(opened(&b, "link", false) == -ELOOP && opened(&b, "link/made", true) == -ELOOP);
    CHECK(opened(&b, "file/made", true) == -ENOTDIR && opened(&b, "none/made", false) == -ENOENT);
    memset(name, 'a', sizeof name - 1);
    name[sizeof name - 1] = '\0';
    CHECK(opened(&b, name, true) == -ENAMETOOLONG);
    CHECK(beneath_enter(&b, "d/e/f/file", false) && inode(".") == opened(&b, "d/e/f", false));
    CHECK(beneath_leave(&b) && inode(".") == inode(place) && access("out/made", F_OK) != 0);
    beneath_end(&b);
    snprintf(name, sizeof name, "rm -r %s", place);
    CHECK(system(name) == 0);
    return checks_end();
}
