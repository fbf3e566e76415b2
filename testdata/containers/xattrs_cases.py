# SPDX-License-Identifier: MIT
"""Containers with extended attributes."""
import struct

from containers import Section, file_section, member, ramp, tiny_sections

XATTRS = 0x8002
ACL = b'system.posix_acl_access'


def xattrs(*attributes, head=b''):
    body = b''.join(struct.pack('<H', len(name)) + name + struct.pack('<I', len(value)) + value for name, value in attributes)
    return Section(XATTRS, head, body)


def access_list(*entries):
    return struct.pack('<I', 2) + b''.join(struct.pack('<HHI', tag, rights, who) for tag, rights, who in entries)


NOBODY = 2**32 - 1
LIST = access_list((1, 6, NOBODY), (2, 4, 1234), (4, 0, NOBODY), (8, 6, 5), (16, 6, NOBODY), (32, 4, NOBODY))
USERS = (b'user.a', b''), (b'user.comment', bytes(range(256))), (b'user.' + b'x' * 250, b'of a name of 255 bytes')


def container(*sections):
    """The sections stand behind that of a file of mode 664."""
    _, *rest = tiny_sections(ramp('f', 12))
    return member([file_section(b'tiny.f32', 48, flags=1, mode=0o664), *sections, *rest])


def make_good(make):
    make.by_hand('xattrs', 'extended attributes, and an access list', container(xattrs((ACL, LIST), *USERS)))
    make.by_hand('xattrs-concatenated', 'extended attributes of the second member',
                 container() + container(xattrs(*USERS)))


def make_bad(make):
    def bad(name, what, *sections, words='malformed'):
        make.bad('xattrs-' + name, what, words, container(*sections))

    def bad_list(name, what, value, words='malformed'):
        bad('list-' + name, what, xattrs((ACL, value)), words=words)

    bad('empty', 'a section of no extended attributes', xattrs())
    bad('cut', 'a value ends early', xattrs((b'user.a', b'abc')).with_body(xattrs((b'user.a', b'abc')).body[:-1]))
    bad('behind', 'a byte behind the last', xattrs(*USERS).with_body(xattrs(*USERS).body + b'\0'))
    bad('order', 'not in the order of their names', xattrs(*USERS[::-1]))
    bad('twice', 'one comes twice', xattrs(USERS[0], USERS[0]))
    bad('namespace', 'one that readers must not set', xattrs((b'security.capability', bytes(20))))
    bad('no-name', 'nothing behind "user."', xattrs((b'user.', b'')))
    bad('nul', 'a name with a NUL', xattrs((b'user.a\0', b'')))
    bad('long-name', 'a name of 256 bytes', xattrs((b'user.' + b'x' * 251, b'')))
    bad('head', 'a head that is not empty', xattrs(*USERS, head=bytes(4)), words='contradict')
    bad('two', 'two such sections', xattrs(*USERS), xattrs(*USERS), words='contradict')
    array, *rest = tiny_sections(ramp('f', 12))[1:]
    head = file_section(b'tiny.f32', 48, flags=1, mode=0o664)
    make.bad('xattrs-place', 'behind the array', 'contradict', member([head, array, xattrs(*USERS), *rest]))
    bad_list('version', 'an access list of another version', b'\3' + LIST[1:])
    bad_list('cut', 'an access list that ends early', LIST[:-4])
    bad_list('order', 'entries of an access list in a wrong order', LIST[:4] + LIST[12:20] + LIST[4:12] + LIST[20:])
    bad_list('mask', 'an access list without its mask', access_list((1, 6, NOBODY), (2, 4, 5), (4, 6, NOBODY), (32, 4, NOBODY)))
    bad_list('wider', 'an access list that gives more than the mode',
             access_list((1, 6, NOBODY), (4, 6, NOBODY), (32, 6, NOBODY)), words='contradicts')
