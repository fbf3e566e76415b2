/* SPDX-License-Identifier: MIT
 * What a damaged container has lost of a file: fills it, and says what it was. */
#ifndef FPGZ_ARCHIVE_LOSS_H
#define FPGZ_ARCHIVE_LOSS_H

#include "archive/landing.h"
#include "archive/listener.h"
#include "container/member.h"
#include "core/buffer.h"

struct fpgz_loss {
    const char *name; /* of the container, for messages */
    const struct fpgz_listener *listener;
    bool not_a_number; /* fill arrays of floats with NaN; all else is zeros, as holes of the output are */
    struct fpgz_landing *landing; /* where the output goes */
    uint64_t base;                /* bytes of the output before this file's */
    uint64_t bytes;               /* lost in all */
    uint64_t lines;               /* told of them */

    /* What there were too many lines for: ranges, the part of the output that has them all, and parts whose
     * place is not known. */
    uint64_t more, more_first, more_end, more_parts;

    /* A range of values that is not told of yet: another may follow at its end. */
    const struct fpgz_part *part; /* NULL: none */
    uint64_t first, end;
    struct fpgz_buffer fill;
};

/* The values of a part, in its sequence, from `first` to before `end` are lost. */
enum fpgz_status fpgz_loss_add(struct fpgz_loss *loss, const struct fpgz_part *part, uint64_t first,
                               uint64_t end, struct fpgz_error *error);

/* Tells of what fpgz_loss_add() held back. */
void fpgz_loss_flush(struct fpgz_loss *loss);

/* The bytes of the member's file that are of none of its arrays, or of one whose place is not known. */
enum fpgz_status fpgz_loss_of_gaps(struct fpgz_loss *loss, const struct fpgz_member *member,
                                   struct fpgz_error *error);

/* A loss in words: a warning, of which there are 1000 a container at most. */
void fpgz_loss_tell(struct fpgz_loss *loss, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Tells how much more there was to tell of. */
void fpgz_loss_end(struct fpgz_loss *loss);

void fpgz_loss_free(struct fpgz_loss *loss);

#endif
