/* SPDX-License-Identifier: MIT
 * The byte shuffle of codecs that know nothing of numbers, and of HDF5's filter. */
#include "core/shuffle.h"

#include "core/bytes.h"
#include "core/inline.h"

/* Values and planes are gone through in blocks that stay in the first-level cache. */
enum { BLOCK = 1024 };

INLINE void to_planes(const uint8_t *values, uint8_t *planes, size_t count, size_t width)
{
    for (size_t first = 0; first < count; first += BLOCK) {
        const size_t end = fpgz_min(first + BLOCK, count);
        for (size_t byte = 0; byte < width; byte++)
            for (size_t i = first; i < end; i++)
                planes[byte * count + i] = values[i * width + byte];
    }
}

static void from_planes(const uint8_t *planes, uint8_t *values, size_t count, size_t width)
{
    for (size_t first = 0; first < count; first += BLOCK) {
        const size_t end = fpgz_min(first + BLOCK, count);
        for (size_t byte = 0; byte < width; byte++)
            for (size_t i = first; i < end; i++)
                values[i * width + byte] = planes[byte * count + i];
    }
}

/* The same value by value: where the width is known, and a power of two, compilers make vectors of values. */
INLINE void from_few_planes(const uint8_t *restrict planes, uint8_t *restrict values, size_t count,
                            size_t width)
{
    for (size_t i = 0; i < count; i++)
        for (size_t byte = 0; byte < width; byte++)
            values[i * width + byte] = planes[byte * count + i];
}

void fpgz_to_planes(const uint8_t *values, uint8_t *planes, size_t bytes, size_t width)
{
    const size_t count = bytes / width;
    switch (width) { /* loops of their own for the widths that matter */
    case 1:
        memcpy(planes, values, bytes);
        break;
    case 2:
        to_planes(values, planes, count, 2);
        break;
    case 4:
        to_planes(values, planes, count, 4);
        break;
    case 8:
        to_planes(values, planes, count, 8);
        break;
    default:
        to_planes(values, planes, count, width);
    }
    memcpy(planes + count * width, values + count * width, bytes - count * width);
}

void fpgz_from_planes(const uint8_t *planes, uint8_t *values, size_t bytes, size_t width)
{
    const size_t count = bytes / width;
    switch (width) {
    case 1:
        memcpy(values, planes, bytes);
        break;
    case 2:
        from_few_planes(planes, values, count, 2);
        break;
    case 4:
        from_few_planes(planes, values, count, 4);
        break;
    case 8:
        from_few_planes(planes, values, count, 8);
        break;
    default:
        from_planes(planes, values, count, width);
    }
    memcpy(values + count * width, planes + count * width, bytes - count * width);
}
