/* SPDX-License-Identifier: MIT */
#define XXH_INLINE_ALL
#include <xxhash.h>

#include "core/checksum_levels.h"

uint64_t fpgz_checksum_c(const void *data, size_t length)
{
    return XXH3_64bits(data, length);
}

void fpgz_checksum_add_c(void *state, const void *data, size_t length)
{
    XXH3_64bits_update(state, data, length);
}
