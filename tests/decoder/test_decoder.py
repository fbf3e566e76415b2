#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Compresses grids with fpgz and restores them with the decoder that knows only man/fpgz.5.

usage: test_decoder.py FPGZ GENGRID TESTDATA
"""
import itertools
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


# codec and parameters, kind of grid, dtype, shape, further options
CODED = [(codec, kind, dtype, shape, *options) for codecs, grids, *options in (
    (('gfc', 'gfc:dim=1', 'gfc:dim=2', 'gfc:dim=3', 'gfc:dim=32', 'gfc:blocks=3,warps=2', 'gfc:blocks=255,warps=32'),
     (('walk', 'f64', '1501'), ('special', 'f64', '40x25'))),
    (('mpc', 'mpc:dim=1', 'mpc:dim=3', 'mpc:dim=32'),
     (('walk', 'f32', '1501'), ('walk', 'f64', '2049'), ('special', 'f32', '8x8x32'), ('special', 'f64', '33x31'))),
    (('arith', 'arith:block=512', 'arith:block=777', 'arith:block=65536'),
     (('wave', 'f32', '40x41'), ('walk', 'f64', '821'), ('zero', 'f32', '1000'))),
    (('deflate', 'deflate:level=1,shuffle=0', 'deflate:level=9,shuffle=1', 'deflate:shuffle=0'),
     (('wave', 'f32', '40x41'), ('walk', 'f64', '2821'))),
    (('predict', 'predict:predictor=parallelogram,prefix=3,block=64', 'predict:predictor=mean,window=16,block=96',
      'predict:predictor=median,window=4,block=32', 'predict:predictor=lagrange,window=1,prefix=3',
      'predict:predictor=lagrange,window=16,block=65536'),
     (('visibilities', 'f32', '20x126'), ('visibilities', 'f64', '20x7x18'), ('special', 'f32', '21x5x9'),
      ('walk', 'f64', '24x50'), ('walk', 'f32', '333'), ('walk', 'f64', '2x333'))),
    (('predict:predictor=mean,window=5,prefix=2', 'predict:predictor=median,window=3,prefix=2'), (('walk', 'f32', '24x50'),)),
    (('predict:predictor=mean,window=7,prefix=4', 'predict:predictor=lagrange,prefix=4'), (('walk', 'f64', '24x50'),)),
    (('frsz2', *(f'frsz2:bits={bits}' for bits in (2, 3, 4, 7, 8, 9, 16, 17, 21, 24, 31))),
     (('kry', 'f32', '1001'), ('special', 'f32', '33x31'), ('spec', 'f32', '4010'), ('wave', 'f32', '40x41'))),
    (('frsz2', *(f'frsz2:bits={bits}' for bits in (2, 3, 4, 8, 9, 16, 17, 21, 32, 33, 48, 52, 63))),
     (('kry', 'f64', '1001'), ('special', 'f64', '33x31'), ('spec', 'f64', '4010'))),
    # A lossless code, or none at all, which is no chunk of frsz2.
    (('frsz2:bits=32',), (('wave', 'f32', '40x41'),)),
    (('frsz2:bits=64',), (('walk', 'f64', '500'),)),
    (('frsz2',), (('wave', 'f32', '40x41'), ('special', 'f64', '33x31')), '--max-error', 'rel:1e-4', '--chunk', '2K'),
    (('frsz2',), (('wave', 'f32', '40x41'), ('special', 'f32', '33x31')), '--max-error', '1e-2'),
    (('frsz2',), (('walk', 'f64', '5000'),), '--max-error', '0', '--chunk', '8K'),
    (('frsz2', 'frsz2:bits=11', 'mpc', 'arith', 'deflate', 'predict'),
     (('wave', 'f32', '70x71'), ('special', 'f64', '40x65')), '--endian', 'big', '--chunk', '8K'),
    (('gfc',), (('special', 'f64', '40x65'),), '--endian', 'big', '--chunk', '8K'),
) for codec in codecs for kind, dtype, shape in grids]


def coded(fpgz, gengrid, folder):
    """Yields (words, expected bytes, container) of CODED; what is lossy is as fpgz restores it."""
    for codec, kind, dtype, shape, *options in CODED:
        path = os.path.join(folder, f'{kind}_{shape}.{dtype}')
        if not os.path.exists(path):
            run([gengrid, kind, dtype, shape, '-o', path])
        container = run([fpgz, '-c', '--codec', codec, *options, path])
        expected = run([fpgz, '-dc'], container) if codec.startswith('frsz2') else read(path)
        yield ' '.join((codec, kind, dtype, shape, *options)), expected, container


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
    fpgz, gengrid, testdata = map(os.path.abspath, sys.argv[1:4])
    passed = failed = 0
    with tempfile.TemporaryDirectory() as folder:
        for words, expected, container in itertools.chain(coded(fpgz, gengrid, folder), cases(fpgz, testdata, folder)):
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
