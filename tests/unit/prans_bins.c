/* SPDX-License-Identifier: MIT
 * The stages of prans' format of bins, each on its own, for words of every width. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../checks.h"
#include "codec/codecs.h"
#include "codec/prans/bins/bins.h"
#include "codec/prans/bins/lanes.h"
#include "codec/prans/bins/work.h"
#include "core/bytes.h"

static const struct prans_bins_kernels *kernels(size_t size)
{
    return fpgz_cpu_choose_word(fpgz_prans_bins_kernels, size);
}

/* Classes begin where the words of the class before end, and a word's class is that where it lies. */
static void test_classes(unsigned bits)
{
    const uint64_t all = UINT64_MAX >> (64 - bits);
    const struct bins_grid grids[] = {
        {false, 0, 0, 0}, {true, 0, 200, 40}, {true, bits - 1, 2, 0}, {true, bits / 2, 16, all - 5}};
    for (unsigned g = 0; g < sizeof grids / sizeof *grids; g++) {
        const struct bins_grid *const grid = &grids[g];
        const size_t classes = fpgz_prans_bins_classes(grid, bits);
        bool right = true;
        for (size_t c = 0; c < classes; c++) {
            const uint64_t begin = fpgz_prans_bins_begin(grid, bits, c),
                           end = fpgz_prans_bins_begin(grid, bits, c + 1);
            const unsigned width = fpgz_prans_bins_width(grid, bits, c, c + 1);
            right &= kernels(bits / 8)->class_of(grid, begin & all) == c;
            right &= kernels(bits / 8)->class_of(grid, (end - 1) & all) == c;
            right &= end - 1 - begin <= UINT64_MAX >> (64 - bits) &&
                     (width == 64 || (end - 1 - begin) >> width == 0);
        }
        check_that(right, "classes of %u bits, %u", bits, g);
    }
    CHECK(fpgz_prans_bins_width(&grids[0], bits, 0, fpgz_prans_bins_classes(&grids[0], bits)) == bits);
}

/* Bins have all words, are in order, and are so many as they pay. */
static void test_learning(void)
{
    static uint32_t histogram[BINS_CLASSES];
    static struct bins_learning learning;
    struct bins_bin bin[BINS_LIMIT];
    unsigned count;
    const struct bins_grid grid = {true, 3, BINS_CLASSES, 0};
    fpgz_prans_bins_logs(&learning);
    CHECK(bins_log2(&learning, 1) == 0 && bins_log2(&learning, 4096) == 12 << 16);
    CHECK(fpgz_prans_bins_learn(&grid, 32, histogram, 10, &learning, bin, &count) == 0 && count == 0);
    for (unsigned i = 0; i < 20000; i++)
        histogram[1000 + i] = 1 + (uint32_t)(random_bits() % 3);
    histogram[60000] = 100000;
    const uint64_t cost = fpgz_prans_bins_learn(&grid, 32, histogram, 10, &learning, bin, &count);
    CHECK(count > 1 && count <= BINS_MOST && bin[0].first == 1000 && bin[count - 1].first == 60000);
    CHECK(cost > 40000 * 16 && cost < 60000 * 20);
    uint32_t last = 0;
    bool right = true;
    for (unsigned b = 0; b < count; b++) {
        right &= bin[b].first >= last && bin[b].end > bin[b].first;
        for (; last < bin[b].first; last++)
            right &= histogram[last] == 0;
        last = bin[b].end;
    }
    CHECK(right && last == 60001);
    fpgz_prans_bins_learn(&grid, 32, histogram, 100000000, &learning, bin, &count);
    CHECK(count <= 2);
}

