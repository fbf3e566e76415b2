/* SPDX-License-Identifier: MIT
 * How far bytes are the same, for those who look for matches. */
#ifndef FPGZ_CORE_COMPARE_H
#define FPGZ_CORE_COMPARE_H

#include "core/bytes.h"
#include "core/inline.h"

/* How many bytes are the same, at most `most`; the first `same` ones are. */
INLINE unsigned fpgz_compare(const uint8_t *a, const uint8_t *b, unsigned same, unsigned most)
{
    for (; same + 8 <= most; same += 8) {
        const uint64_t differ = fpgz_load64(a + same) ^ fpgz_load64(b + same);
        if (differ)
            return same + (unsigned)__builtin_ctzll(differ) / 8;
    }
    while (same < most && a[same] == b[same])
        same++;
    return same;
}

#endif
