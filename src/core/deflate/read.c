/* SPDX-License-Identifier: MIT
 * Inflates, and tells what the stream says. */
#include "core/bytes.h"
#include "core/deflate/codebook.h"
#include "core/deflate/story.h"
#include "core/deflate/symbols.h"

enum {
    IN_AHEAD = 16, /* bytes that may be read and written without a look at the ends, for one turn */
    OUT_AHEAD = 3 + DEFLATE_MAX_MATCH + 16,
    LENGTHS = 19, /* symbols by which lengths of codes are told */
    REPEAT = 16,
    ZEROS = 17,
    MANY_ZEROS = 18,
    HELD_MOST = 8,               /* bytes */
    BLOCK_LEAST = (1 << 14) - 1, /* bytes of all blocks of zlib's but the last two */
};

struct reader {
    const uint8_t *in, *in_end;
    uint64_t held;    /* the next bits */
    unsigned count;   /* of them; those above are zeros or the next byte's */
    unsigned lacking; /* bytes of zeros that were taken behind the end */
    uint8_t *out, *out_end;
    const uint8_t *data;
    const uint8_t *run; /* first literal behind the last match */
    uint32_t *match;    /* the next; NULL: nothing is told */
    bool odd;
};

enum turn { GOES_ON, ENDS, WRONG };

/* At least 56 bits. */
INLINE void refill(struct reader *r, bool careful)
{
    if (!careful) {
        r->held |= fpgz_load64(r->in) << r->count;
        r->in += (63 - r->count) / 8;
        r->count |= 56;
        return;
    }
    for (; r->count < 56; r->count += 8) {
        if (r->in < r->in_end)
            r->held |= (uint64_t)*r->in++ << r->count;
        else
            r->lacking++;
    }
}

INLINE void drop(struct reader *r, unsigned bits)
{
    r->held >>= bits;
    r->count -= bits;
}

INLINE unsigned take(struct reader *r, unsigned bits)
{
    const unsigned value = (unsigned)r->held & ((1u << bits) - 1);
    drop(r, bits);
    return value;
}

/* The entry of the next code, whose bits in the first table are dropped if it is a longer one. */
INLINE uint32_t look(struct reader *r, const uint32_t *table, unsigned root)
{
    uint32_t entry = table[r->held & ((1u << root) - 1)];
    if (__builtin_expect(entry & CODEBOOK_LONGER, 0)) {
        drop(r, root);
        entry = table[(entry >> CODEBOOK_VALUE_SHIFT) + (r->held & ((1u << (entry & 0xFF)) - 1))];
    }
    return entry;
}

/* The value of an entry with the bits behind its code. */
INLINE unsigned value_of(struct reader *r, uint32_t entry)
{
    const unsigned code = entry >> CODEBOOK_CODE_SHIFT & 15, all = entry & 0xFF;
    const unsigned value =
        (entry >> CODEBOOK_VALUE_SHIFT) + ((unsigned)(r->held & ((UINT64_C(1) << all) - 1)) >> code);
    drop(r, all);
    return value;
}

/* Copies what is `distance` back; unless careful, up to 15 bytes more are written. */
INLINE void copy_match(uint8_t *out, unsigned length, unsigned distance, bool careful)
{
    const uint8_t *from = out - distance;
    if (careful) {
        for (unsigned i = 0; i < length; i++)
            out[i] = from[i];
        return;
    }
    const uint8_t *const end = out + length;
    if (distance < 8) { /* what repeats so also does after the multiple of `distance` next above 7 */
        static const uint8_t widened[] = {0, 8, 8, 9, 8, 10, 12, 14};
        for (unsigned i = 0; i < 8; i++)
            out[i] = from[i];
        out += 8;
        from = out - widened[distance];
    }
    for (; out < end; out += 8, from += 8)
        fpgz_store64(out, fpgz_load64(from));
}

INLINE void tell_match(struct reader *r, const uint8_t *at, unsigned length, unsigned distance)
{
    size_t literals = (size_t)(at - r->run);
    for (; literals >= STORY_LITERALS_MOST; literals -= STORY_LITERALS_MOST)
        *r->match++ = (uint32_t)STORY_LITERALS_MOST << STORY_LITERALS_SHIFT;
    *r->match++ = (uint32_t)literals << STORY_LITERALS_SHIFT |
                  (length - DEFLATE_MIN_MATCH) << STORY_LENGTH_SHIFT | (distance - 1);
    r->run = at + length;
}

