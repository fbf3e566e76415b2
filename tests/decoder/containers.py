# SPDX-License-Identifier: MIT
"""Containers from their sections, for tests that need some that fpgz does not write; and grids to put into them."""
import math
import struct
import zlib

import coded
import compact
from errors import Damaged, Unsupported
from fpgz_decode import array_bytes
from xxh3 import xxh3

MAGIC, MARKER = b'\x89FPG\r\n\x1a\n', b'\xf5FGS'
FILE, ARRAY, CHUNK, INDEX, END, ARRAYS, CODED_INDEX, CODED_CHUNK, SHORT_END, PRIVATE = 1, 2, 3, 5, 6, 7, 8, 10, 11, 0xF001
OWN_TABLE = 16   # a flag of a raw file
UNKNOWN = 2**64 - 1
# By dtype; 4 is none.
WORD_BYTES = {1: 4, 2: 8, 3: 1, 4: 1, 5: 2, 6: 4, 7: 8, 8: 2, 9: 4, 10: 8, 11: 2, 12: 2, 13: 1}


# --- grids ---

def ramp(dtype, *extents):
    """Even slopes between 1 and 2: their words have even slopes as well, so that streams are short."""
    values = [1.0]
    for axis, extent in enumerate(extents):
        values = [value + (axis + 1) * i / 2**15 for value in values for i in range(extent)]
    return struct.pack(f'<{len(values)}{dtype}', *values)


def noise(count):
    state, words = 1, []
    for _ in range(count):
        state = (state * 6364136223846793005 + 1442695040888963407) % 2**64
        words.append(state >> 32)
    return struct.pack(f'<{count}I', *words)


