/* SPDX-License-Identifier: MIT
 * Packs, checks and walks through an array's attributes. */
#include "source/attributes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/bytes.h"
#include "core/text.h"

enum { FIXED_BYTES = 5 }; /* name length, type, size, dims */

static bool type_valid(unsigned type, unsigned size)
{
    switch (type) {
    case FPGZ_SIGNED:
    case FPGZ_UNSIGNED:
        return size == 1 || size == 2 || size == 4 || size == 8;
    case FPGZ_FLOAT:
        return size == 4 || size == 8;
    case FPGZ_STRING:
        return size == 0;
    default:
        return false;
    }
}

bool fpgz_attribute_next(const struct fpgz_attributes *attributes, size_t *at,
                         struct fpgz_attribute *attribute)
{
    *attribute = (struct fpgz_attribute){0};
    if (attributes->length < FIXED_BYTES || *at > attributes->length - FIXED_BYTES)
        return false;
    const uint8_t *from = attributes->data + *at, *const end = attributes->data + attributes->length;
    attribute->name_length = fpgz_load16(from);
    from += 2;
    if ((size_t)(end - from) < attribute->name_length + FIXED_BYTES - 2)
        return false;
    attribute->name = (const char *)from;
    from += attribute->name_length;
    attribute->type = from[0];
    attribute->size = from[1];
    attribute->dims = from[2];
    from += 3;
    if (!type_valid(attribute->type, attribute->size) || attribute->dims > FPGZ_MAX_DIMS ||
        (size_t)(end - from) < 8u * attribute->dims)
        return false;
    uint64_t count = 1, bytes = 0;
    for (unsigned d = 0; d < attribute->dims; d++, from += 8) {
        attribute->extent[d] = fpgz_load64(from);
        if (!fpgz_mul(count, attribute->extent[d], &count))
            return false;
    }
    attribute->values = from;
    if (attribute->type != FPGZ_STRING) {
        if (!fpgz_mul(count, attribute->size, &bytes) || bytes > (uint64_t)(end - from))
            return false;
        from += bytes;
    }
    for (; attribute->type == FPGZ_STRING && count; count--) {
        if (end - from < 4 || fpgz_load32(from) > (uint64_t)(end - from - 4))
            return false;
        from += 4 + (size_t)fpgz_load32(from);
    }
    attribute->length = (size_t)(from - attribute->values);
    *at = (size_t)(from - attributes->data);
    return true;
}

bool fpgz_attributes_valid(const struct fpgz_attributes *attributes)
{
    struct fpgz_attribute attribute;
    size_t at = 0;
    while (fpgz_attribute_next(attributes, &at, &attribute))
        ;
    return at == attributes->length;
}

bool fpgz_attributes_add(struct fpgz_attributes *attributes, const struct fpgz_attribute *attribute)
{
    const size_t used = attributes->length;
    if (attribute->name_length > UINT16_MAX || attribute->length > FPGZ_ATTRIBUTES_LIMIT)
        return false;
    const size_t length =
        used + FIXED_BYTES + attribute->name_length + 8u * attribute->dims + attribute->length;
    uint8_t *to = length > FPGZ_ATTRIBUTES_LIMIT ? NULL : realloc(attributes->data, length);
    if (!to)
        return false;
    attributes->data = to;
    attributes->length = length;
    to += used;
    fpgz_store16(to, (uint16_t)attribute->name_length);
    memcpy(to + 2, attribute->name, attribute->name_length);
    to += 2 + attribute->name_length;
    *to++ = (uint8_t)attribute->type;
    *to++ = attribute->size;
    *to++ = attribute->dims;
    memcpy(to, attribute->extent, 8u * attribute->dims);
    if (attribute->length)
        memcpy(to + 8u * attribute->dims, attribute->values, attribute->length);
    return true;
}

bool fpgz_attributes_have(const struct fpgz_attributes *attributes, const char *name)
{
    struct fpgz_attribute attribute;
    size_t at = 0;
    while (fpgz_attribute_next(attributes, &at, &attribute))
        if (attribute.name_length == strlen(name) && !memcmp(attribute.name, name, strlen(name)))
            return true;
    return false;
}

bool fpgz_attributes_add_text(struct fpgz_attributes *attributes, const char *name, const char *text,
                              size_t length, struct fpgz_attributes_left *left)
{
    unsigned code;
    while (length && !text[length - 1]) /* what fills it up */
        length--;
    for (size_t at = 0, step; at < length; at += step)
        if (!text[at] || !(step = fpgz_text_character(text + at, &code)) || step > length - at) {
            fpgz_attributes_leave(left, name, "text that is not UTF-8");
            return true;
        }
    uint8_t *const value = malloc(4 + length);
    if (!value)
        return false;
    fpgz_store32(value, (uint32_t)length);
    memcpy(value + 4, text, length);
    const struct fpgz_attribute attribute = {.name = name,
                                             .name_length = strlen(name),
                                             .type = FPGZ_STRING,
                                             .values = value,
                                             .length = 4 + length};
    const bool added = fpgz_attributes_add(attributes, &attribute);
    free(value);
    return added;
}

void fpgz_attributes_leave(struct fpgz_attributes_left *left, const char *name, const char *what)
{
    if (left->count++)
        return;
    snprintf(left->name, sizeof left->name, "%.*s", fpgz_text_fit(name, sizeof left->name - 1), name);
    snprintf(left->what, sizeof left->what, "%s", what);
}

void fpgz_attributes_free(struct fpgz_attributes *attributes)
{
    free(attributes->data);
    *attributes = (struct fpgz_attributes){0};
}