/* Reads some literals, or up to two and a match, or the end of the block. */
INLINE enum turn read_some(struct reader *r, const struct fpgz_deflate_codebook *book, const bool careful)
{
    refill(r, careful);
    uint32_t entry = look(r, book->literals, CODEBOOK_LITERALS_ROOT);
    for (unsigned i = 0; i < 3 && entry & CODEBOOK_LITERAL; i++) { /* of 45 bits at most */
        if (careful && r->out == r->out_end)
            return WRONG;
        *r->out++ = (uint8_t)(entry >> CODEBOOK_VALUE_SHIFT);
        drop(r, entry & 0xFF);
        if (careful || i == 2)
            return GOES_ON;
        entry = look(r, book->literals, CODEBOOK_LITERALS_ROOT);
    }
    if (__builtin_expect(entry & (CODEBOOK_END | CODEBOOK_INVALID), 0)) {
        drop(r, entry & 0xFF);
        return entry & CODEBOOK_END ? ENDS : WRONG;
    }
    const unsigned length = value_of(r, entry);
    r->odd |= length == DEFLATE_MAX_MATCH && entry >> CODEBOOK_VALUE_SHIFT != DEFLATE_MAX_MATCH;
    refill(r, careful);
    entry = look(r, book->distances, CODEBOOK_DISTANCES_ROOT);
    if (entry & CODEBOOK_INVALID)
        return WRONG;
    const unsigned distance = value_of(r, entry);
    if (distance > (size_t)(r->out - r->data) || (careful && length > (size_t)(r->out_end - r->out)))
        return WRONG;
    if (r->match)
        tell_match(r, r->out, length, distance);
    copy_match(r->out, length, distance, careful);
    r->out += length;
    return GOES_ON;
}

static bool read_symbols(struct reader *reader, const struct fpgz_deflate_codebook *book)
{
    struct reader r = *reader; /* which no byte that is written can change */
    enum turn turn = GOES_ON;
    while (turn == GOES_ON) {
        const bool ahead = r.in_end - r.in >= IN_AHEAD && r.out_end - r.out >= OUT_AHEAD;
        turn = ahead ? read_some(&r, book, false) : read_some(&r, book, true);
        if (r.lacking > HELD_MOST)
            turn = WRONG;
    }
    *reader = r;
    return turn == ENDS;
}

/* The bit that is read next. */
static uint64_t place_of(const struct reader *r, const uint8_t *stream)
{
    return 8 * ((uint64_t)(r->in - stream) + r->lacking) - r->count;
}

/* Copies a stored block. */
static bool read_stored(struct reader *r)
{
    drop(r, r->count % 8);
    if (r->lacking > r->count / 8)
        return false;
    r->in -= r->count / 8 - r->lacking;
    r->held = r->count = r->lacking = 0;
    if (r->in_end - r->in < 4)
        return false;
    const size_t bytes = fpgz_load16(r->in);
    if ((bytes ^ fpgz_load16(r->in + 2)) != 0xFFFF || bytes > (size_t)(r->in_end - r->in - 4) ||
        bytes > (size_t)(r->out_end - r->out))
        return false;
    if (bytes > 0)
        memcpy(r->out, r->in + 4, bytes);
    r->in += 4 + bytes;
    r->out += bytes;
    return true;
}

/* The codes of RFC 1951, section 3.2.6. */
static bool make_fixed(struct fpgz_deflate_codebook *book)
{
    uint8_t lengths[DEFLATE_CODES], distances[32];
    memset(lengths, 8, sizeof lengths);
    memset(lengths + 144, 9, DEFLATE_END - 144);
    memset(lengths + DEFLATE_END, 7, 280 - DEFLATE_END);
    memset(distances, 5, sizeof distances);
    return fpgz_deflate_codebook_make(book, ALPHABET_LITERALS, lengths, DEFLATE_CODES) &&
           fpgz_deflate_codebook_make(book, ALPHABET_DISTANCES, distances, sizeof distances);
}

