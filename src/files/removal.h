/* SPDX-License-Identifier: MIT
 * The one place where a source is removed, and the rule for it: only once what replaces it was decoded,
 * compared with what the source holds now, and synced, all by this run. */
#ifndef FPGZ_FILES_REMOVAL_H
#define FPGZ_FILES_REMOVAL_H

#include <sys/stat.h>

#include "archive/verify.h"
#include "console/message.h"
#include "files/xattrs.h"

/* What shows that a source is no longer needed; one of zeros shows nothing. */
struct proof {
    struct stat source;        /* when it was opened, before its bytes were read */
    bool changed;              /* it became another while they were read */
    struct fpgz_verified held; /* what it must hold: what its replacement, decoded in this run, stands for */
    bool synced;               /* this run synced the replacement behind its last byte, and its folder */
    uint64_t xattrs;           /* the extended attributes that the replacement keeps (struct fpgz_verified) */
    bool is_container;         /* its own are of no use, but these are lost of those that it held: */
    struct xattrs_lost lost;
    bool force; /* lost extended attributes are told of, and no reason to stay */
};

/* Reads the source once more, and removes it if it is still the same file, unchanged, and holds what the
 * proof says, extended attributes included; else it stays, and a warning tells why. Of a symbolic link, which
 * only -f brings here, the link goes. */
void source_remove(struct console *console, const char *path, const struct proof *proof);

#endif
