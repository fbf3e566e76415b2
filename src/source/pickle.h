/* SPDX-License-Identifier: MIT
 * The instructions of Python's pickles: how long each is, and what it does to the stack. */
#ifndef FPGZ_SOURCE_PICKLE_H
#define FPGZ_SOURCE_PICKLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum fpgz_pickle_act {
    FPGZ_PICKLE_STOP, /* the end, also for what is no instruction */
    FPGZ_PICKLE_NOTHING,
    FPGZ_PICKLE_MARK,
    FPGZ_PICKLE_TAKE,        /* takes `count` items, and puts an unknown one there */
    FPGZ_PICKLE_TAKE_MARKED, /* the same with those above the last mark, and the mark */
    FPGZ_PICKLE_DROP,        /* takes `count` items */
    FPGZ_PICKLE_DROP_MARKED,
    FPGZ_PICKLE_COPY, /* the last item */
    FPGZ_PICKLE_NUMBER,
    FPGZ_PICKLE_TEXT,
    FPGZ_PICKLE_NAME,      /* of a function or class */
    FPGZ_PICKLE_NAME_HELD, /* the same, of module and name on the stack */
    FPGZ_PICKLE_TUPLE,     /* of `count` items */
    FPGZ_PICKLE_TUPLE_MARKED,
    FPGZ_PICKLE_CALL,
    FPGZ_PICKLE_OUTSIDE, /* an object that is not in the pickle, by a tuple that tells which */
    FPGZ_PICKLE_GET,     /* item `number` that was put away */
    FPGZ_PICKLE_PUT,
    FPGZ_PICKLE_PUT_NEXT,
    FPGZ_PICKLE_SET, /* takes a key and its value */
    FPGZ_PICKLE_SET_MARKED,
};

/* An instruction with what it brings. */
struct fpgz_pickle_step {
    enum fpgz_pickle_act act;
    unsigned count;
    uint64_t number;
    const uint8_t *text; /* `length` bytes; of two lines the second */
    size_t length;
};

/* Reads the instruction at *at and moves behind it. The end is also that of the bytes. */
struct fpgz_pickle_step fpgz_pickle_step(const uint8_t *pickle, size_t length, size_t *at);

#endif
