/* SPDX-License-Identifier: MIT
 * The body of the section of extended attributes. It may come from anywhere, so only what passes the checks
 * here is ever set on a file. */
#include "container/xattrs.h"

#include <stdlib.h>
#include <string.h>

#include "core/bytes.h"
#include "core/checksum.h"

enum { NAME_LENGTH_BYTES = 2, VALUE_LENGTH_BYTES = 4 };

/* An access list: a version, then entries of tag, permissions and id. */
enum { ACL_VERSION = 2, ACL_HEAD_BYTES = 4, ACL_ENTRY_BYTES = 8 };
enum { ACL_OWNER = 1, ACL_USER = 2, ACL_GROUP = 4, ACL_OTHER_GROUP = 8, ACL_MASK = 16, ACL_OTHERS = 32 };

bool fpgz_xattr_kept(const char *name)
{
    return (!strncmp(name, "user.", 5) && name[5]) || !strcmp(name, FPGZ_XATTR_ACL);
}

bool fpgz_acl_read(const uint8_t *value, size_t length, struct fpgz_acl *acl)
{
    unsigned seen = 0, owner = 0, group = 0, others = 0, mask = 7, named = 7;
    if (length < ACL_HEAD_BYTES || (length - ACL_HEAD_BYTES) % ACL_ENTRY_BYTES ||
        fpgz_load32(value) != ACL_VERSION)
        return false;
    for (const uint8_t *at = value + ACL_HEAD_BYTES; at < value + length; at += ACL_ENTRY_BYTES) {
        const unsigned tag = fpgz_load16(at), rights = fpgz_load16(at + 2);
        const bool many = tag == ACL_USER || tag == ACL_OTHER_GROUP;
        if (rights > 7 || !tag || tag > ACL_OTHERS || tag & (tag - 1) || seen >= (many ? 2 * tag : tag))
            return false; /* tags ascend */
        seen |= tag;
        if (many)
            named &= rights;
        else
            *(tag == ACL_OWNER   ? &owner
              : tag == ACL_GROUP ? &group
              : tag == ACL_MASK  ? &mask
                                 : &others) = rights;
    }
    const unsigned least = ACL_OWNER | ACL_GROUP | ACL_OTHERS;
    if ((seen & least) != least || (seen & (ACL_USER | ACL_OTHER_GROUP) && !(seen & ACL_MASK)))
        return false;
    acl->mode = owner << 6 | (seen & ACL_MASK ? mask : group) << 3 | others;
    /* Without the list, the users and groups that it names would have the rights of the group or of the
     * others. */
    acl->without = owner << 6 | (group & mask & named) << 3 | (others & (named & mask));
    return true;
}

bool fpgz_xattrs_next(const struct fpgz_xattrs *xattrs, size_t *at, struct fpgz_xattr *xattr)
{
    size_t left = xattrs->length - *at;
    struct fpgz_acl acl;
    if (left < NAME_LENGTH_BYTES) /* xattrs->data may then be NULL */
        return false;
    const uint8_t *from = xattrs->data + *at;
    const size_t name = fpgz_load16(from);
    from += NAME_LENGTH_BYTES;
    left -= NAME_LENGTH_BYTES;
    if (name > FPGZ_XATTR_NAME || left < name + VALUE_LENGTH_BYTES || memchr(from, '\0', name))
        return false;
    memcpy(xattr->name, from, name);
    xattr->name[name] = '\0';
    xattr->length = fpgz_load32(from + name);
    xattr->value = from + name + VALUE_LENGTH_BYTES;
    left -= name + VALUE_LENGTH_BYTES;
    if (!fpgz_xattr_kept(xattr->name) || xattr->length > FPGZ_XATTR_VALUE || xattr->length > left ||
        (!strcmp(xattr->name, FPGZ_XATTR_ACL) && !fpgz_acl_read(xattr->value, xattr->length, &acl)))
        return false;
    *at = xattrs->length - left + xattr->length;
    return true;
}

bool fpgz_xattrs_acl(const struct fpgz_xattrs *xattrs, struct fpgz_xattr *value, struct fpgz_acl *acl)
{
    for (size_t at = 0; fpgz_xattrs_next(xattrs, &at, value);)
        if (!strcmp(value->name, FPGZ_XATTR_ACL))
            return fpgz_acl_read(value->value, value->length, acl);
    return false;
}

enum fpgz_status fpgz_xattrs_check(const struct fpgz_xattrs *xattrs, const struct fpgz_file_head *file,
                                   struct fpgz_error *error)
{
    char before[FPGZ_XATTR_NAME + 1] = "";
    struct fpgz_xattr xattr;
    struct fpgz_acl acl;
    size_t at = 0;
    bool ordered = xattrs->length && xattrs->length <= FPGZ_XATTRS_LIMIT;
    while (ordered && fpgz_xattrs_next(xattrs, &at, &xattr)) {
        ordered = strcmp(before, xattr.name) < 0;
        strcpy(before, xattr.name);
    }
    if (!ordered || at < xattrs->length)
        return fpgz_fail(error, FPGZ_CORRUPT,
                         "the extended attributes of the file, from byte %zu on, are malformed", at);
    if (fpgz_xattrs_acl(xattrs, &xattr, &acl) && (!file->has_mode || acl.mode != (file->mode & 0777)))
        return fpgz_fail(error, FPGZ_CORRUPT, "the access list of the file contradicts its mode");
    return FPGZ_OK;
}

bool fpgz_xattrs_add(struct fpgz_xattrs *xattrs, const char *name, const void *value, size_t length)
{
    const size_t used = xattrs->length, name_length = strlen(name);
    if (name_length > FPGZ_XATTR_NAME || length > FPGZ_XATTR_VALUE)
        return false;
    const size_t whole = used + NAME_LENGTH_BYTES + name_length + VALUE_LENGTH_BYTES + length;
    uint8_t *to = whole > FPGZ_XATTRS_LIMIT ? NULL : realloc(xattrs->data, whole);
    if (!to)
        return false;
    xattrs->data = to;
    xattrs->length = whole;
    to += used;
    fpgz_store16(to, (uint16_t)name_length);
    memcpy(to + NAME_LENGTH_BYTES, name, name_length);
    to += NAME_LENGTH_BYTES + name_length;
    fpgz_store32(to, (uint32_t)length);
    if (length)
        memcpy(to + VALUE_LENGTH_BYTES, value, length);
    return true;
}

uint64_t fpgz_xattrs_digest(const struct fpgz_xattrs *xattrs)
{
    return xattrs->length ? fpgz_checksum(xattrs->data, xattrs->length) : 0;
}

void fpgz_xattrs_free(struct fpgz_xattrs *xattrs)
{
    free(xattrs->data);
    *xattrs = (struct fpgz_xattrs){0};
}
