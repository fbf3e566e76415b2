/* SPDX-License-Identifier: MIT
 * What an input is: a file of a known format, or a raw grid. */
#include "archive/describe.h"

#include <inttypes.h>
#include <string.h>

#include "core/text.h"
#include "source/formats.h"

const struct fpgz_source *fpgz_describe_format(const struct fpgz_setup *setup, const struct fpgz_input *input)
{
    if (!input->sized || input->start)
        return NULL;
    const bool told = setup->format_given || setup->raw.has_dtype || setup->raw.has_shape;
    return told ? setup->format : fpgz_source_probe(input->fd, input->size);
}

enum fpgz_status fpgz_describe_begin(const struct fpgz_terms *terms, const struct fpgz_source *source,
                                     struct fpgz_error *error)
{
    return terms->setup.forks && source && source->start && !fpgz_backend_begun(terms->backend)
               ? source->start(error)
               : FPGZ_OK;
}

enum fpgz_status fpgz_describe_grid(const struct fpgz_array *array, const char *name, uint64_t bytes,
                                    struct fpgz_content *content, struct fpgz_error *error)
{
    struct fpgz_part *part = fpgz_content_add(content);
    if (part)
        part->name = strdup(name);
    if (!part || !part->name || (bytes && !fpgz_place_add(&part->place, 0, bytes, 0)))
        return fpgz_fail(error, FPGZ_MEMORY, "no memory");
    part->array = *array;
    return FPGZ_OK;
}

enum fpgz_status fpgz_describe_input(const struct fpgz_terms *terms, const struct fpgz_input *input,
                                     struct fpgz_content *content, struct fpgz_error *error)
{
    const struct fpgz_source *source = fpgz_describe_format(&terms->setup, input);
    struct fpgz_error remark = {0};
    struct fpgz_array array;
    if (!source) {
        if (fpgz_raw_describe(&terms->setup.raw, input->path ? fpgz_text_base(input->path) : "", input->size,
                              &array, error))
            return error->status;
        content->size = input->size;
        return fpgz_describe_grid(&array, "", input->sized ? input->size : 0, content, error);
    }
    if (fpgz_describe_begin(terms, source, error) ||
        fpgz_source_describe(source, input->fd, input->size, content, &remark, error))
        return error->status;
    if (remark.status == FPGZ_CORRUPT)
        fpgz_warn(terms->listener, FPGZ_WARNING_BYTES, input->name, "%s", remark.text);
    else if (remark.status)
        fpgz_notice(terms->listener, 0, input->name, "%s", remark.text);
    return FPGZ_OK;
}

void fpgz_describe_left(const struct fpgz_terms *terms, const struct fpgz_input *input, const char *dataset,
                        const struct fpgz_attributes_left *left)
{
    if (left->count)
        fpgz_notice(
            terms->listener, 0, input->name,
            "%" PRIu32 " attribute%s of dataset %.*s %s left out, for only numbers and strings are kept: "
            "%s%s holds %s",
            left->count, left->count > 1 ? "s" : "", fpgz_text_fit(dataset, FPGZ_NAME_SHOWN), dataset,
            left->count > 1 ? "are" : "is", left->name, left->count > 1 ? ", the first," : "", left->what);
}
