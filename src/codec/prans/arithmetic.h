/* SPDX-License-Identifier: MIT
 * What floating-point arithmetic prans needs. */
#ifndef FPGZ_CODEC_PRANS_ARITHMETIC_H
#define FPGZ_CODEC_PRANS_ARITHMETIC_H

#include <stdbool.h>

/* Whether floating-point arithmetic is what streams were made by: found out once a process. */
bool fpgz_prans_arithmetic(void);

#endif
