/* SPDX-License-Identifier: MIT
 * NumPy data as part of a file: all of it, or a member of an archive. */
#ifndef FPGZ_SOURCE_NPY_ARRAY_H
#define FPGZ_SOURCE_NPY_ARRAY_H

#include "core/content.h"
#include "core/status.h"

/* Whether NumPy data begins at `offset` of the file. */
bool fpgz_npy_begins(int fd, uint64_t offset);

/* Adds the array, or the table of records, that stands in the `bytes` bytes from `offset` on. A header that
 * promises something else leaves bytes and a remark. FPGZ_MEMORY alone is an error. */
enum fpgz_status fpgz_npy_add(int fd, uint64_t offset, uint64_t bytes, const char *name,
                              struct fpgz_content *content, struct fpgz_error *remark,
                              struct fpgz_error *error);

/* Reads the header of NumPy data of `bytes` bytes at the beginning of its first `got`, which have room for
 * one more. *front receives its length, and part->array the array of numbers behind it, in a row and with
 * axes where that is column-major. Where there is another thing, or more, *front is 0 and all bytes are in a
 * row. False where no NumPy data begins there. */
bool fpgz_npy_front(char *text, size_t got, uint64_t bytes, struct fpgz_part *part, size_t *front);

#endif
