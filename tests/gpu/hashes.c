/* SPDX-License-Identifier: MIT
 * Distinct values are counted by sorting, chosen ones by the kernels of the CPU that look at them. */
#include "hashes.h"

#include <stdlib.h>
#include <string.h>

#include "../checks.h"
#include "codec/codecs.h"
#include "codec/prans/matched/matched.h"
#include "codec/prans/middle/layout.h"
#include "core/bytes.h"
#include "engine/device.h"

enum { MOST = 80000, ROW = 900 /* of words that return */ };

static struct bins_shape shape_of(size_t values, size_t size)
{
    enum { SEGMENT_BITS = 15, SEGMENT = 1 << SEGMENT_BITS };
    return (struct bins_shape){values, (values + MIDDLE_BLOCK - 1) / MIDDLE_BLOCK,
                               (values + SEGMENT - 1) / SEGMENT, size, SEGMENT_BITS};
}

/* Words of which about so many are distinct; all bits of some are 1. Rows of them return, as they were, or
 * with other low bits, or negated. */
static void fill(size_t count, size_t size, uint64_t distinct, void *words)
{
    uint64_t random = count + size + distinct;
    for (size_t i = 0; i < count; i++) {
        random = random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        const uint64_t number = (random >> 33) % distinct,
                       word = number == 5 ? UINT64_MAX : number * UINT64_C(0x9E3779B97F4A7C15);
        memcpy((uint8_t *)words + i * size, (const uint8_t *)&word + (number == 5 ? 0 : 8 - size), size);
    }
    for (size_t at = 2 * ROW; at + ROW <= count; at += 4 * ROW) {
        uint8_t *const row = (uint8_t *)words + at * size;
        memcpy(row, (const uint8_t *)words + at % 7 * size, ROW * size);
        for (size_t i = 0; i < ROW && at / ROW % 3; i++)
            row[i * size + (at / ROW % 3 == 1 ? 0 : size - 1)] ^= at / ROW % 3 == 1 ? 1 : 0x80;
    }
}

static uint64_t word_at(const void *words, size_t size, size_t at)
{
    uint64_t word = 0;
    memcpy(&word, (const uint8_t *)words + at * size, size);
    return word;
}

