/* SPDX-License-Identifier: MIT
 * What encoder and decoder of the high setting share of the stream. */
#ifndef FPGZ_CODEC_PRANS_HIGH_STREAM_H
#define FPGZ_CODEC_PRANS_HIGH_STREAM_H

#include "codec/prans/high/work.h"

/* Sets what the field's model owes to the domain: integers are predicted, or the values themselves. */
void fpgz_prans_set_kind(struct prans_work *w);

/* Writes or reads the description: domain, bands and all else that stands before the bands' streams. */
void fpgz_prans_code_head(struct prans_range *r, struct prans_work *w, const struct prans_domain_kernels *k,
                          size_t values, const struct prans_arrays *a, struct prans_description *description);

/* Writes or reads the low bits of the split domain's values; `slots` as fpgz_prans_low_bits_code() has them.
 */
void fpgz_prans_code_field_low_bits(struct prans_work *w, struct prans_range *r, void *values,
                                    uint32_t *slots);

#endif
