/* SPDX-License-Identifier: MIT
 * Takes no memory, and needs nothing of the command: what composes messages ends here too. */
#include "console/no_memory.h"

#include <stdio.h>
#include <stdlib.h>

_Noreturn void no_memory_for_names(void)
{
    fputs("fpgz: no memory for names\n", stderr);
    exit(EXIT_FAILURE);
}
