/* SPDX-License-Identifier: MIT
 * The plan of a chunk: its bank, contexts, tables and matches. */
#ifndef FPGZ_CODEC_PRANS_HIGH_PLAN_H
#define FPGZ_CODEC_PRANS_HIGH_PLAN_H

#include "codec/prans/high/encoding.h"

/* Plans the coding of a field of which the bands, `real`, `special` and the model's axes, kind, shift and
 * specials stand; y has the integers of all values. Completes field and encoding->description. */
void fpgz_prans_plan_field(struct prans_field *field, const void *y, struct prans_encoding *encoding);

/* The same when the bank, the tiles and the model stand. */
void fpgz_prans_plan_symbols(struct prans_field *field, const void *y, struct prans_encoding *encoding);

#endif
