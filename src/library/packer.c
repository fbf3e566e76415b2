/* SPDX-License-Identifier: MIT
 * fpgz_packer_*() and fpgz_encode(): each array becomes a member of the container. */
#include <stdlib.h>
#include <string.h>

#include "archive/describe.h"
#include "archive/packing.h"
#include "library/common.h"

struct fpgz_packer {
    struct fpgz_terms terms;
    struct fpgz_out out;
    struct fpgz_error error; /* the first one */
    size_t arrays;
};

enum fpgz_status fpgz_packer_open(fpgz_write_bytes *write, void *context,
                                  const struct fpgz_settings *settings, struct fpgz_packer **packer,
                                  struct fpgz_error *error)
{
    struct fpgz_error own;
    struct fpgz_packer *p = calloc(1, sizeof *p);
    *packer = NULL;
    error = fpgz_library_error(error, &own);
    if (!p)
        return fpgz_fail(error, FPGZ_MEMORY, "no memory");
    if (fpgz_library_terms(settings, &p->terms, error)) {
        free(p);
        return error->status;
    }
    p->out = (struct fpgz_out){.fd = write ? -1 : *(int *)context, .write = write, .context = context};
    *packer = p;
    return FPGZ_OK;
}

/* Writes the member of an array of `bytes` bytes. */
static void add(struct fpgz_packing *packing, struct fpgz_out out, const struct fpgz_array *array,
                uint64_t bytes, struct fpgz_error *error)
{
    const struct fpgz_input input = {.name = packing->name, .fd = -1, .sized = true, .size = bytes};
    packing->input = &input;
    packing->intake.content.size = bytes;
    if (!fpgz_describe_grid(array, packing->name, bytes, &packing->intake.content, error) &&
        !fpgz_packing_plan(packing, &input, error))
        fpgz_packing_run(packing, out, error);
    fpgz_packing_free(packing);
}

enum fpgz_status fpgz_library_pack(struct fpgz_packing *packing, struct fpgz_out out, const char *name,
                                   const struct fpgz_array *array, struct fpgz_error *error)
{
    const struct fpgz_setup *const setup = &packing->terms->setup;
    uint64_t bytes;
    packing->name = name;
    if (!fpgz_dtype_known(array->dtype) || !array->dims || array->dims > FPGZ_MAX_DIMS ||
        !fpgz_extents_bytes(array->dtype, array->extent, array->dims, &bytes))
        fpgz_fail(error, FPGZ_USAGE, "array %s: no type, no values, or more than fit", name);
    else if (strlen(name) > FPGZ_MAX_NAME_BYTES)
        fpgz_fail(error, FPGZ_USAGE, "the name of an array has more than the %d bytes of a container",
                  FPGZ_MAX_NAME_BYTES);
    else if (!setup->codec || !fpgz_codec_check(setup->codec, array->dtype, &setup->params, error))
        add(packing, out, array, bytes, error);
    return error->status;
}

enum fpgz_status fpgz_packer_add(struct fpgz_packer *p, const char *name, const struct fpgz_array *array,
                                 const void *values, struct fpgz_error *error)
{
    struct fpgz_error own;
    struct fpgz_packing packing = {.terms = &p->terms, .intake = {.memory = values}};
    error = fpgz_library_error(error, &own);
    if (p->error.status)
        *error = p->error;
    else
        fpgz_library_pack(&packing, p->out, name, array, error);
    p->arrays++;
    p->error = *error;
    return error->status;
}

enum fpgz_status fpgz_packer_close(struct fpgz_packer *p, struct fpgz_error *error)
{
    struct fpgz_error own;
    error = fpgz_library_error(error, &own);
    if (p->error.status)
        *error = p->error;
    else if (!p->arrays)
        fpgz_fail(error, FPGZ_USAGE, "a container holds at least one array");
    free(p);
    return error->status;
}

/* A container that grows in memory. */
struct growing {
    uint8_t *bytes;
    size_t length, capacity;
};

static bool grow(void *context, const void *bytes, size_t length)
{
    struct growing *g = context;
    if (length > g->capacity - g->length) {
        const size_t capacity = 2 * (g->length + length);
        uint8_t *more = realloc(g->bytes, capacity);
        if (!more)
            return false;
        g->bytes = more;
        g->capacity = capacity;
    }
    memcpy(g->bytes + g->length, bytes, length);
    g->length += length;
    return true;
}

enum fpgz_status fpgz_encode(const struct fpgz_array *array, const void *values,
                             const struct fpgz_settings *settings, void **container, size_t *length,
                             struct fpgz_error *error)
{
    struct growing growing = {0};
    struct fpgz_packer *packer;
    struct fpgz_error own;
    *container = NULL;
    *length = 0;
    error = error ? error : &own;
    if (fpgz_packer_open(grow, &growing, settings, &packer, error))
        return error->status;
    fpgz_packer_add(packer, "", array, values, error);
    if (fpgz_packer_close(packer, error)) {
        free(growing.bytes);
        return error->status;
    }
    *container = growing.bytes;
    *length = growing.length;
    return FPGZ_OK;
}
