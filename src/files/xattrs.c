/* SPDX-License-Identifier: MIT
 * What the system has of extended attributes, and what of it a container keeps. */
#include "files/xattrs.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/xattr.h>

#include "core/checksum.h"

static void lose(struct xattrs_lost *lost, unsigned *count, const char *name)
{
    if (!lost->kept && !lost->foreign)
        snprintf(lost->name, sizeof lost->name, "%s", name);
    ++*count;
}

const char *xattrs_lost_text(const struct xattrs_lost *lost, char text[FPGZ_XATTR_NAME + 60])
{
    const unsigned count = lost->kept + lost->foreign;
    if (count == 1)
        snprintf(text, FPGZ_XATTR_NAME + 60, "extended attribute %s", lost->name);
    else
        snprintf(text, FPGZ_XATTR_NAME + 60, "%u extended attributes, %s the first,", count, lost->name);
    return text;
}

/* Whether somebody gave the file this attribute of another namespace. The rest of these a system sets by
 * itself: labels, measurements, what a network file system keeps of it, and what lists Linux makes up. */
static bool given(const char *name)
{
    static const char *const by_itself[] = {"overlay", "SGI_ACL_FILE", /* XFS */
                                            "lov",     "lma",          "link",      "fid",     "hsm",
                                            "som",     "dmv",          "lmv",       "version", /* Lustre */
                                            "gfid",    "gfid2path",    "glusterfs", "afr"};
    if (!strcmp(name, "security.capability"))
        return true;
    if (strncmp(name, "trusted.", 8) != 0)
        return false;
    const char *const word = name + 8;
    for (size_t i = 0; i < sizeof by_itself / sizeof *by_itself; i++)
        if (strcspn(word, ".") == strlen(by_itself[i]) && !strncmp(word, by_itself[i], strlen(by_itself[i])))
            return false;
    return true;
}

/* The names of all, each ended by a NUL, in *length bytes; NULL where there are none. */
static char *list(int fd, size_t *length, struct xattrs_lost *lost)
{
    enum { TRIES = 5 }; /* somebody may add to them meanwhile */
    for (unsigned i = 0; i < TRIES; i++) {
        const ssize_t size = flistxattr(fd, NULL, 0);
        if (size <= 0 && !(size < 0 && errno == E2BIG))
            return NULL;
        char *names = size < 0 ? NULL : malloc((size_t)size);
        const ssize_t got = names ? flistxattr(fd, names, (size_t)size) : -1;
        if (got >= 0) {
            *length = (size_t)got;
            return names;
        }
        free(names);
    }
    lose(lost, &lost->kept, "(a list that is too long)");
    return NULL;
}

static int by_name(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Takes the attribute of this name, whose value is read into `value`. */
static void take(int fd, mode_t mode, const char *name, uint8_t *value, struct fpgz_xattrs *xattrs,
                 struct xattrs_lost *lost)
{
    struct fpgz_acl acl;
    if (!fpgz_xattr_kept(name)) {
        if (given(name))
            lose(lost, &lost->foreign, name);
        return;
    }
    const ssize_t length = fgetxattr(fd, name, value, FPGZ_XATTR_VALUE);
    if (length < 0 && errno == ENODATA)
        return;
    if (length < 0 ||
        (!strcmp(name, FPGZ_XATTR_ACL) &&
         (!fpgz_acl_read(value, (size_t)length, &acl) || acl.mode != (mode & 0777))) ||
        !fpgz_xattrs_add(xattrs, name, value, (size_t)length))
        lose(lost, &lost->kept, name);
}

enum fpgz_status xattrs_read(int fd, mode_t mode, struct fpgz_xattrs *xattrs, struct xattrs_lost *lost,
                             struct fpgz_error *error)
{
    size_t length = 0, count = 0;
    *xattrs = (struct fpgz_xattrs){0};
    *lost = (struct xattrs_lost){0};
    char *const names = list(fd, &length, lost);
    if (!names)
        return FPGZ_OK;
    for (size_t at = 0; at < length; at += strlen(names + at) + 1)
        count++;
    const char **name = malloc(count * sizeof *name);
    uint8_t *value = malloc(FPGZ_XATTR_VALUE);
    if (name && value) {
        count = 0;
        for (size_t at = 0; at < length; at += strlen(names + at) + 1)
            name[count++] = names + at;
        qsort(name, count, sizeof *name, by_name);
        for (size_t i = 0; i < count; i++)
            take(fd, mode, name[i], value, xattrs, lost);
    } else {
        fpgz_fail(error, FPGZ_MEMORY, "no memory for extended attributes");
    }
    free(value);
    free(name);
    free(names);
    return error->status;
}

void xattrs_give(int fd, const struct fpgz_xattrs *xattrs, struct xattrs_lost *lost)
{
    struct fpgz_xattr xattr;
    for (size_t at = 0; fpgz_xattrs_next(xattrs, &at, &xattr);)
        if (strcmp(xattr.name, FPGZ_XATTR_ACL) != 0 &&
            fsetxattr(fd, xattr.name, xattr.value, xattr.length, 0) != 0)
            lose(lost, &lost->kept, xattr.name);
}

bool xattrs_give_rights(int fd, const struct fpgz_xattrs *xattrs, mode_t mode, bool listed,
                        struct xattrs_lost *lost)
{
    struct fpgz_xattr xattr;
    struct fpgz_acl acl;
    fremovexattr(fd, FPGZ_XATTR_ACL); /* where there was none, or can be none, there is none */
    if (!fpgz_xattrs_acl(xattrs, &xattr, &acl))
        return fchmod(fd, mode) == 0;
    if (fchmod(fd, mode & acl.without) != 0)
        return false;
    if (!listed || fsetxattr(fd, FPGZ_XATTR_ACL, xattr.value, xattr.length, 0) != 0)
        lose(lost, &lost->kept, FPGZ_XATTR_ACL);
    return true;
}
