/* SPDX-License-Identifier: MIT
 * The value domains of halves and integers in plain C. */
#include "codec/prans/domain/words_level.h"

const struct prans_words_kernels WIDTH(fpgz_prans_words_c) = PRANS_WORDS_KERNELS;
