/* SPDX-License-Identifier: MIT
 * --formats: the formats of files, for people. */
#include "cli/formats.h"

#include <stdio.h>

#include "source/formats.h"

void formats_print(void)
{
    printf("%-12s %s\n%-12s %s\n", "Format", "What becomes arrays", fpgz_source_kind_name(FPGZ_KIND_RAW),
           "the whole file, as its name or --dtype and --shape say");
    for (size_t i = 0; fpgz_source_row(i); i++)
        printf("%-12s %s\n", fpgz_source_row(i)->name, fpgz_source_row(i)->summary);
    printf("\nOne array is written (--to) as");
    for (size_t i = 0; fpgz_sink_row(i); i++)
        printf("%s %s", i ? "," : "", fpgz_sink_row(i)->name);
    puts(".");
}
