/* SPDX-License-Identifier: MIT
 * The stages of prans' high setting, each on its own. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../checks.h"
#include "codec/prans/domain/domain.h"
#include "codec/prans/entropy/clustering.h"
#include "codec/prans/high/match.h"
#include "codec/prans/high/select.h"
#include "core/cpu.h"

enum { NUMBERS = 3000 };

/* Writes or reads a little of everything; returns whether what was read is what was written. */
static bool code_all(struct prans_range *r, const uint64_t *number)
{
    uint16_t chances[PRANS_NUMBER_CHANCES], tree[16], coin = 2048;
    bool same = true;
    fpgz_prans_chances(chances, PRANS_NUMBER_CHANCES);
    fpgz_prans_chances(tree, 16);
    for (unsigned i = 0; i < NUMBERS; i++) {
        const uint64_t n = number[i];
        same &= fpgz_prans_range_bit(r, &coin, n % 7 == 0) == (n % 7 == 0);
        same &= fpgz_prans_range_bits(r, i % 65, r->reading ? 0 : n) ==
                (i % 65 ? n & (UINT64_MAX >> (64 - i % 65)) : 0);
        same &= fpgz_prans_range_tree(r, tree, 4, r->reading ? 0 : n & 15) == (n & 15);
        same &= fpgz_prans_range_number(r, chances, r->reading ? 0 : n >> i % 47) == n >> i % 47;
    }
    return same;
}

static void test_range(void)
{
    static uint8_t bytes[NUMBERS * 40];
    uint64_t number[NUMBERS];
    for (unsigned i = 0; i < NUMBERS; i++)
        number[i] = i < 100 ? UINT64_MAX >> 17 : random_bits(); /* long carries first */
    struct prans_range r;
    fpgz_prans_range_write(&r, bytes, sizeof bytes);
    code_all(&r, number);
    const size_t length = (size_t)(fpgz_prans_range_flush(&r) - bytes);
    CHECK(!r.failed);
    fpgz_prans_range_read(&r, bytes, length);
    CHECK(code_all(&r, number) && fpgz_prans_range_done(&r));
    fpgz_prans_range_read(&r, bytes, length - 1);
    code_all(&r, number);
    CHECK(!fpgz_prans_range_done(&r));
    fpgz_prans_range_read(&r, bytes, length + 1);
    code_all(&r, number);
    CHECK(!fpgz_prans_range_done(&r));
    fpgz_prans_range_write(&r, bytes, 10);
    code_all(&r, number);
    CHECK(r.failed);
}

static void test_log2(void)
{
    CHECK(fpgz_prans_log2(1) == 0 && fpgz_prans_log2(4096) == 12 << 16 &&
          fpgz_prans_log2(1u << 31) == 31 << 16);
    CHECK(fpgz_prans_log2(3) == 103872 && fpgz_prans_log2(UINT32_MAX) == (32 << 16) - 1);
}

static void test_frequencies(void)
{
    enum { TABLES = 40 };
    static uint16_t frequency[TABLES][PRANS_SYMBOLS], read[TABLES][PRANS_SYMBOLS];
    static uint8_t bytes[TABLES * PRANS_SYMBOLS * 3];
    for (unsigned t = 0; t < TABLES; t++) {
        uint32_t count[PRANS_SYMBOLS] = {0}, sum = 0;
        for (unsigned s = 0; s < PRANS_SYMBOLS && t;
             s++) /* the first has none; some have one, some are equal */
            count[s] = t == 1   ? s == 77
                       : t == 2 ? 5
                       : t == 3 ? (s < 2) * 1000000000
                                : (uint32_t)(random_bits() % 1000 >> random_bits() % 20);
        fpgz_prans_scale(count, frequency[t]);
        bool kept = true;
        for (unsigned s = 0; s < PRANS_SYMBOLS; s++) {
            sum += frequency[t][s];
            kept &= t == 0 || (count[s] != 0) == (frequency[t][s] != 0);
        }
        CHECK(sum == PRANS_SCALE && kept);
    }
    struct prans_range r;
    fpgz_prans_range_write(&r, bytes, sizeof bytes);
    fpgz_prans_code_frequencies(&r, frequency, TABLES);
    const size_t length = (size_t)(fpgz_prans_range_flush(&r) - bytes);
    fpgz_prans_range_read(&r, bytes, length);
    fpgz_prans_code_frequencies(&r, read, TABLES);
    CHECK(fpgz_prans_range_done(&r) && !memcmp(frequency, read, sizeof read));
}

