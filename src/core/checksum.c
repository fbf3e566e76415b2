/* SPDX-License-Identifier: MIT
 * XXH3-64, at once or in pieces, and Adler-32, by the kernels of the CPU level in force. */
#include "core/checksum.h"

#define XXH_INLINE_ALL /* a library less to load */
#include <xxhash.h>

#include "core/checksum_kernels.h"

static const struct checksum_kernels *kernels(void)
{
    return fpgz_cpu_choose(fpgz_checksum_kernels);
}

uint64_t fpgz_checksum(const void *data, size_t length)
{
    return kernels()->sum(data, length);
}

uint32_t fpgz_adler32(const void *data, size_t length)
{
    return kernels()->adler32(data, length);
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
    kernels()->add(stream, data, length);
}

uint64_t fpgz_checksum_end(struct fpgz_checksum_stream *stream)
{
    const uint64_t sum = XXH3_64bits_digest((XXH3_state_t *)stream);
    XXH3_freeState((XXH3_state_t *)stream);
    return sum;
}
