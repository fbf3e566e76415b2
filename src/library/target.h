/* SPDX-License-Identifier: MIT
 * A GPU's memory that a container goes to, as far as there is room. */
#ifndef FPGZ_LIBRARY_TARGET_H
#define FPGZ_LIBRARY_TARGET_H

#include "archive/packing.h"
#include "engine/resident.h"

struct fpgz_target {
    struct fpgz_resident *resident;
    const struct fpgz_packing *packing;
    uint8_t *to;
    size_t room, length;
    struct fpgz_error error;
};

/* Puts the container's next bytes, as an output does (container/writer.h); `length` counts those, too, for
 * which there is no room. False with the target's error. */
bool fpgz_target_put(void *target, const void *bytes, size_t length);

#endif
