/* SPDX-License-Identifier: MIT
 * Values as VTK's files in XML hold them: lengths, blocks and base64, undone and done again. */
#include "core/encoded.h"

#include "core/bytes.h"

enum {
    FRONT = 3,      /* numbers before the lengths of blocks */
    LEVELS = 9,     /* of deflate */
    VTK_LEVEL = 5,  /* which is tried first */
    USUAL = 8,      /* the memory level that is tried first; the other is 9 */
    ZLIB_BYTES = 6, /* of header and checksum */
};

static size_t block_of(uint64_t value)
{
    return (uint32_t)value >> FPGZ_ENCODED_SHIFT;
}

static size_t word_of(uint64_t value)
{
    return value & FPGZ_ENCODED_WIDE ? 8 : 4;
}

bool fpgz_encoded_valid(uint64_t value)
{
    return block_of(value) ? block_of(value) >= FPGZ_ENCODED_LEAST
                           : value & FPGZ_ENCODED_TEXT && !(value & FPGZ_ENCODED_LAST);
}

static uint64_t blocks_of(uint64_t value, uint64_t bytes)
{
    return (bytes + block_of(value) - 1) / block_of(value);
}

uint64_t fpgz_encoded_head(uint64_t value, uint64_t bytes)
{
    return word_of(value) * (block_of(value) ? FRONT + blocks_of(value, bytes) : 1);
}

uint64_t fpgz_base64_length(uint64_t bytes)
{
    return (bytes + 2) / 3 * 4;
}

size_t fpgz_base64_encode(const uint8_t *data, size_t bytes, uint8_t *text)
{
    static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    uint8_t *out = text;
    for (size_t at = 0; at < bytes; at += 3) {
        const size_t left = fpgz_min(bytes - at, 3);
        const uint32_t bits = (uint32_t)data[at] << 16 | (left > 1 ? (uint32_t)data[at + 1] << 8 : 0) |
                              (left > 2 ? data[at + 2] : 0);
        for (unsigned i = 0; i < 4; i++)
            *out++ = i <= left ? (uint8_t)letters[bits >> (18 - 6 * i) & 63] : '=';
    }
    return (size_t)(out - text);
}

/* The six bits of a letter; 64 for what is none. */
static uint32_t bits_of(uint8_t letter)
{
    return letter >= 'A' && letter <= 'Z'   ? letter - 'A' + 0u
           : letter >= 'a' && letter <= 'z' ? letter - 'a' + 26u
           : letter >= '0' && letter <= '9' ? letter - '0' + 52u
           : letter == '+'                  ? 62
           : letter == '/'                  ? 63
                                            : 64;
}

bool fpgz_base64_decode(const uint8_t *text, size_t bytes, uint8_t *data)
{
    for (size_t at = 0; at < bytes; at += 3, text += 4) {
        const size_t left = fpgz_min(bytes - at, 3);
        uint32_t bits = 0, wrong = 0;
        for (unsigned i = 0; i < 4; i++) {
            const uint32_t six = i <= left ? bits_of(text[i]) : text[i] == '=' ? 0 : 64;
            wrong |= six & 64;
            bits = bits << 6 | (six & 63);
        }
        if (wrong || (left < 3 && bits & (0xffffffu >> 8 * left)))
            return false;
        for (size_t i = 0; i < left; i++)
            data[at + i] = (uint8_t)(bits >> (16 - 8 * i));
    }
    return true;
}

size_t fpgz_encoded_bound(uint64_t value, size_t bytes)
{
    uint64_t bound = bytes;
    if (bytes > SIZE_MAX / 8)
        return 0;
    if (block_of(value))
        bound = blocks_of(value, bytes) * fpgz_deflate_bound(fpgz_min(block_of(value), bytes));
    return fpgz_base64_length(bound + fpgz_encoded_head(value, bytes) + 2) + 4;
}

uint64_t fpgz_encoded_word(uint64_t value, const uint8_t *at)
{
    const bool big = value & FPGZ_ENCODED_BIG;
    if (word_of(value) == 8)
        return big ? __builtin_bswap64(fpgz_load64(at)) : fpgz_load64(at);
    return big ? __builtin_bswap32(fpgz_load32(at)) : fpgz_load32(at);
}

static void store_word(uint64_t value, uint64_t word, uint8_t *at)
{
    const bool big = value & FPGZ_ENCODED_BIG;
    if (word_of(value) == 8)
        fpgz_store64(at, big ? __builtin_bswap64(word) : word);
    else
        fpgz_store32(at, big ? __builtin_bswap32((uint32_t)word) : (uint32_t)word);
}

/* Number i before the lengths of blocks, or, not deflated, before the values. */
static uint64_t front_word(uint64_t value, unsigned i, uint64_t bytes)
{
    const uint64_t block = block_of(value), rest = block ? bytes % block : 0;
    const uint64_t front[FRONT] = {block ? blocks_of(value, bytes) : bytes, block,
                                   rest || !(value & FPGZ_ENCODED_LAST) ? rest : block};
    return front[i];
}

/* Whether the blocks, whose lengths are at `head`, are those of `data`, deflated so. */
static bool makes(uint64_t value, const struct fpgz_deflate *how, const uint8_t *head, const uint8_t *streams,
                  uint8_t *data, size_t bytes, void *tools, void *work)
{
    const size_t block = block_of(value);
    for (size_t done = 0; done < bytes; done += block, head += word_of(value)) {
        const size_t stored = fpgz_encoded_word(value, head), raw = fpgz_min(block, bytes - done);
        struct fpgz_deflate_story story;
        if (fpgz_deflate_read(streams + 2, stored - ZLIB_BYTES, data + done, raw, work, &story) ||
            !fpgz_deflate_makes(how, data + done, raw, tools, streams, stored, &story))
            return false;
        streams += stored;
    }
    return true;
}

