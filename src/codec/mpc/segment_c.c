/* SPDX-License-Identifier: MIT
 * The reference: what it writes is MPC's stream, and every other kernel must write the same. */
#include <stdalign.h>

#include "codec/mpc/mpc.h"
#include "core/bytes.h"

#define WORD uint32_t
#define WORD_BITS 32
#define NAME(name) name##_f32
#define LOAD fpgz_load32
#define STORE fpgz_store32
#define POPCOUNT __builtin_popcount
#include "codec/mpc/segment_c_tmpl.h"
#include "codec/mpc/segment_tmpl.h"
#undef WORD
#undef WORD_BITS
#undef NAME
#undef LOAD
#undef STORE
#undef POPCOUNT

#define WORD uint64_t
#define WORD_BITS 64
#define NAME(name) name##_f64
#define LOAD fpgz_load64
#define STORE fpgz_store64
#define POPCOUNT __builtin_popcountll
#include "codec/mpc/segment_c_tmpl.h"
#include "codec/mpc/segment_tmpl.h"

const struct mpc_kernels fpgz_mpc_c = {
    .encode = {encode_f32, encode_f64},
    .decode = {decode_f32, decode_f64},
    .cost = {cost_f32, cost_f64},
};
