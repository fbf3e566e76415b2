/* SPDX-License-Identifier: MIT
 * Packs and unpacks the heads of chunks: fields of fixed sizes, as fpgz 0.1 wrote them, or numbers, which are
 * shorter. */
#include <inttypes.h>
#include <limits.h>
#include <string.h>

#include "container/compact.h"
#include "core/bytes.h"

enum {
    CHUNK_BYTES = 32,
    ARRAY_BYTES = 4, /* both forms begin with the array's number */
    CHECK_BYTES = 8,
    ERRORS_BYTES = 16,
    TELLS_ERRORS = 8, /* added to the number of coding extents */
    MOST_NUMBERS = 5 + FPGZ_MAX_CODING_DIMS + FPGZ_MAX_PARAMS,
    MOST_BYTES =
        MOST_NUMBERS * FPGZ_NUMBER_BYTES + CHECK_BYTES + ERRORS_BYTES, /* behind the array's number */
};

static uint8_t *store_errors(const struct fpgz_chunk_head *head, uint8_t *bytes)
{
    memcpy(bytes, &head->absolute_error, 8);
    memcpy(bytes + 8, &head->relative_error, 8);
    return bytes + ERRORS_BYTES;
}

static void pack_fields(const struct fpgz_chunk_head *head, struct fpgz_section *section)
{
    uint8_t *bytes = fpgz_head_begin(section, FPGZ_SECTION_CHUNK,
                                     CHUNK_BYTES + 8 * head->grid.dims + 4 * head->param_count +
                                         (head->has_errors ? ERRORS_BYTES : 0));
    fpgz_store32(bytes, head->array);
    fpgz_store16(bytes + 4, head->codec);
    bytes[6] = (uint8_t)head->grid.dims;
    bytes[7] = (uint8_t)head->param_count;
    fpgz_store64(bytes + 8, head->number);
    fpgz_store64(bytes + 16, head->first);
    fpgz_store64(bytes + 24, head->raw_checksum);
    bytes += CHUNK_BYTES;
    for (unsigned d = 0; d < head->grid.dims; d++, bytes += 8)
        fpgz_store64(bytes, head->grid.extent[d]);
    for (unsigned i = 0; i < head->param_count; i++, bytes += 4)
        fpgz_store32(bytes, head->params.value[i]);
    if (head->has_errors)
        store_errors(head, bytes);
}

/* What codes the chunk, as numbers; returns where they end. */
static uint8_t *put_codec(const struct fpgz_chunk_head *head, uint8_t *bytes)
{
    bytes += fpgz_number_put(head->codec, bytes);
    bytes += fpgz_number_put(head->grid.dims + (head->has_errors ? TELLS_ERRORS : 0), bytes);
    return bytes + fpgz_number_put(head->param_count, bytes);
}

/* What its values are coded as, if the extents are not known, and the checksum of their bytes. */
static uint8_t *put_values(const struct fpgz_chunk_head *head, const uint64_t *known, uint8_t *bytes)
{
    for (unsigned d = 0; d < head->grid.dims && !known; d++)
        bytes += fpgz_number_put(head->grid.extent[d], bytes);
    for (unsigned i = 0; i < head->param_count; i++)
        bytes += fpgz_number_put(head->params.value[i], bytes);
    fpgz_store64(bytes, head->raw_checksum);
    bytes += CHECK_BYTES;
    return head->has_errors ? store_errors(head, bytes) : bytes;
}

static void pack_numbers(const struct fpgz_chunk_head *head, struct fpgz_section *section)
{
    uint8_t *const start = fpgz_head_begin(section, FPGZ_SECTION_CHUNK, ARRAY_BYTES + MOST_BYTES), *bytes;
    fpgz_store32(start, head->array);
    bytes = put_codec(head, start + ARRAY_BYTES);
    bytes += fpgz_number_put(head->number, bytes);
    bytes += fpgz_number_put(head->first, bytes);
    section->head_length = (size_t)(put_values(head, NULL, bytes) - start);
}

void fpgz_lone_chunk_write(const struct fpgz_chunk_head *head, const uint64_t *known,
                           struct fpgz_numbers *numbers)
{
    uint8_t bytes[MOST_BYTES];
    fpgz_numbers_add_bytes(numbers, bytes, (size_t)(put_values(head, known, put_codec(head, bytes)) - bytes));
}

void fpgz_pack_chunk(const struct fpgz_chunk_head *head, bool coded, struct fpgz_section *section)
{
    (coded ? pack_numbers : pack_fields)(head, section);
    section->coded = coded;
}

/* The errors at the end of either form. False where they are none. */
static bool take_errors(const uint8_t *bytes, struct fpgz_chunk_head *head)
{
    head->absolute_error = head->relative_error = 0;
    if (head->has_errors) {
        memcpy(&head->absolute_error, bytes, 8);
        memcpy(&head->relative_error, bytes + 8, 8);
    }
    return head->absolute_error >= 0 && head->relative_error >= 0;
}

static enum fpgz_status too_many_parameters(const struct fpgz_chunk_head *head, uint64_t count,
                                            struct fpgz_error *error)
{
    return fpgz_fail(error, FPGZ_UNSUPPORTED,
                     "chunk %" PRIu64 " has %" PRIu64 " codec parameters: use a newer fpgz", head->number,
                     count);
}

