# SPDX-License-Identifier: MIT
"""Containers of prans' format of two parts: each way of parting, and streams that are wrong."""
import struct

from prans import lcg, pack, surface, with_fill
from streams import Wrong

PARTED, HEAD = 7, 16


def gain(count, step, seed=3):
    """Multiples of a step, as a converter makes them."""
    random = lcg(seed)
    for i in range(count):
        yield int(30000 * ((i * i % 977) / 977 - 0.5) + next(random) % 2300) * step


def stamped(values):
    """Smooth numbers with one of few patterns of low bits each."""
    random = lcg(11)
    for value in values:
        word, = struct.unpack('<I', struct.pack('<f', value))
        yield struct.unpack('<f', struct.pack('<I', word & ~0xFFF | (next(random) % 5) * 0x311))[0]


def radians(count):
    """Singles in other units."""
    random = lcg(13)
    for i in range(count):
        degrees, = struct.unpack('<f', struct.pack('<f', (i * i % 9973 - 5000) / 27 + next(random) / 2**24))
        yield degrees * (3.141592653589793 / 180)


def grids():
    yield 'gain-f32', 'f32', 'multiples of a step, rounded', '40x100', pack('f', gain(4000, 0.0137131))
    yield 'filled-f64', 'f64', 'multiples of a step, rounded, and a fill value', '40x100', \
        pack('d', with_fill(gain(4000, 0.0137131), 1e20))
    yield 'decimal-f64', 'f64', 'decimals that were rounded twice', '4000', pack('d', (value * 1e-4 for value in gain(4000, 0.1)))
    yield 'unit-f64', 'f64', 'singles in other units', '50x80', pack('d', with_fill(radians(4000), -1e30))
    yield 'stamped-f32', 'f32', 'few patterns of low bits', '60x80', pack('f', stamped((value + 3) * 2**(i // 80) for i, value in enumerate(surface(60, 80))))


def make_good(make):
    for name, dtype, what, shape, data in grids():
        make.unrepeated(f'parted-{name}', what, f'{name}_{shape}.{dtype}', data, '--codec', 'prans')


def make_bad(make):
    wrong = Wrong(make, pack('f', gain(4000, 0.0137131)), 'f', 'prans', 'gain', '40x100')
    assert wrong.stream[0] == PARTED and wrong.stream[1] == 0
    wrong.name = 'parted'
    first, = struct.unpack_from('<I', wrong.stream, 4)
    wrong.lengths(2)
    wrong('head', 'the stream ends in the base', wrong.stream[:12])
    wrong.patched('way-3', 'an unknown way', 'B', 1, 3)
    wrong.patched('shift', 'low bits of a product', 'B', 2, 4)
    wrong.patched('reserved', 'a byte that must be 0', 'B', 3, 1)
    wrong.patched('bits-0', 'no low bits', '2BxI', 1, 2, 0, first)
    wrong.patched('first-beyond', 'the first part is longer than the stream', 'I', 4, 2**32 - 1)
    wrong.patched('first-less', 'the first part ends too early', 'I', 4, first - 2)
    wrong.patched('middle', 'a part in another format', 'B', HEAD, 1)
    for name, base in (('0', 0.0), ('negative', -1.0), ('infinite', float('inf')), ('nan', float('nan'))):
        wrong.patched(f'base-{name}', f'the base is {name}', 'd', 8, base)
    wrong.patched('base-other', 'another base', 'd', 8, 2.0**-9)
