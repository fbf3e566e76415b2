# SPDX-License-Identifier: MIT
"""Containers of prans' format of scales: weights that were integers times a scale of each row, column or block, and streams that
are wrong."""
import struct

from prans import lcg, pack
from streams import Wrong

SCALED, FRONT = 14, 24


def single(value):
    return struct.unpack('<f', struct.pack('<f', value))[0]


def weights(rows, columns, bits, scale_of):
    """Integers of so many bits, times the scale of their place."""
    random = lcg(59)
    most = 2**(bits - 1) - 1
    for i in range(rows):
        for j in range(columns):
            weight = sum(next(random) % (most + 1) for _ in range(3)) - sum(next(random) % (most + 1) for _ in range(3))
            yield max(-most, min(most, weight)) * scale_of(i, j)


def scales(count):
    """Singles between 1/1024 and 1/512."""
    random = lcg(61)
    return [single((1 + next(random) % 2**24 / 2**24) / 1024) for _ in range(count)]


def by_row(rows, columns, bits=8):
    of = scales(rows)
    return weights(rows, columns, bits, lambda i, j: of[i])


def by_column(rows, columns):
    of = scales(columns)
    return weights(rows, columns, 8, lambda i, j: of[j])


def by_block(rows, columns):
    """Of 32 values, with 4 bits."""
    of = scales(rows * columns // 32)
    return weights(rows, columns, 4, lambda i, j: of[(i * columns + j) // 32])


def rounded_twice(rows, columns):
    """As of products that are divided, so that some values differ from one product by their last bit."""
    of = scales(rows)
    for value, i in zip(weights(rows, columns, 8, lambda i, j: 1), range(rows * columns)):
        yield single(single(value * single(of[i // columns] * 127)) / 127)


def halves(values, upper=False):
    """As binary16, or as bfloat16: as integers of 16 bits."""
    for value in values:
        if upper:
            word = int.from_bytes(struct.pack('<f', value), 'little')
            yield (word + 0x7FFF + (word >> 16 & 1)) >> 16
        else:
            yield int.from_bytes(struct.pack('<e', single(value)), 'little')


def with_exponents(rows, columns):
    """Numbers of 8 bits with four binary digits, times the scale of each row."""
    of, random = scales(rows), lcg(67)
    for i in range(rows * columns):
        sign, fraction, exponent = 1 - 2 * (next(random) % 2), 8 + next(random) % 8, next(random) % 7
        yield single(sign * fraction / 2**exponent * of[i // columns])


def make_good(make):
    make.unrepeated('scaled-f32', 'integers of 8 bits times a scale of each row', 'weights_60x90.f32', pack('f', by_row(60, 90)), '--codec', 'prans')
    make.unrepeated('scaled-columns-f64', 'and of each column', 'weights_90x60.f64', pack('d', by_column(90, 60)), '--codec', 'prans')
    make.unrepeated('scaled-blocks-f32', 'integers of 4 bits times a scale of each 32 values', 'weights_40x100.f32', pack('f', by_block(40, 100)),
                    '--codec', 'prans')
    make.unrepeated('scaled-high-f32', 'and with differences, in the high setting', 'weights_50x90.f32', pack('f', rounded_twice(50, 90)),
                    '--codec', 'prans:setting=high')
    make.unrepeated('scaled-f16', 'products that were rounded to f16', 'weights_60x100.f16', pack('H', halves(by_row(60, 100))), '--codec', 'prans')
    make.unrepeated('scaled-bf16', 'and to bf16, of numbers with exponents', 'weights_60x100.bf16', pack('H', halves(with_exponents(60, 100), True)),
                    '--codec', 'prans')
    make.unrepeated('scaled-single-f64', 'singles in f64', 'weights_60x90.f64', pack('d', map(single, by_row(60, 90))), '--codec', 'prans')
    make.unrepeated('scaled-half-f32', 'halves in f32', 'weights_50x96.f32', pack('f', (value for value, in struct.iter_unpack('<e', pack(
        'H', halves(by_block(50, 96)))))), '--codec', 'prans:setting=high')
    make.unrepeated('scaled-upper-f32', 'and their like with the exponents of f32', 'weights_60x80.f32', pack('I', (word << 16 for word in halves(
        by_row(60, 80, 6), True))), '--codec', 'prans')


def make_bad(make):
    data = pack('f', by_row(60, 90))
    wrong = Wrong(make, data, 'f', 'prans', 'weights', '60x90', good='scaled-f32')
    assert wrong.stream[0] == SCALED
    wrong.name = 'scaled'
    first, second = struct.unpack_from('<2I', wrong.stream, 8)
    wrong.lengths(8)
    wrong('front', 'the stream ends within its description', wrong.stream[:FRONT - 1])
    wrong.patched('reserved', 'products that are rounded to singles, in f32', 'B', 1, 1)
    wrong.patched('description', 'the description is of another length', 'I', 4, 20)
    wrong.patched('beyond', 'the quotients end behind the stream', 'I', 8, 2**32 - 1)
    wrong.patched('less', 'the quotients end too early', 'I', 8, first - 2)
    wrong.patched('scales-beyond', 'the scales end behind the stream', 'I', 12, second + 1)
    wrong.patched('run', 'runs of no values', 'I', 16, 0)
    wrong.patched('none', 'no scales', 'I', 20, 0)
    wrong.patched('many', 'more scales than runs', 'I', 20, 61)
    wrong.patched('crowd', 'more scales than an eighth of the values', '2I', 16, 1, 676)
    wrong.patched('nested', 'scales of scales', 'B', FRONT, SCALED)
    stored = bytearray(wrong.stream[:FRONT + first]) + struct.pack('<60f', *[1.0] * 59, float('inf'))
    struct.pack_into('<I', stored, 12, 240)
    wrong('infinite', 'a scale that is infinite', bytes(stored))
    data = pack('H', halves(by_row(60, 100)))
    wrong = Wrong(make, data, 'H', 'prans', 'weights', '60x100', good='scaled-f16')
    assert wrong.stream[:2] == bytes((SCALED, 2))
    wrong.name = 'scaled'
    wrong.patched('whole', 'f16 that are not rounded', 'B', 1, 0)
    wrong.patched('upper', 'f16 that are rounded as bf16 are', 'B', 1, 3)
    wrong.patched('unknown', 'an unknown rounding', 'B', 1, 4)
