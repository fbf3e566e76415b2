#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Compresses grids with fpgz and restores them with the decoder that knows only man/fpgz.5.

usage: test_decoder.py FPGZ GENGRID STREAMS TESTDATA
"""
import itertools
import os
import re
import subprocess
import sys
import tempfile
from functools import partial
from random import Random

import fpgz_decode
from containers import chunk_fields, member, rechunked, split
from errors import Damaged, Missing, Unsupported
from fpgz_decode import CODECS, restore
from xxh3 import xxh3

GRIDS = '.f32', '.f64'                    # in testdata
DTYPES = {'f32': 1, 'f64': 2, 'u8': 3, 'i16': 5, 'i32': 6, 'i64': 7, 'u16': 8, 'u32': 9, 'u64': 10, 'f16': 11, 'bf16': 12, 'i8': 13}
WORD_BYTES = {'.' + name: fpgz_decode.WORD_BYTES[number] for name, number in DTYPES.items()}
IDS = {'gfc': 2, 'mpc': 3, 'frsz2': 4, 'arith': 5, 'predict': 6}


def read(path):
    with open(path, 'rb') as file:
        return file.read()


def swapped(data, word_bytes):
    return b''.join(data[i:i + word_bytes][::-1] for i in range(0, len(data), word_bytes))


def run(command, data=None):
    return subprocess.run(command, input=data, stdout=subprocess.PIPE, check=True).stdout


# codec and parameters, kind of grid, dtype, shape, further options; grids that the codecs make smaller
CODED = [(codec, kind, dtype, shape, *options) for codecs, grids, *options in (
    (('gfc', 'gfc:dim=1', 'gfc:dim=2', 'gfc:dim=3', 'gfc:dim=32'), (('zero', 'f64', '3001'), ('wave', 'f64', '33x31'))),
    (('gfc:blocks=3,warps=2', 'gfc:blocks=4,warps=2,dim=1', 'gfc:blocks=3,warps=1,dim=32', 'gfc:blocks=1,warps=1,dim=3',
      'gfc:blocks=2,warps=9,dim=2'),
     (('wave', 'f64', '33x31'), ('special', 'f64', '40x25'))),
    (('gfc:blocks=255,warps=32',), (('zero', 'f64', '9001'),)),
    (('mpc', 'mpc:dim=1', 'mpc:dim=3', 'mpc:dim=32'),
     (('walk', 'f32', '1501'), ('walk', 'f64', '2049'), ('special', 'f32', '8x8x32'), ('special', 'f64', '33x31'))),
    (('arith', 'arith:block=512', 'arith:block=777', 'arith:block=65536'),
     (('wave', 'f32', '40x41'), ('spec', 'f64', '821'), ('zero', 'f32', '1000'))),
    (('zstd', 'zstd:level=1,shuffle=0', 'zstd:level=19,shuffle=1', 'lzma', 'lzma:level=0,shuffle=0', 'lzma:level=9,shuffle=1'),
     (('wave', 'f32', '40x41'), ('light', 'f64', '30x31'), ('zero', 'f64', '3001'))),
    (('delta-lzma', 'delta-lzma:level=0', 'delta-lzma:level=9', 'delta-zstd', 'delta-zstd:level=1', 'delta-zstd:level=19'),
     (('wave', 'f32', '40x41'), ('walk', 'f64', '1501'), ('zero', 'f64', '3001'))),
    (('deflate', 'deflate:level=1,shuffle=0', 'deflate:level=9,shuffle=1', 'deflate:shuffle=0'),
     (('wave', 'f32', '40x41'), ('light', 'f64', '30x31'))),
    (('predict', 'predict:predictor=parallelogram,prefix=3,block=64', 'predict:predictor=mean,window=16,block=96',
      'predict:predictor=median,window=4,block=32', 'predict:predictor=lagrange,window=1,prefix=3'),
     (('visibilities', 'f32', '20x126'), ('visibilities', 'f64', '20x7x18'), ('special', 'f32', '21x5x9'),
      ('walk', 'f64', '24x50'), ('walk', 'f64', '2x333'))),
    (('predict:predictor=lagrange,window=16,block=65536',), (('poly', 'f32', '40x50'), ('zero', 'f64', '24x50'))),
    (('predict:predictor=mean,window=5,prefix=2', 'predict:predictor=median,window=3,prefix=2'),
     (('walk', 'f32', '24x50'),)),
    (('predict:predictor=mean,window=7,prefix=4', 'predict:predictor=median,prefix=4'), (('walk', 'f64', '24x50'),)),
    (('frsz2', *(f'frsz2:bits={bits}' for bits in (2, 3, 4, 7, 8, 9, 16, 17, 21, 24))),
     (('kry', 'f32', '1001'), ('special', 'f32', '33x31'), ('wave', 'f32', '40x41'))),
    (('frsz2', *(f'frsz2:bits={bits}' for bits in (2, 3, 4, 8, 9, 16, 17, 21, 32, 33, 48, 52))),
     (('kry', 'f64', '1001'), ('special', 'f64', '33x31'))),
    (('frsz2:bits=2', 'frsz2:bits=8', 'frsz2:bits=16'), (('spec', 'f64', '4010'),)),
    (('frsz2',), (('wave', 'f32', '40x41'),), '--max-error', 'rel:1e-4', '--chunk', '2K'),
    (('frsz2',), (('wave', 'f32', '40x41'),), '--max-error', '1e-2'),
    (('frsz2',), (('walk', 'f64', '5000'),), '--max-error', '0'),
    (('prans:setting=middle', 'prans:setting=high'),
     (('wave', 'f32', '40x41'), ('wave', 'f64', '9x10x11'), ('walk', 'f32', '1501'), ('walk', 'f64', '3x2049'),
      ('turbulence', 'f32', '3x5x16x17'), ('turbulence', 'f64', '33x31'), ('special', 'f32', '40x41'),
      ('special', 'f64', '40x25'), ('spec', 'f64', '821x3'), ('spec', 'f32', '300x2x2'), ('light', 'f64', '8x340'),
      ('zero', 'f32', '1000'), ('kry', 'f64', '71000'), ('station', 'f32', '900x4'), ('station', 'f64', '4x30x40'),
      ('station', 'f32', '2x500x4'),
      ('calibrated', 'f64', '40x100'), ('calibrated', 'f32', '3x30x40'),
      ('network', 'f64', '4000'), ('network', 'f32', '700x2x3'), ('symmetric', 'f64', '50x40'), ('radians', 'f64', '50x60'), ('symmetric', 'f32', '13x14x14'), ('rain', 'f32', '3x20x40'), ('rain', 'f64', '50x50'), ('rain', 'f64', '4000'), ('columns', 'f64', '2000x3'), ('columns', 'f64', '3x2000'),
      ('quantized', 'f32', '40x90'), ('quantized', 'f64', '3000'), ('quantized', 'f16', '50x90'), ('quantized', 'bf16', '50x90'),
      ('coefficients', 'f64', '2000'), ('coefficients', 'f32', '30x40'))),
    (('prans',),
     (('packed', 'i16', '5x16x40'), ('packed', 'i32', '700x3'), ('weights', 'f16', '20x100'), ('special', 'bf16', '40x41'),
      ('wave', 'bf16', '3x5x16x17'), ('image', 'u8', '40x50'), ('counts', 'i8', '2000'), ('times', 'u64', '900'),
      ('classes', 'u32', '60x60'), ('counts', 'u16', '300x2x2'), ('packed', 'i16', '40000'), ('zero', 'i64', '1000'))),
    (('prans:setting=high', 'prans:effort=max'),
     (('packed', 'i16', '30x40'), ('packed', 'i64', '40x60'), ('turbulence', 'f16', '30x30'), ('wave', 'bf16', '30x30'),
      ('image', 'u8', '30x40'), ('packed', 'u32', '900'))),
    (('prans', 'prans:setting=high'), (('repeats', 'f32', '40x50'), ('mirrored', 'f64', '3x700'), ('repeats', 'i16', '3000'))),
    (('prans',), (('mirrored', 'f32', '2500'), ('repeats', 'f16', '2500'), ('repeats', 'u8', '5000'), ('repeats', 'i64', '1000'), ('symmetric', 'f16', '60x60'),
                  ('symmetric', 'i16', '3000'), ('symmetric', 'u8', '70x70'), ('symmetric', 'u64', '4x5x6x50'))),
    (('prans',), (('packed', 'i16', '30x40'), ('times', 'i64', '900')), '--endian', 'big', '--chunk', '4K'),
    (('frsz2', 'mpc', 'deflate', 'arith'), (('wave', 'f32', '70x71'), ('special', 'f64', '40x65')), '--endian', 'big',
     '--chunk', '8K'),
    (('frsz2:bits=11', 'predict'), (('visibilities', 'f32', '20x126'), ('special', 'f64', '40x65')), '--endian', 'big'),
    (('gfc:blocks=2,warps=2',), (('special', 'f64', '33x31'),), '--endian', 'big', '--chunk', '8K'),
) for codec in codecs for kind, dtype, shape in grids]

# Codecs are asked for chunks here that they make larger, and that containers hold as they are.
STORED = [('frsz2:bits=32', 'wave', 'f32', '40x41'), ('frsz2:bits=64', 'walk', 'f64', '500'),
          ('frsz2', 'special', 'f64', '33x31', '--max-error', 'rel:1e-9'),
          ('gfc:blocks=28,warps=18', 'walk', 'f64', '100'), ('predict', 'walk', 'f32', '333'), ('arith', 'noise', 'f32', '700')]

# Their streams all the same: codec, its parameters, dtype, kind, shape.
BARE = [('frsz2:bits={}', (bits,), dtype, kind, '333') for dtype, all_bits in (('f32', (31, 32)), ('f64', (62, 63, 64)))
        for bits in all_bits for kind in ('kry', 'special', 'spec')] + \
       [('predict:predictor={},window={},prefix={},block={}', (predictor, 3, 3, 96), dtype, 'special', shape)
        for predictor in range(5) for dtype in ('f32', 'f64') for shape in ('101', '1x101', '5x7')] + \
       [('arith:block={}', (512,), 'f32', 'noise', '700'), ('mpc:dim={}', (5,), 'f64', 'rand', '1100'),
        ('gfc:blocks={},warps={},dim={}', (28, 18, 7), 'f64', 'rand', '700')]


def bare(streams):
    """Yields (words, expected bytes, function that decodes) of BARE."""
    requests = [f'{codec.format(*parameters)} {dtype} {kind} 1 {shape}'
                for codec, parameters, dtype, kind, shape in BARE]
    answers, at = run([streams], '\n'.join(requests).encode()), 0
    for request, (codec, parameters, dtype, _, shape) in zip(requests, BARE):
        parts = []
        for _ in ('input', 'stream', 'decoded'):
            length = int.from_bytes(answers[at:at + 8], 'little')
            parts.append(answers[at + 8:at + 8 + length])
            at += 8 + length
        decode = IDS[codec.partition(':')[0]]
        yield (f'{request}, bare', parts[2], partial(CODECS[decode], parts[1], WORD_BYTES['.' + dtype],
                                                     tuple(map(int, shape.split('x'))), parameters))


def coded(fpgz, gengrid, folder):
    """Yields (words, expected bytes, container) of CODED and STORED; what is lossy is as fpgz restores it."""
    lacks = re.findall(r'^(\w+) +not in this fpgz', run([fpgz, '--codecs']).decode(), re.M)
    for case in CODED + STORED:
        codec, kind, dtype, shape, *options = case
        if codec.partition(':')[0] in lacks:
            continue
        data = run([gengrid, kind, dtype, shape])
        if 'big' in options:
            data = swapped(data, WORD_BYTES['.' + dtype])
        path = os.path.join(folder, f'coded_{shape}.{dtype}')
        with open(path, 'wb') as file:
            file.write(data)
        container = run([fpgz, '-c', '--codec', codec, *options, path])
        stored = all(chunk_fields(chunk)['codec'] == 0 for chunk in split(container)[2:])
        assert stored == (case in STORED), f'{case}: ' + ('stored' if stored else 'not stored')
        expected = run([fpgz, '-dc'], container) if codec.startswith('frsz2') else data
        yield ' '.join(case), expected, container


# Small, so that one change often hits what matters. Not arith: what a wrong block decodes to is not defined.
ALTERED = (('gfc:blocks=1,warps=2,dim=3', 'light', 'f64', '8x34'), ('mpc:dim=1', 'walk', 'f32', '1100'),
           ('mpc:dim=2', 'spec', 'f64', '8x34'), ('frsz2:bits=5', 'special', 'f32', '20x19'),
           ('frsz2:bits=21', 'kry', 'f64', '130'), ('frsz2:bits=8', 'spec', 'f64', '500'),
           ('predict:predictor=parallelogram,block=32', 'visibilities', 'f32', '8x34'),
           ('predict:predictor=mean,window=5,prefix=3,block=64', 'visibilities', 'f64', '8x34'),
           ('predict:predictor=median,prefix=2,block=32', 'visibilities', 'f32', '8x34'),
           ('predict:predictor=lagrange,prefix=4,block=32', 'visibilities', 'f64', '8x34'),
           ('ndzip', 'wave', 'f32', '65x64'), ('prans:setting=middle', 'wave', 'f32', '8x34'),
           ('prans:setting=middle', 'spec', 'f64', '500'), ('prans:setting=middle', 'special', 'f64', '40x25'),
           ('prans', 'weights', 'f16', '10x50'), ('prans', 'packed', 'i16', '20x25'), ('prans', 'image', 'u8', '20x30'),
           ('prans:setting=high', 'packed', 'i16', '30x40'), ('prans:setting=high', 'packed', 'i64', '40x60'),
           ('prans', 'repeats', 'f64', '400'), ('prans', 'mirrored', 'f64', '400'), ('prans', 'repeats', 'i32', '500'),
           ('prans', 'station', 'f64', '900x4'), ('prans', 'calibrated', 'f64', '3000'), ('prans', 'network', 'f32', '4000'), ('prans', 'symmetric', 'f64', '50x50'), ('prans', 'symmetric', 'f32', '3x20x40'), ('prans', 'rain', 'f32', '60x70'), ('prans', 'columns', 'f64', '2000x3'),
           ('prans', 'quantized', 'f32', '20x90'), ('prans', 'quantized', 'f16', '40x90'), ('prans', 'coefficients', 'f64', '1000'))


def altered(fpgz, gengrid, folder):
    """Yields (words, what fpgz restores, container) of changed streams that the decoders accept: no writer makes them,
    but all readers must restore the same."""
    random = Random(1)
    for codec, kind, dtype, shape in ALTERED:
        path = os.path.join(folder, f'altered_{kind}_{shape}.{dtype}')
        run([gengrid, kind, dtype, shape, '-o', path])
        sections = split(run([fpgz, '-c', '--codec', codec, path]))
        fields = chunk_fields(sections[2])
        assert fields['codec'], f'{codec} {kind} {dtype} {shape} is stored'
        for i in range(40):
            stream = bytearray(fields['stream'])
            for _ in range(random.randrange(1, 4)):
                at = random.randrange(len(stream))
                stream[at] = random.choice((0, 255, stream[at] ^ 1 << random.randrange(8)))
            try:
                raw = fpgz_decode.decode_stream(fields['codec'], DTYPES[dtype], bytes(stream), fields['extents'],
                                                fields['parameters'])
            except (Damaged, Unsupported):
                continue
            container = member(sections[:2] + [rechunked(sections[2], stream=bytes(stream), check=xxh3(raw))])
            yield f'{codec} {kind} {dtype} {shape}, altered ({i})', run([fpgz, '-dc'], container), container


def cases(fpgz, testdata, folder):
    """Yields (words, expected bytes, container)."""
    grids = {name: read(os.path.join(testdata, name)) for name in sorted(os.listdir(testdata))
             if name.endswith(GRIDS)}

    def compress(name, *options):
        return run([fpgz, '-c', *options, os.path.join(testdata, name)])

    def compress_pipe(data, *options):
        return run([fpgz, '-c', *options], data)

    for name, data in grids.items():
        for options in ((), ('--codec', 'ndzip'), ('--codec', 'ndzip', '--chunk', '16K')):
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

    for name in 'light_64x71.f64', 'visibilities_20x126.f64':
        for options in (('--codec', 'store'), ('--codec', 'arith:block=999', '--chunk', '5K'), ('--codec', 'deflate')):
            yield ' '.join((name, 'as bytes') + options), grids[name], compress(name, '--dtype', 'u8', *options)

    for name in 'wave_3x5x16x33.f32', 'wave_70x130.f64', 'special_65x67.f64':
        data = swapped(grids[name], WORD_BYTES[name[-4:]])
        path = os.path.join(folder, name)
        with open(path, 'wb') as file:
            file.write(data)
        for options in ((), ('--codec', 'ndzip', '--chunk', '16K'), ('--codec', 'store')):
            yield ' '.join((name, 'as big-endian') + options), data, run([fpgz, '-c', '--endian', 'big', *options, path])

    for dtype in 'i8', 'i16', 'i32', 'i64', 'u16', 'u32', 'u64', 'f16', 'bf16':
        for options in ((), ('--codec', 'store', '--endian', 'big'), ('--codec', 'deflate', '--chunk', '5K'),
                        ('--codec', 'deflate:shuffle=0', '--endian', 'big')):
            words = ('--dtype', dtype, *options)
            yield ' '.join(('light_64x71.f64', *words)), grids['light_64x71.f64'], compress('light_64x71.f64', *words)

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


def restored(container):
    data = bytearray()
    restore(container, data.extend)
    return data


def main():
    fpgz, gengrid, streams, testdata = map(os.path.abspath, sys.argv[1:5])
    passed = failed = 0
    with tempfile.TemporaryDirectory() as folder:
        containers = itertools.chain(coded(fpgz, gengrid, folder), altered(fpgz, gengrid, folder),
                                     cases(fpgz, testdata, folder))
        whole = ((words, expected, partial(restored, container)) for words, expected, container in containers)
        for words, expected, decode in itertools.chain(bare(streams), whole):
            try:
                verdict = 'ok' if decode() == expected else 'FAILED: other bytes'
            except Missing as error:
                print(f'{words}: skipped: {error}')
                continue
            except (Damaged, Unsupported) as error:
                verdict = f'FAILED: {error}'
            passed += verdict == 'ok'
            failed += verdict != 'ok'
            print(f'{words}: {verdict}', flush=True)
    print(f'{passed} passed, {failed} failed')
    return 1 if failed else 0


if __name__ == '__main__':
    sys.exit(main())
