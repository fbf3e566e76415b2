/* SPDX-License-Identifier: MIT
 * The stages of prans' middle setting, each on its own, at every CPU level; and parts of its streams. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../checks.h"
#include "../middle/encode.h"
#include "codec/codecs.h"
#include "codec/prans/middle/middle.h"
#include "codec/prans/middle/work.h"
#include "core/bytes.h"
#include "core/cpu.h"

static const struct prans_middle_kernels *kernels(bool is_f64)
{
    return fpgz_cpu_choose_word(fpgz_prans_middle_kernels, is_f64 ? 8 : 4);
}

static void test_layout(void)
{
    const struct fpgz_grid grids[] = {
        {FPGZ_F32, 4, {5, 1, 6, 3}}, {FPGZ_F32, 3, {7, 2, 4}}, {FPGZ_F64, 1, {9}}};
    const struct middle_layout three = fpgz_prans_middle_layout(&grids[0]);
    CHECK(three.components == 3 && three.points == 30 && three.row == 6 && three.rows == 15);
    CHECK(three.axes == 2 && three.extent[0] == 3 && three.extent[1] == 5);
    const struct middle_layout pairs = fpgz_prans_middle_layout(&grids[1]);
    CHECK(pairs.components == 8 && pairs.row == 7 && pairs.axes == 1 && pairs.extent[0] == 8);
    const struct middle_layout line = fpgz_prans_middle_layout(&grids[2]);
    CHECK(line.components == 1 && line.axes == 0 && line.row == 9 && line.blocks == 1 && line.segments == 1);
    /* Row 13 is number 3 of component 2: both axes predict it; row 10 begins the component. */
    const struct middle_rows both = fpgz_prans_middle_rows(&three, 3, 13),
                             first = fpgz_prans_middle_rows(&three, 3, 10);
    CHECK(both.added == 2 && both.taken == 1 && both.add[0] == 30 && both.add[1] == 6 && both.take[0] == 36);
    CHECK(first.added == 1 && first.taken == 0 && first.add[0] == 30);
    CHECK(fpgz_prans_middle_rows(&three, 2, 10).added == 0);
}

static void test_planes(void)
{
    enum { POINTS = 50, COMPONENTS = 3, VALUES = POINTS * COMPONENTS };
    const struct fpgz_grid grid = {FPGZ_F32, 2, {POINTS, COMPONENTS}};
    const struct middle_layout layout = fpgz_prans_middle_layout(&grid);
    uint32_t values[VALUES], planes[VALUES], joined[VALUES];
    for (unsigned i = 0; i < VALUES; i++)
        values[i] = i;
    fpgz_prans_middle_split(&layout, 4, values, planes);
    CHECK(planes[0] == 0 && planes[1] == 3 && planes[POINTS] == 1 && planes[2 * POINTS + 49] == 149);
    bool same = true;
    for (size_t first = 0; first < VALUES; first++)
        for (size_t count = 1; count <= VALUES - first; count += 7) {
            fpgz_prans_middle_join(&layout, 4, planes, first, count, joined);
            same &= !memcmp(joined, values + first, count * sizeof *joined);
        }
    CHECK(same);
}

/* Blocks of two kinds get tables of their own kind, and each table has all symbols of its blocks. */
static void test_tables(void)
{
    enum { BLOCKS = 400 };
    static uint8_t symbol[BLOCKS * MIDDLE_BLOCK], ids[BLOCKS];
    static struct middle_tables tables;
    uint8_t key[PRANS_SYMBOLS];
    for (unsigned s = 0; s < PRANS_SYMBOLS; s++)
        key[s] = (uint8_t)s;
    for (size_t i = 0; i < sizeof symbol; i++)
        symbol[i] = (uint8_t)(i / MIDDLE_BLOCK % 3 ? random_bits() % 4 : 40 + random_bits() % 8);
    fpgz_prans_middle_choose_tables(kernels(false), symbol, key, BLOCKS, ids, &tables);
    CHECK(tables.count == MIDDLE_TABLES);
    bool apart = true, complete = true;
    for (unsigned a = 0; a < BLOCKS; a++) {
        for (unsigned b = 0; b < a; b++)
            apart &= ids[a] != ids[b] || !(a % 3) == !(b % 3);
        for (unsigned i = 0; i < MIDDLE_BLOCK; i++)
            complete &= tables.frequency[ids[a]][symbol[a * MIDDLE_BLOCK + i]] > 0;
    }
    CHECK(apart && complete);
    for (unsigned t = 0; t < tables.count; t++) {
        unsigned sum = 0;
        for (unsigned s = 0; s < PRANS_SYMBOLS; s++)
            sum += tables.frequency[t][s];
        CHECK(sum == PRANS_SCALE);
    }
    fpgz_prans_middle_choose_tables(kernels(false), symbol, key, 1, ids, &tables);
    CHECK(tables.count == 1 && ids[0] == 0);
}

