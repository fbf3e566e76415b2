#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""HDF5 files of every kind: what fpgz finds in them, and that they come back byte for byte.

usage: test_hdf5.py FPGZ WITHOUT HDF5_FILES PLACES SAME LIBRARY [quick]
WITHOUT is the command without the HDF5 library, HDF5_FILES writes the files, PLACES checks what is found, SAME compares
datasets of two files, LIBRARY is the name by which FPGZ loads the library (empty: it does not). Damaged copies
must come back as well, with exit status 2. Quick: a third of the copies, and of the fields of records.
"""
import filecmp
import itertools
import os
import random
import re
import shutil
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..'))
from expect import expect, run_in_scratch  # noqa: E402

FPGZ, WITHOUT, HDF5_FILES, PLACES, SAME = (os.path.abspath(argument) for argument in sys.argv[1:6])
LIBRARY, EVERY = sys.argv[6], 5 if sys.argv[7:] == ['quick'] else 1
DAMAGED = 45 // EVERY  # copies


# One of each kind.
DATASETS = [
    ('contiguous.h5', '/grid_f32'), ('contiguous.h5', '/grid_f64_big'), ('contiguous.h5', '/grid_6d'),
    ('contiguous.h5', '/grid_scalar'), ('chunked.h5', '/grid_fixed'), ('chunked_newest.h5', '/grid_grows_twice'),
    ('chunked.h5', '/grid_rows'), ('sparse.h5', '/grid_sparse'), ('sparse_newest.h5', '/grid_sparse'),
    ('types.h5', '/grid_complex_chunked'), ('types.h5', '/grid_tensor'), ('types.h5', '/grid_pairs'),
    *(('types.h5', '/grid_' + name) for name in (
        'i8', 'i16', 'i32', 'i64_big', 'u8', 'u16', 'u32_big', 'u64', 'f16', 'f16_big', 'bf16', 'bf16_big', 'int_pairs')),
    ('attributes.h5', '/grid'), ('attributes_newest.h5', '/grid'), ('links.h5', '/group/grid'),
    ('user_block.h5', '/grid_implicit'), ('many.h5', '/group 7/grid 7'),
]
REFUSED = [
    ('types.h5', '/some_bits', b'12-bit signed integers'), ('types.h5', '/letters', b'strings'),
    ('types.h5', '/other_halves', b'16-bit floats'),
    ('types.h5', '/mixed', b'records'), ('types.h5', '/other_floats', b'32-bit floats'),
    ('nothing.h5', '/empty', b'no values'), ('nothing.h5', '/null', b'no values'),
    ('nothing.h5', '/group', b'no dataset /group; it has /empty, /null'),
    ('many.h5', '/grid', b'and 2995 more'), ('many.h5', '', b'dataset'), ('filters.h5', 'x' * 5000, b'no dataset'),
    ('links.h5', '/dangling', b'no dataset'), ('links.h5', '/missing', b'no dataset'),
]
# Those that only the library can read.
OUT_OF_FILE = [
    ('filters.h5', '/scaleoffset'), ('filters.h5', '/nbit'), ('links.h5', '/soft'),
    ('links.h5', '/elsewhere'), ('links.h5', '/virtual'), ('links.h5', '/external'), ('links.h5', '/compact'),
    ('sparse.h5', '/no_chunks'), ('sparse.h5', '/no_values'),
]

# Those that are cut into chunks along their second, first and last axis.
LARGE = [('5x3x70x900', 'f64', 'little'), ('700x90x9', 'f32', 'big'), ('3x300000', 'f32', 'little'),
         ('700x901', 'i16', 'big'), ('5x3x70x90', 'u64', 'little'), ('1000003', 'bf16', 'big'), ('1000x1000', 'i8', 'little')]


def run(*command, **options):
    return subprocess.run(command, capture_output=True, timeout=120, **options)


def roundtrip(path, statuses=(0,), options=()):
    """Compresses and restores the file; returns what compression printed."""
    packed, back = path + '.fpgz', path + '.back'
    result = run(FPGZ, *options, '-f', '-o', packed, path)
    expect(result.returncode in statuses, path, result.returncode, result.stderr)
    if os.path.exists(packed):
        size, limit = os.path.getsize(packed), os.path.getsize(path) * 1.001 + 4096
        expect(size <= limit, path, f'grew to {size} bytes')
        expect(run(FPGZ, '-t', packed).returncode == 0, path, 'fpgz -t')
        restored = run(FPGZ, '-d', '-f', '-o', back, packed)
        expect(restored.returncode == 0 and filecmp.cmp(path, back, shallow=False), path, restored.stderr)
        a, b = os.stat(path), os.stat(back)
        expect((a.st_mode, a.st_mtime_ns) == (b.st_mode, b.st_mtime_ns), path, 'mode or time')
    return result.stderr


def pipes(path):
    """Through pipes, and with what is restored in order where that can be."""
    with open(path + '.fpgz', 'rb') as packed:
        restored = run(FPGZ, '-d', stdin=packed)
    expect(restored.stdout == open(path, 'rb').read(), path, 'restored to a pipe', restored.stderr)
    through = run('sh', '-c', '"$0" -1 -c "$1" | cat | "$0" -d -c | cmp - "$1"', FPGZ, path)
    expect(through.returncode == 0, path, 'through two pipes', through.stdout, through.stderr)


def dataset(path, name, archived):
    """One dataset alone: out of the file, and out of its archive."""
    alone, back = 'alone.fpgz', 'back.h5'
    out_of_archive = [FPGZ, '-d', '-f', '--dataset', name, '-o', back, path + '.fpgz']
    for command in ([out_of_archive] if archived else []) + [
            [FPGZ, '-q', '-f', '--dataset', name, '-o', alone, path], [FPGZ, '-d', '-f', '-o', back, alone]]:
        result = run(*command)
        expect(result.returncode == 0, *command, result.stderr)
        if back in command:
            same = run(SAME, path, back, name)
            expect(same.returncode == 0, path, name, same.stderr)
            attributes = b'206 attributes' if path.startswith('attributes') else b'0 attributes'
            expect(attributes in same.stdout, path, name, same.stdout)
            if shutil.which('h5dump'):
                expect(run('h5dump', back).returncode == 0, 'h5dump', path, name)


def large(shape, dtype, order):
    """A grid of several chunks to HDF5, whole and in part, and back by the library."""
    size = int(dtype.strip('bfiu')) // 8
    for extent in map(int, shape.split('x')):
        size *= extent
    raw = f'large_{shape}.{dtype}'
    open(raw, 'wb').write(random.Random(1).randbytes(size))
    expect(run(FPGZ, '-f', '--codec', 'store', '--endian', order, '-o', 'large.fpgz', raw).returncode == 0, raw)
    steps = [['-d', '-o', 'large.h5', 'large.fpgz'], ['--dataset', '/data', '-o', 'again.fpgz', 'large.h5'],
             ['-d', '--to', 'raw', '--endian', order, '-o', 'again.raw', 'again.fpgz']]
    for step in steps:
        result = run(FPGZ, '-1qf', *step)
        expect(result.returncode == 0, raw, *step, result.stderr)
    expect(filecmp.cmp(raw, 'again.raw', shallow=False), raw, order)


def refused(path, name, text):
    """A dataset that cannot be had."""
    result = run(FPGZ, '-q', '--dataset', name, '-o', 'refused.fpgz', path)
    expect(result.returncode == 1 and text in result.stderr, path, name, result.stderr)
    expect(not os.path.exists('refused.fpgz'), path, name, 'left an output')


def without_library(path, name, without, words, **options):
    """What a command without the HDF5 library does: bytes in, and anything but HDF5 out."""
    for command in ([without, '-d', '-f', '-o', 'back', path + '.fpgz'], [without, '-f', '-o', 'bytes.fpgz', path],
                    [without, '-d', '-f', '-o', 'back', 'bytes.fpgz']):
        result = run(*command, **options)
        expect(result.returncode == 0, *command, result.stderr)
        expect((words in result.stderr) == (command[-1] == path), *command, result.stderr)
        if 'back' in command:
            expect(filecmp.cmp(path, 'back', shallow=False), *command)
    for output in 'grid.npy', 'grid.raw':
        values = []
        for fpgz, its in (FPGZ, {}), (without, options):
            result = run(fpgz, '-d', '-f', '--dataset', name, '-o', output, path + '.fpgz', **its)
            expect(result.returncode == 0 and not result.stderr, output, result.stderr)
            values.append(open(output, 'rb').read())
        expect(values[0] == values[1], path, name, output)
    for command in ([without, '-d', '--dataset', name, '-o', 'none.h5', path + '.fpgz'],
                    [without, '--dataset', name, '-o', 'none.fpgz', path]):
        result = run(*command, **options)
        expect(result.returncode == 1 and words in result.stderr, *command, result.stderr)
        expect(not os.path.exists(command[-2]), *command, 'left an output')


def damage(path, number):
    """A copy that is cut off, or in which bytes of the metadata are others."""
    chance = random.Random(number)
    data = bytearray(open(path, 'rb').read())
    if number % 3 == 0:
        data = data[:chance.randrange(len(data) // 2, len(data))]
    for _ in range(0 if number % 3 == 0 else 20):
        data[chance.randrange(8, min(len(data), 3000))] = chance.randrange(256)
    copy = f'damaged{number}.h5'
    open(copy, 'wb').write(data)
    return copy


def recovered(path, name):
    """A container with the stream of the dataset's first chunk damaged restores to the file but for what is listed."""
    packed, back = path + '.fpgz', path + '.back'
    run(FPGZ, '-4f', '-o', packed, path)  # alone, though some have values in common
    line = next(line for line in run(FPGZ, '-lvv', packed, text=True).stdout.splitlines()
                if line.startswith('    chunk 0 ') and line.endswith(' of ' + name))
    container, right = bytearray(open(packed, 'rb').read()), bytearray(open(path, 'rb').read())
    section = int(line.split(' at ')[1].split()[0])
    container[section + 40 + int.from_bytes(container[section + 4:section + 8], 'little')] ^= 1
    with open(packed, 'wb') as file:
        file.write(container)
    result = run(FPGZ, '--recover', '-f', '-o', back, packed, text=True)
    got = bytearray(open(back, 'rb').read())
    ranges = re.findall(r'lost: (.*), bytes (\d+) to (\d+) of what is restored', result.stderr)
    strewn = re.findall(r'lost: (.*), among bytes (\d+) to (\d+) of what is restored', result.stderr)
    for what, first, last in strewn:
        expect(name in what and len(strewn) == 1, path, what)
        for at in range(int(first), int(last) + 1):
            if got[at] != right[at]:
                expect(not got[at], path, 'not filled')
                right[at] = 0
    for what, first, last in ranges:
        expect(name in what and '(0, ' in what, path, what)
        expect(any(right[int(first):int(last) + 1]) and not any(got[int(first):int(last) + 1]), path, 'not filled')
        right[int(first):int(last) + 1] = bytes(int(last) + 1 - int(first))
    expect(result.returncode == 2 and (ranges or strewn) and got == right, path, result.stderr)


