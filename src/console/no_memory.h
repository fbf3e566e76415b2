/* SPDX-License-Identifier: MIT
 * The end where not even a name finds memory. */
#ifndef FPGZ_CONSOLE_NO_MEMORY_H
#define FPGZ_CONSOLE_NO_MEMORY_H

/* Ends the process with a message and the status 1: for lists and names, which are small, where going on
 * makes no sense. */
_Noreturn void no_memory_for_names(void);

#endif
