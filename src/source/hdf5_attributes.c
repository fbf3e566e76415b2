/* SPDX-License-Identifier: MIT
 * Attributes of HDF5 objects as fpgz_attributes, and back. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/bytes.h"
#include "core/text.h"
#include "source/hdf5.h"

/* Type and size of the numbers of a library's type, as this machine has them in memory. */
static bool number_type(hid_t type, struct fpgz_attribute *attribute)
{
    const size_t size = H5Tget_size(type);
    const H5T_class_t class = H5Tget_class(type);
    attribute->size = (uint8_t)size;
    attribute->type = class == H5T_FLOAT ? FPGZ_FLOAT : FPGZ_SIGNED;
    if (class == H5T_INTEGER && H5Tget_sign(type) == H5T_SGN_NONE)
        attribute->type = FPGZ_UNSIGNED;
    return class == H5T_FLOAT ? size == 4 || size == 8
                              : (class == H5T_INTEGER || class == H5T_ENUM) &&
                                    (size == 1 || size == 2 || size == 4 || size == 8);
}

/* Reads the values of an attribute of numbers into new memory. Enumerations are kept as their numbers. */
static uint8_t *read_numbers(hid_t id, hid_t type, uint64_t count, struct fpgz_attribute *attribute)
{
    const hid_t native = H5Tget_native_type(type, H5T_DIR_ASCEND);
    uint8_t *values = NULL;
    if (number_type(native, attribute) && count <= FPGZ_ATTRIBUTES_LIMIT / attribute->size &&
        (values = malloc(count * attribute->size + 1))) {
        attribute->length = count * attribute->size;
        if (H5Aread(id, native, values) < 0) {
            free(values);
            values = NULL;
        }
    }
    H5Tclose(native);
    return values;
}

/* Bytes of a string in a field of `size` bytes, without the padding. */
static size_t fixed_length(const char *text, size_t size, H5T_str_t padding)
{
    if (padding == H5T_STR_NULLTERM)
        return strnlen(text, size);
    while (size && text[size - 1] == (padding == H5T_STR_SPACEPAD ? ' ' : '\0'))
        size--;
    return size;
}

/* Reads the values of an attribute of strings into new memory. */
static uint8_t *read_strings(hid_t id, hid_t type, uint64_t count, struct fpgz_attribute *attribute)
{
    const size_t size = H5Tget_size(type);
    const bool variable = H5Tis_variable_str(type) > 0;
    const H5T_str_t padding = H5Tget_strpad(type);
    attribute->type = FPGZ_STRING;
    attribute->size = 0;
    if (!size || count > FPGZ_ATTRIBUTES_LIMIT / (size + 4))
        return NULL;
    char *fields = calloc(count + 1, size);
    uint8_t *values = NULL;
    if (fields && H5Aread(id, type, fields) >= 0) {
        for (int pass = 0; pass < 2; pass++) { /* the first one only counts */
            size_t used = 0;
            for (uint64_t i = 0; i < count; i++) {
                char *text = fields + i * size;
                if (variable)
                    memcpy(&text, fields + i * size, sizeof text);
                const size_t length = !variable ? fixed_length(text, size, padding) : text ? strlen(text) : 0;
                if (pass && values) {
                    fpgz_store32(values + used, (uint32_t)length);
                    memcpy(values + used + 4, text, length);
                }
                used += 4 + length;
            }
            attribute->length = used;
            if (!pass && used <= FPGZ_ATTRIBUTES_LIMIT)
                values = malloc(used + 1);
        }
        const hid_t space = H5Aget_space(id);
        if (variable)
            H5Dvlen_reclaim(type, space, H5P_DEFAULT, fields);
        H5Sclose(space);
    }
    free(fields);
    return values;
}

/* What an object's attributes become. */
struct getting {
    struct fpgz_attributes *attributes;
    struct fpgz_attributes_left *left;
};

static void leave(struct fpgz_attributes_left *left, const char *name, hid_t type, bool values)
{
    if (left->count++)
        return;
    snprintf(left->name, sizeof left->name, "%.*s", fpgz_text_fit(name, sizeof left->name - 1), name);
    if (values)
        fpgz_hdf5_type_text(type, left->what, sizeof left->what);
    else
        snprintf(left->what, sizeof left->what, "no values");
}

