/* SPDX-License-Identifier: MIT
 * Streams of prans that other streams are in. */
#ifndef TESTS_GPU_TREES_H
#define TESTS_GPU_TREES_H

#include "prans.h"

/* Calls `check` for streams of each of the formats parted, ranked, apart, periodic, symmetric, scaled and
 * matched, of all dtypes that these take, alone and within each other as far as they may be; and for some
 * that must be refused. `every` n-th only. */
void trees_each(unsigned every, prans_check *check);

#endif
