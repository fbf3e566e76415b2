/* SPDX-License-Identifier: MIT */
#include "cli/list.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "cli/file_io.h"
#include "cli/json.h"
#include "cli/message.h"
#include "cli/name.h"
#include "container/member.h"
#include "container/reader.h"

/* What one member's index tells. */
struct summary {
    struct fpgz_member member;
    uint64_t stored, raw;             /* bytes of the member and of what it restores */
    uint64_t by_codec[UINT8_MAX + 1]; /* chunks, by codec id (greater ids count as the last) */
    bool lossy;                       /* one of them at least, with these errors */
    double absolute_error, relative_error;
};

static double ratio(uint64_t stored, uint64_t raw)
{
    return raw ? (double)stored / (double)raw : 1.0;
}

static double larger(double a, double b)
{
    return a > b ? a : b;
}

static void print_chunk(const struct fpgz_section *section, const struct fpgz_chunk_head *head,
                        const struct fpgz_codec *codec)
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
    putchar('\n');
}

/* Reads the member whose index the reader has just loaded. */
static enum fpgz_status summarize(struct fpgz_reader *reader, bool print_chunks, struct summary *summary,
                                  struct fpgz_error *error)
{
    struct fpgz_section *section = &reader->section;
    struct fpgz_member *member = &summary->member;
    struct fpgz_chunk_head head;
    const struct fpgz_codec *codec;
    for (size_t at = 0; at < reader->index.length && !error->status;) {
        if (fpgz_index_next(&reader->index, &at, section, error))
            break;
        switch (section->type) {
        case FPGZ_SECTION_FILE:
            fpgz_member_file(member, section, error);
            break;
        case FPGZ_SECTION_ARRAY:
            fpgz_member_array(member, section, error);
            break;
        case FPGZ_SECTION_CHUNK:
            if (fpgz_member_chunk(member, section, &head, &codec, error))
                break;
            summary->by_codec[head.codec < UINT8_MAX ? head.codec : UINT8_MAX]++;
            summary->lossy |= head.has_errors;
            summary->absolute_error = larger(summary->absolute_error, head.absolute_error);
            summary->relative_error = larger(summary->relative_error, head.relative_error);
            if (print_chunks)
                print_chunk(section, &head, codec);
            break;
        default:
            break;
        }
    }
    if (!error->status)
        fpgz_member_end(member, error);
    summary->raw = fpgz_member_raw_bytes(member);
    return error->status;
}

/* "ndzip" or "ndzip+store", by the chunks that each coded. */
static void codec_names(const struct summary *summary, char *text, size_t capacity)
{
    size_t used = 0;
    text[0] = '\0';
    for (unsigned id = UINT8_MAX; id-- > 0 && used < capacity;)
        if (summary->by_codec[id])
            used += (size_t)snprintf(text + used, capacity - used, used ? "+%s" : "%s",
                                     fpgz_codec_by_id(id)->name);
    if (!used)
        snprintf(text, capacity, "-");
}

/* JSON knows no infinity: null, then. */
static void print_json_error(const char *key, double error)
{
    if (isfinite(error))
        printf(", \"%s\": %.17g", key, error);
    else
        printf(", \"%s\": null", key);
}

static void print_json(const char *path, const struct summary *s, const char *codecs)
{
    struct fpgz_array array;
    char shape[FPGZ_SHAPE_TEXT];
    fpgz_member_shape(&s->member, &array);
    printf("{\"file\": ");
    json_print_string(path);
    printf(", \"name\": ");
    json_print_string(s->member.file.name);
    printf(
        ", \"dtype\": \"%s\", \"endian\": \"%s\", \"shape\": \"%s\", \"codec\": \"%s\", \"chunks\": %" PRIu64
        ", \"stored\": %" PRIu64 ", \"raw\": %" PRIu64 ", \"ratio\": %.6f",
        fpgz_dtype_name(array.dtype), array.order == FPGZ_BIG ? "big" : "little",
        fpgz_shape_text(array.extent, array.dims, shape, sizeof shape), codecs, s->member.chunks, s->stored,
        s->raw, ratio(s->stored, s->raw));
    print_json_error("max_absolute_error", s->absolute_error);
    print_json_error("max_relative_error", s->relative_error);
    puts("}");
}

