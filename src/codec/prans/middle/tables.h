/* SPDX-License-Identifier: MIT
 * The choice of a table a block, in the middle setting. */
#ifndef FPGZ_CODEC_PRANS_MIDDLE_TABLES_H
#define FPGZ_CODEC_PRANS_MIDDLE_TABLES_H

#include "codec/prans/middle/kernels.h"

struct middle_tables {
    unsigned count;
    uint16_t frequency[MIDDLE_TABLES][PRANS_SYMBOLS];
    uint32_t histogram[MIDDLE_TABLES][PRANS_SYMBOLS];
    uint16_t cost[PRANS_SYMBOLS][MIDDLE_TABLES]; /* in 2^-5 bits */
};

/* How many tables so many blocks pay for. */
unsigned fpgz_prans_middle_table_count(size_t blocks);

/* Groups `blocks` blocks of symbols by tables that are made for them: sets ids[block] and *tables. key: a
 * number of each symbol, which rises with how unlikely it is. */
void fpgz_prans_middle_choose_tables(const struct prans_middle_kernels *kernels, const uint8_t *symbol,
                                     const uint8_t *key, size_t blocks, uint8_t *ids,
                                     struct middle_tables *tables);

#endif
