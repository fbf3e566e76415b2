/* SPDX-License-Identifier: MIT
 * The attributes of one array: names with small typed values. They are kept as the bytes that an attributes
 * section of a container has as its body (fpgz.5). */
#ifndef FPGZ_SOURCE_ATTRIBUTES_H
#define FPGZ_SOURCE_ATTRIBUTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/grid.h"

/* The numbers are the container's (fpgz.5). */
enum fpgz_attribute_type {
    FPGZ_SIGNED = 1,   /* size 1, 2, 4 or 8 */
    FPGZ_UNSIGNED = 2, /* the same */
    FPGZ_FLOAT = 3,    /* size 4 or 8 */
    FPGZ_STRING = 4,   /* size 0: each has its own */
};

/* One of them; name and values point to where it was found. */
struct fpgz_attribute {
    const char *name; /* not terminated */
    size_t name_length;
    enum fpgz_attribute_type type;
    uint8_t size; /* bytes of a value */
    uint8_t dims; /* 0 (a lone value) to FPGZ_MAX_DIMS */
    uint64_t extent[FPGZ_MAX_DIMS];
    const uint8_t *values; /* row-major, little-endian; strings as 4 bytes of length and UTF-8 */
    size_t length;         /* of `values` in bytes */
};

struct fpgz_attributes {
    uint8_t *data;
    size_t length;
};

/* The attributes of an array that cannot be expressed so: how many, the name of the first, and what that
 * holds. */
struct fpgz_attributes_left {
    uint32_t count;
    char name[80], what[60];
};

enum { FPGZ_ATTRIBUTES_LIMIT = 1 << 24 }; /* bytes that the attributes of an array may have together */

/* Reads the attribute at byte *at, and moves *at behind it. False at the end, and where the bytes are no
 * attribute (*at is then less than the length). */
bool fpgz_attribute_next(const struct fpgz_attributes *attributes, size_t *at,
                         struct fpgz_attribute *attribute);

/* Whether all bytes are attributes. */
bool fpgz_attributes_valid(const struct fpgz_attributes *attributes);

/* Appends a copy of the attribute. False, with nothing changed, without memory or above the limit. */
bool fpgz_attributes_add(struct fpgz_attributes *attributes, const struct fpgz_attribute *attribute);

/* Whether there is one of that name. */
bool fpgz_attributes_have(const struct fpgz_attributes *attributes, const char *name);

/* Appends a string; one that is not UTF-8 is left out, and counted. False as above. */
bool fpgz_attributes_add_text(struct fpgz_attributes *attributes, const char *name, const char *text,
                              size_t length, struct fpgz_attributes_left *left);

/* Counts an attribute that is left out, for it holds `what`. */
void fpgz_attributes_leave(struct fpgz_attributes_left *left, const char *name, const char *what);

void fpgz_attributes_free(struct fpgz_attributes *attributes);

#endif