def field(path, name, size):
    """A field of records: out of the archive, where it is an array, and by the library out of the file."""
    raw = [FPGZ, '-d', '-c', '--to', 'raw']
    taken = run(*raw, '--dataset', name, path + '.fpgz')
    expect(taken.returncode == 0 and len(taken.stdout) == size, path, name, taken.stderr)
    alone = run(FPGZ, '-q', '-f', '--dataset', name, '-o', 'field.fpgz', path)
    read = run(*raw, 'field.fpgz')
    expect(alone.returncode == 0 and read.stdout == taken.stdout, path, name, alone.stderr, read.stderr)
    run(FPGZ, '-d', '-f', '--dataset', name, '-o', 'field.h5', path + '.fpgz')
    again = run(FPGZ, '-q', '-f', '--dataset', name, '-o', 'field.fpgz', 'field.h5')
    expect(again.returncode == 0 and run(*raw, 'field.fpgz').stdout == taken.stdout, path, name, again.stderr)
    region = run(*raw, '--region', '3:7', '--dataset', name, path + '.fpgz')
    row = size // (20 if 'plane' in name or 'bands' in name else 100 if 'holes' in name else 1000)
    expect(region.stdout == taken.stdout[3 * row:7 * row], path, name, region.stderr)


def tables():
    """Records: their fields, and what is said of those that cannot be had."""
    fields = ('time', 8), ('x', 4), ('k', 2), ('inner.b', 4), ('v', 24), ('last', 1)
    kinds = '', '_chunked', '_grows', '_plane', '_bands', '_sparse'
    for n, (path, kind) in enumerate(itertools.product(('tables.h5', 'tables_newest.h5'), kinds)):
        count = 600 if kind in ('_plane', '_bands') else 1000
        for name, size in fields[n % EVERY::EVERY]:
            field(path, f'/table{kind}.{name}', count * size)
    field('types.h5', '/table_holes.i', 100 * 120 * 8)
    text = run(FPGZ, '-d', '-c', '--to', 'raw', '--dataset', 'table.name', 'tables.h5.fpgz')
    expect(len(text.stdout) == 7000, 'a field of bytes', text.stderr)
    listed = run(FPGZ, '-l', '-v', 'tables.h5.fpgz').stdout
    expect(b'/table.(padding 21)' in listed and b'/table_plane.v' in listed, listed)
    for path in 'tables.h5', 'tables.h5.fpgz':
        for name, words in (('/table', b'choose one of their 8 fields, as in /table.time'), ('/table.none', b'no dataset'),
                            ('/table.inner', b'records'), ('/table.time.x', b'no dataset')):
            result = run(FPGZ, '-d' if path.endswith('fpgz') else '-z', '-c', '--dataset', name, path)
            expect(result.returncode == 1 and words in result.stderr, path, name, result.stderr)
    recovered('tables.h5', '/table_grows.x')
    # A record whose second member would begin within the first.
    data = open('tables.h5', 'rb').read()
    at = data.index(b'x\0\0\0\0\0\0\0\x08\0\0\0')
    open('overlap.h5', 'wb').write(data[:at + 8] + b'\4' + data[at + 9:])
    expect(b'archived as bytes' in roundtrip('overlap.h5', (2,)), 'members that overlap')
    open('leaves.h5', 'wb').write(data[:at + 8] + b'\xf0' + data[at + 9:])
    expect(b'not within its records' in roundtrip('leaves.h5', (2,)), 'a member that leaves the record')
    # The name of a field may be that of a dataset.
    run(FPGZ, '-f', '-o', 'clash.fpgz', 'odd/clash.h5')
    result = run(FPGZ, '-d', '-c', '--dataset', '/t.x', 'clash.fpgz')
    expect(result.returncode == 1 and b'2 arrays of the name /t.x' in result.stderr, result.stderr)