/* What difference() takes apart sum() puts together, in parts, for special values what fill() gave them. */
static void test_rows(size_t size)
{
    enum { ROW = 2500, ROWS = 4 };
    static uint64_t y[ROW * ROWS], residual[ROW * ROWS], back[ROW * ROWS];
    static uint8_t flag[ROW * ROWS];
    const struct prans_bins_kernels *const k = kernels(size);
    const struct fpgz_grid grid = {FPGZ_F64, 3, {2, 2, ROW}};
    const struct middle_layout layout = fpgz_prans_middle_layout(&grid);
    for (unsigned order = 0; order < BINS_ORDERS; order++) {
        for (size_t i = 0; i < ROW * ROWS; i++) {
            const uint64_t word = random_bits() << 33 ^ random_bits();
            memcpy((uint8_t *)y + i * size, &word, size);
            flag[i] = random_bits() % 5 == 0;
        }
        for (size_t row = 0; row < layout.rows; row++) {
            const struct middle_rows rows = fpgz_prans_middle_rows(&layout, 3, row);
            uint8_t *const at = (uint8_t *)y + row * ROW * size;
            k->fill(&rows, order, ROW, flag + row * ROW, at);
            k->difference(&rows, order, 0, ROW, at, flag + row * ROW, (uint8_t *)residual + row * ROW * size);
        }
        memcpy(back, residual, sizeof back);
        for (size_t row = 0; row < layout.rows; row++) {
            const struct middle_rows rows = fpgz_prans_middle_rows(&layout, 3, row);
            struct bins_carry carry = {{0}};
            for (size_t at = 0, part; at < ROW; at += part) {
                const size_t value = row * ROW + at;
                part = fpgz_min(1 + random_bits() % 1500, ROW - at);
                k->sum(&rows, order, at, part, flag + value, &carry, (uint8_t *)back + value * size);
            }
        }
        check_that(!memcmp(back, y, ROW * ROWS * size), "words of %zu bytes, order %u", size, order);
        k->difference(&(struct middle_rows){0, 0, {0}, {0}}, order, 100, 50, (uint8_t *)y + 100 * size, NULL,
                      back);
        k->difference(&(struct middle_rows){0, 0, {0}, {0}}, order, 0, 150, y, NULL, residual);
        CHECK(!memcmp(back, (uint8_t *)residual + 100 * size, 50 * size));
    }
}

enum { WORDS = 5003, SPECIAL = 250 };

/* Words of all lengths and signs, every seventh one of the list, and special values, which have the word 0.
 */
static void make_words(size_t size, const uint64_t *heavy, uint64_t *word, uint8_t *flag)
{
    for (size_t i = 0; i < WORDS; i++) {
        const uint64_t all = (random_bits() << 33 ^ random_bits() << 10) >> (random_bits() % 64);
        flag[i] = i % 11 == 0 ? (uint8_t)(1 + i % 4) : 0;
        word[i] = flag[i] ? 0 : i % 7 ? all ^ (i % 2 ? UINT64_MAX : 0) : heavy[random_bits() % BINS_HEAVY];
        word[i] &= UINT64_MAX >> (64 - 8 * size);
    }
}

/* Words of few symbols come back, which are small, and of as many raw bits as there may be. */
static void test_few_symbols(size_t size, unsigned low_bits, unsigned widest)
{
    static uint64_t packed[WORDS], back[WORDS];
    static uint8_t symbol[WORDS], raw[9 * WORDS + BINS_RAW_SLACK];
    const struct prans_bins_kernels *const k = kernels(size);
    struct bins_symbols symbols = {.count = 64};
    for (unsigned s = 0; s < 63; s++) { /* the last one is that of a special value */
        symbols.low[s] =
            (uint64_t)((int64_t)random_bits() >> (64 - low_bits)) & UINT64_MAX >> (64 - 8 * size);
        symbols.width[s] = (uint8_t)(random_bits() % (widest + 1));
    }
    for (size_t i = 0; i < WORDS; i++) {
        const unsigned s = symbol[i] = random_bits() % 64;
        const uint64_t rest = symbols.width[s] ? random_bits() >> (64 - symbols.width[s]) : 0,
                       word = symbols.low[s] + rest;
        memcpy((uint8_t *)packed + i * size, &word, size);
    }
    const size_t length = (size_t)(k->raw(&symbols, packed, symbol, WORDS, raw) - raw);
    struct bins_raw from = {raw, raw + length, 0};
    CHECK(k->words(&symbols, symbol, WORDS, &from, back) && (from.bit + 7) / 8 == length);
    CHECK(!memcmp(back, packed, WORDS * size));
}

