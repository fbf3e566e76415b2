# SPDX-License-Identifier: MIT
"""The table of arrays and the coded index of a container, unpacked; written from man/fpgz.5 alone."""
import math
import struct
import zlib

from errors import know, need
from filtered import Filtered
from xxh3 import xxh3

FILE, CHUNK, ARRAYS, CODED_CHUNK = 1, 3, 7, 10
DENSE, PIECES, BYTES, COLUMN_MAJOR, GROUP, FILTERED, COPY, BANDED, PIECED = 0, 1, 2, 3, 4, 5, 6, 7, 12
TURNED, FOLDED = 8, 10      # and DENSE or PIECES
MASK = 2**64 - 1


def unpack(packed, length):
    """The bytes of a table that zlib may have shortened."""
    if len(packed) == length:
        return packed
    stream = zlib.decompressobj()
    try:
        table = stream.decompress(packed, length)
        need(len(packed) < length == len(table) and not stream.decompress(stream.unconsumed_tail, 1), 'a table of another length')
    except zlib.error:
        need(False, 'a table that zlib does not inflate')
    need(stream.eof and not stream.unused_data, 'a table with bytes behind it')
    return table


class Numbers:
    """Takes numbers in 7-bit groups, and bytes, from a table."""

    def __init__(self, data):
        self.data, self.at = data, 0

    def __bool__(self):
        return self.at < len(self.data)

    def take(self):
        number = shift = 0
        while True:
            need(self.at < len(self.data), 'a table ends within a number')
            byte = self.data[self.at]
            self.at += 1
            number |= (byte & 127) << shift
            need(number <= MASK and shift < 70, 'a number of a table is too large')
            shift += 7
            if byte < 128:
                return number

    def signed(self):
        number = self.take()
        return number >> 1 ^ -(number & 1)

    def change(self, before, key):
        """before[key], changed by the next number."""
        before[key] = (before.get(key, 0) + self.signed()) & MASK
        return before[key]

    def bytes(self, length):
        need(length <= len(self.data) - self.at, 'a table ends within bytes')
        self.at += length
        return self.data[self.at - length:self.at]


def pack(number):
    """A number in 7-bit groups."""
    groups = [number >> shift & 127 for shift in range(0, max(1, number.bit_length()), 7)]
    return bytes([group | 128 for group in groups[:-1]] + groups[-1:])


def unsigned(number):
    """A signed integer as a table stores it."""
    return number << 1 if number >= 0 else -number * 2 - 1


def read_runs(numbers, piece_bytes, count):
    """The runs of a table, `count` of them or all: (count, offset, bytes of a piece, step, number of the first piece)."""
    runs, end, due = [], 0, 0
    while numbers if count is None else len(runs) < count:
        pieces = numbers.take() if piece_bytes else 1
        gap = numbers.take()
        more = numbers.take() if piece_bytes else 0
        length = piece_bytes or numbers.take()
        number = (due + numbers.signed()) & MASK if piece_bytes else 0
        need(pieces and length, 'an empty run')
        runs.append((pieces, end + gap, length, length + more, number))
        end += gap + (pieces - 1) * (length + more) + length
        due = number + pieces
    need(runs, 'a table without runs')
    return runs