/* Residuals to symbols, words and raw bits, and back. */
static void test_blocks(bool is_f64)
{
    enum { BLOCKS = 50, VALUES = BLOCKS * MIDDLE_BLOCK, ROOM = 12 * VALUES };
    static uint64_t residual[VALUES], decoded[VALUES];
    static uint8_t flag[VALUES], flags[VALUES], symbol[VALUES], ids[BLOCKS], bytes[ROOM + MIDDLE_SLACK],
        reference[2][ROOM];
    static struct middle_tables tables;
    static middle_code codes[MIDDLE_TABLES][PRANS_SYMBOLS];
    static uint32_t entries[MIDDLE_TABLES][PRANS_SCALE];
    const struct prans_middle_kernels *const k = kernels(is_f64);
    const size_t size = is_f64 ? 8 : 4;
    random_state = 1;
    for (size_t i = 0; i < VALUES; i++) {
        const uint64_t all = random_bits() << 33 ^ random_bits() << 10;
        const uint64_t number =
            all >> (random_bits() % 64) ^ (i % 2 ? UINT64_MAX : 0); /* of all lengths and signs */
        flag[i] = i % 11 == 0 ? (uint8_t)(1 + i % 4) : 0;
        const uint64_t kept = flag[i] ? 0 : number;
        memcpy((uint8_t *)residual + i * size, &kept, size);
    }
    uint8_t key[PRANS_SYMBOLS];
    for (unsigned s = 0; s < PRANS_SYMBOLS; s++)
        key[s] = (uint8_t)s;
    k->symbols(residual, flag, VALUES, symbol);
    CHECK(symbol[0] == MIDDLE_SPECIAL && symbol[11] == MIDDLE_SPECIAL + 3);
    fpgz_prans_middle_choose_tables(k, symbol, key, BLOCKS, ids, &tables);
    for (unsigned t = 0; t < tables.count; t++)
        for (uint32_t s = 0, at = 0; s < PRANS_SYMBOLS; s++) {
            const uint32_t frequency = tables.frequency[t][s];
            codes[t][s] = frequency | at << 16;
            for (uint32_t i = 0; i < frequency; i++)
                entries[t][at++] = s | (frequency - 1) << 8 | i << 20;
        }
    uint8_t *const middle = bytes + ROOM / 2;
    uint8_t *const states = k->words(codes, ids, symbol, BLOCKS, middle), *const end =
                                                                              k->raw(residual, symbol, VALUES,
                                                                                     middle);
    struct middle_source source = {entries, ids,    states, states + MIDDLE_STATE_BYTES,
                                   middle,  middle, end,    BLOCKS};
    if (fpgz_cpu() == FPGZ_CPU_C)
        memcpy(reference[is_f64], states, (size_t)(end - states));
    CHECK(!memcmp(reference[is_f64], states, (size_t)(end - states)));
    CHECK(k->decode(&source, decoded, flags) && !memcmp(decoded, residual, VALUES * size) &&
          !memcmp(flags, flag, VALUES));
    CHECK(k->decode(&source, decoded, NULL));
    source.words_end -= 2;
    CHECK(!k->decode(&source, decoded, flags));
    source.words_end += 2;
    source.raw_end--;
    CHECK(!k->decode(&source, decoded, flags));
    source.raw_end++;
    states[5] ^= 1;
    CHECK(!k->decode(&source, decoded, flags));
}

/* Differences as fpgz.5 says them, value by value: those of rows that `axes` predict, then `order` along the
 * row. */
static uint64_t difference_at(const struct middle_layout *layout, const struct middle_mode *mode, size_t row,
                              size_t i, const uint64_t *y, unsigned order)
{
    const struct middle_rows rows = fpgz_prans_middle_rows(layout, mode->axes, row);
    if (order)
        return difference_at(layout, mode, row, i, y, order - 1) -
               (i ? difference_at(layout, mode, row, i - 1, y, order - 1) : 0);
    uint64_t sum = y[row * layout->row + i];
    for (unsigned r = 0; r < rows.added; r++)
        sum -= y[row * layout->row + i - rows.add[r]];
    for (unsigned r = 0; r < rows.taken; r++)
        sum += y[row * layout->row + i - rows.take[r]];
    return sum;
}

