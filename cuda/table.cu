/* SPDX-License-Identifier: MIT
 * The table of the codecs that have kernels on a GPU. */
#include "codec.cuh"

/* clang-format off */
const struct fpgz_cuda_codec *const fpgz_cuda_codecs[] = {
    &fpgz_cuda_arith,
    &fpgz_cuda_frsz2,
    &fpgz_cuda_gfc,
    &fpgz_cuda_mpc,
    &fpgz_cuda_ndzip,
    &fpgz_cuda_prans,
    &fpgz_cuda_predict,
    NULL,
};
/* clang-format on */

const struct fpgz_cuda_codec *fpgz_cuda_codec_by_id(enum fpgz_codec_id id)
{
    for (unsigned i = 0; fpgz_cuda_codecs[i]; i++)
        if (fpgz_cuda_codecs[i]->id == id)
            return fpgz_cuda_codecs[i];
    return NULL;
}
