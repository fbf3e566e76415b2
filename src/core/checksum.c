/* SPDX-License-Identifier: MIT */
#include "core/checksum.h"

#include <xxhash.h>

#include "core/checksum_levels.h"
#include "core/cpu.h"

uint64_t fpgz_checksum(const void *data, size_t length)
{
    return FPGZ_BY_LEVEL(fpgz_checksum_c, fpgz_checksum_avx2, fpgz_checksum_avx512)(data, length);
}

struct fpgz_checksum_stream *fpgz_checksum_begin(void)
{
    XXH3_state_t *state = XXH3_createState();
    if (state)
        XXH3_64bits_reset(state);
    return (struct fpgz_checksum_stream *)state;
}

void fpgz_checksum_add(struct fpgz_checksum_stream *stream, const void *data, size_t length)
{
    FPGZ_BY_LEVEL(fpgz_checksum_add_c, fpgz_checksum_add_avx2, fpgz_checksum_add_avx512)
    (stream, data, length);
}

uint64_t fpgz_checksum_end(struct fpgz_checksum_stream *stream)
{
    const uint64_t sum = XXH3_64bits_digest((XXH3_state_t *)stream);
    XXH3_freeState((XXH3_state_t *)stream);
    return sum;
}
