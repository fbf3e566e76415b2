/* SPDX-License-Identifier: MIT
 * The low fields of prans' split domain: written and read again, their cost foretold, bad ones refused. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../checks.h"
#include "codec/prans/domain/low_bits.h"

enum { COUNT = 20000, HALF = COUNT / 2, BYTES = 16 * COUNT };

static uint32_t slots[1 << PRANS_LOW_BITS_SLOT_BITS];
static uint8_t special[COUNT];

/* Words whose low `bits` are one of `tails` random ones; what is special is no such word. */
static void make(uint64_t *wide, uint32_t *narrow, unsigned bits, unsigned tails)
{
    uint64_t tail[4096];
    for (unsigned i = 0; i < tails; i++)
        tail[i] = random_bits() & (((uint64_t)1 << bits) - 1);
    for (size_t i = 0; i < COUNT; i++) {
        special[i] = random_bits() % 7 == 0;
        wide[i] = random_bits() << bits | (special[i] ? random_bits() & 0xFF : tail[random_bits() % tails]);
        narrow[i] = (uint32_t)wide[i];
    }
}

/* Both halves one behind the other, as bands are. */
static void code(struct prans_range *r, bool is_f64, unsigned bits, void *words)
{
    struct prans_low_bits low;
    fpgz_prans_low_bits_begin(&low, is_f64, bits);
    memset(slots, 0, sizeof slots);
    fpgz_prans_low_bits_code(&low, r, words, 0, HALF, special, slots);
    fpgz_prans_low_bits_code(&low, r, words, HALF, COUNT - HALF, special + HALF, slots);
}

/* What is read is what was written; the length is about the cost. */
static void test_round_trip(bool is_f64, unsigned bits, unsigned tails, bool pays)
{
    static uint64_t wide[COUNT], high[COUNT];
    static uint32_t narrow[COUNT], narrow_high[COUNT];
    static uint8_t bytes[BYTES];
    make(wide, narrow, bits, tails);
    void *const words = is_f64 ? (void *)wide : (void *)narrow, *const read =
                                                                    is_f64 ? (void *)high : narrow_high;
    for (size_t i = 0; i < COUNT; i++) {
        high[i] = special[i] ? wide[i] : wide[i] >> bits << bits;
        narrow_high[i] = special[i] ? narrow[i] : narrow[i] & (uint32_t)(UINT64_MAX << bits);
    }
    struct prans_range r;
    fpgz_prans_range_write(&r, bytes, sizeof bytes);
    code(&r, is_f64, bits, words);
    const size_t length = (size_t)(fpgz_prans_range_flush(&r) - bytes);
    CHECK(!r.failed);
    fpgz_prans_range_read(&r, bytes, length);
    code(&r, is_f64, bits, read);
    CHECK(fpgz_prans_range_done(&r) && !memcmp(words, read, is_f64 ? sizeof wide : sizeof narrow));
    const uint64_t cost = fpgz_prans_low_bits_cost(words, is_f64, bits, COUNT, special, UINT64_MAX, slots);
    CHECK((cost != UINT64_MAX) == pays);
    CHECK(!pays || (8 * length > cost - cost / 8 && 8 * length < cost + cost / 8));
    CHECK(!pays || 8 * length < COUNT * bits);
    fpgz_prans_range_read(&r, bytes, length - length / 3);
    code(&r, is_f64, bits, read);
    CHECK(!fpgz_prans_range_done(&r));
}

/* A distance before the first value is refused, not followed. */
static void test_too_far(void)
{
    uint8_t bytes[64];
    uint32_t words[4] = {0};
    struct prans_low_bits low;
    struct prans_range r;
    fpgz_prans_low_bits_begin(&low, false, 18);
    fpgz_prans_range_write(&r, bytes, sizeof bytes);
    fpgz_prans_range_bit(&r, &low.stood[0], 1);
    const size_t length = (size_t)(fpgz_prans_range_flush(&r) - bytes);
    memset(special, 0, sizeof special);
    fpgz_prans_low_bits_begin(&low, false, 18);
    fpgz_prans_range_read(&r, bytes, length);
    fpgz_prans_low_bits_code(&low, &r, words, 0, 4, special, NULL);
    CHECK(r.failed);
}

/* Whole values that stood before are for matches. */
static void test_whole_values(void)
{
    static uint32_t words[COUNT];
    memset(special, 0, sizeof special);
    for (size_t i = 0; i < COUNT; i++)
        words[i] = i < 500 ? (uint32_t)random_bits() : words[i % 500];
    CHECK(fpgz_prans_low_bits_cost(words, false, 18, COUNT, special, UINT64_MAX, slots) == UINT64_MAX);
}

int main(void)
{
    test_round_trip(false, 18, 30, true);
    test_round_trip(false, 10, 4, true);
    test_round_trip(true, 44, 900, true);
    test_round_trip(true, 24, 60, true);
    test_round_trip(true, 44, 4096, true);
    test_too_far();
    test_whole_values();
    return checks_end();
}
