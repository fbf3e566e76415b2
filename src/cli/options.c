/* SPDX-License-Identifier: MIT */
#include "cli/options.h"

#include <getopt.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/message.h"
#include "container/format.h"
#include "core/bytes.h"
#include "core/cpu.h"
#include "engine/cut.h"

static const char help[] = "Usage: fpgz [-z|-d|-t|-l|--bench|--codecs] [OPTION]... [FILE]...\n"
                           "Compress grids of floating-point numbers to FILE.fpgz, or restore them.\n"
                           "With no FILE, or when FILE is -, standard input goes to standard output.\n"
                           "\n"
                           "  -z, --compress      compress (the default)\n"
                           "  -d, --decompress    restore\n"
                           "  -t, --test          verify containers, write nothing\n"
                           "  -l, --list          show what containers hold\n"
                           "      --bench         measure every codec on FILE, in memory\n"
                           "      --codecs        show the codec table\n"
                           "\n"
                           "  -c, --stdout        write to standard output, keep the source\n"
                           "  -o, --output FILE   write to FILE\n"
                           "  -k, --keep          keep the source (the default)\n"
                           "      --rm            remove the source when its replacement is complete\n"
                           "  -f, --force         replace existing files, write containers to a terminal\n"
                           "  -N, --name          with -d: restore under the name that the container holds\n"
                           "  -q, --quiet         no warnings; -v, --verbose: say more (-lvv: each chunk)\n"
                           "      --json          with --bench or -l: one JSON object a row\n"
                           "\n"
                           "  -1 ... -9           from fast to small (default 5)\n"
                           "      --codec NAME[:KEY=VALUE,...]  instead of the level's choice\n"
                           "      --max-error BOUND, rel:BOUND  what a lossy codec may change a value by\n"
                           "  -T, --threads N     threads (default 0: one a CPU that fpgz may use)\n"
                           "      --cpu-level c|avx2|avx512     use no wider instructions than these\n"
                           "      --chunk SIZE    bytes a chunk aims at (default 4M)\n"
                           "      --bare          with --codec: the naked stream of one whole grid\n"
                           "\n"
                           "A raw grid is described by its name (temp_20x180x360.f32) or by\n"
                           "      --dtype f32|f64|u8   --endian little|big\n"
                           "      --shape AxBxC       slowest extent first; the first may be *\n"
                           "\n"
                           "  -h, --help          this text; man fpgz tells all\n"
                           "  -V, --version       the version\n";

enum {
    OPT_BENCH = 256,
    OPT_BARE,
    OPT_CODECS,
    OPT_RM,
    OPT_JSON,
    OPT_CODEC,
    OPT_CPU_LEVEL,
    OPT_CHUNK,
    OPT_MAX_ERROR,
    OPT_DTYPE,
    OPT_ENDIAN,
    OPT_SHAPE
};

static const struct option long_options[] = {
    {"compress", no_argument, NULL, 'z'},
    {"decompress", no_argument, NULL, 'd'},
    {"uncompress", no_argument, NULL, 'd'},
    {"test", no_argument, NULL, 't'},
    {"list", no_argument, NULL, 'l'},
    {"bench", no_argument, NULL, OPT_BENCH},
    {"codecs", no_argument, NULL, OPT_CODECS},
    {"stdout", no_argument, NULL, 'c'},
    {"to-stdout", no_argument, NULL, 'c'},
    {"output", required_argument, NULL, 'o'},
    {"keep", no_argument, NULL, 'k'},
    {"bare", no_argument, NULL, OPT_BARE},
    {"rm", no_argument, NULL, OPT_RM},
    {"force", no_argument, NULL, 'f'},
    {"name", no_argument, NULL, 'N'},
    {"quiet", no_argument, NULL, 'q'},
    {"verbose", no_argument, NULL, 'v'},
    {"json", no_argument, NULL, OPT_JSON},
    {"codec", required_argument, NULL, OPT_CODEC},
    {"threads", required_argument, NULL, 'T'},
    {"cpu-level", required_argument, NULL, OPT_CPU_LEVEL},
    {"chunk", required_argument, NULL, OPT_CHUNK},
    {"max-error", required_argument, NULL, OPT_MAX_ERROR},
    {"dtype", required_argument, NULL, OPT_DTYPE},
    {"endian", required_argument, NULL, OPT_ENDIAN},
    {"shape", required_argument, NULL, OPT_SHAPE},
    {"help", no_argument, NULL, 'h'},
    {"version", no_argument, NULL, 'V'},
    {NULL, 0, NULL, 0},
};

