# SPDX-License-Identifier: MIT
"""Containers of prans' format of grids apart: by slow axes, by fast ones, by both, and streams that are wrong."""
import struct

from prans import lcg, pack
from streams import Wrong

APART, AKIN, HEAD = 8, 13, 8
SCALES = (10, 0.5, 200, 7.3)


def station(places, times, fast):
    """Quantities with steps of their own, along the fastest axis or the slowest."""
    random, noise = lcg(5), {}
    for of in range(places):
        for time in range(times):
            value = (12, 101325, 0.6, 4)[of % 4] + (9, 900, 0.3, 3)[of % 4] * ((time * time % 4801) / 4801 + next(random) / 2**27)
            noise[of, time] = int(value * SCALES[of % 4]) / SCALES[of % 4]
    if fast:
        return [noise[of, time] for time in range(times) for of in range(places)]
    return [noise[of, time] for of in range(places) for time in range(times)]


def columns(count):
    """Noise, the same again, and that with other last bits."""
    random = lcg(61)
    rows = []
    for _ in range(count):
        value = sum(next(random) - 2**23 for _ in range(4)) / 2**22 * (1 + next(random) / 2**50)
        rows.append((value, value, value * (1 + (next(random) % 4096 - 2048) / 2**40)))
    return rows


def wide(places, times):
    """Columns of noise, of which 16 are others."""
    random = lcg(7)
    noise = [[sum(next(random) - 2**23 for _ in range(4)) / 2**22 for _ in range(16)] for _ in range(times)]
    which = [(next(random) >> 16) % 16 for _ in range(places)]
    return [row[of] for row in noise for of in which]


def channels(places, times):
    """Counts of -4 to 3, times a gain of each channel."""
    random, values = lcg(11), []
    for _ in range(places):
        gain = (1 + next(random) / 2**24) * 1e-13
        values += [(next(random) // 2**21 - 4) * gain for _ in range(times)]
    return values


def grids():
    yield 'fast-f64', 'f64', 'columns of different kinds', '1000x4', pack('d', station(4, 1000, True))
    yield 'slow-f32', 'f32', 'variables of different kinds', '4x20x50', pack('f', station(4, 1000, False))
    yield 'both-f64', 'f64', 'columns of two tables', '2x600x3', pack('d', station(3, 600, True) + [
        value * 1000 for value in station(3, 600, True)])
    yield 'gains-f32', 'f32', 'counts of many channels, each with a gain of its own', '260x256', pack('f', channels(260, 256))
    yield 'rows-f64', 'f64', 'the same row, more often than there may be parts', '1100x4', pack('d', station(4, 1, True) * 1100)
    yield 'wide-f64', 'f64', 'a table of many columns, some as others', '256x66', pack('d', wide(66, 256))


def make_good(make):
    for name, dtype, what, shape, data in grids():
        make.unrepeated(f'apart-{name}', what, f'{name}_{shape}.{dtype}', data, '--codec', 'prans')


    make.unrepeated('akin-f64', 'columns, the second as the first, the third nearly', 'columns_2000x3.f64',
                    pack('d', [value for row in columns(2000) for value in row]), '--codec', 'prans')
    make.unrepeated('akin-slow-f64', 'rows, the second as the first, the third nearly', 'rows_3x2000.f64',
                    pack('d', [value for column in zip(*columns(2000)) for value in column]), '--codec', 'prans')


def make_bad_akin(make):
    data = pack('d', [value for row in columns(2000) for value in row])
    wrong = Wrong(make, data, 'd', 'prans', 'columns', '2000x3', good='akin-f64')
    assert wrong.stream[:4] == bytes((APART, 0, 1, 0))
    wrong.name = 'akin'
    lengths = struct.unpack_from('<3I', wrong.stream, HEAD)
    second, third = HEAD + 12 + lengths[0], HEAD + 12 + lengths[0] + lengths[1]
    assert wrong.stream[second] == wrong.stream[third] == AKIN and lengths[1] == 12 < lengths[2]
    wrong.patched('later', 'kin of a part that is not before', 'I', second + 8, 1)
    wrong.patched('reserved', 'a byte that must be 0', 'B', second + 1, 1)
    wrong.patched('description', 'the description is of another length', 'I', second + 4, 8)
    wrong.patched('first', 'the first part has no kin', 'B', HEAD + 12, AKIN)
    wrong.patched('nested', 'kin within kin', 'B', third + 12, AKIN)
    wrong('front', 'a part ends within its description', wrong.stream[:HEAD + 4] + struct.pack('<I', 11) + wrong.stream[HEAD + 8:second + 11] +
          wrong.stream[third:])
    wrong('none', 'no differences where there are some', wrong.stream[:HEAD + 8] + struct.pack('<I', 12) + wrong.stream[HEAD + 12:third + 12] +
          wrong.stream[third + lengths[2]:])


def make_bad_rows(make):
    row = pack('d', station(4, 1, True))
    parts = [row] + 1099 * [struct.pack('<4B2I', AKIN, 0, 0, 0, 4, 0)]
    wrong = Wrong(make, row * 1100, 'd', 'prans', 'rows', '1100x4', good='apart-rows-f64')
    wrong.name = 'apart'
    wrong('axes-most', 'more than 1024 parts', struct.pack('<4BI', APART, 1, 0, 0, 4 * len(parts)) +
          struct.pack(f'<{len(parts)}I', *map(len, parts)) + b''.join(parts))


def make_bad(make):
    wrong = Wrong(make, pack('d', station(4, 1000, True)), 'd', 'prans', 'station', '1000x4', good='apart-fast-f64')
    assert wrong.stream[:4] == bytes((APART, 0, 1, 0))
    wrong.name = 'apart'
    first, = struct.unpack_from('<I', wrong.stream, HEAD)
    wrong.lengths(2)
    wrong('head', 'the stream ends in the lengths of parts', wrong.stream[:HEAD + 6])
    wrong.patched('axes-0', 'no axis is apart', '2B', 1, 0, 0)
    wrong.patched('axes-all', 'no axis is between', '2B', 1, 1, 1)
    wrong.patched('axes-more', 'more axes than there are', '2B', 1, 0, 3)
    wrong.patched('axes-long', 'as many parts as there are not lengths', '2B', 1, 1, 0)
    make_bad_rows(make)
    wrong.patched('reserved', 'a byte that must be 0', 'B', 3, 1)
    wrong.patched('description', 'the description is of another length', 'I', 4, 12)
    wrong.patched('beyond', 'a part ends behind the stream', 'I', HEAD, 2**32 - 1)
    wrong.patched('less', 'a part is shorter', 'I', HEAD, first - 2)
    wrong.patched('part-0', 'a part of no bytes', 'I', HEAD, 0)
    wrong.patched('nested', 'parts of parts', 'B', HEAD + 16, APART)
