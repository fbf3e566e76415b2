/* SPDX-License-Identifier: MIT */
#include "codec/ndzip/ndzip.h"

const struct ndzip_kernels fpgz_ndzip_avx512;
