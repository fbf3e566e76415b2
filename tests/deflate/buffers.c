/* SPDX-License-Identifier: MIT
 * Inputs for the encoder of deflate. Each kind aims at decisions of zlib that others hardly meet. */
#include "buffers.h"

#include <string.h>

enum {
    NEAR = 32506,  /* how far back zlib's matches go */
    HALF = 32768,  /* of its window */
    BLOCK = 16383, /* symbols */
};

static uint64_t state;

uint64_t buffer_below(uint64_t limit)
{
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (state >> 24) % limit;
}

void buffer_fill(const struct buffer_kind *kind, uint64_t seed, uint8_t *data, size_t bytes)
{
    state = seed * 0x9E3779B97F4A7C15u + bytes;
    buffer_below(1);
    kind->fill(data, bytes);
}

/* Copies what stands `distance` bytes before data[at], as far as there is room. Returns how many bytes. */
static size_t copy(uint8_t *data, size_t at, size_t bytes, size_t distance, size_t length)
{
    size_t i = 0;
    for (; i < length && at + i < bytes; i++)
        data[at + i] = at + i < distance ? 0 : data[at + i - distance];
    return i;
}

/* Bytes of an alphabet with, once in `every` bytes, a copy of `least` bytes and up to `more` from the given
 * distances. */
static void fill_copies(uint8_t *data, size_t bytes, unsigned alphabet, unsigned every, size_t nearest,
                        size_t span, unsigned least, unsigned more)
{
    for (size_t at = 0; at < bytes;) {
        const size_t distance = nearest + buffer_below(span);
        if (distance <= at && buffer_below(every) == 0)
            at += copy(data, at, bytes, distance, least + buffer_below(more + 1));
        else
            data[at++] = (uint8_t)buffer_below(alphabet);
    }
}

static void fill_random(uint8_t *data, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++)
        data[i] = (uint8_t)buffer_below(256);
}

static void fill_few(uint8_t *data, size_t bytes)
{
    const uint64_t alphabet = 1 + buffer_below(8);
    for (size_t i = 0; i < bytes; i++)
        data[i] = (uint8_t)(buffer_below(alphabet) * 31);
}

static void fill_period(uint8_t *data, size_t bytes)
{
    const size_t period = 1 + buffer_below(600), errors = 2 + buffer_below(100);
    for (size_t i = 0; i < bytes; i++)
        data[i] = i < period || buffer_below(errors) == 0 ? (uint8_t)buffer_below(256) : data[i - period];
}

static void fill_runs(uint8_t *data, size_t bytes)
{
    const uint64_t longest = 1 + buffer_below(700);
    for (size_t at = 0; at < bytes;) {
        const uint8_t byte = (uint8_t)buffer_below(4);
        for (size_t run = 1 + buffer_below(longest); run > 0 && at < bytes; run--)
            data[at++] = byte;
    }
}

static void fill_text(uint8_t *data, size_t bytes)
{
    fill_copies(data, bytes, 20, 4, 1, 1 + buffer_below(40000), 3, 30);
}

/* Matches about as far back as they may be. */
static void fill_far(uint8_t *data, size_t bytes)
{
    fill_copies(data, bytes, 256, 40, NEAR - 4, 8, 3, buffer_below(2) ? 6 : 300);
}

/* Matches of three bytes about as far back as levels 4 to 9 take them. */
static void fill_short(uint8_t *data, size_t bytes)
{
    fill_copies(data, bytes, 256, 8, 4096 - 3, 6, 3, 1);
}

/* Lengths about the thresholds of the levels and the longest. */
static void fill_lengths(uint8_t *data, size_t bytes)
{
    static const uint16_t lengths[] = {3,  4,  5,  6,   7,   8,   9,   15,  16, 17,
                                       31, 32, 33, 127, 128, 129, 257, 258, 259};
    for (size_t at = 0; at < bytes;) {
        const size_t distance = 1 + buffer_below(3000);
        const unsigned which = (unsigned)buffer_below(sizeof lengths / sizeof lengths[0]);
        if (distance <= at && buffer_below(3))
            at += copy(data, at, bytes, distance, lengths[which]);
        else
            data[at++] = (uint8_t)buffer_below(256);
    }
}

