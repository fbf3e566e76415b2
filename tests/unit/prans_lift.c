/* SPDX-License-Identifier: MIT
 * Values of all dtypes as words of f32 and f64, and prans' streams of them in the high setting. */
#include <stdlib.h>
#include <string.h>

#include "../checks.h"
#include "codec/codecs.h"
#include "codec/prans/format.h"
#include "codec/prans/high/high.h"
#include "codec/prans/high/lift.h"
#include "core/bytes.h"
#include "grids.h"

enum { SPACE = 1 << 16 };

/* All words of 8 or 16 bits come back, each from a number of its own, and the words beside these are refused.
 */
static void test_narrow(enum fpgz_dtype dtype, enum prans_lift_way way, unsigned subnormals)
{
    static uint16_t value[SPACE], restored[SPACE];
    static uint32_t word[SPACE];
    const size_t size = fpgz_dtype_size(dtype), count = (size_t)1 << 8 * size;
    struct prans_lift lift;
    checking = fpgz_dtype_name(dtype);
    for (size_t i = 0; i < count; i++) {
        if (size == 1)
            ((uint8_t *)value)[i] = (uint8_t)i;
        else
            value[i] = (uint16_t)(subnormals ? i : i & 0x7C00 ? i : i & 0x8000);
    }
    CHECK(fpgz_prans_lift(dtype, value, count, word, &lift) && lift.way == way && lift.step == 1);
    CHECK(fpgz_prans_lift_valid(dtype, way) && !fpgz_prans_lift_valid(dtype, 4));
    CHECK(fpgz_prans_lower(&lift, word, count, restored) && !memcmp(value, restored, size * count));
    unsigned accepted = 0;
    for (size_t i = 0; i < count; i++) {
        const uint32_t other = word[i] ^ (uint32_t)1 << (random_bits() % 8);
        accepted += fpgz_prans_lower(&lift, &other, 1, restored);
    }
    CHECK(accepted == 0);
}

static void test_strange_words(void)
{
    static const float no_byte[] = {256, -1, 0.5f, 1e30f, -1e30f, -0.0f};
    static const double no_integer[] = {4294967296.0, -1, 0.5, 1e300, -1e300, -0.0};
    static const uint32_t no_half[] = {0x47800000, 0x33000000, 0x38800001, 0x7F800001, 0x33C00000};
    uint64_t value;
    const struct prans_lift byte = {.dtype = FPGZ_U8, .step = 1}, word = {.dtype = FPGZ_U32, .step = 1},
                            half = {.dtype = FPGZ_F16, .step = 1};
    checking = "words that none is lifted to";
    for (size_t i = 0; i < sizeof no_byte / sizeof *no_byte; i++) {
        check_that(!fpgz_prans_lower(&byte, &no_byte[i], 1, &value), "u8 %g", (double)no_byte[i]);
        check_that(!fpgz_prans_lower(&word, &no_integer[i], 1, &value), "u32 %g", no_integer[i]);
    }
    for (size_t i = 0; i < sizeof no_half / sizeof *no_half; i++)
        check_that(!fpgz_prans_lower(&half, &no_half[i], 1, &value), "f16 %x", no_half[i]);
}

static void check_wide(enum fpgz_dtype dtype, const uint64_t *value, size_t count, bool fits, uint64_t origin,
                       uint64_t step)
{
    uint64_t word[4], restored[4];
    struct prans_lift lift;
    bool steps = origin || step != 1;
    for (size_t i = 0; i < count; i++)
        steps |= value[i] == (uint64_t)1 << 63;
    const bool lifted = fpgz_prans_lift(dtype, value, count, word, &lift);
    CHECK(lifted == fits);
    if (!fits)
        return;
    CHECK(lift.origin == origin && lift.step == step);
    CHECK((lift.way == PRANS_LIFT_STEPS) == steps);
    CHECK(fpgz_prans_lower(&lift, word, count, restored) && !memcmp(restored, value, count * 8));
}

/* Integers of 64 bits: small ones stay, others begin at the least one. */
static void test_wide(void)
{
    const uint64_t limit = (uint64_t)1 << 51, top = (uint64_t)1 << 63;
    checking = "wide integers";
    check_wide(FPGZ_I64, (uint64_t[]){0, limit - 1, -(limit - 1)}, 3, true, 0, 1);
    check_wide(FPGZ_U64, (uint64_t[]){0, 5, limit - 1}, 3, true, 0, 1);
    check_wide(FPGZ_I64, (uint64_t[]){limit, limit - 1}, 2, true, limit - 1, 1);
    check_wide(FPGZ_U64, (uint64_t[]){UINT64_MAX, UINT64_MAX - 30, UINT64_MAX - 12}, 3, true, UINT64_MAX - 30,
               6);
    check_wide(FPGZ_I64, (uint64_t[]){top, top + 1000000000, top + 7000000000}, 3, true, top, 1000000000);
    check_wide(FPGZ_I64, (uint64_t[]){top, 0, top - 1, 1}, 4, false, 0, 0);
    check_wide(FPGZ_I64, (uint64_t[]){top, top}, 2, true, top, 1);
    check_wide(FPGZ_U64, (uint64_t[]){0, top}, 2, true, 0, top);
    check_wide(FPGZ_I64, (uint64_t[]){5, top, 7, -(uint64_t)3}, 4, true, 0, 1);
    check_wide(FPGZ_I64, (uint64_t[]){limit << 4, top, limit << 4 | 5, limit << 4 | 15}, 4, true, limit << 4,
               5);
    check_wide(FPGZ_U64, (uint64_t[]){limit << 4, UINT64_MAX, limit << 4 | 4, limit << 4 | 12}, 4, true,
               limit << 4, 4);
}

