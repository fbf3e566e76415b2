/* SPDX-License-Identifier: MIT
 * Matrix Market files: the banner, comments, the sizes, an entry a line. */
#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/status.h"
#include "matrix.h"

enum { LINE = 1024 };

struct file {
    FILE *stream;
    uint64_t line;
    char text[LINE];
    bool symmetric, skew;
};

struct entry {
    uint32_t row, column;
    double value;
};

static enum fpgz_status corrupt(const struct file *file, const char *why, struct fpgz_error *error)
{
    if (ferror(file->stream))
        return fpgz_fail(error, FPGZ_IO, "cannot read: %s", strerror(errno));
    return fpgz_fail(error, FPGZ_CORRUPT, "line %" PRIu64 ": %s", file->line, why);
}

/* The next line that is no comment and not empty. */
static bool next_line(struct file *file)
{
    while (fgets(file->text, LINE, file->stream)) {
        file->line++;
        if (file->text[0] != '%' && file->text[strspn(file->text, " \t\r\n")])
            return true;
    }
    return false;
}

static enum fpgz_status read_banner(struct file *file, struct fpgz_error *error)
{
    char object[32], format[32], field[32], symmetry[32];
    file->line = 1;
    if (!fgets(file->text, LINE, file->stream) || strncmp(file->text, "%%MatrixMarket", 14) != 0)
        return corrupt(file, "no Matrix Market file: it does not begin with %%MatrixMarket", error);
    for (char *c = file->text; *c; c++)
        *c = (char)tolower((unsigned char)*c);
    if (sscanf(file->text + 14, "%31s %31s %31s %31s", object, format, field, symmetry) != 4 ||
        strcmp(object, "matrix") != 0 || strcmp(format, "coordinate") != 0 ||
        (strcmp(field, "real") != 0 && strcmp(field, "integer") != 0))
        return fpgz_fail(error, FPGZ_UNSUPPORTED,
                         "matrices are read as coordinates of real numbers or integers");
    file->skew = !strcmp(symmetry, "skew-symmetric");
    file->symmetric = !strcmp(symmetry, "symmetric");
    if (!file->skew && !file->symmetric && strcmp(symmetry, "general") != 0)
        return fpgz_fail(error, FPGZ_UNSUPPORTED, "the symmetry \"%s\" is not read", symmetry);
    return FPGZ_OK;
}

/* A whole number from 1 to `most` at *text, which moves behind it. */
static bool parse_index(char **text, uint64_t most, uint64_t *index)
{
    char *end;
    errno = 0;
    *text += strspn(*text, " \t");
    *index = strtoull(*text, &end, 10);
    const bool good = isdigit((unsigned char)**text) && !errno && *index && *index <= most;
    *text = end;
    return good;
}

static enum fpgz_status read_entry(struct file *file, uint64_t rows, struct entry *entry,
                                   struct fpgz_error *error)
{
    uint64_t row, column;
    if (!next_line(file))
        return corrupt(file, "the file ends before its last entry", error);
    char *text = file->text, *end;
    if (!parse_index(&text, rows, &row) || !parse_index(&text, rows, &column))
        return corrupt(file, "an entry's row or column is no number of the matrix", error);
    *entry = (struct entry){(uint32_t)(row - 1), (uint32_t)(column - 1), strtod(text, &end)};
    if (end == text || end[strspn(end, " \t\r\n")])
        return corrupt(file, "an entry is no row, column and value", error);
    if (!isfinite(entry->value))
        return corrupt(file, "a value is NaN or infinite", error);
    return FPGZ_OK;
}

static int compare_entries(const void *a, const void *b)
{
    const struct entry *x = a, *y = b;
    return x->row != y->row ? (x->row > y->row) - (x->row < y->row)
                            : (x->column > y->column) - (x->column < y->column);
}

/* Entries in any order to rows; those of one place are added. */
static enum fpgz_status make_rows(struct entry *entry, uint64_t count, uint64_t rows, struct matrix *matrix,
                                  struct fpgz_error *error)
{
    if (count)
        qsort(entry, count, sizeof *entry, compare_entries);
    if (matrix_allocate(matrix, rows, count, error))
        return error->status;
    matrix->entries = 0;
    for (uint64_t i = 0; i < count; i++) {
        if (i && !compare_entries(&entry[i], &entry[i - 1])) {
            matrix->value[matrix->entries - 1] += entry[i].value;
            continue;
        }
        matrix->column[matrix->entries] = entry[i].column;
        matrix->value[matrix->entries++] = entry[i].value;
        matrix->start[entry[i].row + 1] = matrix->entries;
    }
    for (uint64_t row = 0; row < rows; row++) /* rows without entries */
        if (matrix->start[row + 1] < matrix->start[row])
            matrix->start[row + 1] = matrix->start[row];
    return FPGZ_OK;
}

static enum fpgz_status read_entries(struct file *file, struct matrix *matrix, struct fpgz_error *error)
{
    uint64_t rows, columns, listed, count = 0, room = 0;
    struct entry *entry = NULL;
    enum fpgz_status status = FPGZ_OK;
    if (!next_line(file) ||
        sscanf(file->text, "%" SCNu64 " %" SCNu64 " %" SCNu64, &rows, &columns, &listed) != 3)
        return corrupt(file, "the sizes are missing", error);
    if (rows != columns || !rows || rows > UINT32_MAX)
        return fpgz_fail(error, FPGZ_UNSUPPORTED, "the matrix is not square with 1 to 2^32 - 1 rows");
    for (uint64_t i = 0; !status && i < listed; i++) {
        if (count + 2 > room) { /* grows with what is there, not with what is promised */
            room = 2 * room + 1024;
            struct entry *const larger = realloc(entry, room * sizeof *entry);
            if (!larger) {
                status = fpgz_fail(error, FPGZ_MEMORY, "no memory for %" PRIu64 " entries", room);
                break;
            }
            entry = larger;
        }
        status = read_entry(file, rows, &entry[count], error);
        if (!status && (file->symmetric || file->skew) && entry[count].row != entry[count].column) {
            const double mirrored = file->skew ? -entry[count].value : entry[count].value;
            entry[count + 1] = (struct entry){entry[count].column, entry[count].row, mirrored};
            count++;
        }
        count++;
    }
    if (!status)
        status = make_rows(entry, count, rows, matrix, error);
    free(entry);
    return status;
}

enum fpgz_status matrix_read(const char *path, struct matrix *matrix, struct fpgz_error *error)
{
    struct file file = {.stream = fopen(path, "r")};
    if (!file.stream)
        return fpgz_fail(error, FPGZ_IO, "%s: %s", path, strerror(errno));
    enum fpgz_status status = read_banner(&file, error);
    if (!status)
        status = read_entries(&file, matrix, error);
    fclose(file.stream);
    return status;
}
