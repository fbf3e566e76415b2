/* SPDX-License-Identifier: MIT
 * -l for people: a line for a member of a container and, with -v, more lines. */
#include "cli/list_table.h"

#include <inttypes.h>
#include <stdio.h>
#include <time.h>

#include "console/printable.h"
#include "console/progress.h"
#include "source/formats.h"

void list_chunk(const struct fpgz_part *part, const struct fpgz_section *section,
                const struct fpgz_chunk_head *head, const struct fpgz_codec *codec,
                const struct fpgz_traits *traits)
{
    char shape[FPGZ_SHAPE_TEXT];
    const uint64_t raw = fpgz_grid_bytes(&head->grid);
    printf("    chunk %-6" PRIu64 " at %-12" PRIu64 " %-10s %12" PRIu64 " %12" PRIu64 " %7.4f  as %s",
           head->number, section->offset, codec->name, section->body_length, raw,
           progress_ratio(raw, section->body_length),
           fpgz_shape_text(head->grid.extent, head->grid.dims, shape, sizeof shape));
    for (unsigned i = 0; i < codec->param_count; i++) {
        const struct fpgz_param *param = &codec->params[i];
        if (param->names)
            printf(" %s=%s", param->key, param->names[head->params.value[i] - param->min]);
        else
            printf(" %s=%" PRIu32, param->key, head->params.value[i]);
    }
    if (head->has_errors)
        printf(", errors up to %.6g (relative %.6g)", head->absolute_error, head->relative_error);
    if (traits)
        printf(", %s (%u special): %s", traits->domain, traits->specials, traits->predictors);
    if (*summary_name(part))
        printable_format(stdout, " of %s", summary_name(part));
    putchar('\n');
}

/* The columns of a file or an array; of a file, `type` and `shape` say what it is. */
static void print_columns(uint64_t stored, uint64_t raw, uint64_t chunks, const struct tally *tally,
                          const char *type, const char *shape, const char *name)
{
    char codecs[SUMMARY_CODECS_TEXT];
    printable_format(stdout, "%14" PRIu64 " %14" PRIu64 " %7.4f %7" PRIu64 "  %-12s %s %-18s %s", stored, raw,
                     progress_ratio(raw, stored), chunks, summary_codecs(tally, codecs), type, shape, name);
}

static void print_arrays(const struct summary *s)
{
    char shape[FPGZ_SHAPE_TEXT];
    for (size_t i = 0; s->each && i < s->member.arrays; i++) {
        const struct fpgz_member_array *array = &s->member.array[i];
        const struct fpgz_part *part = &array->part;
        print_columns(s->each[i].stored, summary_raw(array), array->chunks, &s->each[i],
                      fpgz_dtype_name(part->array.dtype), summary_shape(array, shape), summary_name(part));
        if (fpgz_part_is_array(part))
            printf(", %s-endian%s", summary_order(part), part->column_major ? ", column-major" : "");
        if (part->layout == FPGZ_PIECES)
            printf(", %spieces of %s",
                   part->banded          ? "bands of filtered "
                   : part->filters.count ? "filtered "
                                         : "",
                   fpgz_shape_text(part->piece, part->array.dims, shape, sizeof shape));
        if (fpgz_part_is_copy(part))
            printable_format(stdout, ", copy of %s", s->member.array[part->carrier - 1].part.name);
        putchar('\n');
        traits_print_count(&s->each[i].traits);
    }
}

static void print_xattrs(const struct fpgz_xattrs *xattrs)
{
    struct fpgz_xattr xattr;
    const char *separator = "    extended attributes: ";
    for (size_t at = 0; fpgz_xattrs_next(xattrs, &at, &xattr); separator = ", ")
        printable_format(stdout, "%s%s (%zu bytes)", separator, xattr.name, xattr.length);
    if (xattrs->length)
        putchar('\n');
}

void list_line(const char *path, const struct summary *s, bool more)
{
    const struct fpgz_member *member = &s->member;
    const struct fpgz_member_array *array = member->array;
    const bool raw = member->file.kind == FPGZ_KIND_RAW;
    char shape[FPGZ_SHAPE_TEXT], mtime[32] = "-";
    size_t arrays = 0;
    for (size_t i = 0; i < member->arrays; i++)
        arrays += fpgz_part_is_array(&array[i].part);
    if (!raw)
        snprintf(shape, sizeof shape, "%zu array%s", arrays, arrays == 1 ? "" : "s");
    print_columns(s->stored, fpgz_member_come(member), member->chunks, &s->all,
                  raw ? fpgz_dtype_name(array->part.array.dtype) : fpgz_source_kind_name(member->file.kind),
                  raw ? summary_shape(array, shape) : shape, path);
    putchar('\n');
    if (!more)
        return;
    const time_t seconds = (time_t)member->file.mtime;
    struct tm local;
    if (member->file.has_mtime && localtime_r(&seconds, &local))
        strftime(mtime, sizeof mtime, "%Y-%m-%d %H:%M:%S", &local);
    printable_format(stdout, "    name %s, mode %04o, modified %s",
                     *member->file.name ? member->file.name : "-", member->file.mode, mtime);
    if (raw)
        printf(", %s-endian", summary_order(&array->part));
    if (raw && *array->part.name)
        printable_format(stdout, ", dataset %s", array->part.name);
    putchar('\n');
    print_xattrs(&s->xattrs);
    if (s->all.lossy)
        printf("    lossy: errors up to %.6g (relative %.6g)\n", s->all.absolute_error,
               s->all.relative_error);
    if (raw)
        traits_print_count(&s->all.traits);
    else
        print_arrays(s);
}

void list_titles(void)
{
    printf("%14s %14s %7s %7s  %-12s %s %-18s %s\n", "Stored", "Raw", "Ratio", "Chunks", "Codec", "Type",
           "Shape", "File");
}

void list_totals(const uint64_t totals[2], int files)
{
    printf("%14" PRIu64 " %14" PRIu64 " %7.4f %7s  %d files\n", totals[0], totals[1],
           progress_ratio(totals[1], totals[0]), "", files);
}
