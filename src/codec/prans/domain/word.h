/* SPDX-License-Identifier: MIT
 * Values of either dtype as words of bits. */
#ifndef FPGZ_CODEC_PRANS_DOMAIN_WORD_H
#define FPGZ_CODEC_PRANS_DOMAIN_WORD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

static inline uint64_t prans_word_at(const void *words, bool is_f64, size_t at)
{
    return is_f64 ? ((const uint64_t *)words)[at] : ((const uint32_t *)words)[at];
}

#endif
