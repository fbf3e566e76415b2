/* SPDX-License-Identifier: MIT */
#ifndef FPGZ_CORE_CLOCK_H
#define FPGZ_CORE_CLOCK_H

/* Seconds since some moment, by a clock that nobody sets. */
double fpgz_clock(void);

#endif
