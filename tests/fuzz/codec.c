/* SPDX-License-Identifier: MIT
 * Any bytes as a codec's stream, at every CPU level: the same verdict, and nothing touched that may not be.
 */
#include <stdlib.h>
#include <string.h>

#include "codec_head.h"
#include "core/cpu.h"
#include "fuzz.h"

/* A part of the grid: whatever the verdict, the same at every level; what the whole is, where that was
 * decoded. */
static void check_range(const struct fpgz_codec *codec, const struct fpgz_coding *coding, const uint8_t *data,
                        const uint8_t *stream, size_t length, const uint8_t *whole)
{
    const uint64_t values = fpgz_grid_values(&coding->grid), first = fpgz_load16(data + 20) % values;
    const uint64_t count = 1 + fpgz_load16(data + 22) % (values - first);
    const size_t size = fpgz_dtype_size(coding->grid.dtype);
    uint8_t *const part[2] = {malloc(count * size), malloc(count * size)};
    if (!part[0] || !part[1])
        abort();
    enum fpgz_status verdict[2];
    for (int level = FPGZ_CPU_C; level <= (int)fpgz_cpu_best(); level++) {
        const unsigned which = level > FPGZ_CPU_C;
        fpgz_cpu_set((enum fpgz_cpu_level)level);
        verdict[which] = codec->decode_range(coding, stream, length, first, count, part[which]);
        if (verdict[which] != verdict[0] || (!verdict[0] && memcmp(part[which], part[0], count * size) != 0))
            __builtin_trap();
    }
    if (whole && (verdict[0] || memcmp(part[0], whole + first * size, count * size) != 0))
        __builtin_trap();
    free(part[0]);
    free(part[1]);
}

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
    for (int level = FPGZ_CPU_C + 1; level <= (int)fpgz_cpu_best(); level++) {
        fpgz_cpu_set((enum fpgz_cpu_level)level);
        if (codec->decode(&coding, stream, length, values[1]) != verdict ||
            (!verdict && memcmp(values[0], values[1], bytes) != 0))
            __builtin_trap();
    }
    if (fpgz_codec_takes_ranges(codec, &coding.params))
        check_range(codec, &coding, data, stream, length, verdict ? NULL : values[0]);
    if (codec->describe) {
        struct fpgz_traits traits;
        size_t needed;
        codec->describe(&coding, stream, length, &needed, &traits);
    }
    free(coding.scratch);
    free(values[1]);
    free(values[0]);
    free(stream);
    return 0;
}
