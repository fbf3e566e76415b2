#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Compares what fpgz makes of the grids in testdata/ and of generated ones with tests/sizes/sizes.csv.

usage: sizes.py [--renew] FPGZ GENGRID SOURCE-ROOT

A container that is larger than the table says is a failure. One that is smaller is told of: renew the table, so that
the gain cannot get lost again.
"""
import csv
import os
import shutil
import subprocess
import sys
import tempfile

# Levels, and how long the grids are that they code: -9 takes six times as long as -5. -7 is between: choices.py.
LEVELS = [(1, 8), (3, 8), (5, 8), (9, 4)]
DTYPES = ['f32', 'f64']    # the latter half as long
# Kinds that mostly come in one of them.
USUAL = {'particles': 'f32', 'samples': 'f32', 'sensors': 'f64', 'station': 'f64', 'calibrated': 'f64', 'network': 'f32', 'catalogue': 'f64', 'outlines': 'f64', 'checkpoint': 'f32',
         'map': 'f32', 'strain': 'f64', 'regions': 'f32', 'rates': 'f64', 'radians': 'f64', 'pairs': 'f64', 'clock': 'f64', 'levels': 'f32'}
TABLES = ['channels'] # whose columns differ
# Of the other dtypes those kinds that files have.
OTHERS = [('weights', 'f16'), ('weights', 'bf16'), ('wave', 'f16'), ('packed', 'i16'), ('packed', 'i32'), ('packed', 'u8'),
          ('counts', 'i8'), ('counts', 'u16'), ('counts', 'i32'), ('image', 'u8'), ('image', 'u16'), ('times', 'i32'),
          ('times', 'i64'), ('times', 'u64'), ('mask', 'u8'), ('mask', 'i64'), ('classes', 'u8'), ('classes', 'u32')]


def generate(gengrid, folder, length):
    """Writes a grid of every kind of f32 and f64 and those of OTHERS, and returns the paths."""
    kinds = [line.split()[:2] for line in subprocess.run([gengrid, '--list'], check=True, capture_output=True,
                                                         text=True).stdout.splitlines()]
    grids = [(kind, dtype) for kind, dtypes in kinds if dtypes != 'integers' for dtype in DTYPES
             if USUAL.get(kind, dtype) == dtype] + OTHERS
    paths = []
    for kind, dtype in grids:
        slices = length // 2 if dtype == 'f64' else length
        shape = f'{96 * slices}x100' if kind in TABLES else f'{slices}x96x100'
        paths.append(os.path.join(folder, f'gengrid-{kind}_{shape}.{dtype}'))
        subprocess.run([gengrid, kind, dtype, shape, '-o', paths[-1]], check=True)
    return paths


def stored(fpgz, path, level):
    """Bytes of the grid's container."""
    return len(subprocess.run([fpgz, f'-{level}', '-c', path], check=True, capture_output=True).stdout)


def measure(fpgz, gengrid, root, folder):
    """{(file, level): bytes}"""
    testdata = os.path.join(root, 'testdata')
    real = [shutil.copy(os.path.join(testdata, name), folder)
            for name in sorted(os.listdir(testdata)) if name.endswith(('.f32', '.f64'))]
    generated = {length: generate(gengrid, folder, length) for length in {length for _, length in LEVELS}}
    for path in sum(generated.values(), real):      # a container has the time in few bytes, more or less
        os.utime(path, (1_000_000_000, 1_000_000_000))
    return {(os.path.basename(path), level): stored(fpgz, path, level)
            for level, length in LEVELS for path in real + generated[length]}


def read(table):
    with open(table, newline='', encoding='ascii') as file:
        return {(row['file'], int(row['level'])): int(row['bytes']) for row in csv.DictReader(file)}


def write(table, sizes):
    with open(table, 'w', newline='', encoding='ascii') as file:
        rows = csv.writer(file, lineterminator='\n')
        rows.writerow(['file', 'level', 'bytes'])
        rows.writerows([name, level, size] for (name, level), size in sorted(sizes.items()))


def compare(expected, sizes):
    """Prints what differs and returns how many rows passed and failed."""
    failed = 0
    for row in sorted(expected.keys() | sizes.keys()):
        before, now = expected.get(row), sizes.get(row)
        where = f'{row[0]} at -{row[1]}'
        if before is None or now is None:
            print(f'FAILED: {where}: {"not in the table" if before is None else "in the table, but no such grid"}')
            failed += 1
        elif now > before:
            print(f'FAILED: {where}: {now} bytes, {before} in the table')
            failed += 1
        elif now < before:
            print(f'{where}: {now} bytes, {before} in the table: smaller; renew it with tools/renew-sizes')
    return len(expected.keys() | sizes.keys()) - failed, failed


def main():
    arguments = [word for word in sys.argv[1:] if word != '--renew']
    if len(arguments) != 3:
        sys.exit(__doc__)
    fpgz, gengrid, root = map(os.path.abspath, arguments)
    table = os.path.join(os.path.dirname(os.path.abspath(__file__)), 'sizes.csv')
    folder = tempfile.mkdtemp()
    try:
        sizes = measure(fpgz, gengrid, root, folder)
    finally:
        shutil.rmtree(folder)
    if len(arguments) < len(sys.argv) - 1:
        write(table, sizes)
        return
    passed, failed = compare(read(table), sizes)
    print(f'{passed} passed, {failed} failed')
    sys.exit(failed > 0)


main()
