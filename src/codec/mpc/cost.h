/* SPDX-License-Identifier: MIT
 * The estimate by which dim is guessed, in plain C that compilers turn into vectors at each level. */
#ifndef FPGZ_CODEC_MPC_COST_H
#define FPGZ_CODEC_MPC_COST_H

#include "codec/mpc/mpc.h"
#include "codec/width.h"

/* Words L and L-1 of a group are equal after BIT if and only if bits L and L-1 of every residual are. So
 * the words that ZE stores can be counted without a transpose. */
static unsigned cost(const void *values, unsigned dim)
{
    const WORD *const word = values;
    WORD differ = 0;
    for (unsigned i = 0; i < MPC_WINDOW; i++) {
        const WORD residual = word[i] - *(word + i - dim);
        differ |= residual ^ residual << 1;
    }
    return (unsigned)POPCOUNT(differ);
}

#endif
