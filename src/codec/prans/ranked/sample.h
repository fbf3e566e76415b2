/* SPDX-License-Identifier: MIT
 * Whether ranks may pay, by samples. */
#ifndef FPGZ_CODEC_PRANS_RANKED_SAMPLE_H
#define FPGZ_CODEC_PRANS_RANKED_SAMPLE_H

#include "codec/prans/ranked/work.h"

/* Whether dictionary and numbers may take `most` bits or fewer, by `inner`. Uses the work's keys, dictionary,
 * stream and inner scratch. */
bool fpgz_prans_ranked_promise(const struct ranked_work *w, const struct fpgz_codec *inner,
                               const struct fpgz_coding *coding, const void *values, uint64_t most);

#endif
