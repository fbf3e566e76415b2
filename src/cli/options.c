/* SPDX-License-Identifier: MIT */
#include "cli/options.h"

#include <getopt.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/account.h"
#include "cli/help.h"
#include "cli/message.h"
#include "codec/codecs.h"
#include "container/format.h"
#include "core/bytes.h"
#include "core/cpu.h"
#include "core/memory.h"
#include "engine/cut.h"
#include "engine/device.h"
#include "source/hdf5_formats.h"

enum {
    OPT_BENCH = 256,
    OPT_BARE,
    OPT_CODECS,
    OPT_RECOVER,
    OPT_FILL,
    OPT_RM,
    OPT_VERIFY,
    OPT_EXCLUDE,
    OPT_FILES_FROM,
    OPT_FILES,
    OPT_FILES0,
    OPT_MANIFEST,
    OPT_SHARD,
    OPT_CHECK,
    OPT_RESTORE,
    OPT_OUTPUT_DIR,
    OPT_JSON,
    OPT_CODEC,
    OPT_CPU_LEVEL,
    OPT_DEVICE,
    OPT_CHUNK,
    OPT_MEMORY,
    OPT_MAX_ERROR,
    OPT_NO_CHECK,
    OPT_DTYPE,
    OPT_ENDIAN,
    OPT_SHAPE,
    OPT_DATASET,
    OPT_REGION,
    OPT_TO,
    OPT_HELP
};

static const struct option long_options[] = {
    {"compress", no_argument, NULL, 'z'},
    {"decompress", no_argument, NULL, 'd'},
    {"uncompress", no_argument, NULL, 'd'},
    {"test", no_argument, NULL, 't'},
    {"list", no_argument, NULL, 'l'},
    {"bench", no_argument, NULL, OPT_BENCH},
    {"codecs", no_argument, NULL, OPT_CODECS},
    {"recover", no_argument, NULL, OPT_RECOVER},
    {"fill", required_argument, NULL, OPT_FILL},
    {"stdout", no_argument, NULL, 'c'},
    {"to-stdout", no_argument, NULL, 'c'},
    {"output", required_argument, NULL, 'o'},
    {"keep", no_argument, NULL, 'k'},
    {"bare", no_argument, NULL, OPT_BARE},
    {"rm", no_argument, NULL, OPT_RM},
    {"verify", no_argument, NULL, OPT_VERIFY},
    {"recursive", no_argument, NULL, 'r'},
    {"exclude", required_argument, NULL, OPT_EXCLUDE},
    {"files-from", required_argument, NULL, OPT_FILES_FROM},
    {"null", no_argument, NULL, '0'},
    {"files", optional_argument, NULL, OPT_FILES},
    {"files0", optional_argument, NULL, OPT_FILES0},
    {"suffix", required_argument, NULL, 'S'},
    {"manifest", required_argument, NULL, OPT_MANIFEST},
    {"shard", required_argument, NULL, OPT_SHARD},
    {"check", no_argument, NULL, OPT_CHECK},
    {"restore", no_argument, NULL, OPT_RESTORE},
    {"output-dir", required_argument, NULL, OPT_OUTPUT_DIR},
    {"force", no_argument, NULL, 'f'},
    {"name", no_argument, NULL, 'N'},
    {"quiet", no_argument, NULL, 'q'},
    {"verbose", no_argument, NULL, 'v'},
    {"json", no_argument, NULL, OPT_JSON},
    {"codec", required_argument, NULL, OPT_CODEC},
    {"threads", required_argument, NULL, 'T'},
    {"cpu-level", required_argument, NULL, OPT_CPU_LEVEL},
    {"device", required_argument, NULL, OPT_DEVICE},
    {"chunk", required_argument, NULL, OPT_CHUNK},
    {"memory", required_argument, NULL, OPT_MEMORY},
    {"no-check", no_argument, NULL, OPT_NO_CHECK},
    {"max-error", required_argument, NULL, OPT_MAX_ERROR},
    {"dtype", required_argument, NULL, OPT_DTYPE},
    {"endian", required_argument, NULL, OPT_ENDIAN},
    {"shape", required_argument, NULL, OPT_SHAPE},
    {"dataset", required_argument, NULL, OPT_DATASET},
    {"region", required_argument, NULL, OPT_REGION},
    {"to", required_argument, NULL, OPT_TO},
    {"help", no_argument, NULL, OPT_HELP},
    {"version", no_argument, NULL, 'V'},
    {NULL, 0, NULL, 0},
};

