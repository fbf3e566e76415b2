/* SPDX-License-Identifier: MIT
 * Integers of values that are none of their domain. For width templates. */
#ifndef FPGZ_CODEC_PRANS_DOMAIN_GIVE_WAY_H
#define FPGZ_CODEC_PRANS_DOMAIN_GIVE_WAY_H

#include "codec/prans/domain/domain.h"
#include "codec/width.h"

/* The integers of exceptions: the one before. Behind a special value, that of the nearest ordinary value
 * among the PRANS_LOOKED_BACK before, or `least`. An aide gives the same (bins/aide.h). */
static void give_way(const struct prans_domain *domain, const uint8_t *flag, SIGNED least, SIGNED *integer)
{
    const uint32_t *const exception = domain->exception;
    for (size_t i = 0; i < domain->exceptions; i++) {
        const size_t at = exception[i], last = at > PRANS_LOOKED_BACK ? at - PRANS_LOOKED_BACK : 0;
        size_t from = at;
        if (at && flag[at - 1]) {
            for (size_t e = i; from > last; from--) {
                const bool apart = e && exception[e - 1] == from - 1;
                if (!apart && !flag[from - 1])
                    break;
                e -= apart;
            }
            from = from > last ? from : 0;
        }
        integer[at] = from ? integer[from - 1] : least;
    }
}

#endif
