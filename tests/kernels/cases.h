/* SPDX-License-Identifier: MIT
 * Grids and parameters that every backend of a codec is tried with. */
#ifndef TESTS_KERNELS_CASES_H
#define TESTS_KERNELS_CASES_H

#include "codec/codec.h"

enum { CASES_MAX_VALUES = 80000 };

/* Is given a grid as the codec codes it, parameters that fit it, the kind of its values, and the values. */
typedef void cases_check(const struct fpgz_codec *codec, const struct fpgz_grid *coded,
                         const struct fpgz_params *params, const char *kind, const uint8_t *values);

/* Calls `check` for each dtype of the codec x shape x kind x parameters: the defaults, then each parameter at
 * its ends and in its middle. `every` n-th grid only. */
void cases_each(const struct fpgz_codec *codec, unsigned every, cases_check *check);

/* The same for one grid of one kind. */
void cases_each_params(const struct fpgz_codec *codec, const struct fpgz_grid *coded, const char *kind,
                       const uint8_t *values, cases_check *check);

enum { CASES_PARAMS_TEXT = 64 };

/* " 0 0 1", the values of the codec's parameters, for messages. */
const char *cases_params(const struct fpgz_codec *codec, const struct fpgz_params *params,
                         char text[CASES_PARAMS_TEXT]);

enum { CASES_DAMAGES = 6 };

/* The stream with some bytes changed, or cut off, or with one behind it, into `bytes` (length + 1): `which`
 * is below CASES_DAMAGES. Returns its length. */
size_t cases_damage(const uint8_t *stream, size_t length, unsigned which, uint8_t *bytes);

#endif
