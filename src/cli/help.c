/* SPDX-License-Identifier: MIT
 * --help and --version. */
#include "cli/help.h"

#include <stdio.h>
#include <string.h>

#include "cli/option_table.h"
#include "container/format.h"
#include "core/cpu.h"
#include "source/hdf5_formats.h"

static const char everyday[] = "Usage: fpgz [-z|-d|-t|-l|--bench|--codecs] [OPTION]... [FILE]...\n"
                               "       fpgz batch --manifest M [OPTION]... FOLDER|FILE...\n"
                               "Compress grids of floating-point numbers to FILE.fpgz, or restore them.\n"
                               "With no FILE, or when FILE is -, standard input goes to standard output.\n"
                               "\n"
                               "  -z, -d, -t, -l      compress (the default), restore, verify, list\n"
                               "  -1 ... -9           from fast to small (default 5)\n"
                               "  -c, --stdout        write to standard output, keep the source\n"
                               "  -o, --output FILE   write to FILE\n"
                               "  -f, --force         replace existing files\n"
                               "      --rm            remove the source when its replacement is verified\n"
                               "  -r, --recursive     take the files in folders, too\n"
                               "  -q, -v              say less, say more\n"
                               "  -T, --threads N     threads (default 0: one a CPU)\n"
                               "      --memory SIZE   memory that fpgz may take\n"
                               "      --codec NAME[:KEY=VALUE,...]  use this codec\n"
                               "      --dataset PATH  one dataset of an HDF5 file or its container alone\n"
                               "      --region A:B,C,...  with -d: a part of an array, indexed as in NumPy\n"
                               "\n"
                               "A raw grid is described by its name (temp_20x180x360.f32), or by\n"
                               "      --dtype TYPE  --shape AxBxC  --endian little|big\n"
                               "\n"
                               "fpgz --help prints all options, man fpgz what they do.\n";

static const char before_table[] =
    "Usage: fpgz [-z|-d|-t|-l|--bench|--codecs] [OPTION]... [FILE]...\n"
    "       fpgz batch --manifest M [OPTION]... FOLDER|FILE...\n"
    "       fpgz batch --check|--restore M... [-o FOLDER]\n"
    "Compress grids of floating-point numbers to FILE.fpgz, or restore them.\n"
    "With no FILE, or when FILE is -, standard input goes to standard output.\n";

static const struct {
    const char *title;
    int column; /* where texts begin that have no long option before them */
} sections[OPTION_SECTIONS] = {
    [SECTION_MODE] = {"What to do:", 22},
    [SECTION_FILES] = {"Which files:", 22},
    [SECTION_OUTPUT] = {"Where to write:", 22},
    [SECTION_MESSAGES] = {"What to say:", 22},
    [SECTION_CODING] = {"How to compress:", 22},
    [SECTION_RAW] = {"A raw grid is described by its name (temp_20x180x360.f32) or by", 26},
    [SECTION_HDF5] = {"Of HDF5 files, and of their containers:", 26},
    [SECTION_BATCH] = {"fpgz batch: archive files, each with its line in a manifest; verify an archive,\n"
                       "or bring the files back:",
                       22},
};

/* "  -o, --output FILE   write to FILE" */
static void print_row(const struct option_row *row, int column)
{
    const size_t letters = row->letters ? strlen(row->letters) : 0;
    int used = letters == 1  ? printf("  -%c", *row->letters)
               : letters > 1 ? printf("  -%c ... -%c", *row->letters, row->letters[letters - 1])
                             : printf("    ");
    for (int n = 0; n < OPTION_NAMES && row->name[n]; n++)
        used += printf("%s--%s", n || letters ? ", " : "  ", row->name[n]);
    if (row->value)
        used += printf(*row->value == '[' ? "%s" : " %s", row->value);
    printf("%*s%s\n", used + 1 < column ? column - used : 2, "", row->help);
}

void help_everyday(void)
{
    fputs(everyday, stdout);
}

void help_all(void)
{
    fputs(before_table, stdout);
    for (enum option_section section = 0; section < OPTION_SECTIONS; section++) {
        printf("\n%s\n", sections[section].title);
        for (size_t i = 0; i < option_count; i++)
            if (option_table[i].section == section)
                print_row(option_table + i, sections[section].column);
    }
    puts("\nman fpgz describes them in full.");
}

void help_version(void)
{
    printf("fpgz " FPGZ_RELEASE "\ncpu levels:");
    for (enum fpgz_cpu_level level = FPGZ_CPU_C; level <= fpgz_cpu_best(); level++)
        printf(" %s", fpgz_cpu_name(level));
    for (enum fpgz_cpu_level level = fpgz_cpu_best() + 1; level < FPGZ_CPU_LEVELS; level++)
        printf("\nnot on this CPU: %s, for want of %s", fpgz_cpu_name(level), fpgz_cpu_lacks(level));
    const char *const hdf5 = fpgz_hdf5_version();
    printf("\nHDF5 library: %s\ncontainer version %d\n",
           hdf5 ? hdf5 : "none (HDF5 files are archived as bytes)", FPGZ_VERSION);
}
