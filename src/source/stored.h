/* SPDX-License-Identifier: MIT
 * Opens arrays of formats that need no library: their values stand in the file as they are, or in one piece
 * after filters. The functions are for the rows of such formats. */
#ifndef FPGZ_SOURCE_STORED_H
#define FPGZ_SOURCE_STORED_H

#include "source/helper.h"
#include "source/source.h"

/* Row members: start(), open() and close(). The array is one that describe() tells. */
enum fpgz_status fpgz_stored_open(int fd, const char *path, const char *name, bool values,
                                  struct fpgz_dataset *dataset, struct fpgz_error *error);
enum fpgz_status fpgz_stored_close(struct fpgz_dataset *dataset, struct fpgz_error *error);

#define FPGZ_STORED .start = fpgz_helper_start, .open = fpgz_stored_open, .close = fpgz_stored_close

#endif