static void print_version(void)
{
    printf("fpgz " FPGZ_RELEASE "\ncpu levels:");
    for (int level = FPGZ_CPU_C; level <= (int)fpgz_cpu_best(); level++)
        printf(" %s", fpgz_cpu_name((enum fpgz_cpu_level)level));
    printf("\ncontainer version %d\n", FPGZ_VERSION);
}

/* A count with an optional suffix K, M or G (powers of 1024; KiB and the like are understood too). */
static bool parse_size(const char *text, uint64_t *size)
{
    char *end;
    if (*text < '0' || *text > '9')
        return false;
    *size = strtoull(text, &end, 10);
    static const char units[] = "KMG";
    const char *unit = *end ? strchr(units, *end) : NULL;
    if (unit) {
        end++;
        if (!strcmp(end, "iB") || !strcmp(end, "B"))
            end = strchr(end, '\0');
        if (!fpgz_mul(*size, (uint64_t)1 << (10 * (unit - units + 1)), size))
            return false;
    }
    return *end == '\0';
}

static bool parse_cpu_level(const char *text)
{
    for (enum fpgz_cpu_level level = FPGZ_CPU_C; level < FPGZ_CPU_LEVELS; level++) {
        if (strcmp(text, fpgz_cpu_name(level)) != 0)
            continue;
        if (!fpgz_cpu_set(level))
            message_error(NULL, "--cpu-level %s: this CPU has no more than %s", text,
                          fpgz_cpu_name(fpgz_cpu_best()));
        return level <= fpgz_cpu_best();
    }
    message_error(NULL, "--cpu-level %s: there are c, avx2 and avx512", text);
    return false;
}

static bool parse_codec(const char *text, struct options *options)
{
    struct fpgz_error error = {0};
    if (!strcmp(text, "auto")) {
        options->codec = NULL;
        return true;
    }
    if (fpgz_codec_parse(text, &options->codec, &options->params, &error))
        message_error(NULL, "--codec %s", error.text);
    return !error.status;
}

/* "1e-3", or "rel:1e-3" of each value. */
static bool parse_max_error(const char *text, struct fpgz_errors *bound)
{
    const bool relative = !strncmp(text, "rel:", 4);
    const char *const number = relative ? text + 4 : text;
    char *end;
    const double value = strtod(number, &end);
    if (end == number || *end || !isfinite(value) || signbit(value)) {
        message_error(NULL, "--max-error %s: a bound is a number from 0 up, as in 1e-3 or rel:1e-3", text);
        return false;
    }
    *(relative ? &bound->relative : &bound->absolute) = value;
    return true;
}

