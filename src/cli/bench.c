/* SPDX-License-Identifier: MIT
 * --bench: the speed of codecs on a grid in memory, a row for each codec, level and device. */
#include "cli/bench.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "archive/describe.h"
#include "archive/input.h"
#include "cli/team.h"
#include "codec/codecs.h"
#include "console/json.h"
#include "console/printable.h"
#include "core/bytes.h"
#include "core/cpu.h"
#include "core/gather.h"
#include "core/table.h"
#include "engine/plan.h"

enum { MIN_ROUNDS = 7, MAX_ROUNDS = 301 };
enum { LEAST_BYTES = 4 << 10 }; /* of a dataset that is worth measuring */
static const double seconds_a_row = 0.6;

struct bench {
    const char *name, *dataset;
    struct fpgz_array array;
    struct fpgz_buffer raw, streams, restored;
    struct team team; /* with the device of the options, if there is one */
};

static int compare_doubles(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(double *values, unsigned count)
{
    qsort(values, count, sizeof *values, compare_doubles);
    return values[count / 2];
}

static void print_row(const struct command *command, const struct bench *b, const char *codec,
                      const char *backend, double ratio, const double mbps[OPERATIONS], const char *roundtrip)
{
    const struct options *options = command->options;
    char shape[FPGZ_SHAPE_TEXT];
    const bool copy = b->team.codec == NULL;
    const double compress = mbps[copy ? COPY : ENCODE], decompress = mbps[copy ? COPY : DECODE];
    if (!options->json) {
        printf("%-10s %-12s %7u %7.4f %11.0f %11.0f %8.2f %8.2f  %s\n", codec, backend, b->team.threads,
               ratio, compress, decompress, compress / mbps[COPY], decompress / mbps[COPY], roundtrip);
        return;
    }
    printf("{\"file\": ");
    json_print_string(b->name);
    printf(", \"dtype\": \"%s\", \"shape\": \"%s\", \"codec\": \"%s\", \"backend\": \"%s\", \"threads\": %u, "
           "\"ratio\": %.6f, \"compress_mbps\": %.1f, \"decompress_mbps\": %.1f, \"roundtrip\": \"%s\"",
           fpgz_dtype_name(b->array.dtype),
           fpgz_shape_text(b->array.extent, b->array.dims, shape, sizeof shape), codec, backend,
           b->team.threads, ratio, compress, decompress, roundtrip);
    if (*b->dataset) {
        printf(", \"dataset\": ");
        json_print_string(b->dataset);
    }
    puts("}");
}

/* Copying, encoding and decoding take turns, so that what else the machine does falls on all of them. */
static void measure(const struct command *command, struct bench *b)
{
    double times[OPERATIONS][MAX_ROUNDS];
    double mbps[OPERATIONS], spent = 0;
    unsigned rounds = 0;
    uint64_t stored = 0, raw = 0;
    const unsigned operations = b->team.codec ? OPERATIONS : COPY + 1;
    b->team.failures = 0;
    for (; rounds < MAX_ROUNDS && (rounds < MIN_ROUNDS || spent < seconds_a_row); rounds++)
        for (unsigned i = 0; i < operations; i++)
            spent += times[i][rounds] = team_time(&b->team, (enum operation)i);
    for (unsigned i = 0; i < b->team.piece_count; i++) {
        raw += b->team.pieces[i].bytes;
        stored += b->team.codec ? b->team.pieces[i].length : b->team.pieces[i].bytes;
    }
    for (unsigned i = 0; i < operations; i++)
        mbps[i] = (double)raw / 1e6 / median(times[i], rounds);

    char backend[32];
    snprintf(backend, sizeof backend, b->team.on_device ? "cuda" : "cpu-%s", fpgz_cpu_name(fpgz_cpu()));
    const bool equal = !b->team.failures && !memcmp(b->raw.data, b->restored.data, raw);
    const bool lossless = !b->team.codec || b->team.codec->lossless;
    if (b->team.failures || (lossless && !equal))
        message_error(command->console, FPGZ_INTERNAL, b->name,
                      "%s on %s does not restore the grid: a defect of fpgz", b->team.codec->name, backend);
    print_row(command, b, b->team.codec ? b->team.codec->name : "memcpy", b->team.codec ? backend : "-",
              progress_ratio(raw, stored), mbps,
              b->team.failures ? "failed"
              : equal          ? "ok"
                               : "lossy");
    fflush(stdout);
}

/* Folds the pieces for the codec and lays out its buffers. */
static bool prepare(struct bench *b)
{
    size_t total = 0;
    b->team.scratch_size = 64; /* never none: threads take their parts of it */
    for (unsigned i = 0; i < b->team.piece_count; i++) {
        struct piece *p = &b->team.pieces[i];
        b->team.codec->fold(&p->grid, &p->coded);
        const size_t memory = fpgz_round_up(b->team.codec->memory(&p->coded, &b->team.params), 64);
        b->team.scratch_size = b->team.scratch_size > memory ? b->team.scratch_size : memory;
        p->bound = fpgz_round_up(b->team.codec->bound(&p->coded, &b->team.params), 64);
        total += p->bound;
    }
    if (!fpgz_buffer_reserve(&b->streams, total) ||
        !fpgz_buffer_reserve(&b->team.scratch, b->team.scratch_size * b->team.threads))
        return false;
    if (b->team.device)
        fpgz_device_pin(&b->streams, b->streams.capacity);
    uint8_t *stream = b->streams.data;
    for (unsigned i = 0; i < b->team.piece_count; stream += b->team.pieces[i++].bound)
        b->team.pieces[i].stream = stream;
    return true;
}

/* All rows for one number of threads. */
static bool measure_all(const struct command *command, struct bench *b)
{
    const struct options *options = command->options;
    const enum fpgz_cpu_level level = fpgz_cpu();
    b->team.codec = NULL;
    measure(command, b);
    bool ok = true;
    for (unsigned i = 0; fpgz_codecs[i] && ok; i++) {
        b->team.codec = command->terms.setup.codec ? command->terms.setup.codec : fpgz_codecs[i];
        if (command->terms.setup.codec)
            b->team.params = command->terms.setup.params;
        else
            fpgz_codec_defaults(b->team.codec, &b->team.params);
        if (!fpgz_codec_takes(b->team.codec, b->array.dtype) ||
            (b->team.codec == &fpgz_store && !command->terms.setup.codec))
            continue;
        ok = prepare(b);
        const enum fpgz_cpu_level own = fpgz_codec_level(b->team.codec, level);
        for (enum fpgz_cpu_level l = options->cpu_level_given ? own : FPGZ_CPU_C; ok && l <= own; l++)
            if (fpgz_codec_level(b->team.codec, l) == l) {
                fpgz_cpu_set(l);
                measure(command, b);
            }
        b->team.on_device = ok && b->team.device && fpgz_device_has(b->team.codec, false);
        if (b->team.on_device)
            measure(command, b);
        b->team.on_device = false;
        if (command->terms.setup.codec)
            break;
    }
    fpgz_cpu_set(level);
    return ok;
}

static bool measure_with_threads(const struct command *command, struct bench *b, unsigned threads)
{
    if (!team_begin(&b->team, threads))
        return false;
    const bool ok = measure_all(command, b);
    team_end(&b->team);
    return ok;
}

/* Reads an array into memory and cuts it as compression would. */
static enum fpgz_status load(const struct command *command, const struct fpgz_input *input,
                             const struct fpgz_part *part, struct bench *b, struct fpgz_error *error)
{
    const uint64_t bytes = part->place.bytes;
    uint64_t stopped, checksum;
    struct fpgz_cut cut;
    const struct fpgz_area area = {input->fd, input->start, NULL};
    b->array = part->array;
    if (command->terms.setup.codec &&
        fpgz_codec_check(command->terms.setup.codec, b->array.dtype, &command->terms.setup.params, error))
        return error->status;
    if (!fpgz_plan_cut(part, command->terms.setup.chunk, fpgz_setup_slab(&command->terms.setup), &cut))
        return fpgz_fail(error, FPGZ_USAGE, "the shape is larger than any file");
    if (!fpgz_buffer_reserve(&b->raw, bytes) || !fpgz_buffer_reserve(&b->restored, bytes))
        return fpgz_fail(error, FPGZ_MEMORY, "no memory for twice %" PRIu64 " bytes", bytes);
    if (!fpgz_gather(&area, &part->place, 0, b->raw.data, bytes, &stopped, &checksum))
        return fpgz_fail(error, FPGZ_IO, "cannot read: %s", strerror(errno));
    if (b->team.device) {
        fpgz_device_pin(&b->raw, b->raw.capacity);
        fpgz_device_pin(&b->restored, b->restored.capacity);
    }
    const uint64_t rows = cut.shape.extent[0];
    free(b->team.pieces);
    b->team.piece_count = 0;
    b->team.pieces = calloc(2 + rows / cut.rows, sizeof *b->team.pieces);
    if (!b->team.pieces)
        return fpgz_fail(error, FPGZ_MEMORY, "no memory");
    for (uint64_t row = 0, count; (count = fpgz_cut_next(&cut, rows - row)); row += count) {
        struct piece *p = &b->team.pieces[b->team.piece_count++];
        p->grid = fpgz_cut_grid(&cut, count);
        p->bytes = fpgz_grid_bytes(&p->grid);
        p->raw = b->raw.data + row * cut.row_bytes;
        if (b->array.order == FPGZ_BIG)
            fpgz_grid_swap(&p->grid, b->raw.data + row * cut.row_bytes);
        p->restored = b->restored.data + row * cut.row_bytes;
    }
    return FPGZ_OK;
}

static enum fpgz_status bench_part(const struct command *command, const struct fpgz_input *input,
                                   const struct fpgz_part *part, struct bench *b, struct fpgz_error *error)
{
    const struct options *options = command->options;
    char shape[FPGZ_SHAPE_TEXT];
    b->dataset = part->name;
    if (load(command, input, part, b, error))
        return error->status;
    if (!options->json) {
        printable_format(stdout, "%s%s%s: %s %s, %u chunks; medians, MB = 10^6 raw bytes", b->name,
                         *part->name ? ": " : "", part->name, fpgz_dtype_name(b->array.dtype),
                         fpgz_shape_text(b->array.extent, b->array.dims, shape, sizeof shape),
                         b->team.piece_count);
        printf("\n%-10s %-12s %7s %7s %11s %11s %8s %8s\n", "codec", "backend", "threads", "ratio",
               "comp. MB/s", "decomp. MB/s", "x memcpy", "x memcpy");
    }
    if (!measure_with_threads(command, b, 1) ||
        (command->terms.setup.threads > 1 && !measure_with_threads(command, b, command->terms.setup.threads)))
        fpgz_fail(error, FPGZ_MEMORY, "no memory for streams");
    return error->status;
}

void bench_file(const struct command *command, const char *path)
{
    struct bench b = {0};
    struct fpgz_content content = {0};
    struct fpgz_error error = {0};
    struct fpgz_input input;
    unsigned arrays = 0;
    if (fpgz_input_open(&input, path, &error)) {
        message_failure(command->console, path, &error);
        return;
    }
    b.name = input.name;
    b.team.device = fpgz_backend_wait(command->terms.backend);
    if (!input.sized)
        fpgz_fail(&error, FPGZ_USAGE, "--bench takes a file whose size is known, not a pipe");
    else if (!fpgz_describe_input(&command->terms, &input, &content, &error) && !fpgz_content_split(&content))
        fpgz_fail(&error, FPGZ_MEMORY, "no memory");
    for (size_t i = 0; i < content.count && !error.status; i++)
        if (content.kind == FPGZ_KIND_RAW ||
            (fpgz_part_is_array(&content.part[i]) && content.part[i].place.bytes >= LEAST_BYTES)) {
            bench_part(command, &input, &content.part[i], &b, &error);
            arrays++;
        }
    if (!error.status)
        fpgz_input_unchanged(&input, true, command->terms.listener, &error);
    if (!arrays && !error.status)
        fpgz_fail(&error, FPGZ_USAGE, "holds no arrays of numbers that are worth measuring");
    if (error.status)
        message_failure(command->console, input.name, &error);
    fpgz_buffer_free(&b.raw);
    fpgz_buffer_free(&b.streams);
    fpgz_buffer_free(&b.restored);
    fpgz_buffer_free(&b.team.scratch);
    fpgz_content_free(&content);
    free(b.team.pieces);
    fpgz_input_close(&input);
}
