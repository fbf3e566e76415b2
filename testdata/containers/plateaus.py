# SPDX-License-Identifier: MIT
"""Containers of prans' format of plateaus: masks, steps and blobs, and streams that are wrong."""
import struct

from prans import lcg, pack
from streams import Wrong

PLATEAUS, FRONT = 12, 20


def disk(rows, columns):
    """Ones within a circle."""
    return [int((2 * i - rows)**2 + (2 * j - columns)**2 < rows * columns // 2) for i in range(rows) for j in range(columns)]


def blobs(planes, rows, columns):
    """Zeros, and numbers in balls of which no two values are alike."""
    random = lcg(53)
    for k in range(planes):
        for i in range(rows):
            for j in range(columns):
                inside = (i - rows // 2 + k)**2 + (j - columns // 3 - 2 * k)**2 < 30
                yield next(random) / 2**20 if inside else 0


def steps(values):
    """Each value is there a few times."""
    random, level = lcg(59), 0
    while values > 0:
        level += (next(random) - 2**23) / 2**30
        length = min(6, values)
        yield from [level] * length
        values -= length


def make_good(make):
    make.unrepeated('plateaus-f32', 'a disk', 'disk_60x70.f32', pack('f', disk(60, 70)), '--codec', 'prans')
    make.unrepeated('plateaus-3d-f64', 'blobs in planes', 'blobs_8x20x30.f64', pack('d', blobs(8, 20, 30)), '--codec', 'prans')
    make.unrepeated('plateaus-steps-f64', 'values that are there six times each', 'steps_3000.f64', pack('d', steps(3000)), '--codec', 'prans')
    make.unrepeated('plateaus-short-u8', 'rows of three values', 'disk_50x40x3.u8', pack('B', [v for v in disk(50, 40) for _ in range(3)]),
                    '--codec', 'prans')
    make.unrepeated('plateaus-high-f32', 'blobs in planes, in the high setting', 'blobs_8x20x30.f32', pack('f', blobs(8, 20, 30)),
                    '--codec', 'prans:setting=high')


def make_bad(make):
    wrong = Wrong(make, pack('d', steps(3000)), 'd', 'prans', 'steps', '3000', good='plateaus-steps-f64')
    assert wrong.stream[0] == PLATEAUS
    wrong.name = 'plateaus'
    fresh, length, edges = struct.unpack_from('<3I', wrong.stream, 8)
    wrong.lengths(2)
    wrong('front', 'the stream ends within its description', wrong.stream[:FRONT - 4])
    wrong.patched('reserved', 'a byte that must be 0', 'B', 1, 1)
    wrong.patched('description', 'the description is of another length', 'I', 4, 8)
    wrong.patched('none', 'no new value', 'I', 8, 0)
    wrong.patched('many', 'more new values than half of the values', 'I', 8, 1501)
    wrong.patched('beyond', 'the new values end behind the stream', 'I', 12, 2**32 - 1)
    wrong.patched('less', 'the new values end too early', 'I', 12, length - 2)
    wrong.patched('edges-beyond', 'the edges end behind the stream', 'I', 16, 2**32 - 1)
    wrong.patched('edges-less', 'the edges end too early', 'I', 16, edges - 1)
    wrong.patched('nested', 'plateaus of plateaus', 'B', FRONT, PLATEAUS)
    stored = Wrong(make, pack('f', disk(60, 70)), 'f', 'prans', 'disk', '60x70', good='plateaus-f32')
    assert stored.stream[0] == PLATEAUS
    stored.name = 'plateaus-stored'
    values, = struct.unpack_from('<I', stored.stream, 8)
    assert struct.unpack_from('<I', stored.stream, 12)[0] == 4 * values
    end, one = FRONT + 4 * values, stored.stream[FRONT:FRONT + 4]
    stored('few', 'fewer new values than there are', b''.join((
        stored.stream[:8], struct.pack('<2I', values - 1, 4 * values - 4), stored.stream[16:FRONT], stored.stream[FRONT + 4:])))
    stored('unused', 'a new value that is not used', b''.join((
        stored.stream[:8], struct.pack('<2I', values + 1, 4 * values + 4), stored.stream[16:end], one, stored.stream[end:])))