def read_member_pieces(numbers, before, extents, bytes_of):
    """Bytes of the pieces that a member of a group has, which follow each other there."""
    sides = [numbers.change(before, ('piece', axis)) for axis in range(len(extents))]
    numbers.bytes(8)
    piece_bytes = bytes_of(sides)
    need(piece_bytes, 'pieces of no size')
    limit, end = math.prod(-(-extent // side) for extent, side in zip(extents, sides)), 0
    for count, first, length, step, number in read_runs(numbers, piece_bytes, numbers.take()):
        need(first == end and (count == 1 or step == length) and number + count <= limit, 'pieces that do not follow each other')
        end += count * length
    return end


def read_name(numbers, before):
    same, more = numbers.take(), numbers.take()
    need(same <= len(before) and same + more <= 4096, 'bad name of an array')
    name = before[:same] + numbers.bytes(more)
    need(0 not in name, 'bad name of an array')
    return name


def table_of(section):
    """The table of arrays that is a section."""
    need(len(section.head) == 4 and section.body, 'bad table of arrays')
    return unpack(section.body, struct.unpack('<I', section.head)[0])


def read_arrays(table, bytes_of):
    """The arrays of a table, each a dictionary. bytes_of(dtype, extents): the bytes of an array, where it can be one."""
    numbers = Numbers(table)
    before, name, end, seen = {}, b'', 0, []
    while numbers:
        dtype, form = numbers.take(), numbers.take()
        layout, order, source = form >> 1, form & 1, None
        if layout == COPY:
            back, layout = numbers.take(), numbers.take()
            need(1 <= back <= len(seen) and layout in (DENSE, PIECES, COLUMN_MAJOR, FILTERED, BANDED), 'a copy of nothing')
            source = seen[-back]
        turned, folded = TURNED <= layout <= FOLDED + PIECES, FOLDED <= layout <= FOLDED + PIECES
        layout -= FOLDED if folded else TURNED * turned
        dimensions = numbers.take()
        need(1 <= dimensions <= 32, 'an array of no dimensions')
        extents = [numbers.change(before, axis) for axis in range(dimensions)]
        array = {'dtype': dtype, 'order': order, 'layout': layout, 'extents': extents, 'source': source, 'turned': turned,
                 'chunk_limit': 0 if source else numbers.change(before, 'limit'), 'offset': 0, 'stored': None, 'runs': None,
                 'table': b'', 'number': len(seen)}
        array['row'] = numbers.take() if folded else 0
        need(not folded or array['row'] > 1, 'a turned array of rows of one value')
        size = bytes_of(dtype, order, layout, extents)
        if layout in (DENSE, COLUMN_MAJOR):
            end = array['offset'] = (end + numbers.signed()) & MASK
            end += size
        else:
            cut = layout in (PIECES, FILTERED, BANDED)
            array['piece'] = [numbers.change(before, ('piece', axis)) for axis in range(dimensions)] if cut else ()
            numbers.bytes(8 if cut else 0)
            piece_bytes = bytes_of(dtype, order, layout, array['piece']) if cut else 0
            need(not cut or piece_bytes, 'pieces of no size')
            array['runs'] = read_runs(numbers, piece_bytes, numbers.take())
            if layout in (FILTERED, BANDED):
                array['filtered'] = source['filtered'].of(piece_bytes, array['runs']) if source else \
                    Filtered(numbers, piece_bytes, array['runs'])
            if layout == BANDED:
                array['filtered'].set_bands(extents, array['piece'])
        members = numbers.take() if layout in (GROUP, PIECED) else 0
        name = read_name(numbers, name)
        if source:
            need(source['layout'] in (DENSE, PIECES, COLUMN_MAJOR, FILTERED, BANDED) and source['source'] is None and
                 all(source[what] == array[what] for what in ('dtype', 'order')) and
                 (source['layout'] == layout or not {source['layout'], layout} & {FILTERED, BANDED}) and
                 (layout != BANDED or source['filtered'].band == array['filtered'].band), 'a copy that does not fit')
        seen.append(array)
        yield array
        first = 0
        for _ in range(members):
            shape = numbers.take() if layout == PIECED else DENSE
            dimensions = numbers.take()
            need(shape in (DENSE, PIECES) and 1 <= dimensions <= 32, 'an array of no dimensions')
            extents = [numbers.change(before, axis) for axis in range(dimensions)]
            size = bytes_of(dtype, order, DENSE, extents)
            if shape == PIECES:
                size = read_member_pieces(numbers, before, extents, lambda sides: bytes_of(dtype, order, PIECES, sides))
            first += size
            need(size and first <= bytes_of(dtype, order, DENSE, array['extents']), 'an array that is not in its group')
            name = read_name(numbers, name)
            seen.append({'dtype': dtype, 'order': order, 'layout': None, 'source': None})
            yield seen[-1]


def read_file(numbers):
    kind, flags, mode, size = numbers.take(), numbers.take(), numbers.take(), numbers.take()
    image = struct.pack('<Q', numbers.take()) if flags & 8 else b''
    seconds, nanoseconds = numbers.signed(), numbers.take()
    name = numbers.bytes(numbers.take())
    table = numbers.bytes(numbers.take()) if flags & 16 else b''
    need(kind < 256 and flags < 256 and mode < 2**32 and nanoseconds < 2**32 and len(name) < 256, 'bad file in the index')
    return struct.pack('<BBHIQqII', kind, flags, len(name), mode, size, seconds, nanoseconds, 0) + image + name + table


def plain_head(coded):
    """What the head of a coded chunk would be as fields of fixed sizes."""
    need(len(coded) >= 4, 'the head of a chunk is too short')
    numbers = Numbers(coded[4:])
    codec, form, count = numbers.take(), numbers.take(), numbers.take()
    need(codec < 2**16 and form < 16 and form & 7 <= 4, 'bad head of a chunk')
    know(count <= 4, f'unknown parameters of a chunk: {count} of them')
    number, first = numbers.take(), numbers.take()
    extents = [numbers.take() for _ in range(form & 7)]
    parameters = [numbers.take() for _ in range(count)]
    need(all(parameter < 2**32 for parameter in parameters), 'bad parameter of a chunk')
    check, errors = numbers.bytes(8), numbers.bytes(16 if form & 8 else 0)
    need(not numbers, 'the head of a chunk has the wrong length')
    return coded[:4] + struct.pack(f'<HBBQQ8s{len(extents)}Q{count}I', codec, form & 7, count, number, first, check, *extents,
                                   *parameters) + errors


def read_chunk(numbers, check, before, coded):
    array = (before.get('array', 0) + numbers.signed()) & MASK
    if array != before.get('array', 0):
        before['number'] = before['first'] = 0
    before['array'] = array
    codec, form, count = numbers.take(), numbers.take(), numbers.take()
    need(array < 2**32 and codec < 2**16 and form < 16 and form & 7 <= 4 and count <= 4, 'bad chunk in the index')
    number, first = numbers.change(before, 'number'), numbers.change(before, 'first')
    extents = [numbers.change(before, axis) for axis in range(form & 7)]
    parameters = [numbers.take() for _ in range(count)]
    need(all(parameter < 2**32 for parameter in parameters), 'bad parameter in the index')
    values = 1
    for extent in extents:
        values *= extent
    before['number'], before['first'] = (number + 1) & MASK, (first + values) & MASK
    errors = numbers.bytes(16 if form & 8 else 0)
    if coded:
        return struct.pack('<I', array) + b''.join(map(pack, (codec, form, count, number, first, *extents, *parameters))) + check + errors
    return struct.pack(f'<IHBBQQ8s{len(extents)}Q{count}I', array, codec, form & 7, count, number, first, check,
                       *extents, *parameters) + errors


def read_index(section):
    """What the body of the other kind of index would be."""
    need(len(section.head) == 12, 'bad head of the index')
    length, checks, reserve = struct.unpack('<3I', section.head)
    others = 8 * checks + reserve
    need(others <= len(section.body) and length // 16 <= len(section.body), 'bad lengths of the index')
    numbers = Numbers(unpack(section.body[others:], length))
    check = (section.body[at:at + 8] for at in range(0, 8 * checks, 8))
    table, before, entries, at = section.body[8 * checks:others], {}, b'', 16
    try:
        for number in range(2**32):
            if not numbers:
                break
            kind = numbers.take()
            body = 0 if kind == FILE else numbers.take()
            body_check = struct.pack('<Q', xxh3(b'')) if kind == FILE else next(check)
            need(kind < 2**16 and (kind != FILE or not number), 'bad section in the index')
            if kind == FILE:
                head = read_file(numbers)
            elif kind == ARRAYS:
                head = struct.pack('<Q', numbers.take())
                need(head[4:] == bytes(4), 'bad table in the index')
                head = head[:4]
                need(not reserve or (reserve == body and struct.pack('<Q', xxh3(table)) == body_check),
                     'bad copy of the table in the index')
            elif kind in (CHUNK, CODED_CHUNK):
                head = read_chunk(numbers, next(check), before, kind == CODED_CHUNK)
            else:
                head = numbers.bytes(numbers.take())
            checked = struct.pack('<HHIQ8s', kind, 0, number, body, body_check) + head
            entries += struct.pack('<Q', at) + b'\xf5FGS' + struct.pack('<IQ', len(head), xxh3(checked)) + checked
            at += 40 + len(head) + body
            need(at <= MASK, 'offsets of the index wrap')
    except StopIteration:
        need(False, 'checks are missing in the index')
    need(next(check, None) is None, 'the index has too many checks')
    return entries
