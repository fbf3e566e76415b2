/* SPDX-License-Identifier: MIT
 * The value domains of halves and integers for AVX2. */
#include "codec/prans/domain/words_level.h"

const struct prans_words_kernels WIDTH(fpgz_prans_words_avx2) = PRANS_WORDS_KERNELS;
