/* SPDX-License-Identifier: MIT
 * Makes a reader's tables: the next bits are an index, and codes of more bits go on in further tables. */
#include "core/deflate/codebook.h"

#include "core/deflate/symbols.h"

enum { LONGEST = 15, SYMBOLS_MOST = DEFLATE_CODES };

/* What symbol and code say, but for the bits. */
static uint32_t entry_of(enum fpgz_deflate_alphabet alphabet, unsigned symbol, unsigned code)
{
    unsigned extra = 0, kind = 0, value = symbol;
    if (alphabet == ALPHABET_DISTANCES) {
        extra = fpgz_deflate_distance_extra(symbol);
        value = symbol < 4 ? symbol + 1 : (2u + symbol % 2) << extra | 1;
        kind = symbol < DEFLATE_DISTANCES ? 0 : CODEBOOK_INVALID;
    } else if (alphabet == ALPHABET_LITERALS && symbol < DEFLATE_END) {
        kind = CODEBOOK_LITERAL;
    } else if (alphabet == ALPHABET_LITERALS && symbol == DEFLATE_END) {
        kind = CODEBOOK_END;
    } else if (alphabet == ALPHABET_LITERALS) {
        const unsigned number = symbol - DEFLATE_END - 1;
        extra = fpgz_deflate_length_extra(symbol);
        value = symbol == DEFLATE_LITERALS - 1
                    ? DEFLATE_MAX_MATCH
                    : DEFLATE_MIN_MATCH + (extra ? (4 + number % 4) << extra : number);
        kind = symbol < DEFLATE_LITERALS ? 0 : CODEBOOK_INVALID;
    }
    return value << CODEBOOK_VALUE_SHIFT | kind | code << CODEBOOK_CODE_SHIFT | (code + extra);
}

/* Counts codes by their lengths, and sorts symbols by them. Returns the longest. */
static unsigned sort(const uint8_t *lengths, unsigned symbols, unsigned count[LONGEST + 1],
                     uint16_t sorted[SYMBOLS_MOST])
{
    unsigned next[LONGEST + 2] = {0}, longest = LONGEST;
    for (unsigned bits = 0; bits <= LONGEST; bits++)
        count[bits] = 0;
    for (unsigned symbol = 0; symbol < symbols; symbol++)
        count[lengths[symbol]]++;
    for (unsigned bits = 1; bits <= LONGEST; bits++)
        next[bits + 1] = next[bits] + count[bits];
    for (unsigned symbol = 0; symbol < symbols; symbol++)
        if (lengths[symbol])
            sorted[next[lengths[symbol]]++] = (uint16_t)symbol;
    while (longest > 0 && !count[longest])
        longest--;
    return longest;
}

/* Codes that could still be had, in units of the longest; less than 0 where there are too many. */
static int codes_left(const unsigned count[LONGEST + 1])
{
    int left = 1 << LONGEST;
    for (unsigned bits = 1; bits <= LONGEST; bits++)
        left -= (int)(count[bits] << (LONGEST - bits));
    return left;
}

/* The bits by which a table goes on where codes of `bits` bits begin, `left` of which are not in a table. */
static unsigned further_bits(const unsigned count[LONGEST + 1], unsigned bits, unsigned left, unsigned root,
                             unsigned longest)
{
    unsigned further = bits - root, used = left;
    while (bits < longest && used < 1u << further) {
        bits++;
        further++;
        used = 2 * used + count[bits];
    }
    return further;
}

/* The next code of a canonical order, whose first bit is the lowest. */
static unsigned next_code(unsigned code, unsigned bits)
{
    unsigned bit = 1u << (bits - 1);
    while (code & bit)
        bit >>= 1;
    return bit ? (code & (bit - 1)) | bit : 0;
}

static void fill(uint32_t *table, unsigned bits, unsigned code, unsigned code_bits, uint32_t entry)
{
    for (unsigned at = code; at < 1u << bits; at += 1u << code_bits)
        table[at] = entry;
}

bool fpgz_deflate_codebook_make(struct fpgz_deflate_codebook *book, enum fpgz_deflate_alphabet alphabet,
                                const uint8_t *lengths, unsigned symbols)
{
    static const uint8_t roots[] = {CODEBOOK_LENGTHS_ROOT, CODEBOOK_LITERALS_ROOT, CODEBOOK_DISTANCES_ROOT};
    uint32_t *const tables[] = {book->lengths, book->literals, book->distances};
    uint32_t *const table = tables[alphabet];
    const unsigned root = roots[alphabet];
    unsigned count[LONGEST + 1];
    uint16_t sorted[SYMBOLS_MOST];
    const unsigned longest = sort(lengths, symbols, count, sorted);
    const int left = codes_left(count);
    if (left < 0 || (left > 0 && (alphabet == ALPHABET_LENGTHS || longest > 1)))
        return false;
    if (left > 0)
        fill(table, root, 0, 0, CODEBOOK_INVALID | 1);
    unsigned code = 0, used = 1u << root, at = 0, further = 0, before = used;
    for (unsigned bits = 1, i = 0; bits <= longest; bits++) {
        for (unsigned of_bits = count[bits]; of_bits > 0; of_bits--, i++) {
            if (bits <= root) {
                fill(table, root, code, bits, entry_of(alphabet, sorted[i], bits));
            } else {
                const unsigned prefix = code & ((1u << root) - 1);
                if (prefix != before) {
                    before = prefix;
                    at = used;
                    further = further_bits(count, bits, of_bits, root, longest);
                    used += 1u << further;
                    table[prefix] = at << CODEBOOK_VALUE_SHIFT | CODEBOOK_LONGER | further;
                }
                fill(table + at, further, code >> root, bits - root,
                     entry_of(alphabet, sorted[i], bits - root));
            }
            code = next_code(code, bits);
        }
    }
    return true;
}
