#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Whether builds of prans make the same bytes of the same grids, and restore the same values from golden streams.

usage: compare.py FPGZ GENGRID TESTDATA VALUES PROGRAM...

Generated grids are of about VALUES values; the golden streams' values are what FPGZ restores. A program is a command,
"exact" with the words before it that run it. One that begins with "refuses:" must refuse its arithmetic; with
"may-refuse:", it may do so or make the same bytes. Prints a line for each and "N passed, N failed".
"""
import glob
import math
import os
import shlex
import struct
import subprocess
import sys

fpgz, gengrid, testdata, values, *programs = sys.argv[1:]
folder = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(folder, '..', 'decoder'), os.path.join(testdata, 'containers')]
import fpgz_decode  # noqa: E402
import prans        # noqa: E402

DTYPE = {'f32': 1, 'f64': 2}
LIFTED = (('packed', 'i16', 5), ('times', 'i64', 7), ('image', 'u8', 3), ('turbulence', 'f16', 11), ('wave', 'bf16', 12),
          ('quantized', 'f16', 11), ('quantized', 'bf16', 12))
REFUSED = 3


def case(dtype, extents, data, stream=b''):
    return struct.pack('<7I', dtype, len(extents), *extents, *[1] * (4 - len(extents)), len(stream)) + data + stream


def generated():
    line = int(values)
    for kind, shapes in (('wave', ((line,), (line // 90, 90), (line // 300, 20, 15))), ('turbulence', ((line // 600, 30, 20), (line // 700, 7, 10, 10))),
                         ('special', ((line,), (line // 60, 60))), ('light', ((line // 400, 20, 20),)),
                         ('visibilities', ((line // 64, 16, 2, 2),)), ('kry', ((line,),)), ('noise', ((line // 3, 3),)),
                         ('quantized', ((line // 90, 90),)), ('coefficients', ((line,),))):
        for shape in shapes:
            for dtype in DTYPE:
                yield case(DTYPE[dtype], shape, subprocess.run([gengrid, kind, dtype, 'x'.join(map(str, shape))], check=True,
                                                              stdout=subprocess.PIPE).stdout)
    for kind, dtype, number in LIFTED:
        shape = line // 90, 90
        yield case(number, shape, subprocess.run([gengrid, kind, dtype, 'x'.join(map(str, shape))], check=True, stdout=subprocess.PIPE).stdout)
    for _, dtype, _, shape, data in prans.grids():
        yield case(DTYPE[dtype], tuple(map(int, shape.split('x'))), data)


def golden():
    """The streams of prans in the containers, which the independent decoder finds, and their values."""
    streams, restored = [], b''

    def keep(stream, word_bytes, extents, *_):
        nonlocal restored
        length = word_bytes * math.prod(extents)
        words, restored = restored[:length], restored[length:]
        streams.append(case(word_bytes // 4, extents, words, stream))
        return bytearray(words)

    fpgz_decode.CODECS[8] = keep
    for path in sorted(glob.glob(os.path.join(testdata, 'containers', 'good-prans-*.fpgz'))):
        restored = subprocess.run([fpgz, '-dc', path], check=True, stdout=subprocess.PIPE).stdout
        with open(path, 'rb') as file:
            fpgz_decode.restore(file.read(), lambda _: None)
    return streams


cases = b''.join([*generated(), *golden()])
reference, passed, failed = None, 0, 0
for program in programs:
    rule, _, command = program.rpartition(':')
    result = subprocess.run(shlex.split(command), input=cases, stdout=subprocess.PIPE)
    lines = result.stdout.decode().splitlines()
    if result.returncode == REFUSED:
        verdict, good = 'refuses its arithmetic', rule != ''
    elif result.returncode or not lines or any(not line.endswith(' ok') for line in lines):
        verdict, good = f'FAILED: status {result.returncode}, {sum(line.endswith(" ok") for line in lines)} grids restored', False
    else:
        reference = reference or lines
        differing = sum(a != b for a, b in zip(lines, reference))
        verdict, good = (f'FAILED: the streams of {differing} grids differ' if lines != reference else
                         f'{len(lines)} grids: the same'), lines == reference and rule != 'refuses'
    passed, failed = passed + good, failed + (not good)
    print(f'{command}: {verdict}{"" if good or verdict.startswith("FAILED") else ", which is FAILED"}', flush=True)
print(f'{passed} passed, {failed} failed')
sys.exit(failed != 0 or not passed)
