#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Compresses grids with fpgz and restores them with the decoder that knows only man/fpgz.5.

usage: test_decoder.py FPGZ TESTDATA
"""
import os
import subprocess
import sys
import tempfile

from errors import Damaged, Unsupported
from fpgz_decode import restore

WORD_BYTES = {'.f32': 4, '.f64': 8}


def read(path):
    with open(path, 'rb') as file:
        return file.read()


def swapped(data, word_bytes):
    return b''.join(data[i:i + word_bytes][::-1] for i in range(0, len(data), word_bytes))


def run(command, data=None):
    return subprocess.run(command, input=data, stdout=subprocess.PIPE, check=True).stdout


def cases(fpgz, testdata, folder):
    """Yields (words, expected bytes, container)."""
    grids = {name: read(os.path.join(testdata, name)) for name in sorted(os.listdir(testdata))
             if name[-4:] in WORD_BYTES}

    def compress(name, *options):
        return run([fpgz, '-c', *options, os.path.join(testdata, name)])

    def compress_pipe(data, *options):
        return run([fpgz, '-c', *options], data)

    for name, data in grids.items():
        for options in ((), ('--chunk', '16K')):
            yield ' '.join((name,) + options), data, compress(name, *options)

    for name in 'wave_3x5x16x33.f32', 'walk_8195.f64', 'noise_16x16x17.f64':
        for options in (('--codec', 'store'), ('--codec', 'store', '--chunk', '5K'), ('-1',), ('-9', '--chunk', '20K')):
            yield ' '.join((name,) + options), grids[name], compress(name, *options)

    # Another dtype or shape than the name's: bytes are bytes.
    for name, *options in (('visibilities_24x8x21x2.f32', '--dtype', 'f64', '--shape', '24x8x21'),
                           ('turbulence_67x101.f64', '--dtype', 'f32', '--shape', '67x202', '--chunk', '16K'),
                           ('wave_3x5x16x33.f32', '--shape', '1x1x3x1x5x16x1x33', '--chunk', '8K'),
                           ('light_64x71.f64', '--shape', '*x71', '--chunk', '9K')):
        yield ' '.join((name, *options)), grids[name], compress(name, *options)

    for name in 'wave_3x5x16x33.f32', 'wave_70x130.f64', 'special_65x67.f64':
        data = swapped(grids[name], WORD_BYTES[name[-4:]])
        path = os.path.join(folder, name)
        with open(path, 'wb') as file:
            file.write(data)
        for options in ((), ('--chunk', '16K'), ('--codec', 'store')):
            yield ' '.join((name, 'as big-endian') + options), data, run([fpgz, '-c', '--endian', 'big', *options, path])

    for name, *options in (('light_64x71.f64', '--dtype', 'f64', '--chunk', '10K'),
                           ('light_64x71.f64', '--dtype', 'f64', '--shape', '64x71'),
                           ('light_64x71.f64', '--dtype', 'f64', '--shape', '*x71', '--chunk', '10K'),
                           ('visibilities_24x8x21x2.f32', '--dtype', 'f32', '--shape', '*x8x21x2', '--chunk', '4K')):
        yield ' '.join((name, 'through a pipe', *options)), grids[name], compress_pipe(grids[name], *options)

    empty = os.path.join(folder, 'empty.f64')
    open(empty, 'wb').close()
    nothing = run([fpgz, '-c', empty])
    yield 'an empty file', b'', nothing
    yield 'an empty pipe', b'', compress_pipe(b'', '--dtype', 'f32')
    yield 'an empty pipe of rows', b'', compress_pipe(b'', '--dtype', 'f32', '--shape', '*x3x4')

    first, second = 'noise_5001.f32', 'visibilities_20x126.f64'
    yield 'concatenated', grids[first] + grids[second], compress(first) + compress(second, '--chunk', '8K')
    yield ('concatenated, empty ones between', grids[first] * 2 + grids[second],
           nothing + compress(first) + nothing + nothing + compress(first, '--codec', 'store') + compress(second) + nothing)


def main():
    fpgz, testdata = map(os.path.abspath, sys.argv[1:3])
    passed = failed = 0
    with tempfile.TemporaryDirectory() as folder:
        for words, expected, container in cases(fpgz, testdata, folder):
            restored = bytearray()
            try:
                restore(container, restored.extend)
                verdict = 'ok' if restored == expected else 'FAILED: other bytes'
            except (Damaged, Unsupported) as error:
                verdict = f'FAILED: {error}'
            passed += verdict == 'ok'
            failed += verdict != 'ok'
            print(f'{words}: {verdict}', flush=True)
    print(f'{passed} passed, {failed} failed')
    return 1 if failed else 0


if __name__ == '__main__':
    sys.exit(main())
