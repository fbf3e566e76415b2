/* SPDX-License-Identifier: MIT
 * What PyTorch's pickles tell of the storages beside them. A pickle is a program for a machine with a stack;
 * of it only what builds tuples, names and numbers is followed, and nothing is ever called. */
#ifndef FPGZ_SOURCE_TORCH_PICKLE_H
#define FPGZ_SOURCE_TORCH_PICKLE_H

#include "source/torch_storages.h"

/* Appends the storages that a pickle of less than 4 GiB names, as far as it can be followed. Their members
 * are in `folder`. False without memory. */
bool fpgz_torch_scan(const uint8_t *pickle, size_t length, const char *folder,
                     struct fpgz_storages *storages);

#endif
