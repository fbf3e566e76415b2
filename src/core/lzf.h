/* SPDX-License-Identifier: MIT
 * LZF as h5py's filter writes it, byte for byte (fpgz.5, filtered pieces). Its table of positions is not
 * cleared there, so that one to three chunks in a hundred also have matches that only the chunks before them
 * explain: such ones are not made. */
#ifndef FPGZ_CORE_LZF_H
#define FPGZ_CORE_LZF_H

#include "core/status.h"

/* Bytes of scratch, at an address for any type, that coding needs. */
size_t fpgz_lzf_memory(void);

/* Makes the *length bytes of the stream of `bytes` bytes, at most `room`: FPGZ_LIMIT if they are more. */
enum fpgz_status fpgz_lzf_encode(const uint8_t *data, size_t bytes, void *scratch, uint8_t *stream,
                                 size_t room, size_t *length);

/* Restores `bytes` bytes of exactly `length` bytes of a stream; false where it is none of so many. */
bool fpgz_lzf_decode(const uint8_t *stream, size_t length, uint8_t *data, size_t bytes);

#endif