static void print_line(const char *path, const struct summary *s, const char *codecs, bool more)
{
    struct fpgz_array array;
    char shape[FPGZ_SHAPE_TEXT], mtime[32] = "-", name[256];
    fpgz_member_shape(&s->member, &array);
    printf("%14" PRIu64 " %14" PRIu64 " %7.4f %7" PRIu64 "  %-12s %s %-18s %s\n", s->stored, s->raw,
           ratio(s->stored, s->raw), s->member.chunks, codecs, fpgz_dtype_name(array.dtype),
           fpgz_shape_text(array.extent, array.dims, shape, sizeof shape), path);
    if (!more)
        return;
    const time_t seconds = (time_t)s->member.file.mtime;
    struct tm local;
    if (s->member.file.has_mtime && localtime_r(&seconds, &local))
        strftime(mtime, sizeof mtime, "%Y-%m-%d %H:%M:%S", &local);
    printf("    name %s, mode %04o, modified %s, %s-endian\n",
           *s->member.file.name ? name_printable(s->member.file.name, name) : "-", s->member.file.mode, mtime,
           array.order == FPGZ_BIG ? "big" : "little");
    if (s->lossy)
        printf("    lossy: errors up to %.6g (relative %.6g)\n", s->absolute_error, s->relative_error);
}

/* Members are found from the end of the file backwards, but told in their order. */
static enum fpgz_status list_file(const struct options *options, const char *path, const struct input *input,
                                  uint64_t totals[2], struct fpgz_error *error)
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
        if (count % 64 == 0) {
            uint64_t *more = realloc(ends, (count + 64) * sizeof *ends);
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
        char codecs[100];
        at = ends[count];
        if (fpgz_reader_last_member(&reader, &at, &end, error) ||
            summarize(&reader, message_verbosity > 1 && !options->json, &summary, error))
            break;
        summary.stored = end.member_length;
        totals[0] += summary.stored;
        totals[1] += summary.raw;
        codec_names(&summary, codecs, sizeof codecs);
        if (options->json)
            print_json(path, &summary, codecs);
        else
            print_line(path, &summary, codecs, message_verbosity > 0);
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
            NULL, "-l takes files: a list is read from the container's end, and a pipe has none to seek to");
        return;
    }
    if (!options->json)
        printf("%14s %14s %7s %7s  %-12s %s %-18s %s\n", "Stored", "Raw", "Ratio", "Chunks", "Codec", "Type",
               "Shape", "File");
    for (int i = 0; i < options->file_count; i++) {
        struct fpgz_error error = {0};
        struct input input;
        const char *path = options->files[i];
        if (input_open(&input, path, &error) || list_file(options, path, &input, totals, &error))
            message_failure(path, &error);
        input_close(&input);
    }
    if (!options->json && options->file_count > 1)
        printf("%14" PRIu64 " %14" PRIu64 " %7.4f %7s  %d files\n", totals[0], totals[1],
               ratio(totals[0], totals[1]), "", options->file_count);
}

static void print_param(const struct fpgz_param *param)
{
    printf("%55s %s: %s (", "", param->key, param->help);
    for (unsigned i = 0; param->names && param->names[i]; i++)
        printf("%s, ", param->names[i]);
    if (param->names)
        printf("default %s)\n", param->names[param->fallback - param->min]);
    else
        printf("%u to %u, default %u)\n", param->min, param->max, param->fallback);
}

/* "f32,f64" into text. */
static const char *types_text(const struct fpgz_codec *codec, char *text, size_t capacity)
{
    size_t used = 0;
    for (unsigned dtype = FPGZ_F32; fpgz_dtype_known(dtype) && used < capacity; dtype++)
        if (fpgz_codec_takes(codec, dtype))
            used +=
                (size_t)snprintf(text + used, capacity - used, used ? ",%s" : "%s", fpgz_dtype_name(dtype));
    return text;
}

void list_codecs(void)
{
    printf("%-8s %-11s %-5s %-9s %-18s %s\n", "Codec", "Types", "Dims", "Lossless", "Backends",
           "What it does, and its parameters");
    for (unsigned i = 0; fpgz_codecs[i]; i++) {
        const struct fpgz_codec *codec = fpgz_codecs[i];
        char types[32], dims[16], backends[32] = "cpu:c";
        snprintf(dims, sizeof dims, codec->max_dims > 1 ? "1-%u" : "1", codec->max_dims);
        for (enum fpgz_cpu_level level = FPGZ_CPU_AVX2; level <= codec->widest; level++)
            snprintf(backends + strlen(backends), sizeof backends - strlen(backends), ",%s",
                     fpgz_cpu_name(level));
        printf("%-8s %-11s %-5s %-9s %-18s %s\n", codec->name, types_text(codec, types, sizeof types), dims,
               codec->lossless ? "yes" : "no", backends, codec->summary);
        for (unsigned p = 0; p < codec->param_count; p++)
            print_param(&codec->params[p]);
    }
}
