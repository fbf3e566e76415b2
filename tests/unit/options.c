/* SPDX-License-Identifier: MIT
 * The table of options: what getopt_long() would not complain of. usage: options   prints what failed, then
 * "N passed, N failed". */
#include <limits.h>
#include <string.h>

#include "checks.h"
#include "cli/option_table.h"
#include "source/formats.h"

static bool same_name(const struct option_row *a, const struct option_row *b)
{
    for (int i = 0; i < OPTION_NAMES && a->name[i]; i++)
        for (int j = 0; j < OPTION_NAMES && b->name[j]; j++)
            if (!strcmp(a->name[i], b->name[j]))
                return true;
    return a->letters && b->letters && strpbrk(a->letters, b->letters);
}

static void test_row(const struct option_row *row)
{
    const struct option_action *const action = &row->action;
    const bool numeric = action->kind <= OPTION_SIZE;
    CHECK(row->letters || *row->name);
    CHECK(row->section < OPTION_SECTIONS && *row->help);
    CHECK((action->kind == OPTION_CALL) == (action->call != NULL));
    CHECK(!numeric || action->bytes == sizeof(bool) || action->bytes == sizeof(unsigned) ||
          action->bytes == sizeof(uint64_t));
    /* What can be wrong is explained. */
    CHECK((action->kind != OPTION_WORD && action->kind != OPTION_SIZE) || (row->value && action->hint));
    CHECK(action->kind != OPTION_SIZE || action->bytes == sizeof(uint64_t) || action->most <= UINT_MAX);
    CHECK(!action->hint || row->value);
}

/* The words of --to are the table of sinks. */
static void test_sinks(void)
{
    const struct option_row *row = option_table;
    char names[100] = "";
    while (!*row->name || strcmp(*row->name, "to") != 0)
        row++;
    for (size_t i = 0; fpgz_sink_row(i); i++) {
        strcat(names, i ? "|" : "");
        strcat(names, fpgz_sink_row(i)->name);
    }
    CHECK(!strcmp(row->value, names));
}

int main(void)
{
    for (size_t i = 0; i < option_count; i++) {
        test_row(option_table + i);
        for (size_t j = 0; j < i; j++)
            CHECK(!same_name(option_table + i, option_table + j));
    }
    test_sinks();
    return checks_end();
}
