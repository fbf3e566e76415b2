/* SPDX-License-Identifier: MIT
 * A stream of the middle format or of bins, alone or within another stream of prans. */
#ifndef FPGZ_CUDA_PRANS_LEAF_CUH
#define FPGZ_CUDA_PRANS_LEAF_CUH

#include "codec.cuh"

enum { PRANS_LEAVES = 8 /* streams that are decoded together, at most */ };

/* Bytes, at most, that open() writes, and of scratch that decode() needs, for a grid. */
size_t fpgz_prans_leaf_front(const struct fpgz_grid *grid);
size_t fpgz_prans_leaf_scratch(const struct fpgz_grid *grid);

/* Reads what stands before the segments. decode() gets the stream with `before` bytes before it. As
 * fpgz_prans_outline() has it. */
enum fpgz_status fpgz_prans_leaf_open(const struct fpgz_coding *coding, const uint8_t *stream, size_t length,
                                      uint32_t before, void *front);

/* Bytes that it has written there. */
size_t fpgz_prans_leaf_opened(const void *front);

/* Decodes `count` streams of values of one size in one queue; as decode() of struct
 * fpgz_cuda_codec. */
cudaError_t fpgz_prans_leaf_decode(const struct fpgz_cuda_task *tasks, unsigned count);

/* As that of struct fpgz_cuda_codec. */
cudaError_t fpgz_prans_leaf_prepare(void);

#endif
