/* SPDX-License-Identifier: MIT
 * Types of the HDF5 library that are nothing but floats. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "source/hdf5.h"

static bool lone_float(hid_t type, struct fpgz_array *value)
{
    const struct {
        hid_t type;
        enum fpgz_dtype dtype;
        enum fpgz_order order;
    } known[] = {{H5T_IEEE_F32LE, FPGZ_F32, FPGZ_LITTLE},
                 {H5T_IEEE_F64LE, FPGZ_F64, FPGZ_LITTLE},
                 {H5T_IEEE_F32BE, FPGZ_F32, FPGZ_BIG},
                 {H5T_IEEE_F64BE, FPGZ_F64, FPGZ_BIG}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (H5Tequal(type, known[i].type) > 0) {
            *value = (struct fpgz_array){.dtype = known[i].dtype, .order = known[i].order};
            return true;
        }
    return false;
}

/* Puts an axis in front of the others. */
static bool prepend(struct fpgz_array *value, uint64_t extent)
{
    if (value->dims == FPGZ_MAX_DIMS || !extent)
        return false;
    memmove(value->extent + 1, value->extent, value->dims++ * sizeof *value->extent);
    value->extent[0] = extent;
    return true;
}

static bool value_of(hid_t type, unsigned depth, struct fpgz_array *value);

static bool array_of(hid_t type, unsigned depth, struct fpgz_array *value)
{
    hsize_t extent[H5S_MAX_RANK];
    const int dims = H5Tget_array_dims2(type, extent);
    const hid_t element = H5Tget_super(type);
    bool ok = dims > 0 && element >= 0 && value_of(element, depth, value);
    for (int d = dims; ok && d-- > 0;)
        ok = prepend(value, extent[d]);
    H5Tclose(element);
    return ok;
}

/* Adjacent members of one type become an axis. If they are arrays of different shapes, this axis has all
 * their floats. */
static bool members_of(hid_t type, unsigned depth, struct fpgz_array *value)
{
    const int count = H5Tget_nmembers(type);
    bool ok = count > 0, alike = true;
    size_t end = 0;
    for (int i = 0; i < count && ok; i++) {
        struct fpgz_array one;
        const hid_t member = H5Tget_member_type(type, (unsigned)i);
        ok = member >= 0 && value_of(member, depth, &one) && H5Tget_member_offset(type, (unsigned)i) == end;
        end += H5Tget_size(member);
        if (ok && !i)
            *value = one;
        ok = ok && one.dtype == value->dtype && one.order == value->order;
        alike = alike && ok && one.dims == value->dims &&
                !memcmp(one.extent, value->extent, one.dims * sizeof *one.extent);
        H5Tclose(member);
    }
    if (!ok || end != H5Tget_size(type))
        return false;
    if (!alike) {
        value->dims = 0;
        return prepend(value, end / fpgz_dtype_size(value->dtype));
    }
    return count == 1 || prepend(value, (uint64_t)count);
}

static bool value_of(hid_t type, unsigned depth, struct fpgz_array *value)
{
    enum { DEPTH_LIMIT = 8 };
    switch (H5Tget_class(type)) {
    case H5T_FLOAT:
        return lone_float(type, value);
    case H5T_ARRAY:
        return depth < DEPTH_LIMIT && array_of(type, depth + 1, value);
    case H5T_COMPOUND:
        return depth < DEPTH_LIMIT && members_of(type, depth + 1, value);
    default:
        return false;
    }
}

bool fpgz_hdf5_value(hid_t type, struct fpgz_array *value)
{
    return value_of(type, 0, value);
}

void fpgz_hdf5_type_text(hid_t type, char *text, size_t capacity)
{
    static const char *const names[] = {
        [H5T_TIME] = "times",
        [H5T_STRING] = "strings",
        [H5T_BITFIELD] = "bit fields",
        [H5T_OPAQUE] = "opaque bytes",
        [H5T_COMPOUND] = "records that are not floats of one type",
        [H5T_REFERENCE] = "references",
        [H5T_ENUM] = "enumerated values",
        [H5T_VLEN] = "sequences of any length",
        [H5T_ARRAY] = "arrays of no floats",
    };
    const H5T_class_t class = H5Tget_class(type);
    if (class == H5T_INTEGER)
        snprintf(text, capacity, "%zu-bit %s integers", 8 * H5Tget_size(type),
                 H5Tget_sign(type) == H5T_SGN_NONE ? "unsigned" : "signed");
    else if (class == H5T_FLOAT)
        snprintf(text, capacity, "%zu-bit floats of a form of their own", 8 * H5Tget_size(type));
    else
        snprintf(text, capacity, "%s", class > 0 && class < H5T_NCLASSES ? names[class] : "unknown values");
}

bool fpgz_hdf5_shape(hid_t dataset, const struct fpgz_array *value, struct fpgz_array *array, unsigned *rank)
{
    hsize_t extent[H5S_MAX_RANK] = {0};
    const hid_t space = H5Dget_space(dataset);
    const H5S_class_t class = H5Sget_simple_extent_type(space);
    const int dims = class == H5S_SIMPLE ? H5Sget_simple_extent_dims(space, extent, NULL) : 0;
    H5Sclose(space);
    *array = *value;
    *rank = (unsigned)dims;
    if ((class != H5S_SIMPLE && class != H5S_SCALAR) || dims < 0)
        return false;
    for (int d = dims; d-- > 0;)
        if (!prepend(array, extent[d]))
            return false;
    if (!array->dims)
        prepend(array, 1);
    return true;
}

void fpgz_hdf5_quiet(void)
{
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
}

/* The first failure of the library's stack is the reason, the others are its consequences. */
static herr_t reason(unsigned number, const H5E_error2_t *entry, void *text)
{
    (void)number;
    *(const char **)text = entry->desc;
    return 1;
}

enum fpgz_status fpgz_hdf5_fail(struct fpgz_error *error, enum fpgz_status status, const char *what)
{
    const char *text = NULL, *system;
    H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, reason, &text);
    if (!text)
        return fpgz_fail(error, status, "%s", what);
    /* A failed system call gives a long line, of which only the system's own message is of use. */
    system = strstr(text, "error message = '");
    text = system ? strchr(system, '\'') + 1 : text;
    return fpgz_fail(error, status, "%s: %.*s", what, (int)strcspn(text, "'\n"), text);
}

enum fpgz_status fpgz_hdf5_prepare(struct fpgz_error *error)
{
    if (fpgz_hdf5_load(error))
        return error->status;
    fpgz_hdf5_quiet();
    setenv("HDF5_USE_FILE_LOCKING", "FALSE", 1); /* not all file systems have locks, and fpgz only reads */
    return H5open() < 0 ? fpgz_hdf5_fail(error, FPGZ_UNSUPPORTED, "the HDF5 library does not work") : FPGZ_OK;
}