static void print_version(void)
{
    printf("fpgz " FPGZ_RELEASE "\ncpu levels:");
    for (int level = FPGZ_CPU_C; level <= (int)fpgz_cpu_best(); level++)
        printf(" %s", fpgz_cpu_name((enum fpgz_cpu_level)level));
    const char *const hdf5 = fpgz_hdf5_version();
    printf("\nHDF5 library: %s\ncontainer version %d\n",
           hdf5 ? hdf5 : "none (HDF5 files are archived as bytes)", FPGZ_VERSION);
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
            message_error(FPGZ_USAGE, NULL, "--cpu-level %s: this CPU has no more than %s", text,
                          fpgz_cpu_name(fpgz_cpu_best()));
        return level <= fpgz_cpu_best();
    }
    message_error(FPGZ_USAGE, NULL, "--cpu-level %s: there are c, avx2 and avx512", text);
    return false;
}

/* "auto", "cpu", or "cuda" and which GPU: the first, ":N" or ":all". */
static bool parse_device(const char *text, struct options *options)
{
    char *end;
    options->device_number = 0;
    if (!strcmp(text, "auto")) {
        options->device = FPGZ_BACKEND_AUTO;
        return true;
    }
    if (!strcmp(text, "cpu")) {
        options->device = FPGZ_BACKEND_CPU;
        return true;
    }
    options->device = FPGZ_BACKEND_CUDA;
    if (!strcmp(text, "cuda"))
        return true;
    if (!strcmp(text, "cuda:all")) {
        options->device_number = FPGZ_DEVICE_ALL;
        return true;
    }
    if (!strncmp(text, "cuda:", 5) && text[5] >= '0' && text[5] <= '9') {
        const unsigned long number = strtoul(text + 5, &end, 10);
        options->device_number = number < 1000 ? (int)number : 1000;
        if (!*end)
            return true;
    }
    message_error(FPGZ_USAGE, NULL,
                  "--device %s: there are auto, cpu, cuda, cuda:N (the GPU of that number) and cuda:all",
                  text);
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
        message_error(FPGZ_USAGE, NULL, "--codec %s", error.text);
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
        message_error(FPGZ_USAGE, NULL,
                      "--max-error %s: a bound is a number from 0 up, as in 1e-3 or rel:1e-3", text);
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
    case OPT_RECOVER:
        o->mode = MODE_RECOVER;
        return true;
    case OPT_FILL:
        o->fill_nan = !strcmp(value, "nan");
        if (!o->fill_nan && strcmp(value, "zero")) {
            message_error(FPGZ_USAGE, NULL, "--fill %s: there are zero and nan", value);
            return false;
        }
        return true;
    case 'c':
        o->to_stdout = true;
        return true;
    case OPT_OUTPUT_DIR:
        o->batch.folder = true;
        /* fall through */
    case 'o':
        o->output = value;
        return true;
    case 'k':
        o->remove_source = false;
        return true;
    case OPT_RM:
        o->remove_source = true;
        return true;
    case OPT_VERIFY:
        o->verify = true;
        return true;
    case 'r':
        o->recursive = true;
        return true;
    case OPT_EXCLUDE:
        name_list_add(&o->exclude, value);
        return true;
    case OPT_FILES0:
    case '0':
        o->null_separated = true;
        if (option == '0')
            return true;
        /* fall through */
    case OPT_FILES:
    case OPT_FILES_FROM:
        name_list_add(&o->lists, value ? value : "-");
        return true;
    case 'S':
        if (!*value || strchr(value, '/')) {
            message_error(FPGZ_USAGE, NULL, "-S '%s': a suffix is not empty and has no slash", value);
            return false;
        }
        name_use_suffix(value);
        return true;
    case OPT_MANIFEST:
        o->batch.manifest = value;
        return true;
    case OPT_SHARD:
        if (!shard_parse(value, &o->batch.shard)) {
            message_error(FPGZ_USAGE, NULL, "--shard %s: a shard is written K/N, with K from 0 or 1 on",
                          value);
            return false;
        }
        return true;
    case OPT_CHECK:
        o->batch.check = true;
        return true;
    case OPT_RESTORE:
        o->batch.restore = true;
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
        account_begin(o);
        return true;
    case OPT_CODEC:
        return parse_codec(value, o);
    case OPT_CPU_LEVEL:
        o->cpu_level_given = true;
        return parse_cpu_level(value);
    case OPT_DEVICE:
        return parse_device(value, o);
    case 'T':
        if (!parse_size(value, &number) || number > 4096) {
            message_error(FPGZ_USAGE, NULL, "-T %s: the number of threads goes from 0 (one a CPU) to 4096",
                          value);
            return false;
        }
        o->threads = (unsigned)number;
        return true;
    case OPT_CHUNK:
        if (!parse_size(value, &o->chunk) || o->chunk < 1 << 10 || o->chunk > FPGZ_CHUNK_LIMIT) {
            message_error(FPGZ_USAGE, NULL, "--chunk %s: a size goes from 1K to 1G, as in 4M", value);
            return false;
        }
        return true;
    case OPT_MEMORY:
        o->memory_given = parse_size(value, &o->memory) && o->memory;
        if (!o->memory_given)
            message_error(FPGZ_USAGE, NULL, "--memory %s: a size is a number with K, M or G, as in 512M",
                          value);
        return o->memory_given;
    case OPT_NO_CHECK:
        o->unverified = true;
        return true;
    case OPT_MAX_ERROR:
        return parse_max_error(value, &o->max_error);
    case OPT_DTYPE:
        o->raw.has_dtype = true;
        if (!fpgz_dtype_parse(value, &o->raw.array.dtype)) {
            message_error(FPGZ_USAGE, NULL, "--dtype %s: there are f32, f64 and u8 (bytes)", value);
            return false;
        }
        return true;
    case OPT_ENDIAN:
        o->raw.array.order = strcmp(value, "big") ? FPGZ_LITTLE : FPGZ_BIG;
        if (strcmp(value, "big") && strcmp(value, "little")) {
            message_error(FPGZ_USAGE, NULL, "--endian %s: there are little and big", value);
            return false;
        }
        return true;
    case OPT_SHAPE:
        o->raw.has_shape = true;
        if (!fpgz_shape_parse(value, strlen(value), &o->raw.array)) {
            message_error(
                FPGZ_USAGE, NULL,
                "--shape %s: a shape is written 20x180x360, slowest extent first; the first may be *", value);
            return false;
        }
        return true;
    case OPT_DATASET:
        o->dataset = value;
        return true;
    case OPT_REGION:
        o->region = value;
        return true;
    case OPT_TO:
        o->to = fpgz_sink_by_name(value);
        if (!o->to)
            message_error(FPGZ_USAGE, NULL, "--to %s: there are raw, npy and h5", value);
        return o->to;
    default: /* -1 ... -9 */
        o->level = option - '0';
        return true;
    }
}

