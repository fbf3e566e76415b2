/* SPDX-License-Identifier: MIT
 * The functions that a job calls to report what it finds and how far it is. Jobs print nothing themselves. */
#ifndef FPGZ_ARCHIVE_LISTENER_H
#define FPGZ_ARCHIVE_LISTENER_H

#include <stdbool.h>
#include <stdint.h>

#include "core/status.h"

/* The kinds of warnings; their names stand in --json (fpgz.1). */
enum fpgz_warning {
    FPGZ_WARNING_SUFFIX,     /* a source whose name is that of a container */
    FPGZ_WARNING_SKIPPED,    /* a source of a kind that is not compressed */
    FPGZ_WARNING_BYTES,      /* a damaged file of a known format, archived as bytes */
    FPGZ_WARNING_ATTRIBUTES, /* attributes of a dataset that were not kept */
    FPGZ_WARNING_UNVERIFIED, /* an output that --verify cannot read back */
    FPGZ_WARNING_UNSYNCED,   /* an output whose folder cannot be synced */
    FPGZ_WARNING_METADATA,   /* mode, owner or time that could not be set */
    FPGZ_WARNING_KEPT,       /* a source that --rm did not remove */
    FPGZ_WARNING_LOST,       /* what --recover could not restore */
    FPGZ_WARNING_MANIFEST,   /* a manifest that cannot be locked, or has invalid records */
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
    /* Whether notices of that level are heard; NULL: all of them. */
    bool (*hears)(void *context, int level);
    /* What a user may want to know, at verbosity `level` and above. */
    void (*notice)(void *context, int level, const char *name, const char *text);
    /* A failure after which the job continues, to find more. */
    void (*failure)(void *context, const char *name, const struct fpgz_error *error);
    /* The numbers of raw and stored bytes done since the last call. False ends the job with
     * FPGZ_CANCELLED. */
    bool (*progress)(void *context, uint64_t raw, uint64_t stored);
};

/* Whether notices of that level are heard. To be asked before a notice that takes long to make. */
bool fpgz_heard(const struct fpgz_listener *listener, int level);

/* Each does nothing without a listener; `listener` may be NULL. */
void fpgz_warn(const struct fpgz_listener *listener, enum fpgz_warning kind, const char *name,
               const char *format, ...) __attribute__((format(printf, 4, 5)));
void fpgz_notice(const struct fpgz_listener *listener, int level, const char *name, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
void fpgz_tell_failure(const struct fpgz_listener *listener, const char *name,
                       const struct fpgz_error *error);

/* False, with FPGZ_CANCELLED in *error, when the job is cancelled. */
bool fpgz_progress(const struct fpgz_listener *listener, uint64_t raw, uint64_t stored,
                   struct fpgz_error *error);

#endif
