/* SPDX-License-Identifier: MIT
 * -l: what containers hold, read from their indexes, as a table or as JSON. */
#include "cli/list.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "archive/input.h"
#include "cli/json.h"
#include "cli/message.h"
#include "cli/printable.h"
#include "cli/traits.h"
#include "container/member.h"
#include "container/reader.h"
#include "source/formats.h"

/* What the chunks of one array are. */
struct tally {
    uint64_t stored; /* bytes of their sections */
    uint32_t codecs; /* a bit for each, by its place in the table */
    bool lossy;      /* one of them at least, with these errors */
    double absolute_error, relative_error;
    struct traits_count traits;
};

/* What one member's index tells. */
struct summary {
    struct fpgz_member member;
    uint64_t stored;           /* bytes of the member */
    struct fpgz_xattrs xattrs; /* of the file, where they are to be told */
    struct tally all;          /* arrays */
    struct tally *each;        /* of the member's arrays */
};

static double ratio(uint64_t stored, uint64_t raw)
{
    return raw ? (double)stored / (double)raw : 1.0;
}

static double larger(double a, double b)
{
    return a > b ? a : b;
}

static void count_chunk(struct tally *tally, const struct fpgz_section *section,
                        const struct fpgz_chunk_head *head, const struct fpgz_codec *codec)
{
    unsigned place = 0;
    while (fpgz_codecs[place] != codec)
        place++;
    tally->stored += FPGZ_SECTION_BYTES + section->head_length + section->body_length;
    tally->codecs |= (uint32_t)1 << place;
    tally->lossy |= head->has_errors;
    tally->absolute_error = larger(tally->absolute_error, head->absolute_error);
    tally->relative_error = larger(tally->relative_error, head->relative_error);
}

/* An array's name, or what its bytes are. */
static const char *array_name(const struct fpgz_part *part)
{
    return part->layout == FPGZ_BYTES ? "(all else)" : part->name;
}

