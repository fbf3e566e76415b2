/* SPDX-License-Identifier: MIT
 * Every codec x dtype x shape x parameters x CPU level gives the bytes of the plain C reference, restores the
 * grid, and refuses damaged streams with the same verdict, on buffers between guard pages. usage: levels
 * [CODEC]...   prints a line a codec and level, then "N passed, N failed". */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "codec/codec.h"
#include "core/cpu.h"
#include "grids.h"
#include "guarded.h"

enum { MAX_VALUES = 80000, MAX_STREAM = MAX_VALUES * 32 + 65536, DAMAGES = 6 };

static const struct {
    unsigned dims;
    uint64_t extent[4];
} shapes[] = {
    {1, {1}},          {1, {2}},          {1, {31}},         {1, {33}},           {1, {1000}},
    {1, {4095}},       {1, {4096}},       {1, {8193}},       {1, {20011}},        {2, {1, 1}},
    {2, {5, 7}},       {2, {3, 700}},     {2, {63, 65}},     {2, {64, 64}},       {2, {65, 130}},
    {2, {129, 191}},   {3, {1, 1, 1}},    {3, {3, 4, 5}},    {3, {15, 16, 16}},   {3, {16, 16, 16}},
    {3, {17, 33, 35}}, {3, {20, 48, 51}}, {4, {2, 3, 4, 5}}, {4, {3, 7, 17, 19}}, {4, {2, 16, 33, 32}},
};

static const char *const kinds[] = {"wave",     "turbulence", "walk", "noise",  "rand",
                                    "constant", "zero",       "spec", "special"};

static struct guarded values_at, reference_at, stream_at, restored_at, damaged_at;
static unsigned passed, failed;

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
    char shape[FPGZ_SHAPE_TEXT];
    passed += ok;
    failed += !ok;
    if (ok || failed > 30)
        return;
    printf("FAILED: %s %s %s of %s at level %s: %s (parameters", t->codec->name,
           fpgz_dtype_name(t->coding.grid.dtype),
           fpgz_shape_text(t->coding.grid.extent, t->coding.grid.dims, shape, sizeof shape), t->kind,
           fpgz_cpu_name(t->level), what);
    for (unsigned i = 0; i < t->codec->param_count; i++)
        printf(" %u", t->coding.params.value[i]);
    printf(")\n");
}

/* Decodes `length` bytes that end at a guard page. */
static enum fpgz_status decode(const struct trial *t, const uint8_t *bytes, size_t length, int front,
                               uint8_t **restored)
{
    uint8_t *stream = guarded_place(&damaged_at, length, front);
    memmove(stream, bytes, length);
    *restored = guarded_place(&restored_at, t->raw, front);
    memset(*restored, 0xA5, t->raw);
    return t->codec->decode(&t->coding, stream, length, *restored);
}

/* A stream with some bytes changed, or cut off, or with something behind it. */
static size_t damage(const struct trial *t, unsigned which, uint8_t *bytes)
{
    uint64_t random = 0x9E3779B97F4A7C15u * (which + 1) ^ t->length * 0xBF58476D1CE4E5B9u;
    memcpy(bytes, t->reference, t->length);
    if (which == 0 || t->length == 0) {
        bytes[t->length] = 1;
        return t->length + 1;
    }
    if (which == 1)
        return t->length - 1;
    if (which == 2)
        return t->length / 2;
    for (unsigned i = 0; i < which; i++) {
        random = random * 6364136223846793005u + 1442695040888963407u;
        /* Half of the changes hit the first bytes, where headers and tables are. */
        const size_t range = i % 2 && t->length > 64 ? 64 : t->length;
        bytes[(random >> 33) % range] ^= (uint8_t)(1u << (random >> 61));
    }
    return t->length;
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
    if (t->codec->decode_range)
        check_ranges(t, front);

    static uint8_t bytes[MAX_STREAM], expected[MAX_VALUES * 8];
    for (unsigned which = 0; which < DAMAGES; which++) {
        const size_t damaged = damage(t, which, bytes);
        fpgz_cpu_set(FPGZ_CPU_C);
        const enum fpgz_status verdict = decode(t, bytes, damaged, front, &restored);
        memcpy(expected, restored, t->raw);
        fpgz_cpu_set(t->level);
        const bool same = decode(t, bytes, damaged, front, &restored) == verdict;
        check(t, same && (verdict || !memcmp(restored, expected, t->raw)),
              "its verdict on a damaged stream differs");
    }
}

