/* SPDX-License-Identifier: MIT
 * Any bytes as a codec's stream, at every CPU level: the same verdict, and nothing touched that may not be.
 */
#include <stdlib.h>
#include <string.h>

#include "codec_head.h"
#include "core/cpu.h"
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct fpgz_coding coding;
    const struct fpgz_codec *codec = size < CODEC_HEAD ? NULL : codec_head_read(data, &coding);
    if (!codec)
        return 0;
    const size_t bytes = fpgz_grid_bytes(&coding.grid), length = size - CODEC_HEAD;
    uint8_t *stream = malloc(length + 1), *values[2] = {malloc(bytes), malloc(bytes)};
    coding.scratch =
        aligned_alloc(64, fpgz_codec_decode_memory(codec, &coding.grid, &coding.params) / 64 * 64 + 64);
    if (!stream || !values[0] || !values[1] || !coding.scratch)
        abort();
    memcpy(stream, data + CODEC_HEAD, length);
    fpgz_cpu_set(FPGZ_CPU_C);
    const enum fpgz_status verdict = codec->decode(&coding, stream, length, values[0]);
    for (int level = FPGZ_CPU_AVX2; level <= (int)fpgz_cpu_best(); level++) {
        fpgz_cpu_set((enum fpgz_cpu_level)level);
        if (codec->decode(&coding, stream, length, values[1]) != verdict ||
            (!verdict && memcmp(values[0], values[1], bytes) != 0))
            __builtin_trap();
    }
    free(coding.scratch);
    free(values[1]);
    free(values[0]);
    free(stream);
    return 0;
}