static void print_chunk(const struct fpgz_part *part, const struct fpgz_section *section,
                        const struct fpgz_chunk_head *head, const struct fpgz_codec *codec,
                        const struct fpgz_traits *traits)
{
    char shape[FPGZ_SHAPE_TEXT];
    const uint64_t raw = fpgz_grid_bytes(&head->grid);
    printf("    chunk %-6" PRIu64 " at %-12" PRIu64 " %-8s %12" PRIu64 " %12" PRIu64 " %7.4f  as %s",
           head->number, section->offset, codec->name, section->body_length, raw,
           ratio(section->body_length, raw),
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
    if (*array_name(part))
        printable_format(stdout, " of %s", array_name(part));
    putchar('\n');
}

/* Counts a chunk for its array and for all; with more than the index to be told, reads the front of its
 * stream. */
static void take_chunk(const struct fpgz_reader *reader, const struct options *options,
                       const struct fpgz_chunk_head *head, const struct fpgz_codec *codec,
                       struct traits_room *room, struct summary *summary)
{
    const struct fpgz_section *section = &reader->section;
    const uint64_t at = fpgz_reader_body_offset(reader);
    struct tally *const tallies[] = {&summary->all, &summary->each[head->array]};
    struct fpgz_traits traits;
    const bool known = message_verbosity > 0 &&
                       traits_read(room, reader->fd, at, section->body_length, codec, head, &traits);
    for (unsigned i = 0; i < 2; i++) {
        count_chunk(tallies[i], section, head, codec);
        if (known)
            traits_count(&tallies[i]->traits, codec, &traits);
    }
    if (message_verbosity > 1 && !options->json)
        print_chunk(&summary->member.array[head->array].part, section, head, codec, known ? &traits : NULL);
}

/* Reads the member whose index the reader has just loaded. */
static enum fpgz_status summarize(struct fpgz_reader *reader, const struct options *options,
                                  struct summary *summary, struct fpgz_error *error)
{
    struct fpgz_section *section = &reader->section;
    struct fpgz_member *member = &summary->member;
    struct traits_room room = {0};
    struct fpgz_chunk_head head;
    const struct fpgz_codec *codec;
    for (size_t at = 0; at < reader->index.length && !error->status;) {
        if (fpgz_index_next(&reader->index, &at, section, error))
            break;
        switch (section->type) {
        case FPGZ_SECTION_FILE:
            fpgz_member_file(member, section, fpgz_source_has_kind, error);
            break;
        case FPGZ_SECTION_XATTRS:
            reader->position = fpgz_reader_body_offset(reader);
            fpgz_xattrs_free(&summary->xattrs); /* a hostile container has them twice */
            if (message_verbosity > 0)
                fpgz_reader_xattrs(reader, &member->file, &summary->xattrs, error);
            break;
        case FPGZ_SECTION_ARRAY:
            fpgz_member_array(member, section, NULL, error);
            break;
        case FPGZ_SECTION_CHUNK:
            if (fpgz_member_chunk(member, section, &head, &codec, error))
                break;
            if (!summary->each && !(summary->each = calloc(member->arrays, sizeof *summary->each))) {
                fpgz_fail(error, FPGZ_MEMORY, "no memory for %zu arrays", member->arrays);
                break;
            }
            take_chunk(reader, options, &head, codec, &room, summary);
            break;
        default:
            break;
        }
    }
    traits_room_free(&room);
    return error->status ? error->status : fpgz_member_end(member, error);
}

/* "ndzip" or "ndzip+store", by the chunks that each coded. */
static const char *codec_names(const struct tally *tally, char text[100])
{
    size_t used = 0;
    strcpy(text, "-");
    for (unsigned place = 32; place-- > 0 && used < 100;)
        if (tally->codecs >> place & 1)
            used += (size_t)snprintf(text + used, 100 - used, used ? "+%s" : "%s", fpgz_codecs[place]->name);
    return text;
}

/* The shape as its user indexes it. */
static const char *array_shape(const struct fpgz_member_array *from, char text[FPGZ_SHAPE_TEXT])
{
    struct fpgz_array array;
    uint64_t reversed[FPGZ_MAX_DIMS];
    fpgz_member_shape(from, &array);
    for (unsigned d = 0; d < array.dims; d++)
        reversed[array.dims - 1 - d] = array.extent[d];
    return fpgz_shape_text(from->part.column_major ? reversed : array.extent, array.dims, text,
                           FPGZ_SHAPE_TEXT);
}

static uint64_t array_raw(const struct fpgz_member_array *array)
{
    return array->values * fpgz_dtype_size(array->part.array.dtype);
}

/* JSON knows no infinity: null, then. */
static void print_json_error(const char *key, double error)
{
    if (isfinite(error))
        printf(", \"%s\": %.17g", key, error);
    else
        printf(", \"%s\": null", key);
}

static const char *order_name(const struct fpgz_part *part)
{
    return part->array.order == FPGZ_BIG ? "big" : "little";
}

/* The keys that an array and a raw file have in common. */
static void print_json_array(const struct fpgz_member_array *array, const struct tally *tally,
                             uint64_t stored)
{
    char shape[FPGZ_SHAPE_TEXT], codecs[100];
    printf("\"dtype\": \"%s\", \"endian\": \"%s\", \"shape\": \"%s\", \"codec\": \"%s\", \"chunks\": "
           "%" PRIu64 ", \"stored\": %" PRIu64 ", \"raw\": %" PRIu64 ", \"ratio\": %.6f",
           fpgz_dtype_name(array->part.array.dtype), order_name(&array->part), array_shape(array, shape),
           codec_names(tally, codecs), array->chunks, stored, array_raw(array),
           ratio(stored, array_raw(array)));
    printf(", \"dataset\": ");
    json_print_string(array->part.name);
    print_json_error("max_absolute_error", tally->absolute_error);
    print_json_error("max_relative_error", tally->relative_error);
    if (message_verbosity > 0) {
        printf(", \"coded_as\": ");
        traits_print_json(&tally->traits);
    }
}

static void print_json_xattrs(const struct fpgz_xattrs *xattrs)
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

static void print_json(const char *path, const struct summary *s)
{
    const struct fpgz_member *member = &s->member;
    char codecs[100];
    printf("{\"file\": ");
    json_print_string(path);
    printf(", \"name\": ");
    json_print_string(member->file.name);
    printf(", ");
    if (message_verbosity > 0)
        print_json_xattrs(&s->xattrs);
    if (member->file.kind == FPGZ_KIND_RAW) {
        print_json_array(member->array, &s->all, s->stored);
        puts("}");
        return;
    }
    printf("\"codec\": \"%s\", \"chunks\": %" PRIu64 ", \"stored\": %" PRIu64 ", \"raw\": %" PRIu64
           ", \"ratio\": %.6f, \"format\": \"%s\", \"datasets\": [",
           codec_names(&s->all, codecs), member->chunks, s->stored, member->chunk_bytes,
           ratio(s->stored, member->chunk_bytes), fpgz_source_kind_name(member->file.kind));
    const char *separator = "";
    for (size_t i = 0; s->each && i < member->arrays; i++) {
        const struct fpgz_member_array *array = &member->array[i];
        if (array->part.layout == FPGZ_BYTES)
            continue;
        printf("%s{", separator);
        print_json_array(array, &s->each[i], s->each[i].stored);
        putchar('}');
        separator = ", ";
    }
    puts("]}");
}

/* The columns of a file or an array; of a file, `type` and `shape` say what it is. */
static void print_columns(uint64_t stored, uint64_t raw, uint64_t chunks, const struct tally *tally,
                          const char *type, const char *shape, const char *name)
{
    char codecs[100];
    printable_format(stdout, "%14" PRIu64 " %14" PRIu64 " %7.4f %7" PRIu64 "  %-12s %s %-18s %s", stored, raw,
                     ratio(stored, raw), chunks, codec_names(tally, codecs), type, shape, name);
}

static void print_arrays(const struct summary *s)
{
    char shape[FPGZ_SHAPE_TEXT];
    for (size_t i = 0; s->each && i < s->member.arrays; i++) {
        const struct fpgz_member_array *array = &s->member.array[i];
        const struct fpgz_part *part = &array->part;
        print_columns(s->each[i].stored, array_raw(array), array->chunks, &s->each[i],
                      fpgz_dtype_name(part->array.dtype), array_shape(array, shape), array_name(part));
        if (part->layout != FPGZ_BYTES)
            printf(", %s-endian%s", order_name(part), part->column_major ? ", column-major" : "");
        if (part->layout == FPGZ_PIECES)
            printf(", chunks of %s", fpgz_shape_text(part->piece, part->array.dims, shape, sizeof shape));
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

static void print_line(const char *path, const struct summary *s, bool more)
{
    const struct fpgz_member *member = &s->member;
    const struct fpgz_member_array *array = member->array;
    const bool raw = member->file.kind == FPGZ_KIND_RAW;
    char shape[FPGZ_SHAPE_TEXT], mtime[32] = "-";
    size_t arrays = 0;
    for (size_t i = 0; i < member->arrays; i++)
        arrays += array[i].part.layout != FPGZ_BYTES;
    if (!raw)
        snprintf(shape, sizeof shape, "%zu array%s", arrays, arrays == 1 ? "" : "s");
    print_columns(s->stored, member->chunk_bytes, member->chunks, &s->all,
                  raw ? fpgz_dtype_name(array->part.array.dtype) : fpgz_source_kind_name(member->file.kind),
                  raw ? array_shape(array, shape) : shape, path);
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
        printf(", %s-endian", order_name(&array->part));
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

/* Members are found from the end of the file backwards, but told in their order. */
static enum fpgz_status list_file(const struct options *options, const char *path,
                                  const struct fpgz_input *input, uint64_t totals[2],
                                  struct fpgz_error *error)
{
    struct fpgz_reader reader = {0};
    struct fpgz_end_head end;
    uint64_t *ends = NULL, at, count = 0;
    fpgz_reader_open(&reader, input->fd);
    if (!reader.regular)
        fpgz_fail(error, FPGZ_USAGE, "a list is read from the container's end: it takes a file, not a pipe");
    else if (reader.file_size == 0)
        fpgz_fail(error, FPGZ_FOREIGN, "not an fpgz container");
    else
        fpgz_reader_check_magic(&reader, error);
    for (at = reader.file_size; at && !error->status; count++) {
        if (!(count & (count - 1))) { /* room doubles at every power of two */
            uint64_t *more = realloc(ends, (count ? 2 * count : 1) * sizeof *ends);
            if (!more) {
                fpgz_fail(error, FPGZ_MEMORY, "no memory for a list of %" PRIu64 " containers", count);
                break;
            }
            ends = more;
        }
        ends[count] = at;
        fpgz_reader_last_member(&reader, &at, &end, error);
    }
    while (count-- && !error->status) {
        struct summary summary = {0};
        at = ends[count];
        if (!fpgz_reader_last_member(&reader, &at, &end, error) &&
            !summarize(&reader, options, &summary, error)) {
            summary.stored = end.member_length;
            totals[0] += summary.stored;
            totals[1] += summary.member.chunk_bytes;
            if (options->json)
                print_json(path, &summary);
            else
                print_line(path, &summary, message_verbosity > 0);
        }
        free(summary.each);
        fpgz_xattrs_free(&summary.xattrs);
        fpgz_member_free(&summary.member);
    }
    free(ends);
    fpgz_reader_free(&reader);
    return error->status;
}

void list_files(const struct options *options)
{
    uint64_t totals[2] = {0, 0};
    if (!options->file_count) {
        message_error(
            FPGZ_USAGE, NULL,
            "-l takes files: a list is read from the container's end, and a pipe has none to seek to");
        return;
    }
    if (!options->json)
        printf("%14s %14s %7s %7s  %-12s %s %-18s %s\n", "Stored", "Raw", "Ratio", "Chunks", "Codec", "Type",
               "Shape", "File");
    for (int i = 0; i < options->file_count; i++) {
        struct fpgz_error error = {0};
        struct fpgz_input input;
        const char *path = options->files[i];
        if (fpgz_input_open(&input, path, &error) || list_file(options, path, &input, totals, &error))
            message_failure(path, &error);
        fpgz_input_close(&input);
    }
    if (!options->json && options->file_count > 1)
        printf("%14" PRIu64 " %14" PRIu64 " %7.4f %7s  %d files\n", totals[0], totals[1],
               ratio(totals[0], totals[1]), "", options->file_count);
}
