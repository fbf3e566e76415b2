/* SPDX-License-Identifier: MIT
 * The command line: what the options ask for, and the defaults of those that are not given. */
#include "cli/options.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/account.h"
#include "cli/help.h"
#include "cli/message.h"
#include "cli/option_value.h"

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
    OPT_MAX_OUTPUT,
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
    {"max-output", required_argument, NULL, OPT_MAX_OUTPUT},
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
        o->output = value;
        return true;
    case 'o':
        if (strcmp(value, "-"))
            o->output = value;
        else
            o->to_stdout = true;
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
        return option_codec(value, o);
    case OPT_CPU_LEVEL:
        o->cpu_level_given = true;
        return option_cpu_level(value);
    case OPT_DEVICE:
        return option_device(value, o);
    case 'T':
        if (!option_size(value, &number) || number > 4096) {
            message_error(FPGZ_USAGE, NULL, "-T %s: the number of threads goes from 0 (one a CPU) to 4096",
                          value);
            return false;
        }
        o->setup.threads = (unsigned)number;
        return true;
    case OPT_CHUNK:
        if (!option_size(value, &o->setup.chunk) || o->setup.chunk < 1 << 10 ||
            o->setup.chunk > FPGZ_CHUNK_LIMIT) {
            message_error(FPGZ_USAGE, NULL, "--chunk %s: a size goes from 1K to 1G, as in 4M", value);
            return false;
        }
        return true;
    case OPT_MEMORY:
        o->setup.memory_given = option_size(value, &o->setup.memory) && o->setup.memory;
        if (!o->setup.memory_given)
            message_error(FPGZ_USAGE, NULL, "--memory %s: a size is a number with K, M, G or T, as in 512M",
                          value);
        return o->setup.memory_given;
    case OPT_MAX_OUTPUT:
        if (option_size(value, &o->setup.max_output) && o->setup.max_output)
            return true;
        message_error(FPGZ_USAGE, NULL, "--max-output %s: a size is a number with K, M, G or T, as in 100G",
                      value);
        return false;
    case OPT_NO_CHECK:
        o->setup.unverified = true;
        return true;
    case OPT_MAX_ERROR:
        return option_max_error(value, &o->setup.max_error);
    case OPT_DTYPE:
        o->setup.raw.has_dtype = true;
        if (!fpgz_dtype_parse(value, &o->setup.raw.array.dtype)) {
            message_error(FPGZ_USAGE, NULL, "--dtype %s: there are f32, f64 and u8 (bytes)", value);
            return false;
        }
        return true;
    case OPT_ENDIAN:
        o->setup.raw.array.order = strcmp(value, "big") ? FPGZ_LITTLE : FPGZ_BIG;
        if (strcmp(value, "big") && strcmp(value, "little")) {
            message_error(FPGZ_USAGE, NULL, "--endian %s: there are little and big", value);
            return false;
        }
        return true;
    case OPT_SHAPE:
        o->setup.raw.has_shape = true;
        if (!fpgz_shape_parse(value, strlen(value), &o->setup.raw.array)) {
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
        o->setup.level = option - '0';
        return true;
    }
}

/* Says what getopt(), which is to print nothing itself, met in the argument before argv[optind]. */
static bool refuse(int met, char *const *argv)
{
    const char *const word = argv[optind - 1];
    const size_t length = strcspn(word, "=");
    unsigned meant = 0; /* long options that the word may stand for */
    bool known = false;
    for (const struct option *option = long_options; option->name; option++) {
        meant += !strncmp(word, "--", 2) && !strncmp(option->name, word + 2, length - 2);
        known |= option->val == optopt;
    }
    if (met == ':')
        message_error(FPGZ_USAGE, NULL, "option '%s' needs a value; fpgz -h shows the options", word);
    else if (known)
        message_error(FPGZ_USAGE, NULL, "option '%s' takes no value; fpgz -h shows the options", word);
    else if (optopt)
        message_error(FPGZ_USAGE, NULL, "unrecognized option '-%c'; fpgz -h shows the options", optopt);
    else
        message_error(FPGZ_USAGE, NULL, "%s option '%s'; fpgz -h shows the options",
                      meant > 1 ? "ambiguous" : "unrecognized", word);
    return false;
}

/* The options in an argument vector; its operands are what is left behind optind. */
static bool parse(int argc, char **argv, struct options *options)
{
    optind = opterr = 0; /* begin anew, and quietly */
    for (int option;
         (option = getopt_long(argc, argv, ":zdtlco:kfrS:0NqvT:hV123456789", long_options, NULL)) != -1;) {
        if (option == 'h' || option == OPT_HELP) {
            fputs(option == 'h' ? help_short : help_long, stdout);
            return false;
        }
        if (option == 'V') {
            help_version();
            return false;
        }
        if (option == '?' || option == ':')
            return refuse(option, argv);
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

bool options_parse(int argc, char **argv, struct options *options)
{
    *options = (struct options){.setup = {.max_error = FPGZ_NO_BOUND, .listener = &message_listener}};
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
    options->setup.chunk_given = options->setup.chunk;
    fpgz_setup_complete(&options->setup);
    options->setup.trusting = options->force;
    options->files = argv + optind;
    options->file_count = argc - optind;
    if (!options_fit(options, batch))
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
