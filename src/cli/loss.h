/* SPDX-License-Identifier: MIT
 * What a damaged container has lost of a file: fills it, and says what it was. */
#ifndef FPGZ_CLI_LOSS_H
#define FPGZ_CLI_LOSS_H

#include "cli/landing.h"
#include "container/member.h"
#include "core/buffer.h"

struct loss {
    const char *name;  /* of the container, for messages */
    bool not_a_number; /* fill arrays of floats with NaN; all else is zeros, as holes of the output are */
    struct landing *landing; /* where the output goes */
    uint64_t base;           /* bytes of the output before this file's */
    uint64_t bytes;          /* lost in all */

    /* A range of values that is not told of yet: another may follow at its end. */
    const struct fpgz_part *part; /* NULL: none */
    uint64_t first, end;
    struct fpgz_buffer fill;
};

/* The values of a part, in its sequence, from `first` to before `end` are lost. */
enum fpgz_status loss_add(struct loss *loss, const struct fpgz_part *part, uint64_t first, uint64_t end,
                          struct fpgz_error *error);

/* Tells of what loss_add() held back. */
void loss_flush(struct loss *loss);

/* The bytes of the member's file that are of none of its arrays, or of one whose place is not known. */
enum fpgz_status loss_of_gaps(struct loss *loss, const struct fpgz_member *member, struct fpgz_error *error);

/* A loss in words: a warning. */
void loss_tell(struct loss *loss, const char *format, ...) __attribute__((format(printf, 2, 3)));

void loss_free(struct loss *loss);

#endif
