# SPDX-License-Identifier: MIT
"""Containers of prans, in both settings: a grid for each value domain, and streams that are wrong."""
import math
import struct

from containers import rechunked
from streams import Wrong

CODECS = {'middle': 'prans:setting=middle', 'high': 'prans:setting=high', 'slow': 'prans:effort=max'}
SETTINGS = tuple(CODECS)


def lcg(seed):
    state = seed
    while True:
        state = (state * 6364136223846793005 + 1442695040888963407) % 2**64
        yield state >> 40  # 24 bits


def surface(*extents):
    """A smooth function between about -1 and 2, and a little noise."""
    random, points = lcg(1), [()]
    for extent in extents:
        points = [(*point, i / extent - 0.4) for point in points for i in range(extent)]
    for point in points:
        value = sum((axis + 1) * x * x - x * point[0] for axis, x in enumerate(point))
        yield value + next(random) / 2**34


def pack(dtype, values):
    values = list(values)
    return struct.pack(f'<{len(values)}{dtype}', *values)


def with_fill(values, fill):
    """Runs of a fill value, as over land."""
    return (fill if i // 13 % 5 == 2 else value for i, value in enumerate(values))


def slabs():
    """Four planes, each with its own offset and step, as packed grids have them."""
    for plane in range(4):
        origin, step = 100.25 + 3 * plane, 2.0**(plane - 9)
        for value in surface(20, 32):
            yield struct.unpack('<f', struct.pack('<f', origin + int((value + 2) * 60) * step))[0]


def packed():
    """The same with origins off all steps, and too many values for a dictionary."""
    for plane in range(4):
        origin, step = struct.unpack('<f', struct.pack('<f', 250.123 + 3.3 * plane))[0], 2.0**(plane % 2 - 8)
        for value in surface(32, 40):
            yield struct.unpack('<f', struct.pack('<f', origin + int((value + 2) * 900) * step))[0]


def repeated():
    """Values without pattern, most of which stood before."""
    random, before = lcg(7), []
    for _ in range(900):
        number = next(random)
        before.append(before[-1 - number % len(before)] if before and number % 3 else next(random) * 1.1 + number)
    return before


def signed_noise():
    random = lcg(9)
    return ((next(random) - 2**23) * 1.3e-7 for _ in range(4000))


def halves():
    """Rows without pattern: a few stand twice in a row, and all again behind the middle."""
    random = lcg(11)
    rows = [[next(random) * 1.1 + next(random) * 1e-7 for _ in range(96)] for _ in range(32)]
    for i in (*range(9), *range(8, 32), *range(31)):
        yield from rows[i]


def tails():
    """A coarse surface; behind its leading bits one of a hundred tails, which stay the same for a while, and zeros."""
    random = lcg(13)
    tail = [next(random) >> 10 for _ in range(100)]
    for i, value in enumerate(surface(60, 70)):
        word, = struct.unpack('<I', struct.pack('<f', (value + 3) * 2.0**(i // 420)))
        word = word >> 14 << 14 | tail[(i // 300 + next(random) % 12) % 100]
        yield 0.0 if i // 29 % 6 == 4 else struct.unpack('<f', struct.pack('<I', word))[0]


def grids():
    yield 'float-f32', 'f32', 'smooth, in two bands', '40x50', pack('f', surface(40, 50))
    yield 'float-f64', 'f64', 'pairs of values', '9x40x2', pack('d', surface(9, 40, 2))
    yield 'pairs', 'f32', 'one axis of pairs', '2100x2', pack('f', surface(2100, 2))
    yield 'halves', 'f64', 'much of the second half stood in the first', '64x96', pack('d', halves())
    yield 'tails', 'f32', 'few different last bits', '60x70', pack('f', tails())
    yield '4d', 'f32', 'four dimensions', '3x4x12x15', pack('f', surface(3, 4, 12, 15))
    yield 'lattice', 'f32', 'decimals, some exceptions and a fill value', '30x52', \
        pack('f', with_fill((round(v * 100) / 100 + (i % 331 == 5) / 3e3 for i, v in enumerate(surface(30, 52))), 1e34))
    yield 'rank', 'f64', 'few distinct values', '2000', pack('d', (math.sqrt(int((v + 2) * 40) + 0.5) for v in surface(2000)))
    yield 'slab', 'f32', 'an offset and a step a plane', '4x20x32', pack('f', slabs())
    random = lcg(3)
    yield 'dictionary', 'f64', 'few distinct values, in no order', '2000', pack('d', (math.sqrt(next(random) % 60 + 0.5) for _ in range(2000)))
    yield 'packed', 'f32', 'an offset and a step a plane, many values', '4x32x40', pack('f', packed())
    yield 'repeated', 'f64', 'values that stood before', '900', pack('d', repeated())
    yield 'noise', 'f32', 'noise about zero, NaN and infinity', '4002', \
        pack('f', signed_noise()) + struct.pack('<2I', 0x7FC01234, 0xFF800000)


def make_good(make):
    for name, dtype, what, shape, data in grids():
        for setting in SETTINGS:
            make.unrepeated(f'prans-{setting}-{name}', what, f'{name}_{shape}.{dtype}', data, '--codec', CODECS[setting])


def make_bad(make):
    for setting in SETTINGS:
        # One that the slow setting refines is another one.
        dtype, extents = ('d', (9, 40, 2)) if setting == 'slow' else ('f', (40, 50))
        wrong = Wrong(make, pack(dtype, surface(*extents)), dtype, CODECS[setting], 'surface', 'x'.join(map(str, extents)))
        wrong.name = f'prans-{setting}'
        described = struct.unpack_from('<I', wrong.stream, 4)[0]
        wrong.lengths(2)
        wrong('longer', 'a byte follows the stream', wrong.stream + b'\0')
        wrong('header', 'the stream ends within its header', wrong.stream[:6])
        wrong.patched('other', 'the format of another setting', 'B', 0, 1 if setting != 'middle' else 2)
        wrong.patched('reserved', 'a byte of the header that is not 0', 'B', 3, 1)
        wrong.patched('description-beyond', 'the description is longer than the stream', 'I', 4, 2**32 - 1)
        wrong.patched('description-less', 'the description ends too early', 'I', 4, described - 1)
        wrong.patched('description-more', 'the description has bytes left', 'I', 4, described + 1)
        wrong.patched('description', 'another description', '4B', 8, 255, 255, 255, 255)
        wrong.patched('body', 'other symbols', 'B', len(wrong.stream) // 2, wrong.stream[len(wrong.stream) // 2] ^ 255)
        if setting == 'slow':
            wrong.patched('memory', 'a memory that is too long', 'B', 1, 21)
            wrong.patched('share', 'a least share above a half', 'B', 2, 9)
        if setting == 'high':
            states = 8 + described + 16
            wrong.name = 'prans-high'
            wrong.patched('state', 'a state below the least', 'I', states, 65535)
            wrong.patched('words-odd', 'an odd number of bytes of words', 'B', 8 + described, wrong.stream[8 + described] ^ 1)
            wrong.patched('words-beyond', 'words beyond the stream', 'I', 8 + described, 2**31)
            low = Wrong(make, pack('f', tails()), 'f', 'prans:setting=high', 'tails', '60x70')
            low.name, begin = 'prans-high', 8 + struct.unpack_from('<I', low.stream, 4)[0]
            low.patched('low-beyond', 'a low part beyond the stream', 'I', begin, 2**31)
            low.patched('low-less', 'the low part ends too early', 'B', begin, low.stream[begin] - 1 & 255)
            low.patched('low', 'a distance before the first value', '4B', begin + 4, 255, 255, 255, 255)
            wrong.name = 'prans'
            for key, index, value in (('setting-0', 0, 0), ('setting-3', 0, 3), ('effort', 1, 2)):
                wrong.parameter(key, f'a parameter {key.replace("-", " ")}', index, value)
            stream = b'\x04' + wrong.stream[1:]
            make.unsupported('prans-format', 'a format of prans that is not known', 'chunk 0', wrong.container(rechunked(wrong.chunk, stream=stream)))
