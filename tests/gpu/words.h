/* SPDX-License-Identifier: MIT
 * Values for streams of any values. */
#ifndef TESTS_GPU_WORDS_H
#define TESTS_GPU_WORDS_H

#include "tokens.h"

/* Words of `size` bytes that walk, with some far away. */
void words_walk(tokens_random *next, size_t size, size_t count, uint8_t *values);

/* Numbers below `most` in no order, and pieces of these again in the second half, for matches. */
void words_repeat(tokens_random *next, size_t most, size_t count, uint32_t *number);

#endif
