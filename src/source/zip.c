/* SPDX-License-Identifier: MIT
 * Zip archives with arrays among their members: NumPy files (.npz), and the storages of PyTorch (.pt, .pth).
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/bytes.h"
#include "core/inflate.h"
#include "core/io.h"
#include "core/text.h"
#include "source/arrays.h"
#include "source/npy_array.h"
#include "source/source.h"
#include "source/stored.h"
#include "source/torch_pickle.h"
#include "source/zip_directory.h"

enum {
    PICKLE_BYTES = 16 << 20, /* that are read of an archive's pickles; what is longer is passed over */
    FRONT_BYTES = 4096,      /* of a deflated member: more than headers have */
    ZIP_LEVEL = 6,           /* which most use */
    BARE = 1,                /* deflate without zlib's header */
};

/* What is known while members are described. */
struct archive {
    struct fpgz_zip zip;
    struct fpgz_storages storages;
    struct fpgz_content *content;
    struct fpgz_error *remark, *error;
    enum fpgz_order order;  /* of the storages */
    uint64_t pickles;       /* bytes that were read of them */
    size_t members, packed; /* packed: that are compressed or encrypted */
};

static bool zip_probe(int fd, uint64_t size)
{
    char magic[4];
    size_t got;
    return size >= sizeof magic && fpgz_read_at(fd, magic, sizeof magic, 0, &got) && got == sizeof magic &&
           (!memcmp(magic, "PK\3\4", 4) || !memcmp(magic, "PK\5\6", 4));
}

static bool stored(const struct fpgz_zip_member *member)
{
    return member->method == FPGZ_ZIP_STORED && !member->encrypted && member->packed == member->bytes;
}

/* Whether the member can be deflated again, if that was done as zlib does. */
static bool deflated(const struct fpgz_zip_member *member)
{
    return member->method == FPGZ_ZIP_DEFLATED && !member->encrypted && member->bytes &&
           member->bytes <= INT32_MAX && member->packed && member->packed <= INT32_MAX;
}

/* Reads what a pickle tells of the members in the folder of its name. */
static void scan_pickle(struct archive *archive, const struct fpgz_zip_member *member)
{
    const size_t length = strlen(member->name), folder = length < 4 ? 0 : length - 4;
    uint64_t offset;
    size_t got;
    if (strcmp(member->name + folder, ".pkl") != 0 || !stored(member) ||
        member->bytes > PICKLE_BYTES - archive->pickles || !fpgz_zip_place(&archive->zip, member, &offset))
        return;
    archive->pickles += member->bytes;
    char *const name = strndup(member->name, folder);
    uint8_t *const pickle = malloc(member->bytes + 1);
    if (pickle && !fpgz_read_at(archive->zip.fd, pickle, member->bytes, offset, &got))
        got = 0;
    if (!name || !pickle || !fpgz_torch_scan(pickle, got, name, &archive->storages))
        fpgz_fail(archive->error, FPGZ_MEMORY, "no memory");
    free(pickle);
    free(name);
}

/* A member says so where a machine of the other order of bytes wrote the storages. */
static void scan_order(struct archive *archive, const struct fpgz_zip_member *member)
{
    const char *const base = fpgz_text_base(member->name);
    uint64_t offset;
    char text[3];
    size_t got;
    if (!strcmp(base, "byteorder") && member->bytes == sizeof text && stored(member) &&
        fpgz_zip_place(&archive->zip, member, &offset) &&
        fpgz_read_at(archive->zip.fd, text, sizeof text, offset, &got) && got == sizeof text &&
        !memcmp(text, "big", sizeof text))
        archive->order = FPGZ_BIG;
}

