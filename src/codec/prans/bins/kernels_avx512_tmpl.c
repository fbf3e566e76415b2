/* SPDX-License-Identifier: MIT
 * The kernels of the format of bins for AVX-512: sums are vectors, and raw bits are taken apart in them. */
#include "codec/prans/middle/sums_avx512.h"

#include "codec/prans/bins/level.h"
#if FPGZ_BITS == 64
#include "codec/prans/bins/words_avx512_64.h"
#else
#include "codec/prans/bins/words_avx512_32.h"
#endif

enum { MAP_ROW = 128, MAP_ROWS = 8 /* of a map that permutations look symbols up in */ };

/* Symbols of 64 classes of such a map, that from number `first` on. */
INLINE __m512i symbols_of_classes(const __m512i *map, unsigned rows, __m512i first, const uint16_t *class)
{
    const __m512i even = _mm512_set_epi8(126, 124, 122, 120, 118, 116, 114, 112, 110, 108, 106, 104, 102, 100,
                                         98, 96, 94, 92, 90, 88, 86, 84, 82, 80, 78, 76, 74, 72, 70, 68, 66,
                                         64, 62, 60, 58, 56, 54, 52, 50, 48, 46, 44, 42, 40, 38, 36, 34, 32,
                                         30, 28, 26, 24, 22, 20, 18, 16, 14, 12, 10, 8, 6, 4, 2, 0);
    const __m512i a = _mm512_sub_epi16(_mm512_loadu_si512(class), first),
                  b = _mm512_sub_epi16(_mm512_loadu_si512(class + 32), first),
                  number = _mm512_permutex2var_epi8(a, even, b),
                  row = _mm512_permutex2var_epi8(_mm512_srli_epi16(a, 7), even, _mm512_srli_epi16(b, 7));
    __m512i symbol = _mm512_permutex2var_epi8(map[0], number, map[1]);
    for (unsigned r = 1; r < rows; r++)
        symbol = _mm512_mask_blend_epi8(_mm512_cmpeq_epi8_mask(row, _mm512_set1_epi8((char)r)), symbol,
                                        _mm512_permutex2var_epi8(map[2 * r], number, map[2 * r + 1]));
    return symbol;
}

INLINE void map_classes(const uint8_t *map, const struct bins_numbers *numbers, const uint16_t *class,
                        size_t count, uint8_t *symbol)
{
    const size_t classes = numbers->end - numbers->first;
    __m512i row[MAP_ROWS * MAP_ROW / 64];
    size_t i = 0;
    if (classes > MAP_ROWS * MAP_ROW) {
        map_one_by_one(map, class, count, symbol);
        return;
    }
    const __m512i first = _mm512_set1_epi16((short)numbers->first);
    memcpy(row, map + numbers->first, classes);
    for (; i + 64 <= count; i += 64)
        _mm512_storeu_si512(symbol + i, symbols_of_classes(row, (unsigned)((classes + MAP_ROW - 1) / MAP_ROW),
                                                           first, class + i));
    map_one_by_one(map, class + i, count - i, symbol + i);
}

/* Bytes of each symbol's word, by their places in it. */
struct low_bytes {
    _Alignas(64) uint8_t of[LOW_BYTES][PRANS_SYMBOLS];
};

/* How many tell the words, the others being all signs: 2, 4 or 8. */
static unsigned telling_bytes(const uint64_t *low)
{
    uint64_t size = 0;
    for (unsigned s = 0; s < PRANS_SYMBOLS; s++)
        size |= (uint64_t)(int64_t)((SIGNED)low[s] ^ ((SIGNED)low[s] >> (WORD_BITS - 1)));
    return size >> 15 == 0 ? 2 : size >> 31 == 0 ? 4 : LOW_BYTES;
}

static void part_lows(const uint64_t *low, unsigned count, struct low_bytes *bytes)
{
    for (unsigned b = 0; b < count; b++)
        for (unsigned s = 0; s < PRANS_SYMBOLS; s++)
            bytes->of[b][s] = (uint8_t)((uint64_t)(int64_t)(SIGNED)low[s] >> 8 * b);
}

/* 64 words with raw bits of any widths. */
INLINE void take_wide(const struct bins_symbols *symbols, const uint8_t *symbol, const __m512i low[LOW_BYTES],
                      const uint8_t widths[64], const uint8_t *raw, uint64_t *bit, WORD *word)
{
    for (unsigned k = 0; k < 64; k += TOGETHER) {
        const uint64_t from = *bit;
        take_vector(low[k / TOGETHER], widths + k, raw, bit, word + k);
        if (*bit - from / 8 * 8 <= 512)
            continue;
        *bit = from; /* more than the vector of raw bits has */
        take_words(symbols, symbol, k, k + TOGETHER, raw, bit, word);
    }
}

/* The same where the table has no more than 64. */
INLINE __m512i look_up_few(const __m512i table[4], __m512i number, bool few)
{
    return few ? _mm512_permutexvar_epi8(number, table[0])
               : look_up(table, number, _mm512_movepi8_mask(number));
}