/* Words become classes, symbols and raw bits, and come back; the raw bits are the same at every level. */
static void test_words(size_t size, const struct bins_grid *grid)
{
    static uint64_t word[WORDS], packed[WORDS], back[WORDS];
    static uint8_t flag[WORDS], symbol[WORDS], map[BINS_CLASSES], raw[9 * WORDS + BINS_RAW_SLACK];
    static uint8_t reference[4][2][9 * WORDS];
    static uint16_t class[WORDS];
    const struct prans_bins_kernels *const k = kernels(size);
    const unsigned bits = 8 * (unsigned)size;
    const size_t classes = fpgz_prans_bins_classes(grid, bits), together = classes / 200 + 1;
    const struct bins_numbers numbers = {200, SPECIAL, 0, (uint32_t)classes, true};
    struct bins_symbols symbols = {.count = PRANS_SYMBOLS};
    uint64_t heavy[BINS_HEAVY];
    uint32_t times[BINS_HEAVY], marked[BINS_HEAVY] = {0};
    random_state = 2 + size; /* with which a word of one width has no slot */
    for (unsigned h = 0; h < BINS_HEAVY; h++)
        symbols.low[200 + h] = heavy[h] = (random_bits() << 8 | (h + 1)) & UINT64_MAX >> (64 - bits);
    make_words(size, heavy, word, flag);
    for (size_t c = 0; c < classes; c++) {
        const size_t bin = c / together, end = fpgz_min(bin * together + together, classes);
        map[c] = (uint8_t)bin;
        symbols.low[bin] = fpgz_prans_bins_begin(grid, bits, bin * together);
        symbols.width[bin] = (uint8_t)fpgz_prans_bins_width(grid, bits, bin * together, end);
    }
    for (size_t i = 0; i < WORDS; i++)
        memcpy((uint8_t *)packed + i * size, &word[i], size);
    k->classes(grid, packed, WORDS, class);
    k->heavy(heavy, BINS_HEAVY, packed, flag, WORDS, symbol, times);
    k->symbols(grid, map, packed, flag, &numbers, WORDS, symbol);
    bool right = true;
    for (size_t i = 0; i < WORDS; i++) {
        right &= class[i] == k->class_of(grid, word[i]);
        unsigned h = 0;
        while (h < BINS_HEAVY && heavy[h] != word[i])
            h++;
        if (!flag[i] && h < BINS_HEAVY)
            marked[h]++;
        const unsigned plain = map[class[i]];
        right &= symbol[i] == (flag[i] ? SPECIAL - 1u + flag[i] : h < BINS_HEAVY ? 200 + h : plain);
    }
    CHECK(right && !memcmp(times, marked, sizeof times));
    const size_t length = (size_t)(k->raw(&symbols, packed, symbol, WORDS, raw) - raw);
    if (fpgz_cpu() == FPGZ_CPU_C)
        memcpy(reference[__builtin_ctzll(size)][grid->equal], raw, length);
    CHECK(!memcmp(reference[__builtin_ctzll(size)][grid->equal], raw, length));
    struct bins_raw from = {raw, raw + length, 0};
    CHECK(k->words(&symbols, symbol, WORDS, &from, back) && (from.bit + 7) / 8 == length);
    CHECK(!memcmp(back, packed, WORDS * size));
    from = (struct bins_raw){raw, raw + length - 1, 0};
    CHECK(!k->words(&symbols, symbol, WORDS, &from, back));
}

/* Few lanes give back what they took, and refuse words that are missing or left. */
static void test_lanes(void)
{
    enum { COUNT = 1000, ROOM = 4096 };
    static middle_code codes[1][PRANS_SYMBOLS];
    static uint32_t slots[1][PRANS_SCALE];
    uint16_t frequency[PRANS_SYMBOLS] = {3000, 1000, 90, 6};
    uint8_t symbol[COUNT], back[COUNT], bytes[ROOM], ids[COUNT / MIDDLE_BLOCK + 1] = {0};
    for (uint32_t s = 0, below = 0; s < 4; below += frequency[s++])
        codes[0][s] = frequency[s] | below << 16;
    prans_fill_slots(frequency, slots[0]);
    for (unsigned i = 0; i < COUNT; i++)
        symbol[i] = (uint8_t)(random_bits() % 7 ? 0 : random_bits() % 4);
    for (unsigned lanes = 1; lanes <= 16; lanes *= 2) {
        const uint8_t *const begin =
            fpgz_prans_lanes_words(codes, ids, symbol, COUNT, lanes, bytes + ROOM - 8);
        struct middle_source source = {.tables = slots,
                                       .ids = ids,
                                       .states = begin,
                                       .words = begin + 4 * lanes,
                                       .words_end = bytes + ROOM - 8};
        CHECK(fpgz_prans_lanes_unpack(&source, COUNT, lanes, back) && !memcmp(back, symbol, COUNT));
        CHECK(!fpgz_prans_lanes_unpack(&source, COUNT - 1, lanes, back));
        source.words_end -= 2;
        CHECK(!fpgz_prans_lanes_unpack(&source, COUNT, lanes, back));
    }
}

