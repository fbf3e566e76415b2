# SPDX-License-Identifier: MIT
"""Containers of prans' format of periods: an axis that became two, and streams that are wrong."""
import struct

from prans import lcg, pack
from streams import Wrong

PERIODIC, FRONT, STATIONS = 10, 16, 23


def turns(values):
    """Stations in turns: each is far from the others, and changes little."""
    random = lcg(31)
    level = [next(random) / 2**16 - 16384 for _ in range(STATIONS)]
    for i in range(values):
        time = i // STATIONS
        yield level[i % STATIONS] * (1 + time * time % 4801 / 2**20) + next(random) / 2**31


def grids():
    yield 'f32', 'f32', 'stations in turns, some behind the last turn', '6000', pack('f', turns(6000))
    yield 'whole-f64', 'f64', 'stations in turns, whole turns', '4140', pack('d', turns(4140))
    yield '4d-f32', 'f32', 'of four axes the fastest two become one', '700x1x2x3', pack('f', turns(4200))


def make_good(make):
    for name, dtype, what, shape, data in grids():
        make.unrepeated(f'periodic-{name}', what, f'{name}_{shape}.{dtype}', data, '--codec', 'prans')
    make.unrepeated('periodic-rows-f32', 'stations in turns in each row', 'f32_40x138.f32', pack('f', turns(5520)), '--codec', 'prans')
    make.unrepeated('periodic-high-f32', 'stations in turns, in the high setting', 'f32_6000.f32',
                    pack('f', turns(6000)), '--codec', 'prans:setting=high')


def make_bad(make):
    wrong = Wrong(make, pack('d', turns(4140)), 'd', 'prans', 'turns', '4140', good='periodic-whole-f64')
    assert wrong.stream[0] == PERIODIC
    wrong.name = 'periodic'
    whole, = struct.unpack_from('<I', wrong.stream, 12)
    wrong.lengths(8)
    wrong('front', 'the stream ends within its description', wrong.stream[:12])
    wrong.patched('reserved', 'a byte that must be 0', 'B', 2, 1)
    wrong.patched('description', 'the description is of another length', 'I', 4, 4)
    wrong.patched('period-1', 'a period of one place', 'I', 8, 1)
    wrong.patched('period-long', 'no two periods', 'I', 8, 2071)
    wrong.patched('period-other', 'another period: places behind the last one, and no bytes', 'I', 8, STATIONS - 1)
    wrong.patched('beyond', 'the streams of whole periods end behind the stream', 'I', 12, 2**32 - 1)
    wrong.patched('less', 'the streams of whole periods end too early', 'I', 12, whole - 2)
    wrong.patched('axis', 'an axis that is neither the slowest nor the fastest', 'B', 1, 2)
    wrong.patched('axis-only', 'rows of a grid of one axis', 'B', 1, 1)
    wrong.patched('nested', 'periods of periods', 'B', FRONT, PERIODIC)
    rows = Wrong(make, pack('f', turns(5520)), 'f', 'prans', 'turns', '40x138', good='periodic-rows-f32')
    assert rows.stream[:2] == bytes((PERIODIC, 1))
    rows.name = 'periodic-rows'
    rows.patched('part', 'rows that are no whole periods', 'I', 8, STATIONS + 1)
    rows.patched('nested', 'periods of rows within periods of rows', '2B', FRONT, PERIODIC, 1)