static enum fpgz_status unpack_fields(const struct fpgz_section *section, struct fpgz_chunk_head *head,
                                      struct fpgz_error *error)
{
    const uint8_t *bytes = fpgz_section_head(section);
    if (section->head_length < CHUNK_BYTES)
        return fpgz_head_bad(section, error);
    const size_t least = CHUNK_BYTES + 8 * bytes[6] + 4 * bytes[7];
    head->has_errors = section->head_length == least + ERRORS_BYTES;
    if ((section->head_length != least && !head->has_errors) || bytes[6] < 1 ||
        bytes[6] > FPGZ_MAX_CODING_DIMS)
        return fpgz_head_bad(section, error);
    head->array = fpgz_load32(bytes);
    head->codec = fpgz_load16(bytes + 4);
    head->grid.dims = bytes[6];
    head->param_count = bytes[7];
    head->number = fpgz_load64(bytes + 8);
    head->first = fpgz_load64(bytes + 16);
    head->raw_checksum = fpgz_load64(bytes + 24);
    if (head->param_count > FPGZ_MAX_PARAMS)
        return too_many_parameters(head, head->param_count, error);
    bytes += CHUNK_BYTES;
    for (unsigned d = 0; d < FPGZ_MAX_CODING_DIMS; d++)
        head->grid.extent[d] = d < head->grid.dims ? fpgz_load64(bytes + 8 * d) : 1;
    bytes += 8 * head->grid.dims;
    for (unsigned i = 0; i < head->param_count; i++)
        head->params.value[i] = fpgz_load32(bytes + 4 * i);
    return take_errors(bytes + 4 * head->param_count, head) ? FPGZ_OK : fpgz_head_bad(section, error);
}

/* Takes what put_codec() wrote. */
static void take_codec(struct fpgz_number_view *view, struct fpgz_chunk_head *head)
{
    const uint64_t codec = fpgz_number_take(view), form = fpgz_number_take(view),
                   params = fpgz_number_take(view);
    head->codec = (uint16_t)codec;
    head->has_errors = form & TELLS_ERRORS;
    head->grid.dims = form % TELLS_ERRORS;
    head->param_count = (unsigned)fpgz_min(params, UINT_MAX);
    view->bad |= codec > UINT16_MAX || form >= 2 * TELLS_ERRORS || head->grid.dims < 1 ||
                 head->grid.dims > FPGZ_MAX_CODING_DIMS;
}

/* Takes what put_values() wrote. The view must end there. */
static enum fpgz_status take_values(struct fpgz_number_view *view, const struct fpgz_section *section,
                                    const uint64_t *known, struct fpgz_chunk_head *head,
                                    struct fpgz_error *error)
{
    if (view->bad)
        return fpgz_head_bad(section, error);
    if (head->param_count > FPGZ_MAX_PARAMS)
        return too_many_parameters(head, head->param_count, error);
    for (unsigned d = 0; d < FPGZ_MAX_CODING_DIMS; d++)
        head->grid.extent[d] = d >= head->grid.dims ? 1 : known ? known[d] : fpgz_number_take(view);
    for (unsigned i = 0; i < head->param_count; i++) {
        const uint64_t value = fpgz_number_take(view);
        view->bad |= value > UINT32_MAX;
        head->params.value[i] = (uint32_t)value;
    }
    const uint8_t *const check = fpgz_number_take_bytes(view, CHECK_BYTES);
    const uint8_t *const errors = fpgz_number_take_bytes(view, head->has_errors ? ERRORS_BYTES : 0);
    if (view->bad || !check || !errors || view->at < view->end || !take_errors(errors, head))
        return fpgz_head_bad(section, error);
    head->raw_checksum = fpgz_load64(check);
    return FPGZ_OK;
}

static enum fpgz_status unpack_numbers(const struct fpgz_section *section, struct fpgz_chunk_head *head,
                                       struct fpgz_error *error)
{
    const uint8_t *const bytes = fpgz_section_head(section);
    if (section->head_length < ARRAY_BYTES)
        return fpgz_head_bad(section, error);
    struct fpgz_number_view view = {bytes + ARRAY_BYTES, bytes + section->head_length, false};
    head->array = fpgz_load32(bytes);
    take_codec(&view, head);
    head->number = fpgz_number_take(&view);
    head->first = fpgz_number_take(&view);
    return take_values(&view, section, NULL, head, error);
}

enum fpgz_status fpgz_lone_chunk_read(struct fpgz_number_view *view, const struct fpgz_section *section,
                                      const uint64_t *known, struct fpgz_chunk_head *head,
                                      struct fpgz_error *error)
{
    *head = (struct fpgz_chunk_head){.array = 0};
    take_codec(view, head);
    return take_values(view, section, known, head, error);
}

enum fpgz_status fpgz_unpack_chunk(const struct fpgz_section *section, struct fpgz_chunk_head *head,
                                   struct fpgz_error *error)
{
    memset(&head->params, 0, sizeof head->params);
    return (section->coded ? unpack_numbers : unpack_fields)(section, head, error);
}
