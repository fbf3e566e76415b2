/* SPDX-License-Identifier: MIT
 * A device that works on the CPU, in the place of engine/device.h's. */
#ifndef TESTS_UNIT_STAND_IN_H
#define TESTS_UNIT_STAND_IN_H

#include <stdatomic.h>

#include "engine/device.h"

enum behaviour { WORKS, BUSY, FAILS, REFUSES, LEAVES, STARTS_NOT, BEHAVIOURS };

struct fpgz_device {
    enum behaviour behaviour;
    unsigned calls, waits, failures; /* `failures` not told yet */
    bool quick;                      /* it says that it encoded, and did nothing */
    bool slow;                       /* its driver needs to be woken by wake_stand_in() */
    bool beside;                     /* so does another one that starts beside it */
    bool near;                       /* so does what follows its context, */
    atomic_uint begun, asked;        /* which was begun, and asked for, so often */
};

extern struct fpgz_device stand_in;

/* Lets what is slow go on, once. */
void wake_stand_in(void);

/* Forgets that it was woken, while nothing waits. */
void calm_stand_in(void);

#endif
