/* SPDX-License-Identifier: MIT
 * LZF: runs of literals, and matches of up to 264 bytes in the 8192 before. */
#include "core/lzf.h"

#include "core/bytes.h"
#include "core/compare.h"

enum {
    HASH_BITS = 17,
    RUN = 32, /* literals, at most */
    FAR = 8192,
    LEAST = 3,
    MOST = 264,
    LONG = 9, /* lengths from this one on have a byte of their own */
    LONG_CODE = 7,
    END = 4,  /* so many of the last bytes begin no match, */
    LEFT = 2, /* and so many are in none */
    AT_ONCE = 16,
    CODE_SHIFT = 5,
};

/* The last position of each hash, 0 without one: position 0 is never a source. */
struct table {
    uint32_t last[1 << HASH_BITS];
};

struct writer {
    uint8_t *at, *end;
};

size_t fpgz_lzf_memory(void)
{
    return sizeof(struct table);
}

/* Puts a position into the table. Returns the one that it replaces. */
INLINE size_t replace(struct table *table, const uint8_t *data, size_t at)
{
    const uint32_t three = (uint32_t)data[at] << 16 | (uint32_t)data[at + 1] << 8 | data[at + 2];
    uint32_t *const last = &table->last[((three >> (24 - HASH_BITS)) - three) % (1u << HASH_BITS)];
    const size_t before = *last;
    *last = (uint32_t)at;
    return before;
}

INLINE bool write_literals(struct writer *writer, const uint8_t *literals, size_t count)
{
    if (count + (count + RUN - 1) / RUN > (size_t)(writer->end - writer->at))
        return false;
    while (count) {
        const size_t run = fpgz_min(count, RUN);
        *writer->at++ = (uint8_t)(run - 1);
        memcpy(writer->at, literals, run);
        writer->at += run;
        literals += run;
        count -= run;
    }
    return true;
}

INLINE bool write_match(struct writer *writer, size_t length, size_t distance)
{
    const size_t far = distance - 1, code = length < LONG ? length - (LEAST - 1) : LONG_CODE;
    if (writer->end - writer->at < 3)
        return false;
    *writer->at++ = (uint8_t)(code << CODE_SHIFT | far >> 8);
    if (code == LONG_CODE)
        *writer->at++ = (uint8_t)(length - LONG);
    *writer->at++ = (uint8_t)far;
    return true;
}

/* The most bytes of a match where `left` bytes are left: where it may have more than 16, h5py's encoder
 * compares 16 behind the first three before it asks how many it may have. */
INLINE unsigned longest(size_t left)
{
    const size_t most = fpgz_min(MOST, left - LEFT);
    return (unsigned)(most > AT_ONCE ? fpgz_max(most, LEAST + AT_ONCE) : most);
}

enum fpgz_status fpgz_lzf_encode(const uint8_t *data, size_t bytes, void *scratch, uint8_t *stream,
                                 size_t room, size_t *length)
{
    struct table *const table = scratch;
    struct writer writer = {stream, stream + room};
    size_t at = 0, literals = 0; /* these begin here */
    if (bytes > UINT32_MAX)
        return FPGZ_LIMIT;
    memset(table, 0, sizeof *table);
    while (at + LEAST <= bytes) {
        const size_t source = replace(table, data, at), distance = at - source;
        if (!source || distance > FAR || at + END >= bytes || memcmp(data + source, data + at, LEAST) != 0) {
            at++;
            continue;
        }
        const unsigned match = fpgz_compare(data + source, data + at, LEAST, longest(bytes - at));
        if (!write_literals(&writer, data + literals, at - literals) ||
            !write_match(&writer, match, distance))
            return FPGZ_LIMIT;
        at += match;
        literals = at;
        if (at + LEAST <= bytes)
            replace(table, data, at - 1);
    }
    if (!write_literals(&writer, data + literals, bytes - literals))
        return FPGZ_LIMIT;
    *length = (size_t)(writer.at - stream);
    return FPGZ_OK;
}

/* Copies a match of which any part may be its own source. */
INLINE void repeat(uint8_t *to, size_t distance, size_t length)
{
    const uint8_t *const from = to - distance;
    if (distance >= length) {
        memcpy(to, from, length);
        return;
    }
    for (size_t i = 0; i < length; i++)
        to[i] = from[i];
}

bool fpgz_lzf_decode(const uint8_t *stream, size_t length, uint8_t *data, size_t bytes)
{
    const uint8_t *const end = stream + length;
    size_t done = 0;
    while (stream < end) {
        const unsigned first = *stream++;
        size_t count = first >> CODE_SHIFT, far = (size_t)(first % RUN) << 8;
        if (!count) {
            count = first + 1;
            if (count > (size_t)(end - stream) || count > bytes - done)
                return false;
            memcpy(data + done, stream, count);
            stream += count;
        } else {
            if (end - stream < (count == LONG_CODE ? 2 : 1))
                return false;
            count += LEAST - 1 + (count == LONG_CODE ? *stream++ : 0);
            far += (size_t)*stream++ + 1;
            if (far > done || count > bytes - done)
                return false;
            repeat(data + done, far, count);
        }
        done += count;
    }
    return done == bytes;
}
