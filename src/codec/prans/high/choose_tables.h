/* SPDX-License-Identifier: MIT
 * The tables of frequencies of the high setting. */
#ifndef FPGZ_CODEC_PRANS_HIGH_CHOOSE_TABLES_H
#define FPGZ_CODEC_PRANS_HIGH_CHOOSE_TABLES_H

#include "codec/prans/high/encoding.h"
#include "codec/prans/high/field.h"

/* Fills the description's classes and tables from e->context, symbol_of, copied and match_histogram, and
 * e->share and table_of from these. */
void fpgz_prans_choose_tables(struct prans_encoding *e, const struct prans_field *field);

#endif
