/* SPDX-License-Identifier: MIT
 * The estimate that dim is guessed by, for one word type, in plain C that compilers turn into each level's
 * vectors. The includer defines WORD, NAME() and POPCOUNT. */

/* After BIT, words L and L-1 of a group differ if and only if bits L and L-1 of some residual do: the words
 * that ZE stores can be counted without a transpose. */
static unsigned NAME(cost)(const void *values, unsigned dim)
{
    const WORD *const word = values;
    WORD differ = 0;
    for (unsigned i = 0; i < MPC_WINDOW; i++) {
        const WORD residual = word[i] - *(word + i - dim);
        differ |= residual ^ residual << 1;
    }
    return (unsigned)POPCOUNT(differ);
}