/* A random walk of f32, or its bytes shuffled. */
static void fill_walk(uint8_t *data, size_t bytes, size_t planes)
{
    float value = 1;
    for (size_t i = 0; i + 4 <= bytes; i += 4) {
        uint8_t word[4];
        value += (float)((int)buffer_below(2001) - 1000) * 0x1p-12f;
        memcpy(word, &value, 4);
        for (size_t k = 0; k < 4; k++)
            data[planes ? k * (bytes / 4) + i / 4 : i + k] = word[k];
    }
    for (size_t i = bytes / 4 * 4; i < bytes; i++)
        data[i] = 0;
}

static void fill_floats(uint8_t *data, size_t bytes)
{
    fill_walk(data, bytes, 0);
}

static void fill_planes(uint8_t *data, size_t bytes)
{
    fill_walk(data, bytes, 4);
}

/* No three bytes occur twice in 128 KiB: nothing but literals. */
static void fill_unique(uint8_t *data, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++)
        data[i] = (uint8_t)(i % 2 ? i >> 9 : i >> 1);
}

/* Each byte is half as likely as the one before, or like Fibonacci's numbers: codes longer than may be. */
static void fill_skewed(uint8_t *data, size_t bytes)
{
    const uint64_t golden = buffer_below(2) ? 618 : 500;
    for (size_t i = 0; i < bytes; i++) {
        uint8_t byte = 0;
        while (byte < 40 && buffer_below(1000) >= golden)
            byte++;
        data[i] = (uint8_t)(byte * 5 + (golden == 500));
    }
}

/* Bytes whose counts are Fibonacci's numbers, in any order: the deepest of trees, whose codes must be
 * shortened. */
static void fill_fibonacci(uint8_t *data, size_t bytes)
{
    memset(data, 255, bytes);
    size_t at = 0, first = 1, second = 1;
    for (unsigned byte = 0; byte < 24; byte++) {
        for (size_t i = 0; i < first && at < bytes; i++)
            data[at++] = (uint8_t)byte;
        const size_t sum = first + second;
        first = second, second = sum;
    }
    for (size_t i = bytes < BLOCK ? bytes : BLOCK; i > 1; i--) {
        const size_t other = buffer_below(i);
        const uint8_t byte = data[i - 1];
        data[i - 1] = data[other], data[other] = byte;
    }
}

/* Its last bytes match what is NEAR bytes back, where the window's first byte may stand then. */
static void fill_tail(uint8_t *data, size_t bytes)
{
    fill_copies(data, bytes, 256, 200, 1, 30000, 3, 60);
    for (size_t half = HALF; half + NEAR < bytes; half += HALF) {
        const size_t at = half + NEAR - buffer_below(3);
        copy(data, at, bytes, NEAR, 3 + buffer_below(30));
    }
}

const struct buffer_kind buffer_kinds[] = {
    {"random", fill_random, 0, 0, 0},
    {"few", fill_few, 0, 0, 0},
    {"period", fill_period, 0, 0, 0},
    {"runs", fill_runs, 0, 0, 0},
    {"text", fill_text, 0, 0, 0},
    {"far", fill_far, 33000, 30000, 2},
    {"short", fill_short, 4100, 30000, 0},
    {"lengths", fill_lengths, 0, 0, 0},
    {"floats", fill_floats, 0, 0, 0},
    {"planes", fill_planes, 0, 0, 0},
    {"unique", fill_unique, 0, 0, 0},
    {"skewed", fill_skewed, 0, 0, 0},
    {"tail", fill_tail, HALF + NEAR, 280, 3},
    {"fibonacci", fill_fibonacci, 0, 0, 0},
    {0},
};
