/* SPDX-License-Identifier: MIT
 * What can go wrong, as numbers that never change and a sentence for people. */
#ifndef FPGZ_CORE_STATUS_H
#define FPGZ_CORE_STATUS_H

enum fpgz_status {
    FPGZ_OK = 0,
    FPGZ_CORRUPT = 1,     /* bytes contradict themselves or a checksum */
    FPGZ_TRUNCATED = 2,   /* the input ends too early */
    FPGZ_UNSUPPORTED = 3, /* valid, but needs a newer fpgz or a codec that is not here */
    FPGZ_FOREIGN = 4,     /* not an fpgz container */
    FPGZ_LIMIT = 5,       /* a declared size is above the limit in force */
    FPGZ_USAGE = 6,       /* an option, a shape or a parameter does not fit */
    FPGZ_IO = 7,          /* the operating system refused a read or a write */
    FPGZ_MEMORY = 8,      /* no memory */
    FPGZ_EXISTS = 9,      /* the output is there already */
    FPGZ_CLOSED = 10,     /* nobody reads our output any more (EPIPE) */
    FPGZ_INTERNAL = 11,   /* a self-check failed: a defect of fpgz */
    FPGZ_CANCELLED = 12,  /* a listener asked for the end */
};

/* A status with the place and the remedy in words, without the file's name (the caller knows that). */
struct fpgz_error {
    enum fpgz_status status;
    char text[400];
};

/* Records the first error only: later ones are its consequences. Returns the status recorded first. */
enum fpgz_status fpgz_fail(struct fpgz_error *error, enum fpgz_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* One word for `status`, as --json and the tests use it. */
const char *fpgz_status_name(enum fpgz_status status);

#endif