/* Whether what chooses a part of a file goes with the rest. */
static bool part_fits(const struct options *o)
{
    if ((o->region || o->to) && o->mode != MODE_DECOMPRESS)
        message_error(FPGZ_USAGE, NULL, "%s goes with -d", o->region ? "--region" : "--to");
    else if (o->dataset && o->mode != MODE_DECOMPRESS && o->mode != MODE_COMPRESS)
        message_error(FPGZ_USAGE, NULL, "--dataset goes with -z or -d");
    else if (o->mode == MODE_RECOVER && (o->bare || o->remove_source))
        message_error(FPGZ_USAGE, NULL, "--recover goes with no --bare or --rm");
    else if (o->fill_nan && o->mode != MODE_RECOVER)
        message_error(FPGZ_USAGE, NULL, "--fill goes with --recover");
    else if (o->bare && (o->dataset || o->region || o->to))
        message_error(FPGZ_USAGE, NULL,
                      "--bare is for whole raw grids: it goes with no --dataset, --region or --to");
    else if (o->remove_source && (o->dataset || o->region))
        message_error(FPGZ_USAGE, NULL, "--rm would remove a whole file of which only a part is taken");
    else
        return true;
    return false;
}

/* The options in an argument vector; its operands are what is left behind optind. */
static bool parse(int argc, char **argv, struct options *options)
{
    optind = 0; /* begin anew */
    for (int option;
         (option = getopt_long(argc, argv, "zdtlco:kfrS:0NqvT:hV123456789", long_options, NULL)) != -1;) {
        if (option == 'h' || option == OPT_HELP) {
            fputs(option == 'h' ? help_short : help_long, stdout);
            return false;
        }
        if (option == 'V') {
            print_version();
            return false;
        }
        if (option == '?') { /* getopt has said what is wrong */
            message_error(FPGZ_USAGE, NULL, "fpgz -h shows the options");
            return false;
        }
        if (!apply(option, optarg, options))
            return false;
    }
    return true;
}

