/* SPDX-License-Identifier: MIT
 * Any bytes as a stored piece and as a raw one, in any pipeline: what is undone comes back, and nothing is
 * touched that may not be.
 */
#include <stdlib.h>
#include <string.h>

#include "core/bytes.h"
#include "core/refilter.h"
#include "fuzz.h"

enum { HEAD = 8 };

static void *take(size_t bytes)
{
    void *const memory = malloc(bytes + 1);
    if (!memory)
        abort();
    return memory;
}

/* Makes the stored bytes again, and compares them. */
static void check_again(const struct fpgz_filters *pipeline, const struct fpgz_refiltering *how,
                        const uint8_t *raw, size_t bytes, void *scratch, const uint8_t *stored, size_t length)
{
    uint8_t *const again = take(length);
    size_t made;
    if (fpgz_refilter(pipeline, how, raw, bytes, scratch, again, length, &made) || made != length ||
        memcmp(again, stored, length) != 0)
        __builtin_trap();
    free(again);
}

static void try_stored(const struct fpgz_filters *pipeline, struct fpgz_refiltering how,
                       const uint8_t *stored, size_t length, size_t bytes)
{
    uint8_t *const raw = take(bytes);
    void *const scratch = take(fpgz_refilter_memory(pipeline, bytes));
    if (!fpgz_unfilter(pipeline, stored, length, scratch, raw, bytes, &how))
        check_again(pipeline, &how, raw, bytes, scratch, stored, length);
    free(scratch);
    free(raw);
}

static void try_raw(const struct fpgz_filters *pipeline, struct fpgz_refiltering how, const uint8_t *raw,
                    size_t bytes)
{
    const size_t bound = fpgz_refilter_bound(pipeline, bytes);
    uint8_t *const stored = take(bound), *const back = take(bytes);
    void *const scratch = take(fpgz_refilter_memory(pipeline, bytes));
    size_t length;
    if (!fpgz_refilter(pipeline, &how, raw, bytes, scratch, stored, bound, &length)) {
        how.level = how.memory_level = 0;
        if (fpgz_unfilter(pipeline, stored, length, scratch, back, bytes, &how) ||
            memcmp(raw, back, bytes) != 0)
            __builtin_trap();
        check_again(pipeline, &how, back, bytes, scratch, stored, length);
    }
    free(scratch);
    free(back);
    free(stored);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static uint8_t front[] = "front";
    if (size < HEAD)
        return 0;
    struct fpgz_filters pipeline = {.count = data[0] % 4};
    for (unsigned i = 0; i < pipeline.count; i++) {
        const unsigned filter = data[1 + i] % 4, value = data[1 + i] / 4;
        pipeline.step[i] = (struct fpgz_filter_step){filter, filter == FPGZ_FILTER_DEFLATE   ? value % 2
                                                             : filter == FPGZ_FILTER_SHUFFLE ? value
                                                                                             : 0};
    }
    for (unsigned i = 0; data[0] & 64 && i < pipeline.count; i++)
        if (pipeline.step[i].filter == FPGZ_FILTER_DEFLATE)
            pipeline.step[i] = (struct fpgz_filter_step){FPGZ_FILTER_LZF, 0};
    if (data[0] & 4)
        pipeline = (struct fpgz_filters){.count = 1,
                                         .step = {{FPGZ_FILTER_ENCODED, data[1] % 8 | data[1] / 8u << 15}}};
    if (data[0] & 8 && data[1] % 32)
        pipeline = (struct fpgz_filters){.count = 1, .step = {{FPGZ_FILTER_PACKED, data[1] % 32}}};
    if (data[0] & 16 && pipeline.count < FPGZ_FILTERS) {
        memmove(pipeline.step + 1, pipeline.step, pipeline.count++ * sizeof *pipeline.step);
        pipeline.step[0] = (struct fpgz_filter_step){FPGZ_FILTER_FRONT, 1 + data[3] % sizeof front};
        pipeline.front = front;
    }
    if (data[0] & 32 && pipeline.step[0].filter == FPGZ_FILTER_ENCODED)
        pipeline.step[0].filter = FPGZ_FILTER_ENCODED_LAST;
    if (!fpgz_filters_valid(&pipeline))
        return 0;
    const struct fpgz_refiltering how = {data[4] / 32, data[4] % 16, 7 + data[5] % 4};
    uint8_t *const piece = take(size - HEAD);
    memcpy(piece, data + HEAD, size - HEAD);
    try_stored(&pipeline, how, piece, size - HEAD, fpgz_load16(data + 6) * 4 + data[5] / 64);
    try_raw(&pipeline, how, piece, size - HEAD);
    free(piece);
    return 0;
}
