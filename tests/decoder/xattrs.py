# SPDX-License-Identifier: MIT
"""Extended attributes, as fpgz.5 has them under "Extended attributes section"."""
import struct

from errors import need

ACL = b'system.posix_acl_access'


def check_list(value):
    """The rights, as in a mode, that go with an access list."""
    need(len(value) >= 4 and len(value) % 8 == 4 and value[:4] == struct.pack('<I', 2), 'bad access list')
    entries = [struct.unpack_from('<HHI', value, at) for at in range(4, len(value), 8)]
    tags = [tag for tag, _, _ in entries]
    need(tags == sorted(tags) and set(tags) <= {1, 2, 4, 8, 16, 32}, 'bad tags of an access list')
    need(all(rights < 8 for _, rights, _ in entries), 'bad rights of an access list')
    need(all(tags.count(tag) == 1 for tag in (1, 4, 32)) and tags.count(16) <= 1, 'bad access list')
    need(16 in tags or not {2, 8} & set(tags), 'an access list without a mask')
    rights = {tag: rights for tag, rights, _ in entries}
    return rights[1] << 6 | rights.get(16, rights[4]) << 3 | rights[32]


def check(file, section):
    """Raises Damaged where the section is none that its file may have."""
    need(section.number == 1 and not section.head, 'extended attributes in a wrong place')
    need(0 < len(section.body) <= 2**20, 'bad length of extended attributes')
    at, before = 0, b''
    while at < len(section.body):
        need(len(section.body) - at >= 2, 'an extended attribute is cut')
        length, = struct.unpack_from('<H', section.body, at)
        name = section.body[at + 2:at + 2 + length]
        at += 2 + length
        need(length <= 255 and len(section.body) - at >= 4, 'an extended attribute is cut')
        length, = struct.unpack_from('<I', section.body, at)
        value = section.body[at + 4:at + 4 + length]
        at += 4 + length
        need(length <= 2**16 and len(value) == length, 'the value of an extended attribute is cut')
        need(name == ACL or (name.startswith(b'user.') and len(name) > 5 and 0 not in name), 'bad name of an attribute')
        need(name > before, 'extended attributes in a wrong order')
        before = name
        if name == ACL:
            need(file.mode is not None and check_list(value) == file.mode & 0o777, 'an access list contradicts the mode')
