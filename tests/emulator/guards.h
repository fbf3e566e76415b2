/* SPDX-License-Identifier: MIT
 * Memory that nobody may write or, under the address sanitizer, read. */
#ifndef TESTS_EMULATOR_GUARDS_H
#define TESTS_EMULATOR_GUARDS_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "emulator.h"

#ifdef __has_feature
#if __has_feature(address_sanitizer)
#define EMULATOR_ASAN
#endif
#endif
#ifdef __SANITIZE_ADDRESS__
#define EMULATOR_ASAN
#endif

#ifdef EMULATOR_ASAN
#include <sanitizer/asan_interface.h>
#else
#define ASAN_POISON_MEMORY_REGION(at, bytes) ((void)(at), (void)(bytes))
#define ASAN_UNPOISON_MEMORY_REGION(at, bytes) ((void)(at), (void)(bytes))
#endif

namespace emulator
{
enum { GUARD = 0xC3 };

/* Tasks that share an allocation may have guards in common. */
static inline void guard(uint8_t *at, size_t bytes)
{
    ASAN_UNPOISON_MEMORY_REGION(at, bytes);
    memset(at, GUARD, bytes);
    ASAN_POISON_MEMORY_REGION(at, bytes);
}

static inline void unguard(uint8_t *at, size_t bytes)
{
    ASAN_UNPOISON_MEMORY_REGION(at, bytes);
}

static inline void check_guard(uint8_t *at, size_t bytes, const char *what)
{
    unguard(at, bytes);
    for (size_t i = 0; i < bytes; i++)
        if (at[i] != GUARD)
            fail("it wrote %zu bytes behind %s", i, what);
}
} // namespace emulator

#endif
