/* SPDX-License-Identifier: MIT
 * usage: places FILE...   checks fpgz_source_describe() against what the HDF5 library reads: every dataset
 * that is called "grid…" or "table…", and no other, is found, and the bytes at its places are its values. */
#include <fcntl.h>
#include <hdf5.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../checks.h"
#include "core/io.h"
#include "core/table.h"
#include "source/formats.h"

static void expect(bool holds, const char *file, const char *part, const char *what)
{
    check_that(holds, "%s, %s: %s", file, part, what);
}

/* The bytes of the dataset as they should stand at its places, one piece after the other, in new memory. */
static uint8_t *expected_piece(hid_t dataset, hid_t type, const struct fpgz_part *part, uint64_t number,
                               size_t bytes)
{
    const hid_t space = H5Dget_space(dataset);
    const int rank = H5Sget_simple_extent_ndims(space);
    hsize_t start[H5S_MAX_RANK], count[H5S_MAX_RANK], zero[H5S_MAX_RANK] = {0}, piece[H5S_MAX_RANK];
    for (int d = rank; d-- > 0;) {
        const uint64_t pieces = part->layout == FPGZ_PIECES ? fpgz_part_pieces(part, (unsigned)d) : 1;
        piece[d] = part->layout == FPGZ_PIECES ? part->piece[d] : part->array.extent[d];
        start[d] = number % pieces * piece[d];
        count[d] = start[d] + piece[d] > part->array.extent[d] ? part->array.extent[d] - start[d] : piece[d];
        number /= pieces;
    }
    uint8_t *values = calloc(1, bytes);
    const hid_t here = rank ? H5Screate_simple(rank, piece, NULL) : H5Screate(H5S_SCALAR);
    if (rank) {
        H5Sselect_hyperslab(space, H5S_SELECT_SET, start, NULL, count, NULL);
        H5Sselect_hyperslab(here, H5S_SELECT_SET, zero, NULL, count, NULL);
    }
    expect(H5Dread(dataset, type, here, space, H5P_DEFAULT, values) >= 0, "", part->name, "H5Dread");
    H5Sclose(here);
    H5Sclose(space);
    return values;
}

/* Whether the values within the array agree: of those behind its edge nobody knows. */
static bool piece_agrees(const struct fpgz_part *part, uint64_t number, const uint8_t *a, const uint8_t *b)
{
    const struct fpgz_array *array = &part->array;
    const size_t value = fpgz_dtype_size(array->dtype);
    uint64_t extent[FPGZ_MAX_DIMS], at[FPGZ_MAX_DIMS] = {0}, inside[FPGZ_MAX_DIMS], values = 1;
    for (unsigned d = array->dims; d-- > 0;) {
        const bool pieces = part->layout == FPGZ_PIECES;
        const uint64_t count = pieces ? fpgz_part_pieces(part, d) : 1;
        extent[d] = pieces ? part->piece[d] : array->extent[d];
        inside[d] = array->extent[d] - number % count * extent[d];
        number /= count;
        values *= extent[d];
    }
    for (uint64_t i = 0; i < values; i++) {
        bool within = true;
        for (unsigned d = 0; d < array->dims; d++)
            within = within && at[d] < inside[d];
        if (within && memcmp(a + i * value, b + i * value, value))
            return false;
        for (unsigned d = array->dims; d-- > 0 && ++at[d] == extent[d];)
            at[d] = 0;
    }
    return true;
}

/* All values of a dataset, in new memory. One by one, those of a table would take minutes. */
static uint8_t *all_values(hid_t dataset, hid_t type, const char *name)
{
    const hid_t space = H5Dget_space(dataset);
    uint8_t *values = calloc((size_t)H5Sget_simple_extent_npoints(space), H5Tget_size(type));
    expect(H5Dread(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) >= 0, "", name, "H5Dread");
    H5Sclose(space);
    return values;
}

/* A record with that field alone, of that type: "outer.inner". */
static hid_t field_type(hid_t record, const char *name)
{
    char own[100];
    snprintf(own, sizeof own, "%.*s", (int)strcspn(name, "."), name);
    const hid_t member = H5Tget_member_type(record, (unsigned)H5Tget_member_index(record, own));
    const char *rest = name[strlen(own)] ? name + strlen(own) + 1 : NULL;
    const hid_t inner = rest ? field_type(member, rest) : member;
    const hid_t type = H5Tcreate(H5T_COMPOUND, H5Tget_size(inner));
    H5Tinsert(type, own, 0, inner);
    return type;
}

