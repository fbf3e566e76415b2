# SPDX-License-Identifier: MIT
"""GRIB files of both editions, right and wrong."""
import math
import struct

from expect import expect
from formats import alone, damaged, listed, packed, recovered, run, whole, write


def bits_of(values, bits):
    """Integers one behind the other, the most significant bit first."""
    joined = 0
    for value in values:
        joined = joined << bits | value
    return (joined << -len(values) * bits % 8).to_bytes((len(values) * bits + 7) // 8, 'big')


def field(bits, rows=60, row=80, first=0):
    """Integers that differ little from their neighbours."""
    middle = 2**(bits - 1)
    return [int(middle * (1 + .9 * math.sin((y + first) / 15) * math.cos(x / 20))) for y in range(rows) for x in range(row)]


def section(number, content):
    return struct.pack('>IB', 5 + len(content), number) + content


def second(*fields, length=None, tail=b'7777'):
    """A message of edition 2 with fields of (template, bits, values, data, columns and rows or None, bitmap, flags)."""
    body = section(1, bytes(16))
    for template, bits, values, data, grid, bitmap, flags in fields:
        if grid:
            body += section(3, struct.pack('>BIBBH16xII', 0, grid[0] * grid[1], 0, 0, 0, *grid) + bytes(33) + bytes([flags]))
        body += section(4, bytes(29))
        packing = struct.pack('>fhhBB', 1.5, 0, 0, bits, 0) if template != 4 else bytes([bits // 32])
        body += section(5, struct.pack('>IH', values, template) + packing)
        body += section(6, bytes([255]) if not bitmap else b'\0' + bitmap) + section(7, data)
    body += tail
    return b'GRIB\0\0\0\2' + struct.pack('>Q', 16 + len(body) if length is None else length) + body


def first(bits, data, unused, grid=None, bitmap=None, flags=0, modes=0):
    """A message of edition 1."""
    def part(content):
        return (3 + len(content)).to_bytes(3, 'big') + content
    body = part(bytes(4) + bytes([(128 if grid else 0) + (64 if bitmap else 0)]) + bytes(20))
    if grid:
        body += part(struct.pack('>BBBHH', 0, 255, 0, *grid) + bytes(17) + bytes([modes]) + bytes(4))
    if bitmap:
        body += part(b'\0\0\0' + bitmap)
    body += part(bytes([flags | unused]) + bytes(6) + bytes([bits]) + data) + b'7777'
    return b'GRIB' + (8 + len(body)).to_bytes(3, 'big') + b'\1' + body


def array(values, bits, shape):
    """What fpgz finds of packed integers."""
    dtype, code = ('u8', 'B') if bits <= 8 else ('u16', 'H') if bits <= 16 else ('u32', 'I')
    big = bits in (8, 16, 32)
    return dtype, shape, struct.pack(f'{">" if big else "<"}{len(values)}{code}', *values), big


def test():
    grid = 80, 60
    for bits in 1, 5, 8, 11, 12, 16, 19, 24, 31, 32:
        values = field(bits)
        data = bits_of(values, bits)
        extra = len(data) % 2                   # sections of edition 1 end at even bytes
        unused = 8 * (len(data) + extra) - bits * len(values)
        for name, file in ('one', first(bits, data + bytes(extra), unused, grid)), \
                ('two', second((0, bits, len(values), data, grid, None, 0))):
            if bits in (12, 16, 24):
                whole(name + '.grib', file, {'message.1': array(values, bits, (60, 80))}, 'grib')
                alone(name + '.grib', 'message.1', struct.pack(f'<4800{"H" if bits <= 16 else "I"}', *values))
            else:
                packed(name + '.grib', file, 0, '--refilter')
                if bits > 1:                    # a file of bits alone may be too small for an array
                    expect(listed(name + '.grib')[0] == {'message.1': array(values, bits, (60, 80))[:2]}, name, bits, listed(name + '.grib'))
    # Several messages, something between them, several fields in one; columns; without a grid, with a bitmap; no values.
    a, b, c = field(12), field(16, first=7), field(12, first=20)
    packed12, packed16 = bits_of(a, 12), bits_of(b, 16)
    floats = struct.pack('>4800f', *(x / 7 for x in a))
    bitmap = bytes([255]) * 599 + bytes([254])
    file = second((0, 12, 4800, packed12, grid, None, 0), (0, 16, 4800, packed16, None, None, 0)) + b'\r\n\3' + \
        second((4, 32, 4800, floats, grid, None, 0)) + first(12, bits_of(c, 12), 0, grid, modes=0x20) + first(12, bits_of(c, 12), 0) + \
        second((0, 12, 4799, bits_of(a[:4799], 12), grid, bitmap, 0)) + second((0, 0, 4800, b'', grid, None, 0)) + b'end'
    whole('several.grib', file, {
        'message.1': array(a, 12, (60, 80)), 'message.1.2': array(b, 16, (60, 80)), 'message.2': ('f32', (60, 80), floats, True),
        'message.3': array(c, 12, (80, 60)), 'message.4': array(c, 12, (4800,)), 'message.5': array(a[:4799], 12, (4799,))}, 'grib')
    expect('archived' not in packed('again.grib', file), 'a right file is warned of')
    three = second(*[(0, 16, 4800, bits_of(field(16, first=i), 16), grid, None, 0) for i in range(3)])
    packed('three.grib', three)
    recovered('three.grib', three)
    said = packed('jpeg.grib', second((40, 12, 4800, bytes(3000), grid, None, 0), (0, 12, 4800, packed12, None, None, 0)))
    expect('1 of its 2 fields' in said and set(listed('jpeg.grib')[0]) == {'message.1.2'}, said, listed('jpeg.grib'))
    # What fills up the last byte is not 0: the values stay as they stand there.
    odd = bits_of(a[:4799], 12)
    packed('fill.grib', second((0, 12, 4799, odd[:-1] + bytes([odd[-1] | 1]), grid, bitmap, 0)))
    expect(not listed('fill.grib')[0], listed('fill.grib'))

    right = second((0, 12, 4800, packed12, grid, None, 0))
    two = right + second((0, 16, 4800, packed16, grid, None, 0))
    damaged('cut.grib', two[:-1], 'none that is whole', ['message.1'])
    damaged('tail.grib', two[:-4] + b'7778', 'none that is whole', ['message.1'])
    for name, length in ('less', 100), ('none', 0), ('most', 2**64 - 1), ('sign', 2**63), ('more', len(right) + 1):
        damaged(name + '.grib', second((0, 12, 4800, packed12, grid, None, 0), length=length) + bytes(8), 'none that is whole')
    at = right.index(struct.pack('>IB', 72, 3))
    for words in struct.pack('>I', 0), struct.pack('>I', 4), struct.pack('>I', 2**32 - 1), struct.pack('>I', 73):
        damaged('section.grib', right[:at] + words + right[at + 4:], 'do not fit it')
    at = right.index(struct.pack('>IBIH', 21, 5, 4800, 0)) + 5
    for count in 4801, 2**32 - 1, 0, 10:
        packed('count.grib', right[:at] + struct.pack('>I', count) + right[at + 4:])
    for bits in 33, 255, 64, 0:
        packed('bits.grib', right[:at + 14] + bytes([bits]) + right[at + 15:])
    damaged('nothing.grib', b'GRIB\0\0\0\2' + bytes(4000), 'none that is whole')
    damaged('first.grib', b'GRIB\0\0\x20\1' + bytes(20) + b'7777' + bytes(4000), 'do not fit it')
    write('other.grib', b'BIRG' + bytes(4000))
    result = run('-f', '--format', 'grib', 'other.grib')
    expect(result.returncode == 2 and b'none that is whole' in result.stderr, result.stderr)
