/* SPDX-License-Identifier: MIT */
#include "codec/prans/middle_kernels.h"

static uint8_t *words(middle_code (*codes)[PRANS_SYMBOLS], const uint8_t *ids, const uint8_t *symbol,
                      size_t blocks, uint8_t *end)
{
    return encode_blocks(codes, ids, symbol, blocks, end);
}

INLINE void decode_block(const uint32_t *table, uint32_t *state, const uint8_t **words, uint8_t *symbol)
{
    for (unsigned i = 0; i < MIDDLE_BLOCK; i++)
        symbol[i] = (uint8_t)decode_symbol(table, &state[i % MIDDLE_LANES], words);
}

#define REAL float
#define WORD uint32_t
#define SIGNED int32_t
#define NAME(name) name##_f32
#include "codec/prans/domain_restore_tmpl.h"
#include "codec/prans/middle_blocks_tmpl.h"
#include "codec/prans/middle_tmpl.h"
#undef REAL
#undef WORD
#undef SIGNED
#undef NAME

#define REAL double
#define WORD uint64_t
#define SIGNED int64_t
#define NAME(name) name##_f64
#include "codec/prans/domain_restore_tmpl.h"
#include "codec/prans/middle_blocks_tmpl.h"
#include "codec/prans/middle_tmpl.h"

#define KERNELS(dtype)                                                                                       \
    {                                                                                                        \
        difference_##dtype, sum_##dtype, cost_##dtype, fill_##dtype, leave_##dtype, symbols_##dtype,         \
            raw_##dtype, words, decode_##dtype                                                               \
    }

const struct middle_kernels fpgz_prans_middle_c[2] = {
    KERNELS(f32),
    KERNELS(f64),
};
