/* SPDX-License-Identifier: MIT
 * Every codec x dtype x shape x parameters x CPU level gives the bytes of the plain C reference, restores the
 * grid, and refuses damaged streams with the same verdict, on buffers between guard pages. usage: levels
 * [CODEC]...   prints a line a codec and level, then "N passed, N failed". */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../checks.h"
#include "cases.h"
#include "codec/codec.h"
#include "core/cpu.h"
#include "guarded.h"

enum { MAX_STREAM = CASES_MAX_VALUES * 32 + 65536, SCRATCH_BYTES = 32 << 20 };

static struct guarded values_at, reference_at, stream_at, restored_at, damaged_at, scratch_at;

struct trial {
    const struct fpgz_codec *codec;
    struct fpgz_coding coding;
    const char *kind;
    enum fpgz_cpu_level level;
    size_t raw; /* bytes */
    const uint8_t *values;
    const uint8_t *reference; /* the stream of the reference ... */
    size_t length;
    const uint8_t *expected; /* ... and what it restores: the values, unless the codec is lossy */
};

static void check(const struct trial *t, bool ok, const char *what)
{
    char shape[FPGZ_SHAPE_TEXT], params[CASES_PARAMS_TEXT];
    check_that(ok, "%s %s %s of %s at level %s: %s (parameters%s)", t->codec->name,
               fpgz_dtype_name(t->coding.grid.dtype),
               ok ? "" : fpgz_shape_text(t->coding.grid.extent, t->coding.grid.dims, shape, sizeof shape),
               t->kind, fpgz_cpu_name(t->level), what,
               ok ? "" : cases_params(t->codec, &t->coding.params, params));
}

/* What the reference says of each damaged stream. */
static struct {
    enum fpgz_status verdict;
    uint8_t restored[CASES_MAX_VALUES * 8];
} on_damage[CASES_DAMAGES];

/* Decodes `length` bytes that end at a guard page, as does the scratch, of what decoding asks for. */
static enum fpgz_status decode(const struct trial *t, const uint8_t *bytes, size_t length, int front,
                               uint8_t **restored)
{
    uint8_t *stream = guarded_place(&damaged_at, length, front);
    memmove(stream, bytes, length);
    *restored = guarded_place(&restored_at, t->raw, front);
    memset(*restored, 0xA5, t->raw);
    struct fpgz_coding coding = t->coding;
    coding.scratch = guarded_place(
        &scratch_at, (fpgz_codec_decode_memory(t->codec, &coding.grid, &coding.params) + 63) / 64 * 64, 0);
    return t->codec->decode(&coding, stream, length, *restored);
}

static enum fpgz_status decode_damaged(const struct trial *t, unsigned which, int front, uint8_t **restored)
{
    static uint8_t bytes[MAX_STREAM];
    return decode(t, bytes, cases_damage(t->reference, t->length, which, bytes), front, restored);
}

/* Single values, the ends of the grid, and ranges that begin and end anywhere. */
static void check_ranges(const struct trial *t, int front)
{
    const uint64_t values = fpgz_grid_values(&t->coding.grid);
    const size_t size = t->raw / values;
    uint8_t *stream = guarded_place(&damaged_at, t->length, front);
    memcpy(stream, t->reference, t->length);
    for (unsigned i = 0; i < 8; i++) {
        const uint64_t first = i == 0   ? 0
                               : i == 1 ? values - 1
                                        : values * i / 9,
                       count = i < 3    ? 1
                               : i == 3 ? values - first
                                        : 1 + (values - first - 1) / i;
        uint8_t *restored = guarded_place(&restored_at, count * size, front);
        memset(restored, 0xA5, count * size);
        check(t,
              !t->codec->decode_range(&t->coding, stream, t->length, first, count, restored) &&
                  !memcmp(restored, t->expected + first * size, count * size),
              "a range of it is not what the whole is");
    }
}

static void check_level(struct trial *t, int front)
{
    uint8_t *restored;
    size_t length = 0;
    fpgz_cpu_set(t->level);
    uint8_t *stream = guarded_place(&stream_at, t->codec->bound(&t->coding.grid, &t->coding.params), front);
    check(t, !t->codec->encode(&t->coding, t->values, stream, &length), "encoding failed");
    check(t, length == t->length && !memcmp(stream, t->reference, length),
          "its stream is not the reference's");
    check(t, !decode(t, t->reference, t->length, front, &restored) && !memcmp(restored, t->expected, t->raw),
          "it does not restore the grid");
    if (fpgz_codec_takes_ranges(t->codec, &t->coding.params))
        check_ranges(t, front);

    for (unsigned which = 0; which < CASES_DAMAGES; which++) {
        const enum fpgz_status verdict = decode_damaged(t, which, front, &restored);
        check(t,
              verdict == on_damage[which].verdict &&
                  (verdict || !memcmp(restored, on_damage[which].restored, t->raw)),
              "its verdict on a damaged stream differs");
    }
}

/* One grid under one set of parameters, at every level. */
static void check_grid(const struct fpgz_codec *codec, const struct fpgz_grid *coded,
                       const struct fpgz_params *params, const char *kind, const uint8_t *source)
{
    static _Alignas(64) uint64_t scratch[SCRATCH_BYTES / 8], lossy[CASES_MAX_VALUES];
    struct trial t = {.codec = codec, .coding = {*coded, *params, scratch, NULL}, .kind = kind};
    t.raw = fpgz_grid_bytes(coded);
    if (codec->memory(coded, params) > sizeof scratch) {
        check(&t, false, "it wants more scratch than the test has");
        return;
    }
    uint8_t *values = guarded_place(&values_at, t.raw, 0);
    memcpy(values, source, t.raw);
    t.values = values;

    uint8_t *reference = guarded_place(&reference_at, codec->bound(coded, params), 0);
    fpgz_cpu_set(FPGZ_CPU_C);
    t.reference = reference;
    t.expected = values;
    check(&t, !codec->encode(&t.coding, values, reference, &t.length), "encoding failed");
    check(&t, t.length <= codec->bound(coded, params), "its stream is longer than its bound");
    if (!codec->lossless) {
        check(&t, !codec->decode(&t.coding, reference, t.length, lossy), "decoding failed");
        t.expected = (const uint8_t *)lossy;
    }
    for (unsigned which = 0; which < CASES_DAMAGES; which++) {
        uint8_t *restored;
        on_damage[which].verdict = decode_damaged(&t, which, 0, &restored);
        memcpy(on_damage[which].restored, restored, t.raw);
    }
    for (t.level = FPGZ_CPU_C; t.level <= fpgz_cpu_best(); t.level++)
        for (int front = 0; front < 2; front++)
            check_level(&t, front);
}

int main(int argc, char **argv)
{
    struct guarded *const all[] = {&values_at, &reference_at, &stream_at, &restored_at, &damaged_at};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        *all[i] = guarded_new(MAX_STREAM);
    scratch_at = guarded_new(SCRATCH_BYTES);
    const struct fpgz_codec *codec = argc > 1 ? fpgz_codec_by_name(argv[1], strlen(argv[1])) : NULL;
    const int every = argc > 2 ? atoi(argv[2]) : 1;
    if (!codec || every < 1) {
        fprintf(stderr, "usage: levels CODEC [EVERY]\n");
        return 1;
    }
    cases_each(codec, (unsigned)every, check_grid);
    printf("%s up to level %s\n", codec->name, fpgz_cpu_name(fpgz_cpu_best()));
    return checks_end();
}
