/* SPDX-License-Identifier: MIT
 * Parts that cover a file. */
#ifndef FPGZ_CORE_COVER_H
#define FPGZ_CORE_COVER_H

#include "core/content.h"

/* Makes the parts cover the file. Drops parts that are not valid, that overlap another part, or that are
 * FPGZ_BYTES. The bytes of no other part become one FPGZ_BYTES part at the end. False without memory. */
bool fpgz_content_complete(struct fpgz_content *content);

#endif
