# SPDX-License-Identifier: MIT
"""Fortran's sequential files, right and wrong."""
import math
import struct

from expect import expect
from formats import listed, packed, run, whole, write


def records(code, *contents):
    """Each between two marks of its length."""
    return b''.join(struct.pack(code, len(content)) + content + struct.pack(code, len(content)) for content in contents)


def noisy(code, count, first=0):
    """Values of which a sample tells the type."""
    state, values = 1 + first, []
    for i in range(count):
        state = state * 1103515245 + 12345 & 0x7fffffff
        values.append(math.sin((i + first) / 40) + i / 5000 + state / 2**31 / 200)
    return struct.pack(f'{code[0]}{count}{code[1]}', *values)


def rows(values, count):
    size = len(values) // count
    return [values[i * size:(i + 1) * size] for i in range(count)]


def test():
    # A header, and an array of rows, in both orders and with marks of both lengths.
    for mark, order in ('<i', '<'), ('>i', '>'), ('<q', '<'), ('>q', '>'):
        for letter, dtype in ('f', 'f32'), ('d', 'f64'):
            values = noisy(order + letter, 40 * 500)
            data = records(mark, b'a header'.ljust(80), *rows(values, 40))
            whole('right.dat', data, {'record.1': ('u8', (80,), b'a header'.ljust(80)), 'record.2': (dtype, (40, 500), values, order == '>')},
                  'fortran')
    expect('archived' not in packed('again.dat', data), 'a right file is warned of')
    # Two records of one variable after each of another one; then one large record.
    one, two, three = noisy('<d', 30 * 300), noisy('<f', 60 * 200, 5000), noisy('<f', 20000, 9000)
    alternating = [part for i in range(30) for part in (rows(one, 30)[i], *rows(two, 60)[2 * i:2 * i + 2])]
    whole('alternating.dat', records('<i', *alternating, three),
          {'record.1': ('f64', (30, 300), one), 'record.2': ('f32', (30, 200), b''.join(rows(two, 60)[::2])),
           'record.3': ('f32', (30, 200), b''.join(rows(two, 60)[1::2])), 'record.91': ('f32', (20000,), three)}, 'fortran')
    # A row that is a grid has its axes.
    plane = struct.pack('<9600f', *(math.sin(x / 9) * (1 + y / 90) + math.cos(y * x) / 500 for y in range(96) for x in range(100)))
    packed('grid.dat', records('<i', *[plane[i:] + plane[:i] for i in range(0, 48, 4)]))
    found = listed('grid.dat')[0]['record.1']
    expect(found[0] == 'f32' and math.prod(found[1]) == 12 * 9600 and found[1][0] == 12, 'a grid', found)
    packed('small.dat', records('<i', b'x' * 100, b'y' * 50))
    packed('codec.dat', data, 0, '--codec', 'zstd')
    # A record of 2^31 bytes and more has parts, of which marks are negative.
    head = struct.pack('<i', -2147483639)
    packed('parts.dat', head + bytes(2000))
    expect(listed('parts.dat')[1] != 'fortran', 'parts that are not there')

    # What does not agree to its end is no such file.
    for name, lie in (('short', data[:-1]), ('long', data + b'\0'), ('mark', data[:-4] + b'\1\2\3\4'), ('none', bytes(4000)),
                      ('empty', records('<i', *[b''] * 500)), ('brief', records('<i', *[b'12345678'] * 500)), ('huge', b'\xff' * 5000),
                      ('beyond', struct.pack('<q', 2**63 - 1) + bytes(3000)), ('wrap', struct.pack('<q', -16) + bytes(3000))):
        packed(name + '.dat', lie)
        expect(listed(name + '.dat')[1] != 'fortran', name, 'is one')
        write('lie.dat', lie)
        result = run('-f', '--format', 'fortran', 'lie.dat')
        expect(result.returncode == 2 and b'no records whose marks agree' in result.stderr, name, result.stderr)
        expect(run('-dc', 'lie.dat.fpgz').stdout == lie, name, 'came back otherwise')
