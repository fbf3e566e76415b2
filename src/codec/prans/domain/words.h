/* SPDX-License-Identifier: MIT
 * Value domains of halves and integers, words of any width: plain (places of floating-point numbers, integers
 * with an origin and a step) and rank. */
#ifndef FPGZ_CODEC_PRANS_DOMAIN_WORDS_H
#define FPGZ_CODEC_PRANS_DOMAIN_WORDS_H

#include "codec/prans/domain/domain.h"

/* Of words of one width; domain->number says of which kind. */
struct prans_words_kernels {
    /* Of these specials, flags, enter, distinct, ranks, widen, narrow, description and code; enter has NULL
     * where there is no such domain. FLOAT enters INTEGER where the words are integers. */
    struct prans_domain_kernels domain;
    /* Values of `count` integers, in place. */
    void (*leave)(const struct prans_domain *domain, size_t count, void *y);
};

extern fpgz_word_kernels fpgz_prans_words_kernels;

#endif
