/* SPDX-License-Identifier: MIT
 * How much may be restored, and whether there is room for it: a few bytes of a container can promise, or
 * make, more than any disk holds. */
#ifndef FPGZ_ARCHIVE_ALLOWANCE_H
#define FPGZ_ARCHIVE_ALLOWANCE_H

#include "archive/setup.h"
#include "core/status.h"

/* FPGZ_LIMIT where `container` bytes are to restore at least `restored` ones and, without --force, these are
 * more than 64 GiB and more than 1000 times the former; FPGZ_UNKNOWN for those allows all. */
enum fpgz_status fpgz_allowance_believe(const struct fpgz_setup *setup, uint64_t restored, uint64_t container,
                                        struct fpgz_error *error);

/* The same for an output, to which --max-output applies instead, where it is given. */
enum fpgz_status fpgz_allowance_check(const struct fpgz_setup *setup, uint64_t restored, uint64_t container,
                                      struct fpgz_error *error);

/* FPGZ_IO where fd is a file that is written at its end, and its file system has fewer free bytes than the
 * `needed` ones. --force tries it all the same. */
enum fpgz_status fpgz_allowance_room(const struct fpgz_setup *setup, int fd, uint64_t needed,
                                     struct fpgz_error *error);

#endif