/* Adds a storage: as its tensor, else as values in a row. */
static void add_storage(struct archive *archive, const struct fpgz_zip_member *member,
                        const struct fpgz_storage *storage, uint64_t offset)
{
    const char *const name = storage->tensor && *storage->tensor ? storage->tensor : member->name;
    struct fpgz_array array = storage->value;
    uint64_t value;
    fpgz_extents_bytes(array.dtype, array.extent, array.dims, &value);
    if (member->bytes % value) {
        fpgz_fail(archive->remark, FPGZ_CORRUPT,
                  "member %.*s does not have the bytes of its values; archived as bytes",
                  fpgz_text_fit(member->name, FPGZ_NAME_SHOWN), member->name);
        return;
    }
    array.extent[1] = array.extent[0];
    array.extent[0] = member->bytes / value;
    array.dims++;
    if (storage->array.dims && member->bytes / value == storage->values)
        array = storage->array;
    array.order = archive->order;
    fpgz_arrays_add_dense(archive->content, name, &array, offset, archive->remark, archive->error);
}

/* The member's name without ".npy"; NULL without memory. */
static char *npy_name(const struct fpgz_zip_member *member)
{
    const size_t length = strlen(member->name);
    const bool suffix = length > 4 && !strcmp(member->name + length - 4, ".npy");
    return strndup(member->name, suffix ? length - 4 : length);
}

/* Adds a member that is a NumPy file. */
static void add_npy(struct archive *archive, const struct fpgz_zip_member *member, uint64_t offset)
{
    char *const name = npy_name(member);
    struct fpgz_error remark = {0};
    if (archive->content->count >= FPGZ_ARRAYS_LIMIT)
        fpgz_fail(&remark, FPGZ_UNSUPPORTED, "behind %d arrays; archived as bytes", FPGZ_ARRAYS_LIMIT);
    else if (!name)
        fpgz_fail(archive->error, FPGZ_MEMORY, "no memory");
    else
        fpgz_npy_add(archive->zip.fd, offset, member->bytes, name, archive->content, &remark, archive->error);
    if (remark.status)
        fpgz_fail(archive->remark, remark.status, "member %.*s: %s",
                  fpgz_text_fit(member->name, FPGZ_NAME_SHOWN), member->name, remark.text);
    free(name);
}

/* What the filters of a deflated member make it of. */
struct deflated {
    struct fpgz_part part;
    size_t front; /* bytes before the array */
    char text[FRONT_BYTES + 1];
};

/* Reads what a deflated NumPy file holds. False for what is none. */
static bool read_deflated(struct archive *archive, const struct fpgz_zip_member *member, uint64_t offset,
                          struct deflated *deflated)
{
    uint8_t *const scratch = malloc(FPGZ_ZLIB_MEMORY);
    uint8_t stream[FRONT_BYTES];
    char text[FRONT_BYTES + 1];
    size_t got;
    bool known = false;
    if (!scratch) {
        fpgz_fail(archive->error, FPGZ_MEMORY, "no memory");
    } else if (fpgz_read_at(archive->zip.fd, stream, fpgz_min(member->packed, sizeof stream), offset, &got)) {
        got = fpgz_inflate_front(stream, got, text, FRONT_BYTES, scratch);
        memcpy(deflated->text, text, got);
        known = fpgz_npy_front(text, got, member->bytes, &deflated->part, &deflated->front);
    }
    free(scratch);
    return known;
}

/* Adds a deflated member: the array of a NumPy file, or a storage as values in a row. False for another one.
 */
