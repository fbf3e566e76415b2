/* SPDX-License-Identifier: MIT
 * Compound types of the HDF5 library as the fields of a table. */
#include <stdio.h>
#include <string.h>

#include "core/table.h"
#include "source/hdf5.h"
#include "source/hdf5_survey.h"

enum { DEPTH_LIMIT = 8 };

/* Behind a dataset's name: what all its fields are together. */
#define FIELDS ".(fields)"

/* Whether values have in the file the size that the library tells: it is another one in memory for sequences,
 * strings of any length and references, and of records with them it tells that. */
static bool is_fixed(hid_t type, unsigned depth)
{
    const H5T_class_t class = H5Tget_class(type);
    const int count = class == H5T_COMPOUND ? H5Tget_nmembers(type) : class == H5T_ARRAY ? 1 : 0;
    bool ok = type >= 0 && depth < DEPTH_LIMIT && class != H5T_VLEN && class != H5T_REFERENCE &&
              (class != H5T_STRING || H5Tis_variable_str(type) == 0);
    for (int i = 0; i < count && ok; i++) {
        const hid_t inner = class == H5T_ARRAY ? H5Tget_super(type) : H5Tget_member_type(type, (unsigned)i);
        ok = is_fixed(inner, depth + 1);
        H5Tclose(inner);
    }
    return ok;
}

/* Adds the members of a compound type that begins at byte `offset` of the record. Names are "outer.inner".
 * *number receives the name of a field of numbers, if there is one. */
static bool add_members(hid_t type, const char *prefix, uint64_t offset, unsigned depth,
                        struct fpgz_part *table, const char **number)
{
    const int count = H5Tget_nmembers(type);
    bool ok = count > 0 && depth < DEPTH_LIMIT;
    for (int i = 0; i < count && ok; i++) {
        char name[FPGZ_HDF5_NAME_LIMIT];
        char *const own = H5Tget_member_name(type, (unsigned)i);
        const hid_t member = H5Tget_member_type(type, (unsigned)i);
        const uint64_t at = offset + H5Tget_member_offset(type, (unsigned)i);
        const int length = snprintf(name, sizeof name, "%s%s%s", prefix, *prefix ? "." : "", own ? own : "");
        struct fpgz_array array;
        ok = own && member >= 0 && length < (int)sizeof name;
        if (ok && fpgz_hdf5_value(member, &array)) {
            ok = fpgz_table_add(table, name, &array, at);
            *number = ok ? table->field[table->fields - 1].name : NULL;
        } else if (ok && H5Tget_class(member) == H5T_COMPOUND) {
            ok = add_members(member, name, at, depth + 1, table, number);
        } else if (ok) {
            array = (struct fpgz_array){FPGZ_U8, FPGZ_LITTLE, 1, {H5Tget_size(member)}};
            ok = fpgz_table_add(table, name, &array, at);
        }
        H5free_memory(own);
        H5Tclose(member);
    }
    return ok;
}

hid_t fpgz_hdf5_fields(hid_t type, struct fpgz_part *table)
{
    const char *number = NULL;
    hid_t field = H5I_INVALID_HID, read = H5I_INVALID_HID;
    if (H5Tget_class(type) == H5T_COMPOUND && is_fixed(type, 0) &&
        add_members(type, "", 0, 0, table, &number) && number)
        read = fpgz_hdf5_field(type, number, &field);
    H5Tclose(field);
    return read;
}

/* Whether fields fill records of `bytes` bytes with numbers of one size and order. *value receives what they
 * are as an array of the type that most of them have. */
static bool fields_as_one(const struct fpgz_part *table, size_t bytes, struct fpgz_array *value)
{
    uint64_t count[FPGZ_DTYPES] = {0}, length, all = 0;
    *value = table->field->array;
    const size_t size = fpgz_dtype_size(value->dtype);
    for (size_t i = 0; i < table->fields; i++) {
        const struct fpgz_array *const field = &table->field[i].array;
        length = size;
        if (fpgz_dtype_size(field->dtype) != size || field->order != value->order ||
            (field->dims && !fpgz_extents_bytes(field->dtype, field->extent, field->dims, &length)) ||
            table->field[i].offset != all)
            return false;
        count[field->dtype] += length;
        all += length;
        if (count[field->dtype] > count[value->dtype])
            value->dtype = field->dtype;
    }
    value->dims = 1;
    value->extent[0] = all / size;
    return size > 1 && all == bytes;
}

bool fpgz_hdf5_words(hid_t type, struct fpgz_array *value, char *name)
{
    struct fpgz_part table = {0};
    const hid_t read = fpgz_hdf5_fields(type, &table);
    const bool ok = read >= 0 && strlen(name) + strlen(FIELDS) < FPGZ_HDF5_NAME_LIMIT &&
                    fields_as_one(&table, H5Tget_size(type), value);
    if (ok)
        strcat(name, FIELDS);
    fpgz_part_free(&table);
    if (read >= 0)
        H5Tclose(read);
    return ok;
}

hid_t fpgz_hdf5_field(hid_t record, const char *name, hid_t *field)
{
    const int count = H5Tget_class(record) == H5T_COMPOUND ? H5Tget_nmembers(record) : 0;
    hid_t found = H5I_INVALID_HID;
    for (int i = 0; i < count && found < 0; i++) {
        char *const own = H5Tget_member_name(record, (unsigned)i);
        const size_t length = own ? strlen(own) : 0;
        const hid_t member = H5Tget_member_type(record, (unsigned)i);
        hid_t inner = H5I_INVALID_HID;
        if (own && !strcmp(name, own))
            inner = *field = H5Tcopy(member);
        else if (own && !strncmp(name, own, length) && name[length] == '.')
            inner = fpgz_hdf5_field(member, name + length + 1, field);
        if (inner >= 0) {
            found = H5Tcreate(H5T_COMPOUND, H5Tget_size(inner));
            H5Tinsert(found, own, 0, inner);
            if (inner != *field)
                H5Tclose(inner);
        }
        H5free_memory(own);
        H5Tclose(member);
    }
    return found;
}
