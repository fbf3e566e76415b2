# SPDX-License-Identifier: MIT
"""Headers of members, and compact members: the sections that they stand for; written from man/fpgz.5 alone."""
import math
import struct

import coded
from errors import know, need
from xxh3 import xxh3

MAGIC = b'\x89FPG\r\n\x1a\n'
VERSION = 3     # of compact members
FILE, CODED_CHUNK = 1, 10
HAS_MODE, HAS_MTIME, SAME_EXTENTS, OWN_TABLE = 1, 2, 4, 16
FOLDED = 10
WORD_BYTES = {1: 4, 2: 8, 3: 1, 5: 2, 6: 4, 7: 8, 8: 2, 9: 4, 10: 8, 11: 2, 12: 2, 13: 1}   # by dtype


class Part:
    """What a section says."""

    def __init__(self, kind, head, body):
        self.type, self.head, self.body = kind, head, body


def read_header(data):
    """The version of the member at the start of data."""
    need(data[:8] == MAGIC[:len(data)],
         'changed by a transfer as text' if data[:4] == MAGIC[:4] else 'no fpgz container')
    need(len(data) >= 16, 'truncated: the header is cut')
    version, flags, check = struct.unpack_from('<HHI', data, 8)
    need(xxh3(data[:12]) & 0xFFFFFFFF == check, 'the header fails its checksum')
    know(version in (1, VERSION) and flags == 0, f'version {version} with flags {flags:#x} needs a newer reader')
    return version


def read_file(numbers, flags):
    """What the file section says before the table."""
    mode = numbers.take() if flags & HAS_MODE else 0
    seconds, nanoseconds = (numbers.signed(), numbers.take()) if flags & HAS_MTIME else (0, 0)
    name = numbers.bytes(numbers.take())
    need(len(name) <= 255, 'the name of a file is too long')
    need(max(mode, nanoseconds) < 2**32 and -2**63 <= seconds < 2**63, 'bad mode or modification time')
    return [0, flags & (HAS_MODE | HAS_MTIME) | OWN_TABLE, len(name), mode], [seconds, nanoseconds, 0], name


def read_array(numbers):
    """The table of the array, its extents, and the bytes of all."""
    dtype, layout, dimensions = numbers.take(), numbers.take(), numbers.take()
    need(1 <= dimensions <= 32, 'bad array of a compact member')
    extents = [numbers.take() for _ in range(dimensions)]
    size = math.prod(extents) * WORD_BYTES.get(dtype, 0)
    row = [numbers.take()] if layout // 2 == FOLDED else []
    need(size < 2**63, 'bad array of a compact member')
    fields = [dtype, layout, dimensions, *(coded.unsigned(extent) for extent in extents), coded.unsigned(size), *row, 0, 0, 0]
    return b''.join(map(coded.pack, fields)), extents, size


def read(data):
    """The file section and the chunk of the member at the start of data, and its length."""
    numbers = coded.Numbers(data[16:19])
    length = numbers.take()
    at = 16 + numbers.at
    need(length <= 16384, 'the numbers of a compact member are too long')
    checks = at + length
    need(checks + 12 <= len(data), 'truncated: the front of a compact member is cut')
    body_check, check = struct.unpack_from('<QI', data, checks)
    need(xxh3(data[16:checks + 8]) & 0xFFFFFFFF == check, 'the front of a compact member fails its checksum')
    numbers = coded.Numbers(data[at:checks])
    flags = numbers.take()
    know(flags < 8, f'unknown flags {flags:#x} of a compact member')
    front, times, name = read_file(numbers, flags)
    table, own_extents, size = read_array(numbers)
    file = struct.pack('<BBHIQqII', *front, size, *times) + name + table
    body_length = numbers.take()
    codec, form, count = numbers.take(), numbers.take(), numbers.take()
    need(codec < 2**16 and form & 7 in range(1, 5) and form < 16, 'bad chunk of a compact member')
    know(count <= 4, f'{count} parameters of a codec')
    extents = own_extents if flags & SAME_EXTENTS else [numbers.take() for _ in range(form & 7)]
    need(len(extents) == form & 7, 'coding extents that are not those of the array')
    values = [numbers.take() for _ in range(count)]
    need(max(values, default=0) < 2**32, 'a parameter is too large')
    head = bytes(4) + b''.join(map(coded.pack, (codec, form, count, 0, 0, *extents, *values))) + numbers.bytes(8 + 16 * (form > 7))
    need(not numbers, 'the numbers of a compact member are too long')
    begin, end = checks + 12, checks + 12 + body_length
    need(end + 4 <= len(data), 'truncated: the stream of a compact member is cut')
    need(xxh3(data[begin:end]) == body_check, 'the stream of a compact member fails its checksum')
    need(data[end:end + 4] == struct.pack('<I', end + 4), 'the end of a compact member tells another length')
    return Part(FILE, file, b''), Part(CODED_CHUNK, head, data[begin:end]), end + 4