def netcdf():
    """A netCDF-4 file, where Debian's tools for these are installed."""
    if not shutil.which('ncgen'):
        print('netcdf: skipped, there is no ncgen')
        return None
    values = ', '.join(str(round(280 + i % 50 * 0.1, 1)) for i in range(20 * 30 * 10))
    open('netcdf.cdl', 'w').write(f'''netcdf netcdf {{
        dimensions: time = UNLIMITED; y = 20; x = 30;
        variables: float grid_t(time, y, x); grid_t:units = "K"; grid_t:_FillValue = -999.f;
        double grid_u(y, x); int grid_n(x); float packed(y, x); packed:_DeflateLevel = 4;
        data: grid_t = {values}; grid_u = {', '.join(['0.5'] * 600)}; grid_n = {', '.join(['7'] * 30)};
        packed = {', '.join(['1.5'] * 600)}; }}''')
    made = run('ncgen', '-4', '-o', 'netcdf.nc', 'netcdf.cdl')
    expect(made.returncode == 0, 'ncgen', made.stderr)
    return 'netcdf.nc'


def odd():
    """Files of which less can be done than of others, and what is said of it."""
    environment = dict(os.environ, HDF5_PLUGIN_PATH='/nonexistent')
    for number, words in {307: b'bzip2', 32001: b'Blosc', 32004: b'LZ4', 32008: b'Bitshuffle', 32013: b'ZFP',
                          32015: b'Zstandard', 32017: b'SZ', 32024: b'SZ3', 32026: b'Blosc2', 32028: b'SPERR',
                          700: b'what has no name'}.items():
        result = run(FPGZ, '--dataset', f'/filter{number}', '-o', 'none.fpgz', 'odd/filtered.h5', env=environment)
        expect(result.returncode == 1 and b'filtered by %s (filter %d)' % (words, number) in result.stderr, number, result)
        expect(b'HDF5_PLUGIN_PATH' in result.stderr, number, result.stderr)
        expect(not os.path.exists('none.fpgz'), number, 'left an output')
    result = run(FPGZ, '--dataset', '/filter32000', '-o', 'none.fpgz', 'odd/filtered.h5')
    expect(result.returncode == 1 and b'cannot read all values' in result.stderr, 'LZF that does not say how much it makes', result)
    result = run(FPGZ, 'odd/filtered.h5', '-o', 'odd.fpgz', env=environment)
    expect(result.returncode == 0 and b') and others, which fpgz does not undo' in result.stderr, 'archived as a whole', result)
    later = re.sub(rb'(\x08\0.\0.\0\0\0)\x03', b'\\1\x09', open('odd/attributes.h5', 'rb').read(), flags=re.DOTALL)
    open('later.h5', 'wb').write(later)
    result = run(FPGZ, '--dataset', '/one', '-o', 'none.fpgz', 'later.h5')
    expect(result.returncode == 1 and b'cannot read the dataset: ' in result.stderr, 'a later layout', result)
    told = b'3 attributes of dataset /four are left out, for only numbers and strings are kept: a record, the first, holds records'
    run(FPGZ, '-fo', 'odd.fpgz', 'odd/attributes.h5')
    for name, words in ('/four', told), ('/one', b''):
        for command in (['-d', '--to', 'h5', '-o', 'odd.h5', 'odd.fpgz'], ['-o', 'alone.fpgz', 'odd/attributes.h5']):
            result = run(FPGZ, '-f', '--dataset', name, *command)
            expect(result.returncode == 0 and (words in result.stderr if words else not result.stderr), name, command, result)
        result = run(SAME, 'odd/attributes.h5', 'odd.h5', name)
        expect(result.returncode == 0 or words, name, result)
    result = run(FPGZ, '-df', '--dataset', '/four', '-o', 'odd.npy', 'odd.fpgz')
    expect(result.returncode == 0 and not result.stderr, 'no attributes in .npy', result)
    for name, words in {'family0.h5': b'is the first part of an HDF5 file that is split into a family',
                        'family1.h5': b'looks like a part of an HDF5 file', 'split-r.h5': b'looks like a part of an HDF5 file',
                        'split-m.h5': b'is a part of an HDF5 file that is split into metadata'}.items():
        expect(words in roundtrip('odd/' + name), name)


