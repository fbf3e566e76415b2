/* SPDX-License-Identifier: MIT
 * How an input becomes matches and literals: zlib's two ways. */
#ifndef FPGZ_CORE_DEFLATE_PARSE_H
#define FPGZ_CORE_DEFLATE_PARSE_H

#include "core/deflate/block.h"
#include "core/deflate/story.h"
#include "core/deflate/window.h"

/* What a level does. */
struct fpgz_deflate_level {
    uint16_t good; /* behind a match so long, a quarter of the candidates is looked at */
    uint16_t lazy; /* behind one so long, none; at levels 1 to 3, longer matches are not made candidates */
    uint16_t nice; /* a match so long ends a search */
    uint16_t candidates; /* that a search looks at */
};

struct fpgz_deflate_coder {
    struct fpgz_deflate_level level;
    uint64_t steps;                  /* that searches may take */
    uint64_t steps_before;           /* the steps of the window when searches were last looked at */
    enum fpgz_deflate_chain deepest; /* that may be taken into use */
    struct fpgz_bits out;
    /* What a stream says, where it is compared instead of written; NULL: it is written. */
    const struct fpgz_deflate_story *story;
    struct fpgz_deflate_told_match {
        const uint8_t *at; /* the next match that the stream says; NULL: none */
        unsigned length, distance;
        const uint32_t *entry; /* behind it */
    } told;
    const uint8_t *data;
    const uint8_t
        *stored;   /* the end of the last block that is stored: up to here the stream says no matches */
    size_t blocks; /* that were compared */
    struct fpgz_deflate_window window;
    struct fpgz_deflate_block block;
};

/* Levels 1 to 3 take the first match that they find, the others look whether the next byte has a longer one.
 * Both write every block, the last one too, and fail as fpgz_deflate_encode() does. */
enum fpgz_status fpgz_deflate_fast(struct fpgz_deflate_coder *coder);
enum fpgz_status fpgz_deflate_lazy(struct fpgz_deflate_coder *coder);

/* Writes the block before `at`, or compares it with the story: FPGZ_CORRUPT where that is another one. What
 * has slid out of the window cannot be stored. */
enum fpgz_status fpgz_deflate_end_block(struct fpgz_deflate_coder *coder, const uint8_t *at, bool last);

#endif
