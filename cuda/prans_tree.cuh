/* SPDX-License-Identifier: MIT
 * Streams of prans that are made of others: what is to be done for one, step by step. The host makes the plan
 * (prans_tree.cu), and enqueues each step's kernels (prans_steps.cu). */
#ifndef FPGZ_CUDA_PRANS_TREE_CUH
#define FPGZ_CUDA_PRANS_TREE_CUH

#include "prans_leaf.cuh"

extern "C" {
#include "codec/prans/apart/split.h"
#include "codec/prans/matched/matched.h"
#include "codec/prans/parted/kernels.h"
#include "codec/prans/scaled/runs.h"
#include "codec/prans/symmetric/maps.h"
}

/* Where values are: bytes from the scratch's begin, or in the grid of the task. */
static const uint64_t prans_in_grid = UINT64_MAX;

enum prans_action {
    PRANS_DECODE,   /* a stream by kernels; behind the step is its front */
    PRANS_COPY,     /* values that stand in the stream */
    PRANS_BRING,    /* values that the host decoded; they are behind the step */
    PRANS_JOIN,     /* two parts */
    PRANS_NUMBER,   /* words by their numbers in a dictionary */
    PRANS_PUT,      /* parts of the grid to their places */
    PRANS_APPEND,   /* values to the grid's end */
    PRANS_MATCH,    /* literals, and what is told by them */
    PRANS_UNFOLD,   /* values by symmetries, and differences to these */
    PRANS_MULTIPLY, /* products of quotients and scales, and differences to these */
};

struct prans_step {
    uint64_t bytes; /* of it and what is behind it, up to the next step */
    enum prans_action action;
    struct fpgz_grid grid;          /* of the values that it makes */
    uint64_t to;                    /* where these go */
    uint64_t from[MATCHED_STREAMS]; /* where those are that it makes them of */
    union {
        struct {
            struct fpgz_params params;
            uint64_t at, length; /* its place in the stream of the task */
            uint64_t scratch;    /* where its kernels have some */
        } inner;
        struct prans_parts parts;
        uint32_t distinct; /* words of the dictionary */
        uint64_t before;   /* bytes of values before those that are appended */
        struct {
            uint32_t slow, middle, fast; /* as in struct apart_split */
            uint64_t step;               /* bytes from one part to the next one */
        } apart;
        struct {
            struct symmetric_maps maps;
            bool differs; /* the differences stand where values go */
        } symmetric;
        struct {
            struct scaled_runs runs;
            bool differs; /* as of symmetric */
        } scaled;
        struct {
            struct matched_front front;
            uint64_t scratch;
        } matched;
    };
};

/* Steps stand behind it, each at a multiple of FPGZ_CUDA_ALIGN. */
struct prans_plan {
    uint64_t bytes; /* of it all */
};

/* Bytes of scratch that putting matches of so many tokens together takes. */
size_t fpgz_prans_match_scratch(const struct fpgz_grid *grid, size_t tokens);

/* As front(), open(), reach() and opened() of struct fpgz_cuda_codec. */
size_t fpgz_prans_tree_front(const struct fpgz_coding *coding, const uint8_t *stream, size_t length);
enum fpgz_status fpgz_prans_tree_open(const struct fpgz_coding *coding, const uint8_t *stream, size_t length,
                                      void *front, size_t *scratch);
size_t fpgz_prans_tree_reach(const struct fpgz_grid *grid, const uint8_t *stream, size_t length);
size_t fpgz_prans_tree_opened(const void *front);

#endif
