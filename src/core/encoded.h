/* SPDX-License-Identifier: MIT
 * How VTK's files in XML hold an array that does not stand in them as it is: its length and its values, or
 * deflated blocks behind their lengths, mostly as text in base64 (fpgz.5, filtered pieces). */
#ifndef FPGZ_CORE_ENCODED_H
#define FPGZ_CORE_ENCODED_H

#include "core/deflate/deflate.h"

/* A filter's value says it: these flags, and above them the bytes of a block; 0: it is not deflated. */
enum {
    FPGZ_ENCODED_WIDE = 1, /* lengths have 8 bytes, else 4 */
    FPGZ_ENCODED_BIG = 2,  /* they are big-endian */
    FPGZ_ENCODED_TEXT = 4, /* all is base64, and the lengths of blocks are so apart from the blocks */
    FPGZ_ENCODED_SHIFT = 3,
    FPGZ_ENCODED_LEAST = 4096, /* bytes of a block */
};

/* Above a filter's value: where the last block is a whole one, the third number in front is its bytes, not 0.
 */
#define FPGZ_ENCODED_LAST (UINT64_C(1) << 32)

bool fpgz_encoded_valid(uint64_t value);

/* Lengths in front of `bytes` bytes of values, in bytes. */
uint64_t fpgz_encoded_head(uint64_t value, uint64_t bytes);

/* One of the lengths. */
uint64_t fpgz_encoded_word(uint64_t value, const uint8_t *at);

/* Bytes of the text of `bytes` bytes in base64. */
uint64_t fpgz_base64_length(uint64_t bytes);

/* Writes that text, whose length it returns. */
size_t fpgz_base64_encode(const uint8_t *data, size_t bytes, uint8_t *text);

/* Undoes it. False where the text is none that fpgz_base64_encode() writes of `bytes` bytes. */
bool fpgz_base64_decode(const uint8_t *text, size_t bytes, uint8_t *data);

/* The most bytes that `bytes` are encoded in; 0 where a size_t does not hold it. */
size_t fpgz_encoded_bound(uint64_t value, size_t bytes);

/* Finds the `bytes` bytes of values, with room for `length` bytes in `plain`; `work` is
 * fpgz_deflate_story_memory() for as many as a block has, `tools` is memory for deflate. *found receives how
 * blocks were deflated, unless it is NULL. FPGZ_CORRUPT where they are not encoded so, and where
 * fpgz_encoded_make() would not make the same of what was found. */
enum fpgz_status fpgz_encoded_undo(uint64_t value, const uint8_t *encoded, size_t length, uint8_t *plain,
                                   void *work, void *tools, uint8_t *data, size_t bytes,
                                   struct fpgz_deflate *found);

/* Encodes them, with `room` bytes in `plain` and in `encoded`. Fails as fpgz_deflate_encode() does. */
enum fpgz_status fpgz_encoded_make(uint64_t value, const struct fpgz_deflate *how, const uint8_t *data,
                                   size_t bytes, uint8_t *plain, void *tools, uint8_t *encoded, size_t room,
                                   size_t *length);

#endif