def special(count):
    """NaN of either sign, quiet and signalling, infinities, zeros, denormals."""
    words = (0x7FC00000, 0xFFC00001, 0x7F800001, 0xFFBFFFFF, 0x7F800000, 0xFF800000, 0x80000000, 0, 1, 0x807FFFFF)
    return struct.pack(f'<{count}I', *(words[i // 256 % len(words)] for i in range(count)))


def swapped(data, word_bytes):
    return b''.join(data[i:i + word_bytes][::-1] for i in range(0, len(data), word_bytes))


# --- containers ---

class Section:
    def __init__(self, kind, head=b'', body=b'', **claims):
        self.type, self.head, self.body = kind, head, body
        self.claims = claims  # fields that do not say what they should: number, flags, head_length, ...

    def with_head(self, layout, at, *values):
        head = bytearray(self.head)
        struct.pack_into('<' + layout, head, at, *values)
        return Section(self.type, bytes(head), self.body, **self.claims)

    def with_body(self, body):
        return Section(self.type, self.head, body, **self.claims)

    def claiming(self, **claims):
        return Section(self.type, self.head, self.body, **{**self.claims, **claims})

    def pack(self, number):
        """The bytes before the body."""
        claims = {'number': number, 'flags': 0, 'head_length': len(self.head), 'body_length': len(self.body),
                  'body_check': xxh3(self.body), **self.claims}
        checked = struct.pack('<HHIQQ', self.type, claims['flags'], claims['number'], claims['body_length'],
                              claims['body_check']) + self.head
        return MARKER + struct.pack('<IQ', claims['head_length'], xxh3(checked)) + checked


def header(version=1, flags=0):
    head = MAGIC + struct.pack('<HH', version, flags)
    return head + struct.pack('<I', xxh3(head) & 0xFFFFFFFF)


def split(container):
    """The sections of a container of one member, without index and end; heads and tables as fpgz 0.1 had them, or nearly."""
    sections, at = [], 16
    if container[8] == compact.VERSION:
        file, chunk, _ = compact.read(container)
        return [part for section in (file, chunk) for part in plain(Section(section.type, section.head, section.body))]
    while True:
        head_length, kind, body_length = (struct.unpack_from(layout, container, at + where)[0]
                                          for layout, where in (('<I', 4), ('<H', 16), ('<Q', 24)))
        if kind in (INDEX, CODED_INDEX, SHORT_END):
            return sections
        body = at + 40 + head_length
        sections += plain(Section(kind, container[at + 40:body], container[body:body + body_length]))
        at = body + body_length


def plain(section):
    """The same without a coded head, and without a table in a head of a file."""
    if section.type == CODED_CHUNK:
        try:
            return [Section(CHUNK, coded.plain_head(section.head), section.body)]
        except (Damaged, Unsupported):
            return [section]
    if section.type == FILE and len(section.head) >= 32 and section.head[1] & OWN_TABLE:
        end = 32 + int.from_bytes(section.head[2:4], 'little')
        array = section.head[end:]
        return [Section(FILE, section.head[:end]).with_head('B', 1, section.head[1] & ~OWN_TABLE),
                Section(ARRAYS, struct.pack('<I', len(array)), array)]
    return [section]


def coded_chunk(section):
    """A chunk with a coded head."""
    array, codec, dimensions, count, number, first, check = struct.unpack_from('<IHBBQQ8s', section.head)
    numbers = struct.unpack_from(f'<{dimensions}Q{count}I', section.head, 32)
    errors = section.head[32 + 8 * dimensions + 4 * count:]
    return Section(CODED_CHUNK, struct.pack('<I', array) +
                   b''.join(map(coded.pack, (codec, dimensions + 8 * bool(errors), count, number, first, *numbers))) + check + errors,
                   section.body)


def word_bytes_of(sections):
    """Those of the arrays; where a table is wrong, of those before the fault."""
    sizes = [WORD_BYTES[section.head[4]] for section in sections if section.type == ARRAY]
    for section in sections:
        try:
            if section.type == ARRAYS:
                sizes += [WORD_BYTES[array['dtype']] for array in coded.read_arrays(coded.table_of(section), array_bytes)]
        except (Damaged, Unsupported):
            sizes += [4]
    return sizes


def places_of(sections):
    """How often the file has the bytes of each array of a table: once, and once for each copy."""
    places = []
    for section in sections:
        try:
            for array in coded.read_arrays(coded.table_of(section), array_bytes) if section.type == ARRAYS else []:
                places.append(1)
                places[array['source']['number'] if array['source'] else -1] += bool(array['source'])
        except (Damaged, Unsupported):
            pass
    return places


def restored_bytes(sections):
    sections = [simple for section in sections for simple in plain(section)]
    word_bytes, places = word_bytes_of(sections), places_of(sections)
    total = 0
    for section in sections:
        if section.type == CHUNK and len(section.head) >= 40 and word_bytes:
            dimensions = min(section.head[6], (len(section.head) - 32) // 8)
            array, = struct.unpack_from('<I', section.head)
            total += word_bytes[min(array, len(word_bytes) - 1)] * (places[array] if array < len(places) else 1) * \
                math.prod(struct.unpack_from(f'<{dimensions}Q', section.head, 32))
    return total % 2**64


def coded_index(before, copy=True):
    """The coded index of these sections."""
    numbers, checks, table_copy, last, at_first = b'', b'', b'', [0] * 5, (0, 0)
    for section in before:
        numbers += varint(section.type) + (b'' if section.type == FILE else varint(len(section.body)))
        checks += b'' if section.type == FILE else struct.pack('<Q', xxh3(section.body))
        if section.type == FILE:
            kind, flags, _, mode, size, seconds, nanoseconds, _ = struct.unpack_from('<BBHIQqII', section.head)
            end = 32 + section.head[2] if flags & OWN_TABLE else len(section.head)
            numbers += table(kind, flags, mode, size, zigzag(seconds), nanoseconds, end - 32) + section.head[32:end]
            numbers += table(len(section.head) - end) + section.head[end:] if flags & OWN_TABLE else b''
        elif section.type == ARRAYS:
            numbers += varint(int.from_bytes(section.head, 'little'))
            table_copy = section.body if copy else b''
        elif section.type in (CHUNK, CODED_CHUNK):
            section, = plain(section)
            array, codec, dimensions, count, number, first, check = struct.unpack_from('<IHBBQQQ', section.head)
            extents = struct.unpack_from(f'<{dimensions}Q', section.head, 32)
            parameters = struct.unpack_from(f'<{count}I', section.head, 32 + 8 * dimensions)
            errors = section.head[32 + 8 * dimensions + 4 * count:]
            at_first = at_first if array == last[4] else (0, 0)
            numbers += table(zigzag(array - last[4]), codec, dimensions + 8 * bool(errors), count,
                             zigzag(number - at_first[0]), zigzag(first - at_first[1]),
                             *(zigzag(extent - last[axis]) for axis, extent in enumerate(extents)), *parameters) + errors
            last = [*extents, *last[dimensions:4], array]
            at_first = (number + 1, first + math.prod(extents))
            checks += struct.pack('<Q', check)
        else:
            numbers += varint(len(section.head)) + section.head
    packed = zlib.compress(numbers, 9)
    return Section(CODED_INDEX, struct.pack('<3I', len(numbers), len(checks) // 8, len(table_copy)),
                   checks + table_copy + (packed if len(packed) < len(numbers) else numbers))


def member(sections, index=lambda body: body, end=lambda fields: fields, head=header(), make_index=None):
    """Header, sections, index, end. `index` and `end` may change what these say before their checksums are made;
    make_index(sections), where it is given, makes the index;
    sections of the types INDEX, END and SHORT_END among the others stand for themselves, and no more are added."""
    if not any(section.type in (INDEX, END, SHORT_END) for section in sections):
        sections = sections + [Section(INDEX), Section(END)]
    out, entries, checks, index_at = head, b'', b'', 0
    for number, section in enumerate(sections):
        at = len(out)
        if section.type == INDEX:
            index_at, section = at, make_index(sections[:number]) if make_index else section.with_body(index(entries))
            checks_to_index = checks + section.pack(number)[8:16]
        if section.type == END:
            if 'check_to_index' in section.claims:
                checks = checks_to_index
            fields = [index_at, at + 80 + len(section.body), restored_bytes(sections), xxh3(checks), number]
            section = Section(END, struct.pack('<5Q', *end(fields)) + section.head, section.body, **section.claims)
        if section.type == SHORT_END:
            length = at + 52 + len(section.head) + len(section.body)
            fields = [xxh3(checks + struct.pack('<Q', length)), length]
            section = Section(SHORT_END, struct.pack('<QI', *end(fields)) + section.head, section.body, **section.claims)
        packed = section.pack(number)
        entries += struct.pack('<Q', at) + packed
        checks += packed[8:16]
        out += packed + section.body
    return out


def compact_member(name, extents, chunk, flags=0, times=(), dtype=1, layout=0, end=0, more=b'', check=0, length=None):
    """A raw file of one chunk without section headers; what it tells may be changed."""
    fields = chunk_fields(chunk)
    form = len(fields['extents']) + 8 * bool(fields['errors'])
    coding = () if flags & 4 else fields['extents']
    numbers = (table(flags, *times, len(name)) + name + table(dtype, layout, len(extents), *extents, len(chunk.body)) +
               table(fields['codec'], form, len(fields['parameters']), *coding, *fields['parameters']) +
               struct.pack('<Q', fields['check']) + fields['errors'] + more)
    front = varint(len(numbers) if length is None else length) + numbers + struct.pack('<Q', xxh3(chunk.body))
    out = header(compact.VERSION) + front + struct.pack('<I', (xxh3(front) & 0xFFFFFFFF) ^ check) + chunk.body
    return out + struct.pack('<I', len(out) + 4 + end)


def plus(field, difference):
    """An edit of the end's fields: index offset, length, raw bytes, check, sections."""
    return lambda fields: [value + difference * (i == field) for i, value in enumerate(fields)]


def flip(data, at, bit=3):
    return data[:at] + bytes([data[at] ^ 1 << bit]) + data[at + 1:]


def file_section(name, size, flags=0, mode=0, seconds=0, nanoseconds=0):
    return Section(FILE, struct.pack('<BBHIQqII', 0, flags, len(name), mode, size, seconds, nanoseconds, 0) + name)


def array_section(code, extents, chunk_limit):
    return Section(ARRAY, struct.pack(f'<IBBBBQQH6x{len(extents)}Q', 0, code, 0, len(extents), 0, 0, chunk_limit, 0,
                                      *extents))


def chunk_fields(section):
    """What the head of a chunk says, as chunk_section() takes it."""
    _, codec, dimensions, count, number, first, check = struct.unpack_from('<IHBBQQQ', section.head)
    at = 32 + 8 * dimensions
    return {'codec': codec, 'number': number, 'first': first, 'check': check, 'stream': section.body,
            'extents': struct.unpack_from(f'<{dimensions}Q', section.head, 32),
            'parameters': struct.unpack_from(f'<{count}I', section.head, at), 'errors': section.head[at + 4 * count:]}


def chunk_section(codec, extents, parameters, stream, check, number=0, first=0, errors=b''):
    return Section(CHUNK, struct.pack(f'<IHBBQQQ{len(extents)}Q{len(parameters)}I', 0, codec, len(extents),
                                      len(parameters), number, first, check, *extents, *parameters) + errors, stream)


def rechunked(section, **changes):
    """A chunk that says something else; the check of its raw bytes is kept."""
    return chunk_section(**{**chunk_fields(section), **changes})


def store_chunk(number, first, raw, word_bytes=4):
    return Section(CHUNK, struct.pack('<IHBBQQQQ', 0, 0, 1, 0, number, first, xxh3(raw), len(raw) // word_bytes), raw)


def tiny_sections(data):
    """f32 in stored chunks of four values."""
    return [file_section(b'tiny.f32', len(data)), array_section(1, [len(data) // 4], 16)] + \
           [store_chunk(i, 4 * i, data[16 * i:16 * i + 16]) for i in range(len(data) // 16)]


# --- files of parts ---

HDF5, NPY = 1, 2
DENSE, PIECES, BYTES, COLUMN_MAJOR, GROUP, COPY, TURNED, FOLDED, PIECED = 0, 1, 2, 3, 4, 6, 8, 10, 12
SCATTERED = 4   # a flag of the file


varint, zigzag = coded.pack, coded.unsigned


def table(*numbers):
    return b''.join(map(varint, numbers))


def parts_file(kind, size, flags=0):
    return file_section(b'parts', size, flags).with_head('B', 0, kind)


def part_section(number, code, extents, chunk_limit, layout=DENSE, order=0, offset=0, name=b'', piece=(), stored=0,
                 fill=bytes(8), body=b''):
    head = struct.pack(f'<IBBBBQQH6x{len(extents)}Q', number, code, order, len(extents), layout, offset, chunk_limit,
                       len(name), *extents)
    if layout == PIECES:
        head += struct.pack(f'<{len(piece)}QQ', *piece, stored) + fill
    return Section(ARRAY, head + name, body)


def part_chunk(array, number, first, raw, word_bytes):
    return store_chunk(number, first, raw, word_bytes).with_head('I', 0, array)
