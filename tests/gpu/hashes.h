/* SPDX-License-Identifier: MIT
 * What prans' aide finds by hashes of words, against plain counts. */
#ifndef TESTS_GPU_HASHES_H
#define TESTS_GPU_HASHES_H

struct fpgz_device;

/* Words of 4 and 8 bytes, of which few, some or all are distinct; words of all sizes that hashes choose. */
void hashes_check(struct fpgz_device *device);

#endif