/* One option; false when its value is wrong, which is then reported. */
static bool apply(int option, const char *value, struct options *o)
{
    uint64_t number;
    switch (option) {
    case 'z':
        o->mode = MODE_COMPRESS;
        return true;
    case 'd':
        o->mode = MODE_DECOMPRESS;
        return true;
    case 't':
        o->mode = MODE_TEST;
        return true;
    case 'l':
        o->mode = MODE_LIST;
        return true;
    case OPT_BENCH:
        o->mode = MODE_BENCH;
        return true;
    case OPT_CODECS:
        o->mode = MODE_CODECS;
        return true;
    case 'c':
        o->to_stdout = true;
        return true;
    case 'o':
        o->output = value;
        return true;
    case 'k':
        o->remove_source = false;
        return true;
    case OPT_RM:
        o->remove_source = true;
        return true;
    case 'f':
        o->force = true;
        return true;
    case 'N':
        o->stored_name = true;
        return true;
    case 'q':
        message_verbosity--;
        return true;
    case 'v':
        message_verbosity++;
        return true;
    case OPT_BARE:
        o->bare = true;
        return true;
    case OPT_JSON:
        o->json = true;
        return true;
    case OPT_CODEC:
        return parse_codec(value, o);
    case OPT_CPU_LEVEL:
        o->cpu_level_given = true;
        return parse_cpu_level(value);
    case 'T':
        if (!parse_size(value, &number) || number > 4096) {
            message_error(NULL, "-T %s: the number of threads goes from 0 (one a CPU) to 4096", value);
            return false;
        }
        o->threads = (unsigned)number;
        return true;
    case OPT_CHUNK:
        if (!parse_size(value, &o->chunk) || o->chunk < 1 << 10 || o->chunk > FPGZ_CHUNK_LIMIT) {
            message_error(NULL, "--chunk %s: a size goes from 1K to 1G, as in 4M", value);
            return false;
        }
        return true;
    case OPT_MAX_ERROR:
        return parse_max_error(value, &o->max_error);
    case OPT_DTYPE:
        o->raw.has_dtype = true;
        if (!fpgz_dtype_parse(value, &o->raw.array.dtype)) {
            message_error(NULL, "--dtype %s: there are f32, f64 and u8 (bytes)", value);
            return false;
        }
        return true;
    case OPT_ENDIAN:
        o->raw.array.order = strcmp(value, "big") ? FPGZ_LITTLE : FPGZ_BIG;
        if (strcmp(value, "big") && strcmp(value, "little")) {
            message_error(NULL, "--endian %s: there are little and big", value);
            return false;
        }
        return true;
    case OPT_SHAPE:
        o->raw.has_shape = true;
        if (!fpgz_shape_parse(value, strlen(value), &o->raw.array)) {
            message_error(
                NULL, "--shape %s: a shape is written 20x180x360, slowest extent first; the first may be *",
                value);
            return false;
        }
        return true;
    default: /* -1 ... -9 */
        o->level = option - '0';
        return true;
    }
}

bool options_parse(int argc, char **argv, struct options *options)
{
    *options = (struct options){
        .level = 5, .chunk = FPGZ_CHUNK_DEFAULT, .max_error = {.absolute = INFINITY, .relative = INFINITY}};
    for (int option;
         (option = getopt_long(argc, argv, "zdtlco:kfNqvT:hV123456789", long_options, NULL)) != -1;) {
        if (option == 'h') {
            fputs(help, stdout);
            return false;
        }
        if (option == 'V') {
            print_version();
            return false;
        }
        if (option == '?') { /* getopt has said what is wrong */
            message_error(NULL, "fpgz -h shows the options");
            return false;
        }
        if (!apply(option, optarg, options))
            return false;
    }
    options->files = argv + optind;
    options->file_count = argc - optind;
    if (options->threads == 0)
        options->threads = fpgz_cpu_count();
    const bool bounded = options->max_error.absolute < INFINITY || options->max_error.relative < INFINITY;
    if (bounded && (!options->codec || options->codec->lossless)) {
        message_error(NULL,
                      "--max-error is for lossy codecs, which --codec must name; fpgz --codecs tells which");
        return false;
    }
    if (options->to_stdout && options->output) {
        message_error(NULL, "-c and -o name two outputs; choose one");
        return false;
    }
    if (options->output && options->file_count > 1 && strcmp(options->output, "/dev/null") != 0) {
        message_error(NULL, "-o names one output, but there are %d files; use -c, or one file at a time",
                      options->file_count);
        return false;
    }
    if (options->to_stdout)
        options->remove_source = false;
    return true;
}

uint64_t options_slab(const struct options *options)
{
    return options->level < FPGZ_AUTO_SMALL ? FPGZ_SLAB_FAST : FPGZ_SLAB_SMALL;
}
