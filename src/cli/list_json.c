/* SPDX-License-Identifier: MIT
 * -l --json: a member of a container as an object. */
#include "cli/list_json.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "console/json.h"
#include "console/progress.h"
#include "source/formats.h"

/* JSON knows no infinity: null, then. */
static void print_error(const char *key, double error)
{
    if (isfinite(error))
        printf(", \"%s\": %.17g", key, error);
    else
        printf(", \"%s\": null", key);
}

/* The keys that an array and a raw file have in common. */
static void print_array(const struct fpgz_member_array *array, const struct tally *tally, uint64_t stored,
                        bool more)
{
    char shape[FPGZ_SHAPE_TEXT], codecs[SUMMARY_CODECS_TEXT];
    printf("\"dtype\": \"%s\", \"endian\": \"%s\", \"shape\": \"%s\", \"codec\": \"%s\", \"chunks\": "
           "%" PRIu64 ", \"stored\": %" PRIu64 ", \"raw\": %" PRIu64 ", \"ratio\": %.6f",
           fpgz_dtype_name(array->part.array.dtype), summary_order(&array->part), summary_shape(array, shape),
           summary_codecs(tally, codecs), array->chunks, stored, summary_raw(array),
           progress_ratio(summary_raw(array), stored));
    printf(", \"dataset\": ");
    json_print_string(array->part.name);
    print_error("max_absolute_error", tally->absolute_error);
    print_error("max_relative_error", tally->relative_error);
    if (more) {
        printf(", \"coded_as\": ");
        traits_print_json(&tally->traits);
    }
}

static void print_xattrs(const struct fpgz_xattrs *xattrs)
{
    struct fpgz_xattr xattr;
    const char *separator = "";
    printf("\"extended_attributes\": [");
    for (size_t at = 0; fpgz_xattrs_next(xattrs, &at, &xattr); separator = ", ") {
        printf("%s{\"name\": ", separator);
        json_print_string(xattr.name);
        printf(", \"bytes\": %zu}", xattr.length);
    }
    printf("], ");
}

void list_json(const char *path, const struct summary *s, bool more)
{
    const struct fpgz_member *member = &s->member;
    char codecs[SUMMARY_CODECS_TEXT];
    printf("{\"file\": ");
    json_print_string(path);
    printf(", \"name\": ");
    json_print_string(member->file.name);
    printf(", ");
    if (more)
        print_xattrs(&s->xattrs);
    if (member->file.kind == FPGZ_KIND_RAW) {
        print_array(member->array, &s->all, s->stored, more);
        puts("}");
        return;
    }
    const uint64_t raw = fpgz_member_come(member);
    printf("\"codec\": \"%s\", \"chunks\": %" PRIu64 ", \"stored\": %" PRIu64 ", \"raw\": %" PRIu64
           ", \"ratio\": %.6f, \"format\": \"%s\", \"datasets\": [",
           summary_codecs(&s->all, codecs), member->chunks, s->stored, raw, progress_ratio(raw, s->stored),
           fpgz_source_kind_name(member->file.kind));
    const char *separator = "";
    for (size_t i = 0; s->each && i < member->arrays; i++) {
        const struct fpgz_member_array *array = &member->array[i];
        if (!fpgz_part_is_array(&array->part))
            continue;
        printf("%s{", separator);
        print_array(array, &s->each[i], s->each[i].stored, more);
        if (fpgz_part_is_copy(&array->part)) {
            printf(", \"copy_of\": ");
            json_print_string(member->array[array->part.carrier - 1].part.name);
        }
        putchar('}');
        separator = ", ";
    }
    puts("]}");
}