static bool add_deflated(struct archive *archive, const struct fpgz_zip_member *member, uint64_t offset)
{
    const struct fpgz_storage *const storage = fpgz_storages_find(&archive->storages, member->name);
    const struct fpgz_filter_step deflate = {FPGZ_FILTER_DEFLATE, BARE};
    struct deflated deflated = {.front = 0};
    struct fpgz_array *const array = &deflated.part.array;
    if (archive->content->filtereds >= FPGZ_ARRAYS_LIMIT)
        return false;
    if (storage) {
        *array = storage->value;
        array->order = archive->order;
        if (member->bytes % fpgz_dtype_size(array->dtype))
            array->dtype = FPGZ_U8;
        array->dims = 1;
        array->extent[0] = member->bytes / fpgz_dtype_size(array->dtype);
    } else if (!read_deflated(archive, member, offset, &deflated)) {
        return false;
    }
    const struct fpgz_filters plain = {.count = 1, .step = {deflate}},
                              behind = {.count = 2,
                                        .step = {{FPGZ_FILTER_FRONT, (uint32_t)deflated.front}, deflate},
                                        .front = (uint8_t *)deflated.text};
    char *const name = deflated.front ? npy_name(member) : strdup(member->name);
    if (!name)
        fpgz_fail(archive->error, FPGZ_MEMORY, "no memory");
    else
        fpgz_arrays_add_filtered(archive->content, name, array, deflated.front ? &behind : &plain, ZIP_LEVEL,
                                 &(struct fpgz_kept){.offset = offset, .length = (uint32_t)member->packed},
                                 archive->error);
    free(name);
    if (archive->error->status)
        return false;
    struct fpgz_part *const part = &archive->content->filtered[archive->content->filtereds - 1].part;
    part->axes = deflated.part.axes;
    memcpy(part->axis, deflated.part.axis, sizeof part->axis);
    return true;
}

static void describe_member(struct archive *archive, const struct fpgz_zip_member *member)
{
    uint64_t offset;
    archive->members++;
    if (!fpgz_zip_place(&archive->zip, member, &offset)) {
        fpgz_fail(archive->remark, FPGZ_CORRUPT,
                  "member %.*s is not where its directory says; archived as bytes",
                  fpgz_text_fit(member->name, FPGZ_NAME_SHOWN), member->name);
        return;
    }
    if (!stored(member)) {
        archive->packed += member->packed > 0 && !(deflated(member) && add_deflated(archive, member, offset));
        return;
    }
    const struct fpgz_storage *const storage = fpgz_storages_find(&archive->storages, member->name);
    if (storage)
        add_storage(archive, member, storage, offset);
    else if (fpgz_npy_begins(archive->zip.fd, offset))
        add_npy(archive, member, offset);
}

/* Describes all members. False where the directory is damaged. */
static bool describe_members(struct archive *archive)
{
    struct fpgz_zip_member member;
    while (!archive->error->status && fpgz_zip_next(&archive->zip, &member)) {
        scan_pickle(archive, &member);
        scan_order(archive, &member);
    }
    fpgz_storages_sort(&archive->storages);
    fpgz_zip_rewind(&archive->zip);
    while (!archive->error->status && fpgz_zip_next(&archive->zip, &member))
        describe_member(archive, &member);
    return archive->zip.at == archive->zip.end;
}

static enum fpgz_status zip_describe(int fd, struct fpgz_content *content, struct fpgz_error *remark,
                                     struct fpgz_error *error)
{
    struct archive archive = {.content = content, .remark = remark, .error = error};
    if (!fpgz_zip_open(fd, content->size, &archive.zip))
        fpgz_fail(remark, FPGZ_CORRUPT, "is a zip archive without a directory; archived as bytes");
    else if (!describe_members(&archive) && !error->status)
        fpgz_fail(remark, FPGZ_CORRUPT,
                  "the directory of the zip archive is damaged; the rest is archived as bytes");
    else if (archive.packed)
        fpgz_fail(remark, FPGZ_UNSUPPORTED,
                  "%zu of its %zu members are compressed or encrypted; these are archived as bytes",
                  archive.packed, archive.members);
    fpgz_zip_close(&archive.zip);
    fpgz_storages_free(&archive.storages);
    return error->status;
}

const struct fpgz_source fpgz_source_zip = {
    .name = "zip",
    .summary = "NumPy files in it (.npz), tensors of PyTorch (.pt, .pth)",
    .kind = 7,
    .probe = zip_probe,
    .describe = zip_describe,
    FPGZ_STORED,
};