/* Residuals of integers are those differences, and sums restore the integers, in parts too. */
static void test_sums(void)
{
    enum { VALUES = 3 * 4 * 1100 };
    const struct fpgz_grid grid = {FPGZ_F64, 3, {3, 4, 1100}};
    const struct middle_layout layout = fpgz_prans_middle_layout(&grid);
    const struct prans_middle_kernels *const k = kernels(true);
    static uint64_t y[VALUES], residual[VALUES];
    for (size_t i = 0; i < VALUES; i++)
        y[i] = random_bits() << 35 ^ random_bits();
    for (unsigned which = 0; which < 12; which++) {
        const struct middle_mode mode = {which % 4, which / 4, false};
        bool right = true;
        for (size_t row = 0; row < layout.rows; row++) {
            const struct middle_rows rows = fpgz_prans_middle_rows(&layout, mode.axes, row);
            k->difference(&rows, mode.order, 0, layout.row, y + row * layout.row, NULL,
                          residual + row * layout.row);
            for (size_t i = 0; i < layout.row; i++)
                right &=
                    residual[row * layout.row + i] == difference_at(&layout, &mode, row, i, y, mode.order);
        }
        CHECK(right);
        for (size_t row = 0; row < layout.rows; row++) {
            const struct middle_rows rows = fpgz_prans_middle_rows(&layout, mode.axes, row);
            struct middle_carry carry = {0, 0};
            for (size_t at = 0, part; at < layout.row; at += part) {
                part = fpgz_min(layout.row - at, 1 + row * 97);
                k->sum(&rows, mode.order, at, part, NULL, &carry, residual + row * layout.row + at);
            }
        }
        CHECK(!memcmp(residual, y, sizeof y));
    }
}

/* A range takes the segments that it lies in and is predicted from, and no others: those may be damaged. */
static void test_ranges(void)
{
    enum { ROWS = 60, ROW = 5000, VALUES = ROWS * ROW };
    struct fpgz_coding coding = {.grid = {FPGZ_F32, 2, {ROWS, ROW}}, .params = {{1, 0}}};
    const size_t bound = fpgz_prans_middle_bound(&coding.grid),
                 memory = fpgz_max(fpgz_prans_middle_memory(&coding.grid),
                                   fpgz_prans.memory(&coding.grid, &coding.params));
    float *const values = malloc(VALUES * sizeof *values), *const restored = malloc(VALUES * sizeof *values);
    uint8_t *const stream = malloc(bound);
    coding.scratch = aligned_alloc(64, fpgz_round_up(memory, 64));
    size_t length;
    struct fpgz_traits traits;
    size_t needed;
    /* Rows that have nothing to do with each other. */
    for (size_t i = 0; i < VALUES; i++)
        values[i] = (float)((int)(random_bits() % 2000) - 1000) + (float)(random_bits() >> 16) * 1e-10f;
    CHECK(!middle_encode(&coding, values, stream, &length));
    CHECK(!fpgz_prans.describe(&coding, stream, length, &needed, &traits) &&
          !strstr(traits.predictors, "axis"));
    CHECK(fpgz_prans.describe(&coding, stream, needed - 1, &needed, &traits) == FPGZ_TRUNCATED);
    /* States of the first segment, and of the last: describing left the segments' lengths in the scratch. */
    const struct middle_work *const w = coding.scratch;
    const struct middle_lengths last = w->lengths[w->layout.segments - 1];
    const size_t states[] = {needed + (w->layout.blocks + 1) / 2,
                             length - MIDDLE_STATE_BYTES - last.words - last.raw};
    for (unsigned end = 0; end < 2; end++) {
        uint8_t *const hurt = stream + states[end] + 20;
        const size_t far = end ? 0 : VALUES - 3 * ROW, near = VALUES - 3 * ROW - far;
        *hurt ^= 255;
        CHECK(fpgz_prans.decode(&coding, stream, length, restored) == FPGZ_CORRUPT);
        CHECK(!fpgz_prans.decode_range(&coding, stream, length, far + 7, 2 * ROW, restored) &&
              !memcmp(restored, values + far + 7, 2 * ROW * sizeof *restored));
        CHECK(fpgz_prans.decode_range(&coding, stream, length, near + 7, 2 * ROW, restored) == FPGZ_CORRUPT);
        *hurt ^= 255;
    }
    free(coding.scratch);
    free(stream);
    free(restored);
    free(values);
}

int main(void)
{
    test_layout();
    test_planes();
    test_tables();
    for (int level = FPGZ_CPU_C; level <= (int)fpgz_cpu_best(); level++) {
        fpgz_cpu_set((enum fpgz_cpu_level)level);
        checking = fpgz_cpu_name(fpgz_cpu());
        test_blocks(false);
        test_blocks(true);
        test_sums();
        test_ranges();
    }
    return checks_end();
}
