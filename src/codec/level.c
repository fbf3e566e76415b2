/* SPDX-License-Identifier: MIT
 * The table of levels: level.h says what its columns mean. */
#include "codec/level.h"

#include "codec/codec.h"
#include "codec/prans/format.h"

#define BIT(codec) (1u << FPGZ_CODEC_##codec)

enum {
    KIB = 1 << 10,
    MIB = 1 << 20,

    FAST = BIT(NDZIP) | BIT(GFC) | BIT(PREDICT),
    USUAL = FAST | BIT(MPC),
    SMALL = USUAL | BIT(PRANS),
    GENERAL = SMALL | BIT(ARITH) | BIT(DEFLATE),
    ALL = GENERAL | BIT(LZMA),

    MIDDLE = PRANS_FORMAT_MIDDLE,
    HIGH = PRANS_FORMAT_HIGH,
};

/* clang-format off */
static const struct fpgz_level levels[FPGZ_LEVELS + 1] = {
    /*   candi-  numbers  sample:  estimates  haste  gfc_dim      bytes:      also:                                          chunk:               slab      few:
     *   dates     |    one_in, least     |      |   | prans:     zstd, lzma, runner_up,                                     usual, learning                level, most, raw
     *     |       |                      |      |   | setting,   deflate     weighed_as,
     *     |       |                      |      |   | effort  |      |       sampled_as
     *     |       |                      |      |   |  |   deflate   | */
    [1] = {FAST,  false, {32,  8 * KIB}, false, 8, 1, MIDDLE, 0, 6, { 3, 0, 1}, {{0, 0, 0, 0}, 0, {0}},                      {4 * MIB,  8 * MIB}, 16 * MIB, {1, 4 * MIB, 1}},
    [2] = {USUAL, false, {32, 32 * KIB}, false, 7, 0, MIDDLE, 0, 6, { 4, 0, 3}, {{0, 0, 0, 0}, 0, {0}},                      {4 * MIB,  8 * MIB}, 16 * MIB, {2, 4 * MIB, 2}},
    [3] = {USUAL, true,  {32, 32 * KIB}, false, 6, 0, MIDDLE, 0, 6, { 6, 0, 6}, {{0, 0, 0, 0}, 0, {0}},                      {4 * MIB,  8 * MIB}, 16 * MIB, {3, 4 * MIB, 3}},
    [4] = {SMALL, true,  {32, 32 * KIB}, true,  5, 0, MIDDLE, 0, 6, { 9, 0, 6}, {{0, 0, 1.10, 0}, 0, {0}},                   {4 * MIB,  8 * MIB}, 16 * MIB, {4, 4 * MIB, 4}},
    [5] = {SMALL, true,  {32, 32 * KIB}, true,  4, 0, MIDDLE, 0, 6, {12, 0, 9}, {{0, 0, 1.10, 0}, 0, {0}},                   {4 * MIB,  8 * MIB}, 16 * MIB, {11, 4 * MIB, 15}},
    [6] = {GENERAL, true,  {16, 32 * KIB}, false, 3, 0, MIDDLE, 0, 6, {17, 0, 9}, {{0, 0, 1.10, 0}, 0, {5}},                   {4 * MIB,  8 * MIB}, 16 * MIB, {12, 4 * MIB, 12}},
    [7] = {ALL,   true,  { 4, 32 * KIB}, true,  2, 0, HIGH,   0, 6, {19, 6, 9}, {{1.03, 1.10, 1.25, 1}, 0, {5, 14}},         {4 * MIB, 16 * MIB}, 64 * MIB, {12, 4 * MIB, 12}},
    [8] = {ALL,   true,  { 4, 32 * KIB}, true,  1, 0, HIGH,   0, 6, {19, 6, 9}, {{1.03, 1.10, 1.25, 1}, 7, {5, 14}},         {4 * MIB, 16 * MIB}, 64 * MIB, {13, 4 * MIB, 13}},
    [9] = {ALL,   true,  { 4, 32 * KIB}, true,  0, 0, HIGH,   0, 6, {19, 9, 9}, {{1.03, 1.10, 1.25, 3}, 7, {5, 14}},         {4 * MIB, 16 * MIB}, 64 * MIB, {10, 8 * MIB, 10}},
    [10] = {ALL,   true,  { 4, 32 * KIB}, true,  0, 0, HIGH,   1, 6, {19, 9, 9}, {{1.03, 1.10, 1.25, 3}, 7, {5, 11, 14, 15}}, {4 * MIB, 16 * MIB}, 64 * MIB, {10, 8 * MIB, 10}},
    [11] = {ALL,   true,  {16, 16 * KIB}, true,  2, 0, HIGH,   0, 6, {19, 6, 9}, {{1.03, 1.03, 1.03, 1}, 0, {14}},            {4 * MIB, 16 * MIB}, 64 * MIB, {11, 4 * MIB, 11}},
    [12] = {ALL,   true,  { 4, 32 * KIB}, true,  2, 0, HIGH,   0, 6, {19, 6, 9}, {{1.03, 1.10, 1.25, 1}, 0, {5, 11, 14, 15}}, {4 * MIB, 16 * MIB}, 64 * MIB, {12, 4 * MIB, 12}},
    [13] = {ALL,   true,  { 4, 32 * KIB}, true,  1, 0, HIGH,   0, 6, {19, 6, 9}, {{1.03, 1.10, 1.25, 1}, 7, {5, 11, 14, 15}}, {4 * MIB, 16 * MIB}, 64 * MIB, {13, 4 * MIB, 13}},
    [14] = {BIT(PRANS), true, {16, 16 * KIB}, true, 2, 0, HIGH,   0, 6, {12, 0, 9}, {{0, 0, 0, 0}, 0, {5}},                      {4 * MIB, 16 * MIB}, 64 * MIB, {14, 4 * MIB, 14}},
    [15] = {BIT(PRANS) | BIT(LZMA), true, {16, 16 * KIB}, true, 2, 0, HIGH, 0, 6, {12, 6, 9}, {{1.03, 1.03, 1.03, 1}, 0, {5, 14}},         {4 * MIB, 16 * MIB}, 64 * MIB, {15, 4 * MIB, 15}},
};
/* clang-format on */

const struct fpgz_level *fpgz_level(int number)
{
    return &levels[number];
}
