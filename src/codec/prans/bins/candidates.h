/* SPDX-License-Identifier: MIT
 * The domains that values may be coded in, compared by pieces of rows. */
#ifndef FPGZ_CODEC_PRANS_BINS_CANDIDATES_H
#define FPGZ_CODEC_PRANS_BINS_CANDIDATES_H

#include "codec/prans/bins/estimate.h"
#include "codec/prans/lead.h"

/* By which number a domain is entered: integers are entered as floats are. */
static inline unsigned bins_number_of(enum prans_domain_id id)
{
    return id == PRANS_DOMAIN_INTEGER   ? (unsigned)PRANS_DOMAIN_FLOAT
           : id == PRANS_DOMAIN_DECIMAL ? (unsigned)PRANS_DOMAINS
                                        : id;
}

/* Whether two domains keep their parameters in the same room. */
static inline bool bins_share_room(enum prans_domain_id a, enum prans_domain_id b)
{
    return (fpgz_prans_has_exceptions(a) && fpgz_prans_has_exceptions(b)) ||
           (a == PRANS_DOMAIN_RANK && b == PRANS_DOMAIN_RANK);
}

/* The values while candidates are compared. */
struct bins_choice {
    struct bins_work *w;
    const void *values;
    struct bins_candidate best[3]; /* in order; the last one has the room that is left */
    unsigned count;
    struct prans_domain ranks;   /* without special values; the room has their dictionary, */
    bool is_widened;             /* with these values since */
    const uint8_t *copied;       /* the flags with which special values were copied */
    bool special;                /* there are special values */
    uint64_t ranks_save;         /* bits that ranks are to save, at least: they take time */
    const struct prans_way *way; /* whose mode candidates take; NULL: they get one by trial */
    const struct bins_candidate *chosen;
};

/* Sets flags of values none of which is special, unless there are flags. */
void fpgz_prans_bins_flag(struct bins_work *w);

/* Copies the pieces' values. */
void fpgz_prans_bins_copy(struct bins_choice *c, const uint8_t *flag);

/* Enters a domain with all values, whose integers go to `all`; those of special values mean nothing. */
bool fpgz_prans_bins_enter_all(struct bins_work *w, const void *values, struct bins_candidate *tried,
                               uint8_t *all);

/* What shares the domain's room is to be entered anew. */
void fpgz_prans_bins_take_room(struct bins_choice *c, enum prans_domain_id id);

/* Enters a domain with the special values of `apart`, which `flag` marks, and keeps the best two of the
 * candidates and this one, in order. False if the values are not in the domain. */
bool fpgz_prans_bins_enter(struct bins_choice *c, enum prans_domain_id id, const struct prans_domain *apart,
                           const uint8_t *flag);

/* Finds the special values, and copies the pieces, or takes all values. */
struct prans_domain fpgz_prans_bins_look(struct bins_choice *c, bool whole);

/* Takes special values as others from now on; clears the flags `flag`, which are to say that. */
void fpgz_prans_bins_unflag(struct bins_choice *c, struct prans_domain *apart, uint8_t *flag);

/* Finds the best two candidates, by all values if they are not to be told by pieces. */
void fpgz_prans_bins_candidates(struct bins_choice *c, bool whole);

#endif