/* Of 64 symbols. Table by table, as gathering takes longer than all else. */
INLINE void lows_of(const struct low_bytes *bytes, unsigned count, __m512i symbol, bool few,
                    __m512i low[LOW_BYTES])
{
    const __m512i turned = in_turns(symbol);
    __m512i byte[LOW_BYTES];
    for (unsigned b = 0; b < count; b++)
        byte[b] = look_up_few((const __m512i *)bytes->of[b], turned, few);
    interleave(byte, count, low);
}

/* The words of as many whole 64 symbols as there are, by what is known of their table. Returns how many. */
INLINE size_t words_by(const struct bins_symbols *symbols, const struct low_bytes *bytes, unsigned telling,
                       bool few, const uint8_t *symbol, size_t count, const struct bins_raw *raw,
                       uint64_t *at_bit, WORD *word)
{
    enum { AHEAD = 16384 };
    const uint64_t end = (uint64_t)(raw->end - raw->at) * 8;
    uint64_t bit = *at_bit;
    __m512i width[4];
    size_t i = 0;
    memcpy(width, symbols->width, sizeof width);
    for (; i + 64 <= count && bit <= end; i += 64) {
        const __m512i number = _mm512_loadu_si512(symbol + i), wide = look_up_few(width, number, few);
        __m512i low[LOW_BYTES];
        struct fours fours;
        for (unsigned j = 0; j < sizeof(WORD); j++) /* of room that was not touched yet */
            __builtin_prefetch((const void *)((uintptr_t)(word + i) + AHEAD + 64 * j), 1);
        lows_of(bytes, telling, number, few, low);
        const bool some = _mm512_cmpgt_epu8_mask(wide, _mm512_set1_epi8(FEW_BITS));
        if (some && _mm512_cmpgt_epu8_mask(wide, _mm512_set1_epi8(SOME_BITS))) {
            _mm512_storeu_si512(fours.width, wide);
            take_wide(symbols, symbol + i, low, fours.width, raw->at, &bit, word + i);
            continue;
        }
        const uint8_t *const at = raw->at + bit / 8;
        find_fours(wide, &bit, &fours);
        if (some)
            for (unsigned j = 0; j < 64; j += TOGETHER)
                put_fours(low[j / TOGETHER], &fours, at, j, true, word + i);
        else
            for (unsigned j = 0; j < 64; j += TOGETHER)
                put_fours(low[j / TOGETHER], &fours, at, j, false, word + i);
    }
    *at_bit = bit;
    return i;
}

static bool words_of(const struct bins_symbols *symbols, const uint8_t *symbol, size_t count,
                     struct bins_raw *raw, void *words)
{
    enum { FEW = 64 };
    const unsigned telling = telling_bytes(symbols->low);
    const uint64_t end = (uint64_t)(raw->end - raw->at) * 8;
    struct low_bytes bytes;
    size_t done;
    part_lows(symbols->low, symbols->count > FEW ? LOW_BYTES : telling, &bytes);
    if (symbols->count > FEW)
        done = words_by(symbols, &bytes, LOW_BYTES, false, symbol, count, raw, &raw->bit, words);
    else if (telling == 2)
        done = words_by(symbols, &bytes, 2, true, symbol, count, raw, &raw->bit, words);
    else if (telling == 4)
        done = words_by(symbols, &bytes, 4, true, symbol, count, raw, &raw->bit, words);
    else
        done = words_by(symbols, &bytes, LOW_BYTES, true, symbol, count, raw, &raw->bit, words);
    if (raw->bit <= end)
        take_words(symbols, symbol, done, count, raw->at, &raw->bit, words);
    return raw->bit <= end;
}

static uint8_t *write_raw(const struct bins_symbols *symbols, const void *words, const uint8_t *symbol,
                          size_t count, uint8_t *out)
{
    const WORD *const word = words;
    struct prans_raw_bits raw = {out, 0, 0};
    struct low_bytes bytes;
    __m512i width[4];
    size_t i = 0;
    memcpy(width, symbols->width, sizeof width);
    part_lows(symbols->low, 4, &bytes);
    for (; i + 64 <= count; i += 64) {
        const __m512i number = _mm512_loadu_si512(symbol + i), turned = in_turns_of_four(number),
                      wide = look_up(width, number, _mm512_movepi8_mask(number));
        __m512i byte[4], low[4], fours;
        if (!are_few(wide, &fours)) {
            add_raw(symbols, word + i, symbol + i, 64, &raw);
            continue;
        }
        for (unsigned b = 0; b < 4; b++)
            byte[b] = look_up((const __m512i *)bytes.of[b], turned, _mm512_movepi8_mask(turned));
        interleave_four(byte, low);
        add_few_raw(word + i, low, wide, fours, &raw);
    }
    add_raw(symbols, word + i, symbol + i, count - i, &raw);
    return raw_bits_end(&raw);
}

const struct prans_bins_kernels WIDTH(fpgz_prans_bins_avx512) = PRANS_BINS_KERNELS;
