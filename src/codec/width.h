/* SPDX-License-Identifier: MIT
 * The words that a width template is compiled for.
 *
 * A codec does the same to words of 32 bits (f32) and of 64 (f64). What it does stands once, in a file
 * *_tmpl.c, which Meson compiles once a width (`widths` in src/meson.build) with FPGZ_BITS defined, as dav1d
 * does once a bit depth. The file includes this one first and writes WORD for the type. All its functions are
 * static and have plain names, under which debuggers, ctags and readers find them; its only export is a table
 * of them with the width in its name, `const struct ndzip_kernels WIDTH(fpgz_ndzip_c) = {...}`, which
 * core/cpu.h tells how to reach. Where widths need different instructions, the file includes one of two
 * headers, at one place and by FPGZ_BITS. Headers of shared functions have plain names too: a compilation
 * sees one width. Another width is a case here, an entry of `widths`, and such headers where a level needs
 * them. Families that also take words of 8 and 16 bits say so in their row; such words have no FLOAT. */
#ifndef FPGZ_CODEC_WIDTH_H
#define FPGZ_CODEC_WIDTH_H

#include <stdint.h>

#include "core/bytes.h"
#include "core/inline.h"

/* WORD: a value's bits. LOAD and STORE: at any address. POPCOUNT and CLZ: of a word, for CLZ not 0. */
#if FPGZ_BITS == 32
typedef uint32_t WORD;
typedef int32_t SIGNED;
typedef float FLOAT;
enum { MANTISSA_BITS = 23 };
#define WIDTH(name) name##_32
#define LOAD fpgz_load32
#define STORE fpgz_store32
#define POPCOUNT __builtin_popcount
#define CLZ __builtin_clz
#elif FPGZ_BITS == 64
typedef uint64_t WORD;
typedef int64_t SIGNED;
typedef double FLOAT;
enum { MANTISSA_BITS = 52 };
#define WIDTH(name) name##_64
#define LOAD fpgz_load64
#define STORE fpgz_store64
#define POPCOUNT __builtin_popcountll
#define CLZ __builtin_clzll
#elif FPGZ_BITS == 16
typedef uint16_t WORD;
typedef int16_t SIGNED;
#define WIDTH(name) name##_16
#elif FPGZ_BITS == 8
typedef uint8_t WORD;
typedef int8_t SIGNED;
#define WIDTH(name) name##_8
#else
#error "FPGZ_BITS is none of the widths of src/meson.build"
#endif

enum { WORD_BITS = FPGZ_BITS };

#endif