/* One grid under one set of parameters, at every level. */
static void check_grid(const struct fpgz_codec *codec, const struct fpgz_grid *coded,
                       const struct fpgz_params *params, const char *kind, const uint8_t *source)
{
    struct fpgz_error unfit = {0};
    if (fpgz_codec_check(codec, coded->dtype, params, &unfit))
        return;
    static uint64_t scratch[1 << 20], lossy[MAX_VALUES];
    struct trial t = {.codec = codec, .coding = {*coded, *params, scratch}, .kind = kind};
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
    for (t.level = FPGZ_CPU_C; t.level <= fpgz_cpu_best(); t.level++)
        for (int front = 0; front < 2; front++)
            check_level(&t, front);
}

/* The defaults, then each parameter at its ends and in its middle. */
static void for_each_params(const struct fpgz_codec *codec, const struct fpgz_grid *coded, const char *kind,
                            const uint8_t *source)
{
    struct fpgz_params params;
    fpgz_codec_defaults(codec, &params);
    check_grid(codec, coded, &params, kind, source);
    for (unsigned i = 0; i < codec->param_count; i++) {
        const struct fpgz_param *param = &codec->params[i];
        const uint32_t tried[] = {param->min, param->min + 1, (param->min + param->max) / 2, param->max};
        for (unsigned j = 0; j < sizeof tried / sizeof *tried; j++) {
            fpgz_codec_defaults(codec, &params);
            params.value[i] = tried[j];
            if (tried[j] != param->fallback)
                check_grid(codec, coded, &params, kind, source);
        }
    }
}

static void check_codec(const struct fpgz_codec *codec, enum fpgz_dtype dtype, unsigned every)
{
    unsigned grids = 0;
    static uint64_t source[MAX_VALUES];
    for (size_t s = 0; s < sizeof shapes / sizeof *shapes; s++) {
        struct fpgz_grid grid = {dtype, shapes[s].dims, {1, 1, 1, 1}}, coded;
        memcpy(grid.extent, shapes[s].extent, sizeof grid.extent);
        for (unsigned d = grid.dims; d < 4; d++)
            grid.extent[d] = 1;
        for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
            struct fpgz_error error = {0};
            if (grids++ % every)
                continue;
            /* Not all kinds know four dimensions; the codec does not mind where rows end. */
            struct fpgz_grid made;
            fpgz_fold_slowest(&grid, 3, &made);
            made.dtype = dtype == FPGZ_F64 ? FPGZ_F64 : FPGZ_F32; /* of which bytes are a part */
            if (grids_fill(kinds[k], &made, s + 7 * k, source, &error)) {
                printf("FAILED: cannot make %s: %s\n", kinds[k], error.text);
                failed++;
                continue;
            }
            /* Both as the codec folds the grid and, where it takes that many dimensions, as it stands. */
            codec->fold(&grid, &coded);
            for_each_params(codec, &coded, kinds[k], (const uint8_t *)source);
            if (grid.dims <= codec->max_dims && grid.dims != coded.dims)
                for_each_params(codec, &grid, kinds[k], (const uint8_t *)source);
        }
    }
}

int main(int argc, char **argv)
{
    struct guarded *const all[] = {&values_at, &reference_at, &stream_at, &restored_at, &damaged_at};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        *all[i] = guarded_new(MAX_STREAM);
    const struct fpgz_codec *codec = argc > 1 ? fpgz_codec_by_name(argv[1], strlen(argv[1])) : NULL;
    const int every = argc > 2 ? atoi(argv[2]) : 1;
    if (!codec || every < 1) {
        fprintf(stderr, "usage: levels CODEC [EVERY]\n");
        return 1;
    }
    if (codec->f32)
        check_codec(codec, FPGZ_F32, (unsigned)every);
    if (codec->f64)
        check_codec(codec, FPGZ_F64, (unsigned)every);
    if (codec->u8)
        check_codec(codec, FPGZ_U8, (unsigned)every);
    printf("%s up to level %s\n", codec->name, fpgz_cpu_name(fpgz_cpu_best()));
    printf("%u passed, %u failed\n", passed, failed);
    return passed == 0 || failed != 0;
}
