#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Damages containers at random and recovers them: every byte is the right one or in a range that is listed as lost.

usage: recover.py FPGZ GENGRID COUNT [CONTAINER...]
COUNT damaged copies of each container: of those made here, and of those named. Prints "N passed, N failed".
"""
import os
import random
import re
import struct
import subprocess
import sys
import tempfile

LOST = re.compile(r'bytes (\d+) to (\d+) of what is restored$', re.M)
MARKERS = (b'\xf5FGS', b'\x89FPG\r\n\x1a\n')


def damage(good, state):
    """A copy of `good` with one fault, more often near where sections begin than within their bodies."""
    bad = bytearray(good)
    at = state.randrange(len(bad))
    if state.random() < 0.6:
        starts = [m.start() for marker in MARKERS for m in re.finditer(re.escape(marker), good)]
        at = min(len(bad) - 1, max(0, state.choice(starts) + state.randrange(-16, 100)))
    run = state.randint(1, min(64, len(bad) - at))
    kind = state.randrange(8)
    if kind == 0:
        bad[at] = state.randrange(256)
    elif kind == 1:
        bad[at:at + run] = state.randbytes(run)
    elif kind == 2:
        bad[at:at + run] = bytes(run)
    elif kind == 3:
        del bad[at:at + run]
    elif kind == 4:
        bad[at:at] = state.randbytes(run)
    elif kind == 5:
        del bad[at:]
    elif kind == 6:
        del bad[:at]
    else:
        bad[at] ^= 1 << state.randrange(8)
    return bytes(bad)


def same(right, got, text):
    """Whether these are the same bytes but for what is listed."""
    expected, found = bytearray(right), bytearray(got)
    for first, last in LOST.findall(text):
        span = slice(int(first), min(int(last) + 1, len(found)))
        expected[span] = found[span] = bytes(max(0, span.stop - span.start))
    return expected == found


def wrong(right, result, members):
    """What is wrong with a recovery; None if nothing is."""
    text = result.stderr.decode(errors='replace')
    if result.returncode not in (0, 1, 2):
        return f'exit status {result.returncode}'
    if result.returncode == 1:
        return None if 'nothing can be restored' in text or 'no part of' in text else 'an error'
    got = result.stdout
    if result.returncode == 0 and not (members > 1 and 'is missing: containers that' in text):
        return None if got == right else 'all is said to be there'
    if members > 1 and ('a whole container' in text or 'of the container held' in text):
        return None  # where the others' bytes are is not known then
    if len(got) != len(right) and members == 1 and 'if anything' not in text:
        return f'{len(got)} bytes instead of {len(right)}'
    # Of members in a row, those at either end may have gone without a trace.
    good = same(right[:len(got)], got, text) or (members > 1 and same(right[-len(got):], got, text))
    return None if good else 'bytes that are wrong and not listed'


def npy(path, fortran):
    values = open('grid.f32', 'rb').read()[:20 * 30 * 40 * 4]
    text = f"{{'descr': '<f4', 'fortran_order': {fortran}, 'shape': (20, 30, 40), }}".encode()
    text += b' ' * (-(len(text) + 11) % 64) + b'\n'
    open(path, 'wb').write(b'\x93NUMPY\1\0' + struct.pack('<H', len(text)) + text + values)


def make(fpgz, gengrid):
    """Containers of raw grids, also streamed and in a row, and of a NumPy file."""
    def run(*command, **more):
        subprocess.run(command, check=True, **more)
    run(gengrid, 'wave', 'f32', '32x64x40', '-o', 'grid.f32')
    run(gengrid, 'walk', 'f64', '9000', '-o', 'walk.f64')
    npy('array.npy', True)
    run(fpgz, '-kq', '--shape', '32x64x40', '--chunk', '32K', 'grid.f32', '-o', 'grid.fpgz')
    run(fpgz, '-kq', '--endian', 'big', '--chunk', '16K', 'walk.f64', '-o', 'walk.fpgz')
    run(fpgz, '-kq', '--chunk', '16K', 'array.npy', '-o', 'array.fpgz')
    with open('grid.f32', 'rb') as source, open('stream.fpgz', 'wb') as target:
        run(fpgz, '--dtype', 'f32', '--shape', '*x64x40', '--chunk', '32K', stdin=source, stdout=target)
    with open('row.fpgz', 'wb') as row:
        for name in ('walk.fpgz', 'array.fpgz', 'walk.fpgz'):
            row.write(open(name, 'rb').read())
    return ['grid.fpgz', 'walk.fpgz', 'array.fpgz', 'stream.fpgz', 'row.fpgz']


def main():
    fpgz, gengrid = (os.path.abspath(path) for path in sys.argv[1:3])
    count, given = int(sys.argv[3]), [os.path.abspath(path) for path in sys.argv[4:]]
    state, passed, failed, whole = random.Random(1), 0, 0, 0
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        for name in make(fpgz, gengrid) + given:
            good = open(name, 'rb').read()
            members = good.count(MARKERS[1])
            right = subprocess.run([fpgz, '-dc', name], check=True, stdout=subprocess.PIPE).stdout
            for i in range(count):
                open('bad', 'wb').write(damage(good, state))
                options = ['--fill', 'nan'] if i % 2 else []
                result = subprocess.run([fpgz, '--recover', '-c', 'bad', '-T', str(1 + i % 3)] + options,
                                        capture_output=True, timeout=60)
                what = wrong(right, result, members)
                if what and members > 1 and not subprocess.run([fpgz, '-tq', 'bad'], capture_output=True).returncode:
                    what = None  # cut off between two members: a good container
                whole += result.stdout == right
                if what:
                    failed += 1
                    print(f'{os.path.basename(name)}, copy {i}: {what}')
                    print(result.stderr.decode(errors='replace')[:1000])
                else:
                    passed += 1
    print(f'{passed} passed, {failed} failed; {whole} restored whole')
    return 1 if failed or not passed else 0


sys.exit(main())
