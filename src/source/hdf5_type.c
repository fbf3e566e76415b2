/* SPDX-License-Identifier: MIT
 * Types of the HDF5 library that are nothing but numbers of one kind. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "source/hdf5.h"

hid_t fpgz_hdf5_type_of(enum fpgz_dtype dtype, enum fpgz_order order)
{
    const struct fpgz_dtype_row *const row = &fpgz_dtypes[dtype];
    const size_t exponent = row->exponent, mantissa = row->mantissa, size = row->size;
    const hid_t type = H5Tcopy(row->kind == 'i'   ? H5T_STD_I64LE
                               : row->kind == 'u' ? H5T_STD_U64LE
                                                  : H5T_IEEE_F64LE);
    /* Not all versions have a name for the 16-bit floats, but all take them from their fields. */
    bool ok =
        row->kind != 'f' ||
        (H5Tset_fields(type, exponent + mantissa, mantissa, exponent, 0, mantissa) >= 0 &&
         H5Tset_ebias(type, ((size_t)1 << (exponent - 1)) - 1) >= 0 && H5Tset_precision(type, 8 * size) >= 0);
    ok = ok && H5Tset_size(type, size) >= 0 &&
         H5Tset_order(type, order == FPGZ_BIG ? H5T_ORDER_BE : H5T_ORDER_LE) >= 0;
    if (!ok)
        H5Tclose(type);
    return ok ? type : H5I_INVALID_HID;
}

static bool is_16_bit(hid_t type, enum fpgz_dtype dtype, enum fpgz_order order)
{
    const hid_t made = fpgz_hdf5_type_of(dtype, order);
    const bool same = H5Tequal(type, made) > 0;
    H5Tclose(made);
    return same;
}

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
    if (H5Tget_size(type) != 2)
        return false;
    const enum fpgz_order order = H5Tget_order(type) == H5T_ORDER_BE ? FPGZ_BIG : FPGZ_LITTLE;
    const bool is_f16 = is_16_bit(type, FPGZ_F16, order);
    *value = (struct fpgz_array){.dtype = is_f16 ? FPGZ_F16 : FPGZ_BF16, .order = order};
    return is_f16 || is_16_bit(type, FPGZ_BF16, order);
}

/* Integers that use all bits of their bytes; bit fields are unsigned. */
static bool lone_integer(hid_t type, struct fpgz_array *value)
{
    const size_t size = H5Tget_size(type);
    const H5T_order_t order = H5Tget_order(type);
    const bool is_signed = H5Tget_class(type) == H5T_INTEGER && H5Tget_sign(type) == H5T_SGN_2;
    char name[24];
    snprintf(name, sizeof name, "%c%zu", is_signed ? 'i' : 'u', 8 * size);
    *value = (struct fpgz_array){.order = order == H5T_ORDER_BE && size > 1 ? FPGZ_BIG : FPGZ_LITTLE};
    return H5Tget_precision(type) == 8 * size && (order == H5T_ORDER_BE || order == H5T_ORDER_LE) &&
           fpgz_dtype_parse(name, &value->dtype);
}

/* The numbers that an enumeration's names stand for. */
static bool lone_enum(hid_t type, struct fpgz_array *value)
{
    const hid_t base = H5Tget_super(type);
    const bool ok = base >= 0 && lone_integer(base, value);
    H5Tclose(base);
    return ok;
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
 * their numbers. */
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
    case H5T_INTEGER:
    case H5T_BITFIELD:
        return lone_integer(type, value);
    case H5T_ENUM:
        return lone_enum(type, value);
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
        [H5T_COMPOUND] = "records that are not numbers of one type",
        [H5T_REFERENCE] = "references",
        [H5T_ENUM] = "enumerated values",
        [H5T_VLEN] = "sequences of any length",
        [H5T_ARRAY] = "arrays of no numbers",
    };
    const H5T_class_t class = H5Tget_class(type);
    if (class == H5T_INTEGER)
        snprintf(text, capacity, "%zu-bit %s integers", H5Tget_precision(type),
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
    return H5open() < 0 || !fpgz_hdf5_add_filters()
               ? fpgz_hdf5_fail(error, FPGZ_UNSUPPORTED, "the HDF5 library does not work")
               : FPGZ_OK;
}