/* A chunk of one word that stands among others has a symbol for it; a chunk of special values needs no bins.
 */
static void test_choices(void)
{
    enum { VALUES = 40000 };
    static int32_t values[VALUES], back[VALUES];
    struct fpgz_coding coding = {.grid = {FPGZ_I32, 1, {VALUES}}};
    fpgz_codec_defaults(&fpgz_prans, &coding.params);
    coding.scratch = aligned_alloc(64, fpgz_prans.memory(&coding.grid, &coding.params) / 64 * 64 + 64);
    uint8_t *const stream = malloc(fpgz_prans.bound(&coding.grid, &coding.params));
    size_t length;
    for (unsigned kind = 0; kind < 2; kind++) {
        for (unsigned i = 0; i < VALUES; i++)
            values[i] = kind || random_bits() % 16 == 0 ? 77777777 : (int32_t)(random_bits() << 1);
        CHECK(!fpgz_prans_bins_encode(&coding, values, stream, &length));
        const struct bins_description *const d = &((struct bins_work *)coding.scratch)->description;
        CHECK(kind ? d->bins == 0 && d->domain.specials == 1 && length < 320
                   : d->heavies == 1 && d->heavy[0] == 77777777 - (uint32_t)d->domain.origin);
        CHECK(!fpgz_prans.decode(&coding, stream, length, back) && !memcmp(back, values, sizeof back));
    }
    free(stream);
    free(coding.scratch);
}

/* Chunks whose domains are compared on pieces are coded to the same bytes at every level, and come back:
 * values of few digits along rows, with runs of a fill value, and single ones that are none of them. */
static void test_pieces(void)
{
    enum { ROWS = 600, ROW = 400, VALUES = ROWS * ROW };
    static float values[VALUES], back[VALUES];
    struct fpgz_coding coding = {.grid = {FPGZ_F32, 2, {ROWS, ROW}}};
    fpgz_codec_defaults(&fpgz_prans, &coding.params);
    coding.scratch = aligned_alloc(64, fpgz_prans.memory(&coding.grid, &coding.params) / 64 * 64 + 64);
    uint8_t *const stream = malloc(fpgz_prans.bound(&coding.grid, &coding.params));
    uint8_t *const reference = malloc(fpgz_prans.bound(&coding.grid, &coding.params));
    for (unsigned kind = 0; kind < 4; kind++) {
        size_t length, least = 0;
        for (unsigned i = 0; i < VALUES; i++) {
            const unsigned wave = (i / ROW * 7 + i % ROW * 3) % 1000;
            values[i] = (float)(wave + random_bits() % 4) / (kind == 1 ? 7 : 100);
            if (kind == 2 && i % 1000 < 200)
                values[i] = 1e20f;
            if (kind == 3 && random_bits() % 100 == 0)
                values[i] += 1e-5f;
        }
        for (int level = FPGZ_CPU_C; level <= (int)fpgz_cpu_best(); level++) {
            fpgz_cpu_set((enum fpgz_cpu_level)level);
            CHECK(!fpgz_prans.encode(&coding, values, stream, &length));
            CHECK(!fpgz_prans.decode(&coding, stream, length, back) && !memcmp(back, values, sizeof back));
            if (level == FPGZ_CPU_C)
                memcpy(reference, stream, least = length);
            check_that(length == least && !memcmp(stream, reference, length), "pieces, %u", kind);
        }
    }
    free(reference);
    free(stream);
    free(coding.scratch);
}

int main(void)
{
    test_learning();
    test_lanes();
    test_pieces();
    for (int level = FPGZ_CPU_C; level <= (int)fpgz_cpu_best(); level++) {
        fpgz_cpu_set((enum fpgz_cpu_level)level);
        for (size_t size = 1; size <= 8; size *= 2) {
            test_classes(8 * (unsigned)size);
            test_rows(size);
            test_words(size, &(struct bins_grid){false, 0, 0, 0});
            test_words(size, &(struct bins_grid){true, 8 * (unsigned)size - 7, 128, 12});
            for (unsigned bits = 8; bits <= 8 * size; bits *= 2) {
                test_few_symbols(size, bits, size < 4 ? 8 * (unsigned)size : 25);
                test_few_symbols(size, bits, size < 8 ? 8 * (unsigned)size : 57);
                test_few_symbols(size, bits, 8 * (unsigned)size);
            }
        }
        test_choices();
    }
    return checks_end();
}