static herr_t get_one(hid_t object, const char *name, const H5A_info_t *info, void *context)
{
    (void)info;
    const struct getting *getting = context;
    struct fpgz_attribute attribute = {.name = name, .name_length = strlen(name)};
    const hid_t id = H5Aopen(object, name, H5P_DEFAULT), type = H5Aget_type(id), space = H5Aget_space(id);
    const H5S_class_t class = H5Sget_simple_extent_type(space);
    uint64_t count = 1;
    bool ok = class == H5S_SIMPLE || class == H5S_SCALAR;
    hsize_t extent[H5S_MAX_RANK];
    const int dims = ok ? H5Sget_simple_extent_dims(space, extent, NULL) : 0;
    for (int d = 0; d < dims; d++) {
        attribute.extent[attribute.dims++] = extent[d];
        ok = ok && fpgz_mul(count, extent[d], &count);
    }
    uint8_t *values = NULL;
    if (ok && dims >= 0)
        values = H5Tget_class(type) == H5T_STRING ? read_strings(id, type, count, &attribute)
                                                  : read_numbers(id, type, count, &attribute);
    attribute.values = values;
    if (!values || !fpgz_attributes_add(getting->attributes, &attribute))
        leave(getting->left, name, type, ok);
    free(values);
    H5Sclose(space);
    H5Tclose(type);
    H5Aclose(id);
    return 0;
}

void fpgz_hdf5_get_attributes(hid_t object, struct fpgz_attributes *attributes,
                              struct fpgz_attributes_left *left)
{
    struct getting getting = {attributes, left};
    H5Aiterate2(object, H5_INDEX_NAME, H5_ITER_INC, NULL, get_one, &getting);
}

/* The library's type for the values of an attribute; the caller closes it. */
static hid_t number_type_of(const struct fpgz_attribute *attribute)
{
    const hid_t types[][9] = {
        [FPGZ_SIGNED] = {[1] = H5T_STD_I8LE, [2] = H5T_STD_I16LE, [4] = H5T_STD_I32LE, [8] = H5T_STD_I64LE},
        [FPGZ_UNSIGNED] = {[1] = H5T_STD_U8LE, [2] = H5T_STD_U16LE, [4] = H5T_STD_U32LE, [8] = H5T_STD_U64LE},
        [FPGZ_FLOAT] = {[4] = H5T_IEEE_F32LE, [8] = H5T_IEEE_F64LE},
    };
    return H5Tcopy(types[attribute->type][attribute->size]);
}

/* The strings of an attribute, each in a field of *size bytes, the length of the longest. */
static char *string_fields(const struct fpgz_attribute *attribute, size_t *size)
{
    const uint8_t *const end = attribute->values + attribute->length;
    size_t count = 0;
    *size = 1;
    for (const uint8_t *at = attribute->values; at < end; at += 4 + (size_t)fpgz_load32(at), count++)
        if (*size < fpgz_load32(at))
            *size = fpgz_load32(at);
    if (count > FPGZ_ATTRIBUTES_LIMIT / *size)
        return NULL;
    char *fields = calloc(count + 1, *size), *to = fields;
    for (const uint8_t *at = attribute->values; fields && at < end; at += 4 + (size_t)fpgz_load32(at)) {
        memcpy(to, at + 4, fpgz_load32(at));
        to += *size;
    }
    return fields;
}

static bool put_one(hid_t object, const char *name, const struct fpgz_attribute *attribute)
{
    size_t size;
    char *fields = NULL;
    hid_t type;
    if (attribute->type == FPGZ_STRING) {
        type = H5Tcopy(H5T_C_S1);
        if (!(fields = string_fields(attribute, &size)) || H5Tset_size(type, size) < 0 ||
            H5Tset_strpad(type, H5T_STR_NULLPAD) < 0 || H5Tset_cset(type, H5T_CSET_UTF8) < 0) {
            H5Tclose(type);
            type = H5I_INVALID_HID;
        }
    } else {
        type = number_type_of(attribute);
    }
    hsize_t extent[FPGZ_MAX_DIMS];
    for (unsigned d = 0; d < attribute->dims; d++)
        extent[d] = attribute->extent[d];
    const hid_t space =
        attribute->dims ? H5Screate_simple(attribute->dims, extent, NULL) : H5Screate(H5S_SCALAR);
    const hid_t id = H5Acreate2(object, name, type, space, H5P_DEFAULT, H5P_DEFAULT);
    const bool ok = id >= 0 && H5Awrite(id, type, fields ? (const void *)fields : attribute->values) >= 0;
    H5Aclose(id);
    H5Sclose(space);
    H5Tclose(type);
    free(fields);
    return ok;
}

bool fpgz_hdf5_put_attributes(hid_t object, const struct fpgz_attributes *attributes)
{
    struct fpgz_attribute attribute;
    bool ok = true;
    for (size_t at = 0; ok && fpgz_attribute_next(attributes, &at, &attribute);) {
        char *name = strndup(attribute.name, attribute.name_length);
        ok = name && put_one(object, name, &attribute);
        free(name);
    }
    return ok;
}
