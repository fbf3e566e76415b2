/* SPDX-License-Identifier: MIT
 * A few answers, in the order in which they were given. */
#include "codec/prans/asked.h"

#include <string.h>

static bool is_same(const struct prans_question *a, const struct prans_question *b)
{
    return a->encoding == b->encoding && fpgz_grid_same(&a->grid, &b->grid) &&
           !memcmp(&a->params, &b->params, sizeof a->params);
}

bool fpgz_prans_asked(const struct prans_asked *asked, const struct prans_question *question, size_t *bytes)
{
    for (unsigned i = 0; i < PRANS_ASKED; i++)
        if (is_same(&asked->question[i], question)) {
            *bytes = asked->bytes[i];
            return true;
        }
    return false;
}

void fpgz_prans_answer(struct prans_asked *asked, const struct prans_question *question, size_t bytes)
{
    asked->question[asked->next] = *question;
    asked->bytes[asked->next] = bytes;
    asked->next = (asked->next + 1) % PRANS_ASKED;
}
