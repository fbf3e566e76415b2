# SPDX-License-Identifier: MIT
"""Containers of prans' format of symmetries: grids that are mirrored or their own transposes, and streams that are wrong."""
import struct

from prans import lcg, pack
from streams import Wrong

SYMMETRIC, SIDE = 11, 12


def matrix(side, sign=1, middle=0):
    """A matrix that is its own transpose, or the negative one, and of which some values have another last bit."""
    random = lcg(41)
    rows = [[(next(random) * 2**24 + next(random) - 2**47) / 2**30 for _ in range(side)] for _ in range(side)]
    for i in range(side):
        for j in range(side):
            yield middle if sign < 0 and i == j else rows[i][j] if i <= j else sign * rows[j][i] * (1 if (i * j) % 61 else 1 + 2**-52)


def spectrum(rows, columns):
    """What a place and the one on the other side of 0 have in common, as in the power of real signals."""
    random = lcg(43)
    power = [next(random) % 2**16 for _ in range(rows * columns)]
    for i in range(rows):
        for j in range(columns):
            yield min(power[i * columns + j], power[-i % rows * columns + -j % columns])


def pulse(values):
    """Antisymmetric about its middle."""
    random = lcg(47)
    half = [(next(random) - 2**23) / 2**25 for _ in range(values // 2)]
    return half + [-value for value in reversed(half)]


def make_good(make):
    make.unrepeated('symmetric-f64', 'a matrix that is nearly its own transpose', 'matrix_60x60.f64', pack('d', matrix(60)), '--codec', 'prans')
    make.unrepeated('symmetric-negated-f32', 'a matrix that is the negative of its transpose', 'matrix_50x50.f32', pack('f', matrix(50, -1)),
                    '--codec', 'prans')
    make.unrepeated('symmetric-u16', 'the same on both sides of 0, of two axes together', 'spectrum_40x50.u16', pack('H', spectrum(40, 50)),
                    '--codec', 'prans')
    make.unrepeated('symmetric-high-f32', 'negative on the other side, in the high setting', 'pulse_3000.f32', pack('f', pulse(3000)),
                    '--codec', 'prans:setting=high')


def make_bad(make):
    data = pack('d', matrix(60))
    wrong = Wrong(make, data, 'd', 'prans', 'matrix', '60x60', good='symmetric-f64')
    assert wrong.stream[0] == SYMMETRIC and wrong.stream[1] == 1
    wrong.name = 'symmetric'
    first, = struct.unpack_from('<I', wrong.stream, 8)
    maps = SIDE + 8
    wrong.lengths(8)
    wrong('front', 'the stream ends within its description', wrong.stream[:maps])
    wrong.patched('none', 'no maps', 'B', 1, 0)
    wrong.patched('many', 'nine maps', 'B', 1, 9)
    wrong.patched('reserved', 'a byte that must be 0', 'B', 2, 1)
    wrong.patched('description', 'the description is of another length', 'I', 4, 20)
    wrong.patched('beyond', 'the values end behind the stream', 'I', 8, 2**32 - 1)
    wrong.patched('less', 'the values end too early', 'I', 8, first - 2)
    wrong.patched('centre', 'a centre beyond its axis', 'I', SIDE, 60)
    wrong.patched('centres', 'axes of other centres change places', 'I', SIDE, 3)
    wrong.patched('axis', 'an axis that there is not', 'B', maps + 1, 2)
    wrong.patched('same', 'an axis that changes places with itself', 'B', maps, 1)
    wrong.patched('nothing', 'a map that changes nothing', '2B', maps, 0, 0)
    wrong.patched('reflected', 'an axis that there is not is reflected', 'B', maps + 2, 4)
    wrong.patched('sign', 'neither negated nor not', 'B', maps + 3, 2)
    wrong.patched('nested', 'symmetries of symmetries', 'B', maps + 4, SYMMETRIC)
    integers = Wrong(make, pack('H', spectrum(40, 50)), 'H', 'prans', 'spectrum', '40x50', good='symmetric-u16')
    assert integers.stream[0] == SYMMETRIC
    integers.name = 'symmetric-integers'
    integers.patched('negated', 'integers that are negated', 'B', maps + 3, 1)