static void check_part(int fd, hid_t file, const char *path, const struct fpgz_part *part)
{
    const char *base = strrchr(part->name, '/'), *field = base ? strchr(base, '.') : NULL;
    const bool is_table = base && !strncmp(base + 1, "table", 5) && field;
    if (is_table && field[1] == '(') /* padding */
        return;
    char *name = is_table ? strndup(part->name, (size_t)(field - part->name)) : strdup(part->name);
    const hid_t dataset = H5Dopen2(file, name, H5P_DEFAULT), own = H5Dget_type(dataset),
                type = is_table ? field_type(own, field + 1) : own;
    free(name);
    expect(is_table || (base && !strncmp(base + 1, "grid", 4)), path, part->name,
           "it should not have been found");
    expect(dataset >= 0, path, part->name, "there is no such dataset");
    expect(!is_table || H5Tget_size(type) == part->place.run->bytes, path, part->name, "its bytes");
    uint8_t *table = is_table ? all_values(dataset, type, part->name) : NULL;
    for (size_t i = 0; dataset >= 0 && i < part->place.count; i++) {
        const struct fpgz_run *run = &part->place.run[i];
        uint8_t *bytes = malloc(run->bytes);
        for (uint64_t j = 0; j < run->count; j++) {
            size_t got;
            const uint64_t number = run->number + j;
            uint8_t *piece = is_table ? NULL : expected_piece(dataset, type, part, number, run->bytes);
            expect(fpgz_read_at(fd, bytes, run->bytes, run->offset + j * run->step, &got) &&
                       got == run->bytes &&
                       (is_table ? !memcmp(bytes, table + number * run->bytes, run->bytes)
                                 : piece_agrees(part, number, bytes, piece)),
                   path, part->name, "other values stand at its place");
            free(piece);
        }
        free(bytes);
    }
    free(table);
    if (type != own)
        H5Tclose(type);
    H5Tclose(own);
    H5Dclose(dataset);
}

static herr_t count_grid(hid_t root, const char *path, const H5O_info_t *info, void *context)
{
    (void)root;
    const char *slash = strrchr(path, '/');
    if (info->type == H5O_TYPE_DATASET &&
        (!strncmp(slash ? slash + 1 : path, "grid", 4) || !strncmp(slash ? slash + 1 : path, "table", 5)))
        ++*(size_t *)context;
    return 0;
}

static void check_file(const char *path)
{
    const int fd = open(path, O_RDONLY);
    struct stat there;
    struct fpgz_content content;
    struct fpgz_error remark, error = {0};
    if (fd < 0 || fstat(fd, &there) != 0 || !there.st_size) {
        expect(false, path, "", "cannot open");
        return;
    }
    const uint64_t size = (uint64_t)there.st_size;
    const struct fpgz_source *source = fpgz_source_probe(fd, size);
    expect(source && !strcmp(source->name, "HDF5"), path, "", "is no HDF5 file");
    if (!source || fpgz_source_start(&error) ||
        fpgz_source_describe(source, fd, size, &content, &remark, &error)) {
        expect(false, path, "", error.text);
        return;
    }
    expect(!remark.status, path, "remark", remark.text);
    const hid_t file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
    uint64_t covered = 0;
    size_t found = 0, wanted = 0;
    for (size_t i = 0; i < content.count; i++)
        found += content.part[i].layout != FPGZ_BYTES;
    expect(fpgz_content_split(&content), path, "", "no memory");
    for (size_t i = 0; i < content.count; i++) {
        covered += content.part[i].place.bytes;
        if (content.part[i].layout != FPGZ_BYTES)
            check_part(fd, file, path, &content.part[i]);
    }
    H5Ovisit(file, H5_INDEX_NAME, H5_ITER_INC, count_grid, &wanted);
    expect(covered == size, path, "", "its parts are not the file");
    expect(found == wanted, path, "", "not all grids are found");
    printf("%s: %zu of %zu grids, %zu parts\n", path, found, wanted, content.count);
    H5Fclose(file);
    close(fd);
    fpgz_content_free(&content);
}

int main(int argc, char **argv)
{
    for (int i = 1; i < argc; i++)
        check_file(argv[i]);
    return checks_end();
}