/* Two kinds of histograms must end in two tables. */
static void test_cluster(void)
{
    enum { CONTEXTS = 30 };
    static uint32_t histogram[CONTEXTS][PRANS_SYMBOLS], cluster[PRANS_TABLES][PRANS_SYMBOLS];
    static struct prans_clustering workspace;
    uint8_t of_context[CONTEXTS];
    for (unsigned c = 0; c < CONTEXTS - 1; c++)
        for (unsigned s = 0; s < 16; s++)
            histogram[c][s + (c % 2) * 8] = 1000 + (uint32_t)random_bits() % 50;
    const unsigned clusters =
        fpgz_prans_cluster(histogram, CONTEXTS, PRANS_TABLES, &workspace, of_context, cluster);
    CHECK(clusters == 2 && of_context[CONTEXTS - 1] == PRANS_NO_TABLE);
    for (unsigned c = 0; c < CONTEXTS - 1; c++)
        CHECK(of_context[c] == of_context[c % 2]);
}

/* A wave that one linear recurrence makes is foretold by a fitted stencil, at each CPU level by the same one.
 */
static void test_fit(void)
{
    enum {
        TILES = 3,
        SAMPLES = TILES * PRANS_FIT_MOST,
        TAPS = 2,
        STRIDE = TAPS + PRANS_COLUMNS - PRANS_TAPS,
    };
    static double target[SAMPLES], quantum[SAMPLES], error[SAMPLES], start[SAMPLES], weight[SAMPLES],
        column[SAMPLES / PRANS_FIT_LANES * STRIDE][PRANS_FIT_LANES];
    static uint8_t phase[SAMPLES];
    uint32_t first[TILES + 1];
    struct prans_samples samples = {.count = SAMPLES,
                                    .tiles = TILES,
                                    .first = first,
                                    .phase = phase,
                                    .target = target,
                                    .quantum = quantum,
                                    .error = error,
                                    .start = start,
                                    .weight = weight,
                                    .column = column};
    double before = 1, value = 0.9, fitted[2][PRANS_FIT_GROUPS][PRANS_PHASES * PRANS_TAPS];
    for (unsigned i = 0; i < SAMPLES; i++) {
        const double next = 1.75 * value - 0.96875 * before + (double)(int)(random_bits() % 3) * 0.001;
        double(*const block)[PRANS_FIT_LANES] = column + i / PRANS_FIT_LANES * STRIDE;
        const unsigned lane = i % PRANS_FIT_LANES;
        block[0][lane] = value;
        block[1][lane] = before - value;
        block[2][lane] = next - value;
        target[i] = next;
        start[i] = next - value;
        quantum[i] = 1e-6;
        before = value;
        value = next;
    }
    for (unsigned tile = 0; tile <= TILES; tile++)
        first[tile] = tile * PRANS_FIT_MOST;
    for (enum fpgz_cpu_level level = FPGZ_CPU_C; level <= fpgz_cpu_best(); level++) {
        uint8_t group[TILES] = {0};
        fpgz_cpu_set(level);
        const struct prans_high_kernels *const kernels = fpgz_cpu_choose_word(fpgz_prans_high_kernels, 8);
        fpgz_prans_fit(&kernels->fit, 1, TAPS, &samples, group, fitted[level != FPGZ_CPU_C]);
        CHECK(!memcmp(fitted[0], fitted[level != FPGZ_CPU_C], sizeof fitted[0]));
    }
    CHECK(fitted[0][0][0] > 1.7 && fitted[0][0][0] < 1.8 && fitted[0][0][1] > -1 && fitted[0][0][1] < -0.9);
}

