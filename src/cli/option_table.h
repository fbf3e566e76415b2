/* SPDX-License-Identifier: MIT
 * Every option of the command, in one table: how it is written, what it sets and what --help says of it. The
 * parser (parse.h) and --help (help.h) know the options by it alone. */
#ifndef FPGZ_CLI_OPTION_TABLE_H
#define FPGZ_CLI_OPTION_TABLE_H

#include "cli/options.h"

/* The parts of --help, in its order. */
enum option_section {
    SECTION_MODE,
    SECTION_FILES,
    SECTION_OUTPUT,
    SECTION_MESSAGES,
    SECTION_CODING,
    SECTION_RAW,
    SECTION_HDF5,
    SECTION_BATCH,
    OPTION_SECTIONS
};

/* What an option does. A field is a member of struct options. */
enum option_kind {
    OPTION_SET,   /* sets the field to `number` */
    OPTION_LEVEL, /* sets the field to the digit that is its letter */
    OPTION_WORD,  /* sets the field to the index of the value among those that `value` lists */
    OPTION_SIZE,  /* sets the field to the value, a size from `number` to `most` */
    OPTION_TEXT,  /* sets the field to the value, which stays where it is */
    OPTION_NAME,  /* adds the value, or "-" where there is none, to the field, a list of names */
    OPTION_CALL,  /* calls a function */
    OPTION_SHORT_HELP,
    OPTION_HELP,
    OPTION_VERSION
};

struct option_action {
    enum option_kind kind;
    size_t offset, bytes; /* of the field */
    uint64_t number, most;
    const char
        *hint; /* said of a wrong value, behind option and value; NULL: the function says what is wrong */
    bool (*call)(const char *value, struct options *options,
                 struct console *console); /* false: the value is wrong */
};

enum { OPTION_NAMES = 2 };

struct option_row {
    enum option_section section;
    const char *letters;            /* NULL: none */
    const char *name[OPTION_NAMES]; /* the long ones; NULL: none */
    const char *value; /* as --help shows it; in brackets where it may be left out; NULL: takes none */
    const char *help;
    struct option_action action;
};

extern const struct option_row option_table[];
extern const size_t option_count;

#endif