/* Reads the lengths of `count` codes. */
static bool read_lengths(struct reader *r, const struct fpgz_deflate_codebook *book, uint8_t *lengths,
                         unsigned count)
{
    for (unsigned at = 0; at < count;) {
        refill(r, true);
        const uint32_t entry = look(r, book->lengths, CODEBOOK_LENGTHS_ROOT);
        const unsigned symbol = entry >> CODEBOOK_VALUE_SHIFT;
        drop(r, entry & 0xFF);
        unsigned repeats = 1;
        uint8_t length = (uint8_t)symbol;
        if (symbol >= REPEAT) {
            repeats = symbol == REPEAT ? 3 + take(r, 2) : symbol == ZEROS ? 3 + take(r, 3) : 11 + take(r, 7);
            if (symbol == REPEAT && !at)
                return false;
            length = symbol == REPEAT ? lengths[at - 1] : 0;
        }
        if (entry & CODEBOOK_INVALID || repeats > count - at)
            return false;
        memset(lengths + at, length, repeats);
        at += repeats;
    }
    return true;
}

/* Reads the codes of RFC 1951, section 3.2.7. */
static bool read_dynamic(struct reader *r, struct fpgz_deflate_codebook *book)
{
    static const uint8_t order[LENGTHS] = {16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15};
    uint8_t lengths[DEFLATE_LITERALS + DEFLATE_DISTANCES] = {0};
    refill(r, true);
    const unsigned literals = 257 + take(r, 5), distances = 1 + take(r, 5), listed = 4 + take(r, 4);
    if (literals > DEFLATE_LITERALS || distances > DEFLATE_DISTANCES)
        return false;
    for (unsigned i = 0; i < listed; i++) {
        refill(r, true);
        lengths[order[i]] = (uint8_t)take(r, 3);
    }
    return fpgz_deflate_codebook_make(book, ALPHABET_LENGTHS, lengths, LENGTHS) &&
           read_lengths(r, book, lengths, literals + distances) && lengths[DEFLATE_END] &&
           fpgz_deflate_codebook_make(book, ALPHABET_LITERALS, lengths, literals) &&
           fpgz_deflate_codebook_make(book, ALPHABET_DISTANCES, lengths + literals, distances);
}

/* Where things are in the memory of a story. */
static size_t blocks_most(size_t bytes)
{
    return bytes / BLOCK_LEAST + 3;
}

size_t fpgz_deflate_story_memory(size_t bytes)
{
    /* Of three literals or more is a match, of as many as fit an entry without one. */
    const uint64_t entries = (uint64_t)bytes / DEFLATE_MIN_MATCH + bytes / STORY_LITERALS_MOST + 1;
    uint64_t memory;
    return fpgz_mul(entries, sizeof(uint32_t), &memory) &&
                   fpgz_add(memory, blocks_most(bytes) * sizeof(struct fpgz_deflate_told), &memory) &&
                   memory <= SIZE_MAX
               ? memory
               : 0;
}

enum fpgz_status fpgz_deflate_read(const uint8_t *stream, size_t length, uint8_t *data, size_t bytes,
                                   void *memory, struct fpgz_deflate_story *story)
{
    struct fpgz_deflate_told *const block = memory;
    uint8_t nothing; /* where there is no data, which may be NULL then */
    if (!bytes)
        data = &nothing;
    const size_t most = memory ? blocks_most(bytes) : 0;
    struct fpgz_deflate_codebook book;
    struct reader r = {.in = stream,
                       .in_end = stream + length,
                       .out = data,
                       .out_end = data + bytes,
                       .data = data,
                       .run = data,
                       .match = memory ? (uint32_t *)(void *)(block + most) : NULL};
    size_t blocks = 0;
    bool last = false, ok = true;
    uint32_t *const match = r.match;
    for (; !last && ok; blocks++) {
        const uint64_t begin = place_of(&r, stream);
        refill(&r, true);
        last = take(&r, 1);
        const unsigned kind = take(&r, 2);
        if (kind == DEFLATE_STORED)
            ok = read_stored(&r);
        else if (kind == DEFLATE_FIXED)
            ok = make_fixed(&book) && read_symbols(&r, &book);
        else
            ok = kind == DEFLATE_DYNAMIC && read_dynamic(&r, &book) && read_symbols(&r, &book);
        if (blocks < most)
            block[blocks] = (struct fpgz_deflate_told){begin, (size_t)(r.out - data), kind};
    }
    if (!ok || (place_of(&r, stream) + 7) / 8 != length || r.out != r.out_end)
        return FPGZ_CORRUPT;
    if (story)
        *story = (struct fpgz_deflate_story){.stream = stream,
                                             .length = length,
                                             .match = match,
                                             .matches = (size_t)(r.match - match),
                                             .block = block,
                                             .blocks = blocks,
                                             .odd = r.odd || blocks > most};
    return FPGZ_OK;
}