static int by_word(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

/* Distinct words among `count` sorted ones, and those that stand there once. */
static void count_runs(uint64_t *word, size_t count, uint64_t *distinct, uint64_t *once)
{
    *distinct = *once = 0;
    qsort(word, count, sizeof *word, by_word);
    for (size_t i = 0, run; i < count; i += run, ++*distinct) {
        for (run = 1; i + run < count && word[i + run] == word[i];)
            run++;
        *once += run == 1;
    }
}

static void check_distinct(struct fpgz_aide *aide, const void *words, size_t count, size_t size,
                           unsigned specials)
{
    static uint64_t all[MOST], some[MOST];
    struct bins_entry entry = {
        .shape = shape_of(count, size), .values = words, .id = PRANS_DOMAIN_RANK, .specials = specials};
    struct bins_returns found;
    size_t ordinary = 0, sampled = 0;
    uint64_t distinct, once, none;
    for (unsigned s = 0; s < specials; s++)
        entry.special[s] = word_at(words, size, 17 * s);
    for (size_t i = 0; i < count; i++) {
        const uint64_t word = all[ordinary] = word_at(words, size, i);
        bool special = false;
        for (unsigned s = 0; s < specials; s++)
            special |= word == entry.special[s];
        ordinary += !special;
        const size_t run = i / PRANS_RETURN_PERIOD * PRANS_RETURN_PERIOD;
        some[sampled] = word;
        sampled += !special && i - run < PRANS_RETURN_RUN && run + PRANS_RETURN_RUN <= count;
    }
    count_runs(some, sampled, &none, &once);
    count_runs(all, ordinary, &distinct, &none);
    entry.most = distinct;
    check_that(aide->distinct(aide, &entry, &found), "it does not count distinct words");
    check_that(found.distinct == distinct, "%zu words of %zu bytes: %u distinct ones, not %u", count, size,
               (unsigned)found.distinct, (unsigned)distinct);
    if (count >= PRANS_RETURN_LEAST)
        check_that(found.sampled == sampled && found.once == once,
                   "%zu words of %zu bytes: %u of %u stand there "
                   "once, not %u of %zu",
                   count, size, (unsigned)found.once, (unsigned)found.sampled, (unsigned)once, sampled);
    entry.most = distinct - 1;
    check_that(aide->distinct(aide, &entry, &found) && found.distinct > entry.most,
               "%zu words of %zu bytes: there are more", count, size);
}

/* The probe sees the same by the words that the device chose, and so does the roughest, which it does alone.
 * Returns whether that saves anything. */
static bool check_probe(struct fpgz_aide *aide, enum prans_number number, const void *words, size_t count,
                        size_t size)
{
    static uint8_t probed[MATCHED_WAYS * sizeof(uint64_t) << MATCHED_TABLE_BITS_MOST];
    const struct prans_matched_kernels *const kernels =
        fpgz_cpu_choose_word(fpgz_prans_matched_kernels, size);
    const uint64_t bits = 5 * count * size;
    struct matched_search ways[MATCHED_WAYS];
    struct matched_aim aim[MATCHED_WAYS];
    const unsigned many = fpgz_prans_matched_aim(count, size, bits, aim);
    for (unsigned i = 0; i < MATCHED_WAYS; i++)
        ways[i] = (struct matched_search){.count = count,
                                          .number = number,
                                          .aim = aim[i],
                                          .table_bits = matched_table_bits(count),
                                          .probed = probed};
    bool saves = false;
    for (enum matched_roughness rough = MATCHED_THOROUGH; rough <= MATCHED_ROUGHEST; rough++) {
        const bool whole = rough == MATCHED_ROUGHEST;
        const struct matched_chosen *const chosen = whole ? NULL : aide->choose(aide, words, number, rough);
        uint64_t seen[MATCHED_WAYS] = {0}, wanted[MATCHED_WAYS] = {0};
        if (!check_that(whole ? aide->probe(aide, words, number, bits, seen) : chosen != NULL,
                        "it does not probe"))
            return false;
        kernels->probe(ways, many, words, NULL, bits, rough, wanted);
        if (!whole)
            kernels->probe(ways, many, words, chosen, bits, rough, seen);
        for (unsigned i = 0; i < MATCHED_WAYS; i++) {
            check_that(seen[i] == wanted[i],
                       "%zu words of %zu bytes: way %u of probe %d saves %u bits, not %u", count, size, i,
                       (int)rough, (unsigned)seen[i], (unsigned)wanted[i]);
            saves |= whole && seen[i] && seen[i] < bits;
        }
    }
    return saves;
}

/* Words all of which hashes choose are too many to be listed: the CPU has to look at them. */
static void check_crowd(struct fpgz_device *device, uint32_t *words)
{
    enum { KEPT = 8 * sizeof(uint32_t) - sizeof(uint32_t) * MATCHED_CLOSE_BITS };
    uint32_t key = 1;
    while (key * MATCHED_FACTOR >= matched_probed_below(MOST, MATCHED_ROUGH))
        key++;
    if (!check_that(key >> KEPT == 0, "no word is chosen"))
        return;
    for (size_t i = 0; i < MOST; i++)
        words[i] = key << (32 - KEPT);
    struct bins_entry entry = {
        .shape = shape_of(MOST, sizeof *words), .values = words, .id = PRANS_DOMAIN_FLOAT};
    struct bins_common common;
    struct fpgz_device_aide aide;
    uint64_t seen[MATCHED_WAYS];
    fpgz_device_aide(device, &fpgz_prans, words, &aide);
    check_that(aide.aide.enter(&aide.aide, &entry, NULL, &common), "it does not enter");
    check_that(!aide.aide.probe(&aide.aide, words, PRANS_UNSIGNED, 8 * MOST, seen), "it probes a crowd");
    check_that(!aide.aide.choose(&aide.aide, words, PRANS_UNSIGNED, MATCHED_ROUGH), "it lists a crowd");
    fpgz_device_aide_end(&aide);
}

void hashes_check(struct fpgz_device *device)
{
    static const size_t counts[] = {20000, 65535, 65553, MOST}, sizes[] = {2, 4, 8};
    static const uint64_t distinct[] = {40, 30000, 2000000};
    static const enum prans_number numbers[] = {PRANS_REAL, PRANS_SIGNED, PRANS_UNSIGNED};
    static uint64_t words[MOST];
    unsigned saving = 0;
    for (unsigned i = 0; i < 36; i++) {
        const size_t count = counts[i % 4], size = sizes[i / 4 % 3];
        struct bins_entry entry = {.shape = shape_of(count, size), .values = words, .id = PRANS_DOMAIN_FLOAT};
        struct bins_common common;
        struct fpgz_device_aide aide;
        fill(count, size, distinct[i / 12], words);
        fpgz_device_aide(device, &fpgz_prans, words, &aide);
        check_that(aide.aide.enter(&aide.aide, &entry, NULL, &common), "it does not enter");
        saving += check_probe(&aide.aide, numbers[(i / 4 + i / 12) % 3], words, count, size);
        if (size > 2)
            check_distinct(&aide.aide, words, count, size, i % 5);
        fpgz_device_aide_end(&aide);
    }
    check_that(saving >= 18, "only %u of the probes see what matches save", saving);
    check_crowd(device, (uint32_t *)words);
}
