/* SPDX-License-Identifier: MIT
 * How much may be restored, and whether there is room for it. A few bytes of a container can restore, or
 * claim to restore, more than any disk holds. */
#ifndef FPGZ_ARCHIVE_ALLOWANCE_H
#define FPGZ_ARCHIVE_ALLOWANCE_H

#include "archive/setup.h"
#include "core/status.h"

/* FPGZ_LIMIT where `container` bytes are to restore at least `restored` bytes, unless --force is given,
 * and these are more than 64 GiB and more than 1000 times as many. A number that is FPGZ_UNKNOWN is never too
 * large. */
enum fpgz_status fpgz_allowance_believe(const struct fpgz_setup *setup, uint64_t restored, uint64_t container,
                                        struct fpgz_error *error);

/* The same for an output. --max-output, where given, takes the place of these limits. */
enum fpgz_status fpgz_allowance_check(const struct fpgz_setup *setup, uint64_t restored, uint64_t container,
                                      struct fpgz_error *error);

/* FPGZ_IO where fd is a file that is written at its end, and its file system has fewer than `needed` free
 * bytes. With --force that is not checked. */
enum fpgz_status fpgz_allowance_room(const struct fpgz_setup *setup, int fd, uint64_t needed,
                                     struct fpgz_error *error);

#endif
