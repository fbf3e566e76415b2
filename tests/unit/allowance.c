/* SPDX-License-Identifier: MIT
 * How much a container may restore (archive/allowance.h), for sizes that no test could write. */
#include "archive/allowance.h"

#include "../checks.h"
#include "core/grid.h"

#define GIB (UINT64_C(1) << 30)

static bool allowed(bool force, uint64_t max_output, uint64_t restored, uint64_t container)
{
    const struct fpgz_setup setup = {.trusting = force, .max_output = max_output};
    struct fpgz_error error = {0};
    fpgz_allowance_check(&setup, restored, container, &error);
    CHECK(!error.status || error.status == FPGZ_LIMIT);
    return !error.status;
}

int main(void)
{
    CHECK(allowed(false, 0, 64 * GIB, 1));
    CHECK(!allowed(false, 0, 64 * GIB + 1, 1));
    CHECK(allowed(true, 0, INT64_MAX, 1));
    CHECK(allowed(false, 0, 1000 * GIB, GIB));
    CHECK(!allowed(false, 0, 1001 * GIB, GIB));
    CHECK(allowed(false, 0, INT64_MAX, INT64_MAX / 1000));
    CHECK(allowed(false, 0, INT64_MAX, FPGZ_UNKNOWN));
    CHECK(allowed(false, 4096 * GIB, 4096 * GIB, 630));
    CHECK(!allowed(false, 4096 * GIB, 4096 * GIB + 1, 4096 * GIB));
    CHECK(!allowed(true, GIB, GIB + 1, FPGZ_UNKNOWN));
    CHECK(allowed(false, GIB, 0, 0));
    return checks_end();
}
