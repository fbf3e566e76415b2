/* SPDX-License-Identifier: MIT
 * For kernels, whose arrays of vectors become registers only where functions are inlined and arguments known.
 */
#ifndef FPGZ_CORE_INLINE_H
#define FPGZ_CORE_INLINE_H

#define INLINE static inline __attribute__((always_inline))

#endif