/* The options in FPGZ_OPTS, which spaces separate; options->environment holds the words. */
static bool parse_environment(char *program, struct options *options)
{
    const char *const text = getenv("FPGZ_OPTS");
    struct name_list words = {0};
    bool ok = true;
    if (!text)
        return true;
    options->environment = name_join(text, strlen(text), "");
    name_list_add(&words, program);
    char *rest;
    for (char *word = strtok_r(options->environment, " \t\n", &rest); word;
         word = strtok_r(NULL, " \t\n", &rest))
        name_list_add(&words, word);
    const int count = (int)words.count;
    name_list_add(&words, NULL);
    ok = parse(count, (char **)words.name, options);
    if (ok && optind < count) {
        message_error(FPGZ_USAGE, NULL, "FPGZ_OPTS holds '%s': it is for options, not for files",
                      words.name[optind]);
        ok = false;
    }
    name_list_free(&words);
    return ok;
}

/* Whether the options make sense together, in fpgz batch and without. */
static bool fits_batch(const struct options *o, bool batch)
{
    const struct batch_request *b = &o->batch;
    const bool reads = b->check || b->restore;
    if (!batch && !b->manifest && !reads && !b->shard.count && !b->folder)
        return true;
    if (!batch)
        message_error(FPGZ_USAGE, NULL,
                      "--manifest, --shard, --check, --restore and --output-dir are for fpgz batch");
    else if (o->mode != MODE_BATCH || o->to_stdout || o->bare)
        message_error(FPGZ_USAGE, NULL,
                      "fpgz batch archives, or with --check or --restore reads archives; it takes no -z, "
                      "-d, -t, -l, -c or --bare");
    else if (b->check && b->restore)
        message_error(FPGZ_USAGE, NULL, "--check and --restore are two things; choose one");
    else if (reads ? !b->manifest && !o->file_count : !b->manifest)
        message_error(FPGZ_USAGE, NULL, "fpgz batch needs a --manifest FILE");
    else if (!reads && !o->file_count && !o->lists.count)
        message_error(FPGZ_USAGE, NULL, "fpgz batch needs folders or files, or --files-from");
    else
        return true;
    return false;
}

/* Where prans is, or may be, the codec, chunks of more than a million values are worth it. */
static uint64_t default_chunk(const struct options *o)
{
    if (o->codec ? o->codec != &fpgz_prans : o->level < FPGZ_AUTO_MIDDLE)
        return FPGZ_CHUNK_DEFAULT;
    return o->level < FPGZ_AUTO_SMALL ? FPGZ_CHUNK_MIDDLE : FPGZ_CHUNK_SMALL;
}

/* A quarter of what there is. */
static uint64_t default_memory(void)
{
    const uint64_t allowed = fpgz_memory_allowed("");
    return allowed ? allowed / 4 : UINT64_MAX;
}

bool options_parse(int argc, char **argv, struct options *options)
{
    *options = (struct options){.level = 5, .max_error = {.absolute = INFINITY, .relative = INFINITY}};
    if (!parse_environment(argv[0], options))
        return false;
    const bool batch = argc > 1 && !strcmp(argv[1], "batch");
    if (batch) {
        options->mode = MODE_BATCH;
        argv[1] = argv[0];
        argv++;
        argc--;
    }
    if (!parse(argc, argv, options))
        return false;
    options->chunk_given = options->chunk;
    if (!options->chunk)
        options->chunk = default_chunk(options);
    if (!options->memory_given)
        options->memory = default_memory();
    options->files = argv + optind;
    options->file_count = argc - optind;
    if (options->threads == 0)
        options->threads = fpgz_cpu_count();
    const bool bounded = options->max_error.absolute < INFINITY || options->max_error.relative < INFINITY;
    if (bounded && (!options->codec || options->codec->lossless)) {
        message_error(FPGZ_USAGE, NULL,
                      "--max-error is for lossy codecs, which --codec must name; fpgz --codecs tells which");
        return false;
    }
    if (options->to_stdout && options->output) {
        message_error(FPGZ_USAGE, NULL, "-c and -o name two outputs; choose one");
        return false;
    }
    if (!part_fits(options) || !fits_batch(options, batch))
        return false;
    if (options->to_stdout)
        options->remove_source = false;
    return true;
}

void options_free(struct options *options)
{
    name_list_free(&options->exclude);
    name_list_free(&options->lists);
    free(options->environment);
}

uint64_t options_slab(const struct options *options)
{
    return options->level < FPGZ_AUTO_SMALL ? FPGZ_SLAB_FAST : FPGZ_SLAB_SMALL;
}
