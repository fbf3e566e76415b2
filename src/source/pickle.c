/* SPDX-License-Identifier: MIT
 * Instructions of pickles of protocols 0 to 5, a row each. */
#include "source/pickle.h"

#include "core/bytes.h"

/* What follows an instruction's byte: so many bytes of a number, or one of these. */
enum { LINE = 16, LINES, BLOCK1, BLOCK4, BLOCK8 };

#define ACT(name) FPGZ_PICKLE_##name

static const struct {
    uint8_t follows, act, count;
} instructions[256] = {
    ['('] = {0, ACT(MARK), 0},
    ['0'] = {0, ACT(DROP), 1},
    ['1'] = {0, ACT(DROP_MARKED), 0},
    ['2'] = {0, ACT(COPY), 0},
    ['F'] = {LINE, ACT(TAKE), 0},
    ['I'] = {LINE, ACT(TAKE), 0},
    ['L'] = {LINE, ACT(TAKE), 0},
    ['P'] = {LINE, ACT(TAKE), 0},
    ['S'] = {LINE, ACT(TAKE), 0},
    ['V'] = {LINE, ACT(TAKE), 0},
    ['J'] = {4, ACT(NUMBER), 0},
    ['K'] = {1, ACT(NUMBER), 0},
    ['M'] = {2, ACT(NUMBER), 0},
    ['N'] = {0, ACT(TAKE), 0},
    ['G'] = {8, ACT(TAKE), 0},
    ['Q'] = {0, ACT(OUTSIDE), 1},
    ['R'] = {0, ACT(CALL), 2},
    ['T'] = {BLOCK4, ACT(TEXT), 0},
    ['U'] = {BLOCK1, ACT(TEXT), 0},
    ['X'] = {BLOCK4, ACT(TEXT), 0},
    ['B'] = {BLOCK4, ACT(TAKE), 0},
    ['C'] = {BLOCK1, ACT(TAKE), 0},
    ['a'] = {0, ACT(DROP), 1},
    ['b'] = {0, ACT(DROP), 1},
    ['c'] = {LINES, ACT(NAME), 0},
    ['d'] = {0, ACT(TAKE_MARKED), 0},
    ['l'] = {0, ACT(TAKE_MARKED), 0},
    ['o'] = {0, ACT(TAKE_MARKED), 0},
    ['i'] = {LINES, ACT(TAKE_MARKED), 0},
    ['e'] = {0, ACT(DROP_MARKED), 0},
    ['}'] = {0, ACT(TAKE), 0},
    [']'] = {0, ACT(TAKE), 0},
    ['g'] = {LINE, ACT(GET), 0},
    ['h'] = {1, ACT(GET), 0},
    ['j'] = {4, ACT(GET), 0},
    ['p'] = {LINE, ACT(PUT), 0},
    ['q'] = {1, ACT(PUT), 0},
    ['r'] = {4, ACT(PUT), 0},
    ['s'] = {0, ACT(SET), 2},
    ['u'] = {0, ACT(SET_MARKED), 0},
    [')'] = {0, ACT(TUPLE), 0},
    ['t'] = {0, ACT(TUPLE_MARKED), 0},
    [0x80] = {1, ACT(NOTHING), 0},
    [0x81] = {0, ACT(TAKE), 2},
    [0x82] = {1, ACT(TAKE), 0},
    [0x83] = {2, ACT(TAKE), 0},
    [0x84] = {4, ACT(TAKE), 0},
    [0x85] = {0, ACT(TUPLE), 1},
    [0x86] = {0, ACT(TUPLE), 2},
    [0x87] = {0, ACT(TUPLE), 3},
    [0x88] = {0, ACT(TAKE), 0},
    [0x89] = {0, ACT(TAKE), 0},
    [0x8a] = {BLOCK1, ACT(NUMBER), 0},
    [0x8b] = {BLOCK4, ACT(TAKE), 0},
    [0x8c] = {BLOCK1, ACT(TEXT), 0},
    [0x8d] = {BLOCK8, ACT(TEXT), 0},
    [0x8e] = {BLOCK8, ACT(TAKE), 0},
    [0x8f] = {0, ACT(TAKE), 0},
    [0x90] = {0, ACT(DROP_MARKED), 0},
    [0x91] = {0, ACT(TAKE_MARKED), 0},
    [0x92] = {0, ACT(TAKE), 3},
    [0x93] = {0, ACT(NAME_HELD), 2},
    [0x94] = {0, ACT(PUT_NEXT), 0},
    [0x95] = {8, ACT(NOTHING), 0},
    [0x96] = {BLOCK8, ACT(TAKE), 0},
    [0x97] = {0, ACT(TAKE), 0},
    [0x98] = {0, ACT(NOTHING), 0},
};

/* A number of 8 bytes at most; one that does not fit is larger than all others. */
static uint64_t read_number(const uint8_t *at, size_t bytes)
{
    uint64_t number = 0;
    if (bytes > sizeof number)
        return UINT64_MAX;
    memcpy(&number, at, bytes);
    return number;
}

/* The digits that a line begins with. */
static uint64_t read_digits(const uint8_t *at, size_t bytes)
{
    uint64_t number = 0;
    for (size_t i = 0; i < bytes && at[i] >= '0' && at[i] <= '9'; i++)
        if (!fpgz_mul(number, 10, &number) || !fpgz_add(number, at[i] - '0', &number))
            return UINT64_MAX;
    return number;
}

/* Moves behind a line, of which *text and *bytes receive what is in front of its end. */
static bool read_line(const uint8_t *pickle, size_t length, size_t *at, const uint8_t **text, size_t *bytes)
{
    *text = pickle + *at;
    const uint8_t *const end = memchr(*text, '\n', length - *at);
    if (!end)
        return false;
    *bytes = (size_t)(end - *text);
    *at += *bytes + 1;
    return true;
}

/* Moves behind a block with its length in front. */
static bool read_block(const uint8_t *pickle, size_t length, size_t *at, size_t head,
                       struct fpgz_pickle_step *step)
{
    if (head > length - *at)
        return false;
    const uint64_t bytes = read_number(pickle + *at, head);
    *at += head;
    if (bytes > length - *at)
        return false;
    step->text = pickle + *at;
    step->length = (size_t)bytes;
    step->number = read_number(step->text, step->length);
    *at += step->length;
    return true;
}

struct fpgz_pickle_step fpgz_pickle_step(const uint8_t *pickle, size_t length, size_t *at)
{
    const struct fpgz_pickle_step stop = {.act = FPGZ_PICKLE_STOP};
    struct fpgz_pickle_step step = stop;
    bool whole = true;
    if (*at >= length)
        return stop;
    const uint8_t code = pickle[(*at)++], follows = instructions[code].follows;
    step.act = instructions[code].act;
    step.count = instructions[code].count;
    if (follows >= BLOCK1) {
        static const uint8_t heads[] = {1, 4, 8};
        whole = read_block(pickle, length, at, heads[follows - BLOCK1], &step);
    } else if (follows >= LINE) {
        for (unsigned lines = follows - LINE + 1; lines && whole; lines--)
            whole = read_line(pickle, length, at, &step.text, &step.length);
        step.number = whole ? read_digits(step.text, step.length) : 0;
    } else {
        whole = follows <= length - *at;
        step.number = whole ? read_number(pickle + *at, follows) : 0;
        *at += whole ? follows : 0;
    }
    return whole ? step : stop;
}
