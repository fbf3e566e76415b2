#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""HDF5 files with filtered chunks: coded without their filters, restored with them, byte for byte.

usage: test_filtered.py FPGZ HDF5_FILES SAME
HDF5_FILES writes the files, SAME compares datasets of two files. Damaged copies must come back as well.
"""
import filecmp
import json
import os
import random
import shutil
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..'))
from expect import expect, run_in_scratch  # noqa: E402

FPGZ, HDF5_FILES, SAME = (os.path.abspath(argument) for argument in sys.argv[1:4])
DECODER = os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'decoder', 'fpgz_decode.py')
LIBRARY = [f'/level_{level}' for level in range(1, 10)] + [
    '/shuffled', '/summed', '/summed_last', '/summed_first', '/sparse', '/large']
AGAIN = ['/zlib', '/masked', '/some_zlib', '/some_masked', '/level_wrong', '/level_77']
BY_HAND = ['strategy', 'dictionary', 'trailing', 'short', 'adler', 'garbage']


def run(*command, **options):
    return subprocess.run(command, capture_output=True, timeout=120, **options)


def packed_to(path, *options, statuses=(0,)):
    """Compresses the file, restores it to a file and through pipes; returns what compression printed."""
    packed, back = path + '.fpgz', path + '.back'
    result = run(FPGZ, *options, '-f', '-o', packed, path)
    expect(result.returncode in statuses, path, options, result.stderr)
    expect(os.path.getsize(packed) <= os.path.getsize(path) * 1.001 + 4096 or
           any(option.startswith('--refilter') for option in options), path, 'grew')
    for command in (['-t', packed], ['-df', '--verify', '-o', back, packed]):
        restored = run(FPGZ, *command)
        expect(restored.returncode == 0, path, command, restored.stderr)
    expect(filecmp.cmp(path, back, shallow=False), path, options, 'other bytes')
    with open(packed, 'rb') as file:
        expect(run(FPGZ, '-d', stdin=file).stdout == open(path, 'rb').read(), path, 'through a pipe')
    return result.stderr.decode()


def arrays(path):
    """The names of the container's arrays, and what the listing says of each."""
    told = json.loads(run(FPGZ, '-lv', '--json', path + '.fpgz').stdout)
    return {array['dataset']: array for array in told['datasets']}


def values(path, names):
    """Datasets out of the archive, whole and in part."""
    for name in names:
        result = run(FPGZ, '-df', '--dataset', name, '-o', 'alone.h5', path + '.fpgz')
        expect(result.returncode == 0, name, result.stderr)
        same = run(SAME, path, 'alone.h5', name)
        expect(same.returncode == 0, path, name, same.stderr)
        whole, part = (run(FPGZ, '-dc', '--dataset', name, *region, path + '.fpgz').stdout
                       for region in ((), ('--region', '30:33,45:47')))
        expect(part and part[:4] in whole, path, name, 'a region')


def decoded(path):
    """By the reader that knows only fpgz.5 and fpgz-deflate.5."""
    result = run(sys.executable, DECODER, path + '.fpgz')
    expect(result.returncode == 0 and result.stdout == open(path, 'rb').read(), path, 'by the decoder', result.stderr)


def by_library(name):
    path = f'filtered/{name}.h5'
    notes = packed_to(path, '-v')
    expect('filtered datasets' in notes and '/large' in arrays(path), notes)
    chunk = [line for line in packed_to(path, '-4', '-vv').splitlines() if '(f32 of /level_1)' in line]
    expect(len(chunk) == 1 and ': prans' in chunk[0] and 'the sample' not in chunk[0], path, 'not presumed', chunk)
    packed_to(path, '--refilter', '--chunk', '20K', '-T', '3')
    held = arrays(path)
    for dataset in LIBRARY + ['/records', '/gap', '/words.(fields)', '/texts', '/any_text', '/single_3']:
        expect(dataset in held, path, dataset, sorted(held))
    words = held['/words.(fields)']
    expect((words['dtype'], words['shape']) == ('f32', '2000x4') and held['/gap']['dtype'] == 'u8', words)
    got = run(FPGZ, '-dc', '--dataset', '/words.(fields)', path + '.fpgz')
    expect(got.returncode == 0 and len(got.stdout) == 2000 * 16, 'records as words', got)
    values(path, LIBRARY)
    expect(b'bands of filtered pieces of 20x25' in run(FPGZ, '-lv', path + '.fpgz').stdout, path, 'no bands')
    if name == 'newest':
        return
    decoded(path)
    small = os.path.getsize(path + '.fpgz')
    for options in ('-3',), ('--refilter=never',), ('--codec', 'frsz2:bits=16'):
        notes = packed_to(path, *options) if options[0] != '--codec' else run(FPGZ, *options, '-fo', path + '.fpgz', path).stderr
        expect('/level_1' not in arrays(path), options, notes)
    expect('from -4 on, or with --refilter' in packed_to(path, '-3'), 'a notice')
    packed_to(path, '-1', '--refilter=always')
    expect('/level_1' in arrays(path), 'at -1, by option')
    packed_to(path, '--memory', '32M', '-T', '2')
    packed_to(path, '--refilter', '--codec', 'store')
    expect(small < os.path.getsize(path + '.fpgz'), 'small')


def by_hand():
    path = 'filtered/hand.h5'
    notes = packed_to(path, '--refilter')
    held = arrays(path)
    expect(all(name in held for name in AGAIN), sorted(held))
    expect('the first in dataset /adler, are filtered chunks that fpgz does not make again' in notes, notes)
    expect(f'fpgz: {path}: {4 * (20 * 25 * 4 + 11)} of its ' in notes and '/level_0, are filtered chunks in stored blocks' in notes, notes)
    decoded(path)
    values(path, AGAIN[:-1])    # the library refuses the level 77
    for name in BY_HAND:
        expect('/' + name not in held and '/some_' + name in held, name, sorted(held))
    # Chunks that are kept as bytes are read by the library, which knows how to inflate them.
    values(path, ['/some_strategy', '/strategy'])