/* Stencils reach back and never forward, whatever the extents. */
static void test_stencils(void)
{
    static const struct fpgz_grid grids[] = {{FPGZ_F32, 1, {1, 1, 1, 1}},  {FPGZ_F32, 1, {999, 1, 1, 1}},
                                             {FPGZ_F32, 2, {9, 2, 1, 1}},  {FPGZ_F32, 3, {7, 5, 3, 1}},
                                             {FPGZ_F32, 4, {2, 2, 2, 2}},  {FPGZ_F32, 4, {9, 8, 7, 6}},
                                             {FPGZ_F32, 4, {6, 50, 2, 2}}, {FPGZ_F32, 4, {1, 1, 4, 1}}};
    for (unsigned g = 0; g < sizeof grids / sizeof *grids; g++) {
        struct prans_model model = {.axes = fpgz_prans_axes(&grids[g])};
        fpgz_prans_model(&model);
        CHECK(model.axes.phases <= PRANS_PHASES && model.run >= PRANS_NEAR);
        for (unsigned id = 0; id < PRANS_FIXED + PRANS_SHAPES; id++) {
            struct prans_entry entry = {.id = (uint8_t)id};
            struct prans_stencil stencil;
            if (!fpgz_prans_entry(&model.axes, &entry, &stencil))
                continue;
            CHECK(stencil.near >= PRANS_NEAR_LEAST && stencil.near <= PRANS_NEAR &&
                  stencil.far <= PRANS_TAPS);
            for (unsigned tap = 0; tap < stencil.far; tap++)
                CHECK(stencil.offset[tap] >= model.run && stencil.offset[tap] <= stencil.reach);
        }
    }
}

/* Rows that stand in both bands ask for one; rows that their own band has as well do not. */
static void test_matches_across(void)
{
    enum { ROW = 64, ROWS = 128, SECOND = ROW * ROWS / 2 };
    static uint32_t row[ROWS][ROW];
    static uint8_t special[ROWS * ROW];
    static struct prans_matcher matcher;
    for (unsigned i = 0; i < ROWS * ROW; i++)
        row[i / ROW][i % ROW] = (uint32_t)random_bits();
    CHECK(!fpgz_prans_matches_across(row, false, special, SECOND, ROWS * ROW, &matcher));
    for (unsigned r = ROWS / 2; r < ROWS; r += 4)
        memcpy(row[r], row[r - ROWS / 2], sizeof *row);
    CHECK(fpgz_prans_matches_across(row, false, special, SECOND, ROWS * ROW, &matcher));
    memset(special, 1, sizeof special);
    CHECK(!fpgz_prans_matches_across(row, false, special, SECOND, ROWS * ROW, &matcher));
    memset(special, 0, sizeof special);
    for (unsigned r = 1; r < ROWS; r++)
        memcpy(row[r], row[0], sizeof *row);
    CHECK(!fpgz_prans_matches_across(row, false, special, SECOND, ROWS * ROW, &matcher));
}

/* Ranks that no dictionary has are the largest, negative ones too, which are larger still as words. */
static void test_ranks_out_of_range(void)
{
    static const uint64_t dictionary[] = {0x8000000000000000, 0xC000000000000000}; /* 0 and 2 */
    static const uint32_t narrow_dictionary[] = {0x80000000, 0xC0000000};
    static const double rank[] = {-1, 0, 1, 7};
    static const float narrow_rank[] = {-1, 0, 1, 7};
    struct prans_domain domain = {.id = PRANS_DOMAIN_RANK, .distinct = 2, .dictionary = (void *)dictionary};
    double value[4];
    float narrow[4];
    prans_domain_of(true)->leave(&domain, rank, NULL, 4, value);
    CHECK(value[0] == 2 && value[1] == 0 && value[2] == 2 && value[3] == 2);
    domain.dictionary = (void *)narrow_dictionary;
    prans_domain_of(false)->leave(&domain, narrow_rank, NULL, 4, narrow);
    CHECK(narrow[0] == 2 && narrow[1] == 0 && narrow[2] == 2 && narrow[3] == 2);
}

int main(void)
{
    test_range();
    test_log2();
    test_frequencies();
    test_cluster();
    test_fit();
    test_stencils();
    test_matches_across();
    test_ranks_out_of_range();
    return checks_end();
}
