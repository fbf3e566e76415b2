/* SPDX-License-Identifier: MIT
 * Arrays in filtered pieces become parts of the content, as far as their filters can be done again to the
 * same bytes. */
#ifndef FPGZ_ARCHIVE_RECODE_H
#define FPGZ_ARCHIVE_RECODE_H

#include "archive/input.h"
#include "archive/setup.h"
#include "core/content.h"

/* Filtered pieces that were tried, but are not made again. */
struct fpgz_unmade {
    uint64_t bytes;
    char dataset[80]; /* the first array that has such */
};

/* What became of the filtered arrays. */
struct fpgz_recoded {
    size_t arrays;
    uint64_t pieces;
    uint64_t stored, raw;                 /* bytes of them: in the file, and without the filters */
    double seconds;                       /* that doing their filters took one thread, about */
    uint64_t kept;                        /* bytes of other pieces, which stay as they are: */
    struct fpgz_unmade unshrunk, strange; /* of these, those that deflate has not made smaller, and others */
};

/* Tries all pieces of content->filtered, proves that their filters make the same bytes again, and adds the
 * arrays that are worth it to the content, which is then that of the file's image. content->filtered is empty
 * afterwards. False without memory. */
bool fpgz_recode(const struct fpgz_setup *setup, const struct fpgz_input *input, struct fpgz_content *content,
                 struct fpgz_recoded *recoded);

#endif
