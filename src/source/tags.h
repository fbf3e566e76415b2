/* SPDX-License-Identifier: MIT
 * Elements of XML, as far as it takes to find those that tell of arrays: one after the other, without their
 * order being checked. */
#ifndef FPGZ_SOURCE_TAGS_H
#define FPGZ_SOURCE_TAGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The tag that begins an element. */
struct fpgz_tag {
    const char *name;
    size_t name_length;
    const char *rest; /* its attributes, up to `last` */
    const char *last;
    const char *end; /* the byte behind it; where the search begins */
};

/* The text between the quotes of an attribute's value, with its entities as they stand. */
struct fpgz_tag_value {
    const char *text; /* NULL: there is no such attribute */
    size_t length;
};

/* Finds the next tag that begins an element, behind tag->end. False where there is none before `limit`. */
bool fpgz_tag_next(struct fpgz_tag *tag, const char *limit);

/* The tags of a file, through a window of it. */
struct fpgz_tags {
    struct fpgz_tag tag;
    int fd;
    uint64_t size; /* of the file */
    char *window;
    size_t room, held;
    uint64_t from; /* byte of the file that the window begins with */
};

/* Begins with the first tag. False without memory. To be freed in any case. */
bool fpgz_tags_begin(struct fpgz_tags *tags, int fd, uint64_t size);

/* Finds the next tag, which stays until the next call. False behind the last, and where one is too long. */
bool fpgz_tags_next(struct fpgz_tags *tags);

/* The byte of the file that stands at a place of the window. */
uint64_t fpgz_tags_offset(const struct fpgz_tags *tags, const char *at);

/* Goes on at that byte of the file. */
void fpgz_tags_go(struct fpgz_tags *tags, uint64_t offset);

void fpgz_tags_free(struct fpgz_tags *tags);

bool fpgz_tag_named(const struct fpgz_tag *tag, const char *name);

struct fpgz_tag_value fpgz_tag_value(const struct fpgz_tag *tag, const char *name);

bool fpgz_tag_is(struct fpgz_tag_value value, const char *text);

/* Reads a number, between spaces. False where that is none, or has no 64 bits. */
bool fpgz_tag_count(struct fpgz_tag_value value, uint64_t *count);

#endif
