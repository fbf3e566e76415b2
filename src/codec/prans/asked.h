/* SPDX-License-Identifier: MIT
 * How much scratch a codec takes for the grids that it was last asked about. */
#ifndef FPGZ_CODEC_PRANS_ASKED_H
#define FPGZ_CODEC_PRANS_ASKED_H

#include "codec/codec.h"

enum { PRANS_ASKED = 16 };

struct prans_question {
    struct fpgz_grid grid;
    struct fpgz_params params;
    bool encoding;
};

/* Zeros: nothing yet. Of one codec and one thread. */
struct prans_asked {
    struct prans_question question[PRANS_ASKED]; /* a ring */
    size_t bytes[PRANS_ASKED];
    unsigned next;
};

/* Whether the question was answered; sets *bytes if so. */
bool fpgz_prans_asked(const struct prans_asked *asked, const struct prans_question *question, size_t *bytes);

/* Keeps an answer in the place of the oldest one. */
void fpgz_prans_answer(struct prans_asked *asked, const struct prans_question *question, size_t bytes);

#endif
