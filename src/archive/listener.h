/* SPDX-License-Identifier: MIT
 * Whom a job tells what it finds and how far it is. Jobs print nothing themselves. */
#ifndef FPGZ_ARCHIVE_LISTENER_H
#define FPGZ_ARCHIVE_LISTENER_H

#include <stdbool.h>
#include <stdint.h>

#include "core/status.h"

/* The kinds of warnings; their names stand in --json (fpgz.1). */
enum fpgz_warning {
    FPGZ_WARNING_SUFFIX,     /* a source that is a container by its name */
    FPGZ_WARNING_SKIPPED,    /* a source of a kind that is not taken */
    FPGZ_WARNING_BYTES,      /* a damaged file of a format that is known, archived as bytes */
    FPGZ_WARNING_ATTRIBUTES, /* those of a dataset were not kept */
    FPGZ_WARNING_UNVERIFIED, /* what --verify cannot read back */
    FPGZ_WARNING_UNSYNCED,   /* an output whose folder cannot be synced */
    FPGZ_WARNING_METADATA,   /* mode, owner or time that could not be set */
    FPGZ_WARNING_KEPT,       /* a source that --rm did not remove */
    FPGZ_WARNING_LOST,       /* what --recover could not restore */
    FPGZ_WARNING_MANIFEST,   /* that cannot be locked, or holds what is no record */
    FPGZ_WARNING_DEFECT,     /* a codec that failed fpgz's check of it, and was not used */
    FPGZ_WARNING_CHANGED,    /* a file that became longer or shorter while it was read */
    FPGZ_WARNING_AGAIN,      /* a file that was archived, but whose container is lost */
    FPGZ_WARNING_STALE,      /* a file restored as it was before an attempt to archive it again failed */
};

/* All members may be NULL. Calls come from any thread of a job, never two at once. */
struct fpgz_listener {
    void *context;
    /* A warning about the file of that name. */
    void (*warning)(void *context, enum fpgz_warning kind, const char *name, const char *text);
    /* Whether notices of that level are heard; NULL: all are. */
    bool (*hears)(void *context, int level);
    /* What a user may want to know: of interest from verbosity `level` on. */
    void (*notice)(void *context, int level, const char *name, const char *text);
    /* What failed, where the job goes on to find more. */
    void (*failure)(void *context, const char *name, const struct fpgz_error *error);
    /* So many more raw and stored bytes are done. False ends the job with FPGZ_CANCELLED. */
    bool (*progress)(void *context, uint64_t raw, uint64_t stored);
};

/* Whether anybody hears notices of that level: one that is dear to make is asked about. */
bool fpgz_heard(const struct fpgz_listener *listener, int level);

/* Each does nothing where nobody listens; `listener` may be NULL. */
void fpgz_warn(const struct fpgz_listener *listener, enum fpgz_warning kind, const char *name,
               const char *format, ...) __attribute__((format(printf, 4, 5)));
void fpgz_notice(const struct fpgz_listener *listener, int level, const char *name, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
void fpgz_tell_failure(const struct fpgz_listener *listener, const char *name,
                       const struct fpgz_error *error);

/* False, with FPGZ_CANCELLED in *error, when the job is to end. */
bool fpgz_progress(const struct fpgz_listener *listener, uint64_t raw, uint64_t stored,
                   struct fpgz_error *error);

#endif
