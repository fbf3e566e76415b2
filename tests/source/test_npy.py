#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""NumPy files: that they come back byte for byte, and regions of them as NumPy would cut them.

usage: test_npy.py FPGZ
"""
import filecmp
import itertools
import math
import os
import struct
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..'))
from expect import expect, run_in_scratch  # noqa: E402

FPGZ = os.path.abspath(sys.argv[1])


def run(*arguments):
    return subprocess.run([FPGZ, *arguments], capture_output=True, timeout=120)


def value(index):
    """The value at an index: smooth, and another one everywhere."""
    return float(sum((i + 1) * 100 ** -d * 1.0 for d, i in enumerate(index)) * 8)


def npy(descr, shape, values, column_major=False, version=1):
    """The bytes of a file with these values, given in row-major order."""
    text = f"{{'descr': '{descr}', 'fortran_order': {column_major}, 'shape': {tuple(shape)!r}, }}"
    prefix = 10 if version == 1 else 12
    text += ' ' * (-(prefix + len(text) + 1) % 64) + '\n'
    if column_major:
        order = itertools.product(*(range(extent) for extent in reversed(shape)))
        by_index = dict(zip(indexes(shape), values))
        values = [by_index[index[::-1]] for index in order]
    kind = {'f4': 'f', 'f8': 'd', 'i4': 'i', 'i2': 'h', 'u1': 'B'}[descr[1:]]
    order = '>' if descr[0] == '>' else '<'
    return (b'\x93NUMPY' + bytes([version, 0]) + struct.pack('<H' if version == 1 else '<I', len(text)) +
            text.encode() + struct.pack(f'{order}{len(values)}{kind}', *values))


def indexes(shape):
    return itertools.product(*(range(extent) for extent in shape))


def roundtrip(name, data):
    open(name, 'wb').write(data)
    packed = run('-q', '-f', '-o', name + '.fpgz', name)
    expect(packed.returncode == 0, name, packed.stderr)
    restored = run('-d', '-f', '-o', 'back.npy', name + '.fpgz')
    expect(restored.returncode == 0 and filecmp.cmp(name, 'back.npy', shallow=False), name, restored.stderr)
    expect(os.path.getsize(name + '.fpgz') <= len(data) * 1.001 + 4096, name, 'grew')


def selected(bounds, extent):
    """The indexes that one bound of --region selects: an index keeps its axis."""
    if bounds is None or ':' in bounds:
        first, last = (bounds or ':').split(':')
        return range(extent)[slice(int(first) if first else None, int(last) if last else None)]
    index = int(bounds) + (extent if int(bounds) < 0 else 0)
    return range(index, index + 1)


def region(name, shape, text, descr='<f8'):
    """A region to a NumPy file, and to nothing but its values."""
    bounds = text.split(',')
    axes = [selected(bounds[d] if d < len(bounds) else None, extent) for d, extent in enumerate(shape)]
    values = [value(index) for index in itertools.product(*axes)]
    wanted = npy(descr, [len(axis) for axis in axes], values)
    for to, suffix, expected in ('npy', 'npy', wanted), ('raw', 'f64', wanted[len(wanted) - 8 * len(values):]):
        output = 'region.' + suffix
        result = run('-d', '-f', '--region', text, '--to', to, '-o', output, name + '.fpgz')
        expect(result.returncode == 0 and open(output, 'rb').read() == expected, name, text, to, result.stderr)


SHAPE = (7, 60, 50)
REGIONS = ['2:4,:,10:20', ':,:,:', '-3:,5:-5,-1:', '6', '0:1,59,49', '3:,:20', ':,:,7', '2:2,:,:', ':7,-60:,48:']
# Fields of a record: name, type, values in it, and struct's code. Names without letters are padding.
RECORD = [('time', '<f8', 1, 'd'), ('x', '>f4', 1, 'f'), ('', '|V3', 1, '3x'), ('flag', '|u1', 1, 'B'), ('v', '<i2', 3, '3h'),
          ('name', '|S5', 1, '5s'), ('z', '<c8', 1, '2f')]


def record_value(name, i):
    """What struct packs for a field of record i."""
    return {'time': [1e9 + 0.25 * i], 'x': [value([i]) / 16], '': [], 'flag': [i % 3], 'v': [i % 100, i // 7 % 300, -(i % 9)],
            'name': [b'n%04d' % (i % 50)], 'z': [value([i % 64]), -value([i % 64])]}[name]


def records(count):
    """A file of records, and the bytes of each field as --to raw gives them."""
    descr = ', '.join(f'({name!r}, {kind!r}{f", ({size},)" if size > 1 else ""})' for name, kind, size, _ in RECORD)
    text = f"{{'descr': [{descr}], 'fortran_order': False, 'shape': ({count},), }}"
    text += ' ' * (-(10 + len(text) + 1) % 64) + '\n'
    data, fields = bytearray(b'\x93NUMPY\1\0' + struct.pack('<H', len(text)) + text.encode()), {}
    for i in range(count):
        for name, kind, _, code in RECORD:
            data += struct.pack(('>' if kind[0] == '>' else '<') + code, *record_value(name, i))
            fields.setdefault(name, bytearray()).extend(struct.pack('<' + code, *record_value(name, i)))
    return bytes(data), fields


def test_records():
    for count in 1, 2, 700, 30000:
        data, fields = records(count)
        roundtrip('records.npy', data)
        piped = run('-d', '-c', 'records.npy.fpgz')
        expect(piped.stdout == data, 'records through a pipe', piped.stderr)
        if count < 700:
            continue  # too small for arrays
        for name, kind, _, _ in RECORD:
            if not name:
                continue
            row = len(fields[name]) // count
            for region, first, last in ('', 0, count), ('200:250', 200, 250), ('-3:', count - 3, count):
                result = run('-d', '-c', '--to', 'raw', '--dataset', name, '--region', region or ':', 'records.npy.fpgz')
                expect(result.stdout == fields[name][first * row:last * row], name, region, result.stderr)
    result = run('-d', '-f', '--to', 'npy', '--dataset', 'time', '-o', 'time.npy', 'records.npy.fpgz')
    times = npy('<f8', (30000,), [record_value('time', i)[0] for i in range(30000)])
    expect(open('time.npy', 'rb').read() == times, 'a field as a NumPy file', result.stderr)
    listed = run('-l', '-v', 'records.npy.fpgz').stdout
    expect(b'(padding 12)' in listed and b'i16 30000x3' in listed, listed)
    result = run('-d', '-c', '--dataset', 'none', 'records.npy.fpgz')
    expect(result.returncode == 1 and b'has no dataset none: it holds 7 arrays, time, x' in result.stderr, result.stderr)
    open('cut.npy', 'wb').write(data[:-1])
    expect(run('-f', 'cut.npy').returncode == 2, 'records that are cut off')
    expect(run('-d', '-c', 'cut.npy.fpgz').stdout == data[:-1], 'records that are cut off')


# What is outside is an error and not cut off, other than in NumPy: who asks for it has another grid in mind.
OUTSIDE = [('7', b'7'), ('0,60', b'60'), ('0,-61', b'60'), ('0,0,0,0', b'3'), (':100', b'100'), ('x', b'x'),
           ('1:2:3', b':3')]


def main():
    test_records()
    values = [value(index) for index in indexes(SHAPE)]
    for version, column_major, descr in itertools.product((1, 2, 3), (False, True), ('<f4', '<f8', '>f4', '>f8')):
        roundtrip(f'v{version}_{"F" if column_major else "C"}_{descr[1:]}{descr[0] == ">"}.npy',
                  npy(descr, SHAPE, values, column_major, version))
    for descr in '<i4', '>i2', '|u1':
        roundtrip(f'integers_{descr[1:]}.npy', npy(descr, SHAPE, [i % 100 for i in range(math.prod(SHAPE))]))
    whole = npy('<f8', SHAPE, values)
    for name, data in (('cut.npy', whole[:-1]), ('longer.npy', whole + b'more'), ('header.npy', whole[:60]),
                       ('magic.npy', whole[:9]), ('scalar.npy', npy('<f8', (), [1.5])),
                       ('empty.npy', npy('<f8', (0, 3), []))):
        open(name, 'wb').write(data)
        packed = run('-q', '-f', name)
        damaged = name == 'cut.npy'
        expect(packed.returncode == (2 if damaged else 0), name, packed.returncode, packed.stderr)
        restored = run('-d', '-c', name + '.fpgz')
        expect(restored.returncode == 0 and restored.stdout == data, name, restored.stderr)
    for name in 'v1_C_f8False.npy', 'v1_F_f8False.npy', 'v1_F_f8True.npy':
        for text in REGIONS:
            region(name, SHAPE, text)
        for text, number in OUTSIDE:
            result = run('-d', '-f', '--region', text, '--to', 'npy', '-o', 'outside.npy', name + '.fpgz')
            expect(result.returncode == 1 and number in result.stderr, name, text, result.stderr)
            expect(not os.path.exists('outside.npy'), name, text, 'left an output')


run_in_scratch(main)