/* Inflates the blocks behind the lengths at `head`, and finds their level. */
static enum fpgz_status undo_blocks(uint64_t value, const uint8_t *head, const uint8_t *streams,
                                    size_t length, void *work, void *tools, uint8_t *data, size_t bytes,
                                    struct fpgz_deflate *found)
{
    const size_t block = block_of(value);
    const uint8_t *at = head, *stream = streams;
    for (size_t done = 0; done < bytes; done += block, at += word_of(value)) {
        const uint64_t stored = fpgz_encoded_word(value, at);
        if (stored > length || stored < ZLIB_BYTES ||
            fpgz_deflate_read(stream + 2, stored - ZLIB_BYTES, data + done, fpgz_min(block, bytes - done),
                              NULL, NULL))
            return FPGZ_CORRUPT;
        stream += stored;
        length -= stored;
    }
    if (length || !found)
        return length ? FPGZ_CORRUPT : FPGZ_OK;
    for (unsigned turn = 0; turn < 2 * (LEVELS + 1); turn++) {
        const unsigned level = turn % (LEVELS + 1) ? turn % (LEVELS + 1) : VTK_LEVEL;
        const struct fpgz_deflate how = {.level = level, .memory_level = USUAL + turn / (LEVELS + 1)};
        if (turn % (LEVELS + 1) == VTK_LEVEL || !makes(value, &how, head, streams, data, bytes, tools, work))
            continue;
        *found = how;
        return FPGZ_OK;
    }
    return FPGZ_CORRUPT;
}

enum fpgz_status fpgz_encoded_undo(uint64_t value, const uint8_t *encoded, size_t length, uint8_t *plain,
                                   void *work, void *tools, uint8_t *data, size_t bytes,
                                   struct fpgz_deflate *found)
{
    const uint64_t head = fpgz_encoded_head(value, bytes);
    if (value & FPGZ_ENCODED_TEXT) {
        const size_t apart = block_of(value) ? fpgz_base64_length(head) : 0, first = apart ? head : 0;
        if (length % 4 || length < apart || !fpgz_base64_decode(encoded, first, plain))
            return FPGZ_CORRUPT;
        const size_t letters = length - apart,
                     fill = letters ? (encoded[length - 1] == '=') + (encoded[length - 2] == '=') : 0,
                     rest = letters / 4 * 3 - fill;
        if (!fpgz_base64_decode(encoded + apart, rest, plain + first))
            return FPGZ_CORRUPT;
        encoded = plain;
        length = first + rest;
    }
    if (length < head)
        return FPGZ_CORRUPT;
    for (unsigned i = 0; i < (block_of(value) ? FRONT : 1); i++)
        if (fpgz_encoded_word(value, encoded + i * word_of(value)) != front_word(value, i, bytes))
            return FPGZ_CORRUPT;
    if (block_of(value))
        return undo_blocks(value, encoded + FRONT * word_of(value), encoded + head, length - head, work,
                           tools, data, bytes, found);
    if (length - head != bytes)
        return FPGZ_CORRUPT;
    memcpy(data, encoded + head, bytes);
    return FPGZ_OK;
}

/* Writes lengths and streams. */
static enum fpgz_status make_blocks(uint64_t value, const struct fpgz_deflate *how, const uint8_t *data,
                                    size_t bytes, void *tools, uint8_t *plain, size_t room, size_t *length)
{
    const size_t block = block_of(value);
    uint8_t *at = plain + FRONT * word_of(value);
    *length = fpgz_encoded_head(value, bytes);
    for (size_t done = 0; done < bytes; done += block, at += word_of(value)) {
        size_t stored;
        const enum fpgz_status status = fpgz_deflate_encode(how, data + done, fpgz_min(block, bytes - done),
                                                            tools, plain + *length, room - *length, &stored);
        if (status)
            return status;
        store_word(value, stored, at);
        *length += stored;
    }
    return FPGZ_OK;
}

enum fpgz_status fpgz_encoded_make(uint64_t value, const struct fpgz_deflate *how, const uint8_t *data,
                                   size_t bytes, uint8_t *plain, void *tools, uint8_t *encoded, size_t room,
                                   size_t *length)
{
    const size_t head = fpgz_encoded_head(value, bytes);
    const bool text = value & FPGZ_ENCODED_TEXT;
    uint8_t *const target = text ? plain : encoded;
    enum fpgz_status status = FPGZ_OK;
    if (head > room || fpgz_encoded_bound(value, bytes) > room)
        return FPGZ_LIMIT;
    for (unsigned i = 0; i < (block_of(value) ? FRONT : 1); i++)
        store_word(value, front_word(value, i, bytes), target + i * word_of(value));
    if (block_of(value)) {
        status = make_blocks(value, how, data, bytes, tools, target, room, length);
    } else {
        memcpy(target + head, data, bytes);
        *length = head + bytes;
    }
    if (status || !text)
        return status;
    const size_t apart = block_of(value) ? head : 0, first = fpgz_base64_encode(plain, apart, encoded);
    *length = first + fpgz_base64_encode(plain + apart, *length - apart, encoded + first);
    return FPGZ_OK;
}
