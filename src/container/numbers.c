/* SPDX-License-Identifier: MIT
 * Writes and reads tables of numbers. */
#include "container/numbers.h"

#include <string.h>

#include "core/bytes.h"
#include "core/inflate.h"

size_t fpgz_number_put(uint64_t number, uint8_t at[FPGZ_NUMBER_BYTES])
{
    size_t length = 0;
    for (; number >= 0x80; number >>= 7)
        at[length++] = (uint8_t)(number | 0x80);
    at[length++] = (uint8_t)number;
    return length;
}

uint64_t fpgz_zigzag(uint64_t difference)
{
    return difference << 1 ^ -(difference >> 63);
}

uint64_t fpgz_unzigzag(uint64_t number)
{
    return number >> 1 ^ -(number & 1);
}

/* Makes room for `more` bytes. */
static bool grow(struct fpgz_numbers *numbers, size_t more)
{
    struct fpgz_buffer larger = {0};
    if (numbers->failed || numbers->length + more <= numbers->bytes.capacity)
        return !numbers->failed;
    if (!fpgz_buffer_reserve(&larger, 2 * (numbers->length + more))) {
        numbers->failed = true;
        return false;
    }
    if (numbers->length)
        memcpy(larger.data, numbers->bytes.data, numbers->length);
    fpgz_buffer_free(&numbers->bytes);
    numbers->bytes = larger;
    return true;
}

void fpgz_numbers_add(struct fpgz_numbers *numbers, uint64_t number)
{
    if (grow(numbers, FPGZ_NUMBER_BYTES))
        numbers->length += fpgz_number_put(number, numbers->bytes.data + numbers->length);
}

void fpgz_numbers_add_bytes(struct fpgz_numbers *numbers, const void *bytes, size_t length)
{
    if (!length || !grow(numbers, length))
        return;
    memcpy(numbers->bytes.data + numbers->length, bytes, length);
    numbers->length += length;
}

void fpgz_numbers_add_change(struct fpgz_numbers *numbers, uint64_t *from, uint64_t to)
{
    fpgz_numbers_add(numbers, fpgz_zigzag(to - *from));
    *from = to;
}

void fpgz_numbers_pack(const struct fpgz_numbers *numbers, struct fpgz_numbers *packed)
{
    uLongf length = compressBound(numbers->length);
    packed->failed |= numbers->failed;
    if (!grow(packed, length))
        return;
    const int status = compress2(packed->bytes.data + packed->length, &length, numbers->bytes.data,
                                 numbers->length, Z_BEST_COMPRESSION);
    packed->failed |= status == Z_MEM_ERROR; /* what a container holds does not depend on that */
    if (status == Z_OK && length < numbers->length)
        packed->length += length;
    else
        fpgz_numbers_add_bytes(packed, numbers->bytes.data, numbers->length);
}

enum fpgz_status fpgz_numbers_unpack(const uint8_t *packed, size_t length, size_t bytes,
                                     struct fpgz_buffer *table)
{
    if (bytes < length)
        return FPGZ_CORRUPT;
    if (!fpgz_buffer_reserve(table, bytes))
        return FPGZ_MEMORY;
    if (bytes == length) {
        if (length)
            memcpy(table->data, packed, length);
        return FPGZ_OK;
    }
    return fpgz_inflate(packed, length, table->data, bytes);
}

void fpgz_numbers_free(struct fpgz_numbers *numbers)
{
    fpgz_buffer_free(&numbers->bytes);
    numbers->length = 0;
}

uint64_t fpgz_number_take(struct fpgz_number_view *view)
{
    uint64_t number = 0;
    for (unsigned shift = 0; view->at < view->end && shift < 64; shift += 7) {
        const uint8_t byte = *view->at++;
        if (shift == 63 && byte > 1)
            break;
        number |= (uint64_t)(byte & 0x7F) << shift;
        if (byte < 0x80)
            return number;
    }
    view->bad = true;
    view->at = view->end;
    return 0;
}

const uint8_t *fpgz_number_take_bytes(struct fpgz_number_view *view, uint64_t length)
{
    const uint8_t *const bytes = view->at;
    if (length > (size_t)(view->end - view->at)) {
        view->bad = true;
        view->at = view->end;
        return NULL;
    }
    view->at += length;
    return bytes;
}

uint64_t fpgz_number_take_change(struct fpgz_number_view *view, uint64_t *value)
{
    *value += fpgz_unzigzag(fpgz_number_take(view));
    return *value;
}
