/* SPDX-License-Identifier: MIT
 * The choice of a value domain in the high setting. */
#ifndef FPGZ_CODEC_PRANS_HIGH_CHOOSE_DOMAIN_H
#define FPGZ_CODEC_PRANS_HIGH_CHOOSE_DOMAIN_H

#include "codec/prans/high/work.h"

/* Enters a domain: sets w->y and the field's values; the split one with the shift that stands. False when the
 * values are not in it. */
bool fpgz_prans_enter_domain(struct prans_work *w, const struct prans_domain_kernels *k,
                             enum prans_domain_id id, const void *values, size_t count, size_t size);

/* Enters the domain in which a sample of the values is coded shortest, with its own description. */
void fpgz_prans_choose_domain(struct prans_work *w, const struct prans_domain_kernels *k, const void *values,
                              size_t count, size_t size);

#endif
