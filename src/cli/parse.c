/* SPDX-License-Identifier: MIT
 * The command line and FPGZ_OPTS: getopt_long() finds the options, their table says what they do. */
#include "cli/parse.h"

#include <assert.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/help.h"
#include "cli/option_table.h"
#include "cli/option_value.h"
#include "console/no_memory.h"

enum {
    LONG = 256, /* getopt() returns this and the index of its row for a long option */
    LETTERS = 64
};

/* The table as getopt_long() wants it. */
struct getopt_tables {
    char letters[LETTERS];
    struct option *names; /* taken by malloc() */
};

static int argument(const struct option_row *row)
{
    return !row->value ? no_argument : *row->value == '[' ? optional_argument : required_argument;
}

static void make_tables(struct getopt_tables *tables)
{
    char *letter = tables->letters;
    struct option *name = tables->names = calloc(OPTION_NAMES * option_count + 1, sizeof *name);
    if (!name)
        no_memory_for_names();
    *letter++ = ':'; /* a value that is missing is told from an option that is unknown */
    for (size_t i = 0; i < option_count; i++) {
        const struct option_row *const row = option_table + i;
        for (const char *from = row->letters ? row->letters : ""; *from; from++) {
            *letter++ = *from;
            for (int colons = argument(row); colons; colons--)
                *letter++ = ':';
        }
        for (int n = 0; n < OPTION_NAMES && row->name[n]; n++)
            *name++ = (struct option){row->name[n], argument(row), NULL, LONG + (int)i};
    }
    *letter = '\0';
    assert(letter < tables->letters + LETTERS);
}

/* The row of what getopt_long() returned. */
static const struct option_row *row_of(int met)
{
    const struct option_row *row = option_table;
    if (met >= LONG)
        return row + met - LONG;
    while (!row->letters || !strchr(row->letters, met))
        row++;
    return row;
}

/* Sets a field of that many bytes, which has room for the number. */
static void store(void *field, size_t bytes, uint64_t number)
{
    if (bytes == sizeof(bool))
        *(bool *)field = number;
    else if (bytes == sizeof(unsigned))
        *(unsigned *)field = (unsigned)number;
    else
        *(uint64_t *)field = number;
}

/* Finds a word among those that '|' separates. */
static bool find_word(const char *words, const char *word, uint64_t *index)
{
    const size_t length = strlen(word);
    for (*index = 0;; ++*index, words++) {
        const size_t next = strcspn(words, "|");
        if (next == length && !strncmp(words, word, length))
            return true;
        words += next;
        if (!*words)
            return false;
    }
}

/* Says what is wrong, unless the function that found it has done so. */
static bool refuse_value(struct console *console, const struct option_row *row, const char *value)
{
    const char *const hint = row->action.hint, *const shown = *value ? value : "''";
    if (hint && row->letters)
        message_error(console, FPGZ_USAGE, NULL, "-%c %s: %s", *row->letters, shown, hint);
    else if (hint)
        message_error(console, FPGZ_USAGE, NULL, "--%s %s: %s", *row->name, shown, hint);
    return false;
}

/* One option; false when its value is wrong, which is then reported. */
static bool apply(int met, const char *value, struct options *options, struct console *console)
{
    const struct option_row *const row = row_of(met);
    const struct option_action *const action = &row->action;
    void *const field = (char *)options + action->offset;
    uint64_t number = action->number;
    bool fits = true;
    switch (action->kind) {
    case OPTION_TEXT:
        *(const char **)field = value;
        return true;
    case OPTION_NAME:
        name_list_add(field, value ? value : "-");
        return true;
    case OPTION_CALL:
        return action->call(value, options, console) || refuse_value(console, row, value);
    case OPTION_LEVEL:
        number = (uint64_t)(met - '0');
        break;
    case OPTION_WORD:
        fits = find_word(row->value, value, &number);
        break;
    case OPTION_SIZE:
        fits = option_size(value, &number) && number >= action->number && number <= action->most;
        break;
    default: /* OPTION_SET */
        break;
    }
    if (!fits)
        return refuse_value(console, row, value);
    store(field, action->bytes, number);
    return true;
}

/* Prints what is asked for; false where that is not help. */
static bool help(const struct option_row *row)
{
    switch (row->action.kind) {
    case OPTION_SHORT_HELP:
        help_everyday();
        return true;
    case OPTION_HELP:
        help_all();
        return true;
    case OPTION_VERSION:
        help_version();
        return true;
    default:
        return false;
    }
}

/* Says what getopt(), which is to print nothing itself, met in the argument before argv[optind]. */
static bool refuse(struct console *console, int met, char *const *argv, const struct option *names)
{
    const char *const word = argv[optind - 1];
    const size_t length = strcspn(word, "=");
    unsigned meant = 0; /* long options that the word may stand for */
    for (const struct option *name = names; name->name; name++)
        meant += !strncmp(word, "--", 2) && !strncmp(name->name, word + 2, length - 2);
    if (met == ':')
        message_error(console, FPGZ_USAGE, NULL, "option '%s' needs a value; fpgz -h shows the options",
                      word);
    else if (optopt >= LONG)
        message_error(console, FPGZ_USAGE, NULL, "option '%s' takes no value; fpgz -h shows the options",
                      word);
    else if (optopt)
        message_error(console, FPGZ_USAGE, NULL, "unrecognized option '-%c'; fpgz -h shows the options",
                      optopt);
    else
        message_error(console, FPGZ_USAGE, NULL, "%s option '%s'; fpgz -h shows the options",
                      meant > 1 ? "ambiguous" : "unrecognized", word);
    return false;
}

/* The options in an argument vector, up to help or an error; its operands are what is left behind optind. */
static bool parse(int argc, char **argv, struct options *options, struct console *console)
{
    struct getopt_tables tables;
    bool ok = true;
    make_tables(&tables);
    optind = opterr = 0; /* begin anew, and quietly */
    for (int met; ok && (met = getopt_long(argc, argv, tables.letters, tables.names, NULL)) != -1;)
        ok = met == '?' || met == ':' ? refuse(console, met, argv, tables.names)
                                      : !help(row_of(met)) && apply(met, optarg, options, console);
    free(tables.names);
    return ok;
}

/* The options in FPGZ_OPTS, which spaces separate; options->environment holds the words. */
static bool parse_environment(char *program, struct options *options, struct console *console)
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
    ok = parse(count, (char **)words.name, options, console);
    if (ok && optind < count) {
        message_error(console, FPGZ_USAGE, NULL, "FPGZ_OPTS holds '%s': it is for options, not for files",
                      words.name[optind]);
        ok = false;
    }
    name_list_free(&words);
    return ok;
}

bool options_parse(int argc, char **argv, struct options *options, struct console *console)
{
    *options = (struct options){.setup = {.max_error = FPGZ_NO_BOUND, .forks = true}, .suffix = NAME_SUFFIX};
    if (!parse_environment(argv[0], options, console))
        return false;
    const bool batch = argc > 1 && !strcmp(argv[1], "batch");
    if (batch) {
        options->mode = MODE_BATCH;
        argv[1] = argv[0];
        argv++;
        argc--;
    }
    if (!parse(argc, argv, options, console))
        return false;
    options->setup.chunk_given = options->setup.chunk;
    options->setup.memory_given = options->setup.memory;
    fpgz_setup_complete(&options->setup);
    options->setup.trusting = options->force;
    options->selection.files = argv + optind;
    options->selection.file_count = argc - optind;
    if (!options_fit(options, batch, console))
        return false;
    if (options->to_stdout)
        options->remove_source = false;
    return true;
}
