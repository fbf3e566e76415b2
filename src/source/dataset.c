/* SPDX-License-Identifier: MIT
 * The beginning of a dataset's pipe, and the message where a dataset is missing. */
#include "source/dataset.h"

#include <stdio.h>
#include <stdlib.h>

#include "core/io.h"
#include "core/text.h"

enum { NAMES_SHOWN = 5, NAME_SHOWN = 60 };

/* What comes first through the pipe; attributes and values follow. */
struct answer {
    struct fpgz_array array;
    uint64_t attributes; /* bytes */
    struct fpgz_attributes_left left;
};

bool fpgz_dataset_tell(int fd, const struct fpgz_array *array, const struct fpgz_attributes *attributes,
                       const struct fpgz_attributes_left *left)
{
    const struct answer answer = {*array, attributes->length, *left};
    return fpgz_write(fd, &answer, sizeof answer) && fpgz_write(fd, attributes->data, attributes->length);
}

bool fpgz_dataset_hear(struct fpgz_dataset *dataset)
{
    struct answer answer;
    size_t got;
    if (!fpgz_read(dataset->fd, &answer, sizeof answer, &got) || got < sizeof answer ||
        answer.attributes > FPGZ_ATTRIBUTES_LIMIT ||
        !(dataset->attributes.data = malloc(answer.attributes + 1)))
        return false;
    dataset->array = answer.array;
    dataset->array.order = FPGZ_LITTLE;
    dataset->left = answer.left;
    dataset->left.name[sizeof dataset->left.name - 1] = dataset->left.what[sizeof dataset->left.what - 1] =
        '\0';
    dataset->attributes.length = answer.attributes;
    return fpgz_read(dataset->fd, dataset->attributes.data, answer.attributes, &got) &&
           got == answer.attributes && fpgz_attributes_valid(&dataset->attributes);
}

void fpgz_dataset_name(struct fpgz_dataset_names *names, const char *prefix, const char *name)
{
    if (names->count++ < NAMES_SHOWN)
        names->used +=
            (size_t)snprintf(names->text + names->used, sizeof names->text - names->used, "%s%s%.*s",
                             names->used ? ", " : " has ", prefix, fpgz_text_fit(name, NAME_SHOWN), name);
}

enum fpgz_status fpgz_dataset_absent(const struct fpgz_dataset_names *names, const char *wanted,
                                     struct fpgz_error *error)
{
    char more[40] = "";
    if (names->count > NAMES_SHOWN)
        snprintf(more, sizeof more, " and %zu more", names->count - NAMES_SHOWN);
    return fpgz_fail(error, FPGZ_USAGE, "holds no dataset %.*s; it%s%s", fpgz_text_fit(wanted, NAME_SHOWN),
                     wanted, names->count ? names->text : " has none at all", more);
}
