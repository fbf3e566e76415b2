# SPDX-License-Identifier: MIT
"""ndzip: hypercubes of 4096 values as bit columns, behind a table of where each ends."""
import itertools
import math
import struct

from errors import need

SIDES = {1: 4096, 2: 64, 3: 16}
CUBE = 4096


def strides_of(extents):
    return [math.prod(extents[axis + 1:]) for axis in range(len(extents))]


def dot(coordinates, strides):
    return sum(map(int.__mul__, coordinates, strides))


def transposed_residuals(words, bits):
    """The values after step 3 of the page; words are exactly those of one hypercube."""
    heads = words[:CUBE // bits]
    need(len(heads) + sum(head.bit_count() for head in heads) == len(words),
         'ndzip: the heads of a hypercube disagree with the offset table')
    columns = iter(words[len(heads):])
    values = []
    for head in heads:
        group = [0] * bits
        for plane in reversed(range(bits)):
            if head >> plane & 1:
                column = next(columns)
                for j in range(bits):
                    group[j] |= (column >> bits - 1 - j & 1) << plane
        values += group
    return values


def decode_cube(words, bits, dimensions):
    mask = 2**bits - 1
    values = [value ^ mask >> 1 if value >> bits - 1 else value for value in transposed_residuals(words, bits)]
    side = SIDES[dimensions]
    for stride in strides_of([side] * dimensions):
        for i in range(CUBE):
            if i // stride % side:
                values[i] = values[i] + values[i - stride] & mask
    return [value >> 1 | (value & 1) << bits - 1 for value in values]


def decode(stream, word_bytes, extents, parameters):
    need(word_bytes >= 4, 'ndzip: takes no bytes')
    need(len(extents) in SIDES and not parameters, 'ndzip: takes one to three extents and no parameters')
    side = SIDES[len(extents)]
    counts = [extent // side for extent in extents]
    cubes = math.prod(counts)
    border = math.prod(extents) - CUBE * cubes
    need(math.prod(extents) < 2**32, 'ndzip: too many values')

    table = 4 * cubes
    need(len(stream) >= table, 'ndzip: the stream ends within the offset table')
    ends = (0,) + struct.unpack_from(f'<{cubes}I', stream)
    if word_bytes == 8:
        table += table % 8
    need(len(stream) == table + word_bytes * (ends[-1] + border), 'ndzip: the stream has the wrong length')
    need(all(a < b for a, b in itertools.pairwise(ends)), 'ndzip: the offset table does not rise')
    words = struct.unpack_from(f'<{ends[-1] + border}{"I" if word_bytes == 4 else "Q"}', stream, table)

    grid = [None] * math.prod(extents)
    strides = strides_of(extents)
    inside = [dot(point, strides) for point in itertools.product(range(side), repeat=len(extents))]
    for cube, point in enumerate(itertools.product(*map(range, counts))):
        corner = side * dot(point, strides)
        values = decode_cube(words[ends[cube]:ends[cube + 1]], 8 * word_bytes, len(extents))
        for offset, value in zip(inside, values):
            grid[corner + offset] = value
    rest = iter(words[ends[-1]:])
    grid = [next(rest) if value is None else value for value in grid]
    return struct.pack(f'<{len(grid)}{"I" if word_bytes == 4 else "Q"}', *grid)
