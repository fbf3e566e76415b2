/* SPDX-License-Identifier: MIT
 * The extended attributes of a file that a container keeps: those of users, and its POSIX access list. They
 * are held as the bytes that their section has as its body (fpgz.5). Not to be confused with
 * source/attributes.h, those of arrays. */
#ifndef FPGZ_CONTAINER_XATTRS_H
#define FPGZ_CONTAINER_XATTRS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "container/format.h"

#define FPGZ_XATTR_ACL "system.posix_acl_access"

enum {
    FPGZ_XATTRS_LIMIT = 1 << 20, /* bytes of a body */
    FPGZ_XATTR_NAME = 255,
    FPGZ_XATTR_VALUE = 64 << 10,
};

struct fpgz_xattrs {
    uint8_t *data;
    size_t length;
};

struct fpgz_xattr {
    char name[FPGZ_XATTR_NAME + 1];
    const uint8_t *value; /* points into the body */
    size_t length;
};

/* What an access list means for the mode of its file: permission bits. */
struct fpgz_acl {
    uint32_t mode;    /* of the file with the list */
    uint32_t without; /* for the file without its list, such that nobody gains a right */
};

/* Whether fpgz keeps attributes of this name. */
bool fpgz_xattr_kept(const char *name);

/* Reads the value of FPGZ_XATTR_ACL; false when it is no access list. */
bool fpgz_acl_read(const uint8_t *value, size_t length, struct fpgz_acl *acl);

/* Reads the attribute at byte *at, and moves *at behind it. False at the end, and where the bytes are no
 * attribute that is kept (*at is then less than the length). */
bool fpgz_xattrs_next(const struct fpgz_xattrs *xattrs, size_t *at, struct fpgz_xattr *xattr);

/* Finds the access list; false where there is none. */
bool fpgz_xattrs_acl(const struct fpgz_xattrs *xattrs, struct fpgz_xattr *value, struct fpgz_acl *acl);

/* Whether the body fits a file with this head: FPGZ_CORRUPT if not. */
enum fpgz_status fpgz_xattrs_check(const struct fpgz_xattrs *xattrs, const struct fpgz_file_head *file,
                                   struct fpgz_error *error);

/* Appends an attribute, whose name must sort behind those that are there. False, with nothing changed,
 * without memory or above a limit. */
bool fpgz_xattrs_add(struct fpgz_xattrs *xattrs, const char *name, const void *value, size_t length);

/* XXH3-64 of a body; 0 where there is none. */
uint64_t fpgz_xattrs_digest(const struct fpgz_xattrs *xattrs);

void fpgz_xattrs_free(struct fpgz_xattrs *xattrs);

#endif
