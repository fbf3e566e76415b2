/* SPDX-License-Identifier: MIT
 * How a dynamic block describes its codes: their lengths, run-length coded as zlib does. */
#include "core/deflate/description.h"

enum {
    REPEAT = 16,     /* the length before, 3 to 6 times */
    ZEROS = 17,      /* 3 to 10 */
    MANY_ZEROS = 18, /* 11 to 138 */
    SYMBOLS = 19,
    LONGEST = 7,
    LISTED_LEAST = 4,
};

static const uint8_t order[SYMBOLS] = {16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15};

static unsigned extra_bits(unsigned symbol)
{
    return symbol < REPEAT ? 0 : symbol == REPEAT ? 2 : symbol == ZEROS ? 3 : 7;
}

static void add(struct fpgz_deflate_description *description, unsigned symbol, unsigned repeats)
{
    description->item[description->count++] = (struct fpgz_deflate_item){(uint8_t)symbol, (uint8_t)repeats};
}

/* `count` codes of the same length, which is also that of the code before if `repeats`. */
static void add_run(struct fpgz_deflate_description *description, unsigned length, unsigned count,
                    bool repeats)
{
    if (count < 3 || (length > 0 && !repeats && count < 4)) {
        for (; count > 0; count--)
            add(description, length, 0);
    } else if (length > 0) {
        if (!repeats) {
            add(description, length, 0);
            count--;
        }
        add(description, REPEAT, count - 3);
    } else if (count <= 10) {
        add(description, ZEROS, count - 3);
    } else {
        add(description, MANY_ZEROS, count - 11);
    }
}

/* The lengths of one code; no run reaches into the other's. A run is cut where one symbol says no more. */
static void add_code(struct fpgz_deflate_description *description, const struct fpgz_deflate_code *code)
{
    int before = -1;
    for (unsigned at = 0; at < code->used;) {
        const unsigned length = code->length[at];
        const bool repeats = before == (int)length;
        const unsigned most = length == 0 ? 138 : repeats ? 6 : 7;
        unsigned count = 1;
        while (count < most && at + count < code->used && code->length[at + count] == length)
            count++;
        add_run(description, length, count, repeats);
        before = (int)length;
        at += count;
    }
}

void fpgz_deflate_describe(struct fpgz_deflate_description *description,
                           const struct fpgz_deflate_code *literals,
                           const struct fpgz_deflate_code *distances)
{
    description->literals = literals;
    description->distances = distances;
    description->count = 0;
    add_code(description, literals);
    add_code(description, distances);
    uint32_t counts[SYMBOLS] = {0};
    for (unsigned i = 0; i < description->count; i++)
        counts[description->item[i].symbol]++;
    fpgz_deflate_build(counts, SYMBOLS, LONGEST, &description->code);
    fpgz_deflate_assign(&description->code);
    description->listed = SYMBOLS;
    while (description->listed > LISTED_LEAST &&
           description->code.length[order[description->listed - 1]] == 0)
        description->listed--;
    description->bits = 5 + 5 + 4 + 3 * description->listed;
    for (unsigned symbol = 0; symbol < SYMBOLS; symbol++)
        description->bits +=
            (uint64_t)counts[symbol] * (description->code.length[symbol] + extra_bits(symbol));
}

void fpgz_deflate_write_description(const struct fpgz_deflate_description *description, struct fpgz_bits *out)
{
    fpgz_bits_put(out, description->literals->used - 257, 5);
    fpgz_bits_put(out, description->distances->used - 1, 5);
    fpgz_bits_put(out, description->listed - 4, 4);
    for (unsigned i = 0; i < description->listed; i++) {
        fpgz_bits_put(out, description->code.length[order[i]], 3);
        fpgz_bits_flush(out);
    }
    for (unsigned i = 0; i < description->count; i++) {
        const unsigned symbol = description->item[i].symbol;
        fpgz_bits_put(out, description->code.bits[symbol], description->code.length[symbol]);
        fpgz_bits_put(out, description->item[i].repeats, extra_bits(symbol));
        fpgz_bits_flush(out);
    }
}
