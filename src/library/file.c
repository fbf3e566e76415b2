/* SPDX-License-Identifier: MIT
 * fpgz_file_*(): whole files of any format, from descriptor to descriptor. */
#include <stdio.h>
#include <stdlib.h>

#include "archive/packing.h"
#include "archive/unpacking.h"
#include "core/text.h"
#include "library/common.h"

enum fpgz_status fpgz_file_compress(int from, const char *name, int to, const struct fpgz_settings *settings,
                                    const struct fpgz_events *events, struct fpgz_error *error)
{
    struct fpgz_error own;
    struct fpgz_terms terms;
    struct fpgz_relay relay;
    struct fpgz_input input;
    error = fpgz_library_error(error, &own);
    if (fpgz_library_terms(settings, &terms, error) || fpgz_input_take(&input, from, name, error))
        return error->status;
    fpgz_library_listen(&relay, events, &terms);
    struct fpgz_packing packing = {.terms = &terms, .input = &input, .name = input.name};
    if (name) {
        snprintf(packing.file.name, sizeof packing.file.name, "%s", fpgz_text_base(name));
        packing.file.has_mode = packing.file.has_mtime = input.regular;
        packing.file.mode = input.stat.st_mode & 07777;
        packing.file.mtime = input.stat.st_mtim.tv_sec;
        packing.file.mtime_ns = (uint32_t)input.stat.st_mtim.tv_nsec;
    }
    if (!fpgz_packing_describe(&packing, error) && !fpgz_packing_plan(&packing, &input, error))
        fpgz_packing_run(&packing, (struct fpgz_out){.fd = to}, error);
    fpgz_packing_free(&packing);
    return error->status;
}

enum fpgz_status fpgz_file_restore(int from, int to, const struct fpgz_settings *settings,
                                   const struct fpgz_events *events, struct fpgz_error *error)
{
    struct fpgz_error own;
    struct fpgz_terms terms;
    struct fpgz_relay relay;
    error = fpgz_library_error(error, &own);
    if (fpgz_library_terms(settings, &terms, error))
        return error->status;
    fpgz_library_listen(&relay, events, &terms);
    struct fpgz_unpacking *d = calloc(1, sizeof *d);
    if (!d)
        return fpgz_fail(error, FPGZ_MEMORY, "no memory");
    d->terms = &terms;
    d->bounded = true;
    d->fd = to;
    fpgz_reader_open(&d->reader, from);
    if (!fpgz_unpacking_begin(d, error))
        fpgz_unpacking_run(d, error);
    fpgz_unpacking_end(d);
    free(d);
    return error->status;
}