def of_lzf():
    path = 'filtered/lzf.h5'
    notes = packed_to(path, '--refilter', '-v')
    expect('in 7 chunks, are coded as their 1400 bytes' in notes and 'fpgz does not make again' in notes, notes)
    decoded(path)
    wanted = b''.join(bytes(200) if number == 1 else bytes(range(number, number + 200)) for number in range(4))
    got = run(FPGZ, '-dc', '--dataset', '/lzf', path + '.fpgz')
    expect(got.returncode == 0 and got.stdout == wanted, 'values behind LZF', got)
    expect({'/lzf', '/some_lzf'} <= set(arrays(path)), 'arrays behind LZF')
    got = run(FPGZ, '-dc', '--dataset', '/some_lzf', path + '.fpgz')
    expect(got.returncode == 0 and got.stdout == wanted, 'values behind LZF, by the library', got)


def recovered():
    """A container with a damaged chunk of filtered pieces, and one without its table."""
    path = 'filtered/library.h5'
    packed_to(path, '--refilter', '--chunk', '20K')
    data, whole = bytearray(open(path + '.fpgz', 'rb').read()), open(path, 'rb').read()
    chunks = [at for at in range(len(data)) if data[at:at + 4] == b'\xf5FGS' and data[at + 16] == 10]
    data[chunks[len(chunks) // 2] + 120] ^= 1
    open('damaged.fpgz', 'wb').write(data)
    expect(run(FPGZ, '-t', 'damaged.fpgz').returncode == 1, 'a damaged chunk')
    result = run(FPGZ, '--recover', '-f', 'damaged.fpgz', '-o', 'rest.h5')
    rest = open('rest.h5', 'rb').read()
    expect(result.returncode == 1 or result.returncode == 2, result)
    expect(b'lost: ' in result.stderr and len(rest) == len(whole), result.stderr)
    expect(sum(a != b for a, b in zip(rest, whole)) < len(whole) // 2, 'more than a chunk is lost')


def damaged(number):
    """A copy of a file with some bytes changed, which is archived whatever they mean."""
    generator = random.Random(number)
    source = generator.choice(['filtered/library.h5', 'filtered/newest.h5', 'filtered/hand.h5'])
    data = bytearray(open(source, 'rb').read())
    for _ in range(generator.choice([1, 3, 30])):
        data[generator.randrange(len(data))] = generator.choice([0, 1, 255, generator.randrange(256)])
    path = f'damaged{number}.h5'
    open(path, 'wb').write(data)
    packed_to(path, *generator.choice([('--refilter',), ()]), statuses=(0, 2))


def shared():
    """Trees whose chunks are in the same place, within each other, or outside: they come back."""
    data = open('filtered/hand.h5', 'rb').read()
    nodes = []      # of chunks of two axes: the places of their addresses
    at = data.find(b'TREE\1\0')
    while at >= 0:
        count = int.from_bytes(data[at + 6:at + 8], 'little')
        nodes.append([(at + 24 + 40 * i, at + 56 + 40 * i) for i in range(count)])
        at = data.find(b'TREE\1\0', at + 1)
    expect(len(nodes) > 10 and all(len(node) == 4 for node in nodes), 'trees of four chunks', [len(node) for node in nodes])
    first = [data[node[0][1]:node[0][1] + 8] for node in nodes]
    for name, place in (('same', lambda n: first[n]), ('other', lambda n: first[n - 1]), ('far', lambda n: b'\0\0\0\0\0\0\0\x7f'),
                        ('within', lambda n: (int.from_bytes(first[n], 'little') + 3).to_bytes(8, 'little'))):
        lie = bytearray(data)
        for n, node in enumerate(nodes):
            for _, address in node[1:3]:
                lie[address:address + 8] = place(n)
        open(f'shared_{name}.h5', 'wb').write(lie)
        packed_to(f'shared_{name}.h5', '--refilter', statuses=(0, 2))


def netcdf():
    """A netCDF-4 file, where Debian's tools for these are installed."""
    if not shutil.which('ncgen'):
        print('netcdf: skipped, there is no ncgen')
        return
    numbers = ', '.join(str(round(280 + i % 50 * 0.1 + i // 700, 1)) for i in range(20 * 30 * 20))
    open('netcdf.cdl', 'w').write(f'''netcdf netcdf {{
        dimensions: time = UNLIMITED; y = 20; x = 30;
        variables: float t(time, y, x); t:_DeflateLevel = 2; t:_Shuffle = "true"; t:_ChunkSizes = 7, 20, 30;
        short n(time, y, x); n:_DeflateLevel = 9; n:_Fletcher32 = "true";
        data: t = {numbers}; n = {', '.join(str(i % 900) for i in range(12000))}; }}''')
    expect(run('ncgen', '-4', '-o', 'netcdf.nc', 'netcdf.cdl').returncode == 0, 'ncgen')
    packed_to('netcdf.nc', '--refilter')
    expect({'/t', '/n'} <= set(arrays('netcdf.nc')), arrays('netcdf.nc'))


def main():
    expect(run(HDF5_FILES, '.').returncode == 0, 'hdf5_files')
    by_library('library')
    by_library('newest')
    by_hand()
    of_lzf()
    notes = packed_to('filtered/foreign.h5')
    expect('filtered by' in notes and '(filter 6)' in notes, notes)
    recovered()
    shared()
    netcdf()
    for number in range(8):
        damaged(number)


run_in_scratch(main)
