/* SPDX-License-Identifier: MIT
 * rANS of fewer lanes than the middle setting's kernels have: short arrays would pay for their states. */
#ifndef FPGZ_CODEC_PRANS_BINS_LANES_H
#define FPGZ_CODEC_PRANS_BINS_LANES_H

#include "codec/prans/middle/kernels.h"

/* As struct prans_middle_kernels has words() and unpack(), of `count` symbols, with `lanes` lanes. */
uint8_t *fpgz_prans_lanes_words(middle_code (*codes)[PRANS_SYMBOLS], const uint8_t *ids,
                                const uint8_t *symbol, size_t count, unsigned lanes, uint8_t *end);
bool fpgz_prans_lanes_unpack(const struct middle_source *source, size_t count, unsigned lanes,
                             uint8_t *symbol);

#endif
