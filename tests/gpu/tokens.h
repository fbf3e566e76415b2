/* SPDX-License-Identifier: MIT
 * Tokens of matches for streams of any values. */
#ifndef TESTS_GPU_TOKENS_H
#define TESTS_GPU_TOKENS_H

#include "codec/prans/matched/tokens.h"

/* A random number below `below`. */
typedef uint64_t tokens_random(uint64_t below);

/* Makes tokens that cover at most `count` values, and a value at least is a literal behind them. is_long: by
 * hundreds, else by few. Fields have room for half as many, and one more. */
void tokens_make(tokens_random *next, size_t count, bool is_long, struct matched_tokens *tokens);

/* Makes them such as a decoder has to refuse. */
void tokens_spoil(tokens_random *next, struct matched_tokens *tokens);

#endif