def kin():
    """Arrays in pieces that repeat each other are coded together, and each can be had, in part or whole."""
    roundtrip('kin.h5', options=['-7'])
    pipes('kin.h5')
    container = bytearray(open('kin.h5.fpgz', 'rb').read())
    listed = run(FPGZ, '-lvv', 'kin.h5.fpgz', text=True).stdout
    expect(len(container) < 65000 and listed.count('(arrays together)') == 2 and listed.count('pieces of 30x32') == 3, listed)
    for name in '/grid_kin', '/grid_negated', '/grid_some':
        run(FPGZ, '-7qf', '--dataset', name, '-o', 'alone.fpgz', 'kin.h5')
        for region in '0:100,0:90', '29:61,31:33', '59:60,:', '95:100,80:90':
            part = run(FPGZ, '-dc', '--to', 'raw', '--dataset', name, '--region', region, 'kin.h5.fpgz')
            right = run(FPGZ, '-dc', '--to', 'raw', '--region', region, 'alone.fpgz')
            expect(part.returncode == 0 and part.stdout and part.stdout == right.stdout, name, region, part.stderr)
        dataset('kin.h5', name, True)
    section = int(next(line for line in listed.splitlines() if line.endswith(' of (arrays together)')).split(' at ')[1].split()[0])
    container[section + 40 + int.from_bytes(container[section + 4:section + 8], 'little')] ^= 1
    open('kin.h5.fpgz', 'wb').write(container)
    result = run(FPGZ, '--recover', '-f', '-o', 'left', 'kin.h5.fpgz', text=True)
    left, right = open('left', 'rb').read(), bytearray(open('kin.h5', 'rb').read())
    lost = [(int(first), int(last) + 1) for first, last in re.findall(r'lost: bytes (\d+) to (\d+) of', result.stderr)]
    for first, end in lost:
        right[first:end] = bytes(end - first)
    expect(result.returncode == 2 and sum(end - first for first, end in lost) == 30 * 32 * 8 * 28 and left == right, result.stderr)


