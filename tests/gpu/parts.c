/* SPDX-License-Identifier: MIT
 * Values that are almost multiples of a base, or whose low bits return. */
#include "parts.h"

#include <string.h>

#include "codec/codecs.h"
#include "codec/prans/format.h"
#include "core/bytes.h"

enum { ROWS = 300, ROW = 501, KINDS = 5, UNIT = 4 /* of f64 alone */ };

static const char *const kinds[KINDS] = {"almost multiples", "almost decimals", "low bits that return",
                                         "almost multiples of a power of two", "singles in other units"};

static uint64_t random_of(uint64_t i)
{
    i = (i + 1) * UINT64_C(0x9E3779B97F4A7C15);
    i = (i ^ i >> 31) * UINT64_C(0xBF58476D1CE4E5B9);
    return i ^ i >> 29;
}

/* What is no number, too large for an integer, or too small. */
static double odd(uint64_t random)
{
    static const uint64_t words[] = {
        0x7FF8000012345678, 0x7FF0000000000000, 0xFFF0000000000000, 0x8000000000000000,
        0x3690000000000000, 0x47D0000000000000, 0xC7D0000000000000, 0x0000000000000000,
    };
    double real;
    memcpy(&real, &words[random % 8], sizeof real);
    return real;
}

static void put(enum fpgz_dtype dtype, double real, uint64_t beside, uint8_t *out)
{
    const float narrow = (float)real;
    if (dtype == FPGZ_F64)
        fpgz_store64(out, fpgz_load64(&real) + beside);
    else
        fpgz_store32(out, fpgz_load32(&narrow) + (uint32_t)beside);
}

static void fill(enum fpgz_dtype dtype, unsigned kind, uint8_t *out)
{
    static const uint16_t low[] = {0x123, 0x3F1, 0x250, 0x0AA};
    const size_t size = fpgz_dtype_size(dtype);
    for (uint64_t i = 0; i < ROWS * ROW; i++, out += size) {
        const uint64_t random = random_of(i), noise = random % 64, ulps = random >> 8 & 7;
        const double y = (double)(40 * (i / ROW) + 23 * (i % ROW) + noise);
        if (random >> 16 & 511)
            put(dtype,
                kind == 0   ? y * 0.0137131
                : kind == 1 ? y / 1000
                : kind == 2 ? 1 + y / 32768
                : kind == 3 ? y / 64
                            : (double)(float)(y / 30000) * 0.017453292519943295,
                kind == 2  ? low[random >> 40 & 3]
                : ulps < 3 ? ulps - 1
                           : 0,
                out);
        else
            put(dtype, odd(random >> 32), 0, out);
    }
}

void parts_each(unsigned every, cases_check *check)
{
    static uint8_t values[ROWS * ROW * sizeof(double)];
    static const enum fpgz_dtype dtypes[] = {FPGZ_F32, FPGZ_F64};
    const struct fpgz_params middle = {{PRANS_FORMAT_MIDDLE, 0}};
    for (unsigned i = 0; i < 2 * KINDS; i += every) {
        const struct fpgz_grid grid = {dtypes[i % 2], 2, {ROWS, ROW}};
        if (i / 2 == UNIT && grid.dtype != FPGZ_F64)
            continue;
        fill(grid.dtype, i / 2, values);
        check(&fpgz_prans, &grid, &middle, kinds[i / 2], values);
    }
}
