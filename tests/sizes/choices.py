#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What levels choose on a generated grid of every kind of floats: no level makes more than a faster one, but -3, which
chooses by a sample, 3 % at most; -9 makes about what the best single codec does, and the default level what prans does.
None from -6 on makes more than the default level, also where samples mislead. Of large grids encoders look at pieces:
what the default level makes of them is right at once. An array that changes is cut where -9 has longer chunks.

What -9 makes of a grid stands in sizes.csv, which sizes.py compares it with, and is not made again.

usage: choices.py FPGZ GENGRID
"""
import csv
import os
import re
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..'))
from expect import expect, run_in_scratch  # noqa: E402

FPGZ, GENGRID = map(os.path.abspath, sys.argv[1:3])
LEVELS = (1, 3, 5, 6, 7, 9)
SHAPES = {'f32': '4x96x100', 'f64': '2x96x100'}
LARGE = '30x200x200'
TABLE = os.path.join(os.path.dirname(os.path.abspath(__file__)), 'sizes.csv')


def run(*command):
    return subprocess.run(command, check=True, capture_output=True).stdout


def stored(grid, *options):
    return len(run(FPGZ, '-q', '-c', *options, grid))


def smallest():
    """{grid: bytes at -9}"""
    with open(TABLE, encoding='ascii') as file:
        return {row['file']: int(row['bytes']) for row in csv.DictReader(file) if row['level'] == '9'}


def near(bytes_, best):
    """Within 1 %, and what a container has besides."""
    return bytes_ <= 1.01 * best + 64


def sizes(grid, known):
    """What each level makes of it."""
    levels = {level: stored(grid, f'-{level}') for level in LEVELS if level < 9}
    levels[9] = known.get(grid) or stored(grid, '-9')
    expect(levels[6] <= levels[5] and levels[9] <= levels[7] <= levels[5], grid, levels)
    return levels


def mixed(outer, inner, dtype, rows, columns, numpy=False):
    """The middle half is of another kind: samples have another part of it. An array of NumPy is one of few."""
    ends, middle = (run(GENGRID, kind, dtype, f'{rows}x{columns}') for kind in (outer, inner))
    quarter, grid = len(ends) // 4, f'{outer}_{inner}_{rows}x{columns}.{"npy" if numpy else dtype}'
    front = f"{{'descr': '<f{int(dtype[1:]) // 8}', 'fortran_order': False, 'shape': ({rows}, {columns})}}".ljust(117) + '\n'
    with open(grid, 'wb') as file:
        if numpy:
            file.write(b'\x93NUMPY\1\0' + len(front).to_bytes(2, 'little') + front.encode())
        file.write(ends[:quarter] + middle[quarter:-quarter] + ends[-quarter:])
    sizes(grid, {})


def large(kind, dtype):
    """A stream that verification refuses would be told of, and its values stored."""
    grid = f'{kind}_{LARGE}.{dtype}'
    run(GENGRID, kind, dtype, LARGE, '-o', grid)
    made = subprocess.run([FPGZ, '-f', '-o', 'large.fpgz', grid], capture_output=True, text=True)
    expect(not made.returncode and not made.stderr, grid, made.returncode, made.stderr)
    os.remove(grid)


def changing(first, second, dtype, rows, columns):
    """Halves of two kinds, longer together than a chunk of the default level, but not than one of -9, which would learn
    from the one for the other."""
    grid = f'{first}_{second}_{2 * rows}x{columns}.{dtype}'
    with open(grid, 'wb') as file:
        for kind in (first, second):
            file.write(run(GENGRID, kind, dtype, f'{rows}x{columns}'))
    small, large = (stored(grid, f'-{level}') for level in (9, 5))
    expect(small <= large, grid, small, large)


def main():
    kinds = [line.split()[:2] for line in run(GENGRID, '--list').decode().splitlines()]
    rows = [line.split() for line in run(FPGZ, '--codecs').decode().splitlines() if re.match(r'\w+ .* yes ', line)]
    codecs = {dtype: [row[0] for row in rows if row[1] == 'all' or dtype in row[1].split(',')] for dtype in SHAPES}
    known = smallest()
    expect(all('prans' in names and 'ndzip' in names for names in codecs.values()), codecs)
    for number, (kind, dtypes) in enumerate(row for row in kinds if row[1] != 'integers'):
        dtype = dtypes if dtypes in SHAPES else ('f32', 'f64')[number % 2]
        grid = f'gengrid-{kind}_{SHAPES[dtype]}.{dtype}'
        run(GENGRID, kind, dtype, SHAPES[dtype], '-o', grid)
        levels = sizes(grid, known)
        alone = {codec: stored(grid, '--codec', codec) for codec in codecs[dtype]}
        expect(levels[3] <= 1.03 * levels[1] and levels[5] <= levels[3], grid, levels)
        expect(near(levels[9], min(alone.values())), grid, '-9', levels[9], alone)
        expect(near(levels[5], alone['prans']), grid, '-5', levels[5], alone)
        large(kind, dtype)
    changing('map', 'rates', 'f32', 1500, 1000)
    mixed('spec', 'walk', 'f32', 300, 100)
    mixed('samples', 'poly', 'f32', 160, 64)
    mixed('sensors', 'calibrated', 'f64', 90, 400, numpy=True)
    mixed('station', 'visibilities', 'f64', 160, 64, numpy=True)


run_in_scratch(main)
