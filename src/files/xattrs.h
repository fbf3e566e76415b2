/* SPDX-License-Identifier: MIT
 * Extended attributes of open files: from a source, and to an output. */
#ifndef FPGZ_FILES_XATTRS_H
#define FPGZ_FILES_XATTRS_H

#include <sys/stat.h>

#include "container/xattrs.h"

/* Those that could not be had or given: how many, and the first of them. */
struct xattrs_lost {
    unsigned kept;    /* of those that containers keep */
    unsigned foreign; /* others, but for what a system sets by itself */
    char name[FPGZ_XATTR_NAME + 1];
};

/* "extended attribute user.a", or how many there are and the first. */
const char *xattrs_lost_text(const struct xattrs_lost *lost, char text[FPGZ_XATTR_NAME + 60]);

/* Reads those of a file of this mode, by their names in order; *xattrs is the caller's to free. FPGZ_MEMORY.
 */
enum fpgz_status xattrs_read(int fd, mode_t mode, struct fpgz_xattrs *xattrs, struct xattrs_lost *lost,
                             struct fpgz_error *error);

/* Gives the file those of users. We must be its owner. */
void xattrs_give(int fd, const struct fpgz_xattrs *xattrs, struct xattrs_lost *lost);

/* Gives the file its mode, and its access list if `listed` says that its owner and group are those it was
 * made for. Without a list, be it so, or since it cannot be given, nobody gets more than it would give. A
 * list that the file has from its folder goes. False when the mode cannot be set; errno tells why. */
bool xattrs_give_rights(int fd, const struct fpgz_xattrs *xattrs, mode_t mode, bool listed,
                        struct xattrs_lost *lost);

#endif