def main():
    expect(run(HDF5_FILES, '.').returncode == 0, 'hdf5_files')
    made = sorted(name for name in os.listdir('.') if name.endswith(('.h5', '.mat')))
    places = run(PLACES, *made, *filter(None, [netcdf()]))
    expect(places.returncode == 0, places.stdout.decode(), places.stderr.decode())
    for name in made:
        notes = roundtrip(name)
        expect((b'h5repack -f NONE' in notes) == (name == 'filters.h5'), name, notes)
        pipes(name)
    if os.path.exists('netcdf.nc'):
        roundtrip('netcdf.nc')
        pipes('netcdf.nc')
    for path, name in DATASETS:
        dataset(path, name, True)
    for path, name in OUT_OF_FILE:
        dataset(path, name, False)
    for path, name, text in REFUSED:
        refused(path, name, text)
    for shape, dtype, order in LARGE:
        large(shape, dtype, order)
    without_library('chunked.h5', '/grid_fixed', WITHOUT, b'built without HDF5')
    if LIBRARY:
        os.mkdir('damaged')
        open(os.path.join('damaged', LIBRARY), 'wb').close()
        without_library('chunked.h5', '/grid_fixed', FPGZ, b'HDF5 library cannot be loaded: ',
                        env=dict(os.environ, LD_LIBRARY_PATH=os.path.abspath('damaged')))
    odd()
    kin()
    tables()
    recovered('contiguous.h5', '/grid_f64_big')
    recovered('chunked.h5', '/grid_grows_twice')
    for number in range(DAMAGED):
        copy = damage(made[number * len(made) // DAMAGED], number)
        notes = roundtrip(copy, (0, 2), ['-1'])
        if number % 3 == 0:
            expect(b'archived as bytes' in notes, copy, notes)


run_in_scratch(main)
