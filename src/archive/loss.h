/* SPDX-License-Identifier: MIT
 * What a damaged container has lost of a file: reports it, and fills it in the output. */
#ifndef FPGZ_ARCHIVE_LOSS_H
#define FPGZ_ARCHIVE_LOSS_H

#include "archive/landing.h"
#include "archive/listener.h"
#include "container/member.h"
#include "core/buffer.h"

struct fpgz_loss {
    const char *name; /* of the container, for messages */
    const struct fpgz_listener *listener;
    bool not_a_number; /* fill arrays of floats with NaN; everything else becomes zeros, as holes of the
                          output are */
    struct fpgz_landing *landing; /* where the output goes */
    uint64_t base;                /* bytes of the output before this file's */
    uint64_t bytes;               /* bytes lost in all */
    uint64_t lines;               /* warnings so far */

    /* Losses without a warning of their own, since there were too many: the number of ranges, the part of
     * the output that holds them, and the number of parts whose place is unknown. */
    uint64_t more, more_first, more_end, more_parts;

    /* A range of values that was not reported yet: the next may begin at its end. */
    const struct fpgz_part *part; /* NULL: none */
    uint64_t first, end;
    struct fpgz_buffer fill;
};

/* Notes that the values `first` to before `end` of a part's sequence are lost. */
enum fpgz_status fpgz_loss_add(struct fpgz_loss *loss, const struct fpgz_part *part, uint64_t first,
                               uint64_t end, struct fpgz_error *error);

/* Reports what fpgz_loss_add() held back. */
void fpgz_loss_flush(struct fpgz_loss *loss);

/* Notes the bytes of the member's file that belong to none of its arrays, or to one whose place is
 * unknown. */
enum fpgz_status fpgz_loss_of_gaps(struct fpgz_loss *loss, const struct fpgz_member *member,
                                   struct fpgz_error *error);

/* Warns of a loss: up to 1000 times for a container. */
void fpgz_loss_tell(struct fpgz_loss *loss, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Reports how much was lost without a warning of its own. */
void fpgz_loss_end(struct fpgz_loss *loss);

void fpgz_loss_free(struct fpgz_loss *loss);

#endif