/* A stream comes back, of no other dtype, in no other way, and not without its end. */
static void test_stream(enum fpgz_dtype dtype, const char *kind, uint32_t effort)
{
    struct fpgz_coding coding = {.grid = {dtype, 2, {70, 90}}, .params = {{PRANS_FORMAT_HIGH, effort}}};
    const size_t bytes = fpgz_grid_bytes(&coding.grid);
    uint8_t *const values = malloc(bytes), *const restored = malloc(bytes),
                   *const stream = malloc(fpgz_prans.bound(&coding.grid, &coding.params));
    struct fpgz_error error;
    size_t length = 0, needed = 0;
    struct fpgz_traits traits = {0};
    coding.scratch = aligned_alloc(64, fpgz_round_up(fpgz_prans.memory(&coding.grid, &coding.params), 64));
    checking = fpgz_dtype_name(dtype);
    if (!CHECK(values && restored && stream && coding.scratch) ||
        !CHECK(!grids_fill(kind, &coding.grid, 3, values, &error)))
        exit(1);
    CHECK(!fpgz_prans_lifted_encode(&coding, values, stream, &length));
    if (effort) /* or as it was, where that is shorter */
        CHECK((stream[1] || stream[2]) == (dtype == FPGZ_F16));
    CHECK(stream[0] == PRANS_FORMAT_LIFTED && length <= fpgz_prans_lifted_bound(&coding.grid));
    CHECK(!fpgz_prans.decode(&coding, stream, length, restored) && !memcmp(values, restored, bytes));
    CHECK(!fpgz_prans.describe(&coding, stream, length, &needed, &traits) &&
          !strcmp(traits.setting, "lifted") && needed < length);
    size_t shorter = 0;
    CHECK(!fpgz_prans.encode(&coding, values, stream, &shorter) && shorter <= length);
    CHECK(!fpgz_prans.decode(&coding, stream, shorter, restored) && !memcmp(values, restored, bytes));
    fpgz_prans_lifted_encode(&coding, values, stream, &length);
    CHECK(fpgz_prans.decode(&coding, stream, length - 1, restored) == FPGZ_CORRUPT);
    coding.params.value[PRANS_SETTING] = PRANS_FORMAT_MIDDLE;
    if (!effort)
        CHECK(fpgz_prans.decode(&coding, stream, length, restored) == FPGZ_CORRUPT);
    coding.params.value[PRANS_SETTING] = PRANS_FORMAT_HIGH;
    coding.params.value[PRANS_EFFORT] = 0;
    CHECK((fpgz_prans.decode(&coding, stream, length, restored) == FPGZ_CORRUPT) == (stream[1] || stream[2]));
    stream[3] = dtype == FPGZ_BF16 ? PRANS_LIFT_VALUE : PRANS_LIFT_UPPER;
    CHECK(fpgz_prans.decode(&coding, stream, length, restored) == FPGZ_CORRUPT);
    free(values);
    free(restored);
    free(stream);
    free(coding.scratch);
}

int main(void)
{
    test_narrow(FPGZ_I8, PRANS_LIFT_VALUE, 1);
    test_narrow(FPGZ_U8, PRANS_LIFT_VALUE, 1);
    test_narrow(FPGZ_I16, PRANS_LIFT_VALUE, 1);
    test_narrow(FPGZ_U16, PRANS_LIFT_VALUE, 1);
    test_narrow(FPGZ_BF16, PRANS_LIFT_UPPER, 1);
    test_narrow(FPGZ_F16, PRANS_LIFT_BITS, 1);
    test_narrow(FPGZ_F16, PRANS_LIFT_VALUE, 0);
    test_strange_words();
    test_wide();
    for (unsigned dtype = 0; dtype < FPGZ_DTYPES; dtype++) {
        if (!fpgz_dtype_known(dtype) || FPGZ_FLOATS_32_64 >> dtype & 1)
            continue;
        const char *const kind = fpgz_dtypes[dtype].kind == 'f' ? "turbulence" : "packed";
        test_stream((enum fpgz_dtype)dtype, kind, 0);
    }
    test_stream(FPGZ_F16, "turbulence", 1);
    return checks_end();
}
