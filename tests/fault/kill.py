#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Kills the command with SIGKILL at random moments: at every one the source, or all that replaces it, is there.

usage: kill.py FPGZ GENGRID COUNT   COUNT kills of each of compress --rm and decompress --rm; "N passed, N failed".
"""
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time

GRID, PACKED = 'g_64x64x64.f32', 'g_64x64x64.f32.fpgz'


def wrong(fpgz, folder, grid):
    """What is lost in the folder, or None. What has an output's name is complete."""
    left = set(os.listdir(folder))
    if not left & {GRID, PACKED}:
        return f'nothing but {left} is left'
    if GRID in left and open(os.path.join(folder, GRID), 'rb').read() != grid:
        return 'the grid is another'
    if PACKED in left:
        result = subprocess.run([fpgz, '-dc', os.path.join(folder, PACKED)], capture_output=True)
        if result.returncode or result.stdout != grid:
            return f'the container is not complete: {result.stderr.decode()}'
    if {name for name in left - {GRID, PACKED} if not name.startswith('.fpgz-')}:
        return f'{left} are left'
    return None


def kill(fpgz, options, source, delay):
    """Whether the command was killed; its status is 0 where it ended before."""
    with tempfile.TemporaryDirectory() as folder:
        shutil.copy2(source, folder)
        process = subprocess.Popen([fpgz, '-q', *options, os.path.basename(source)], cwd=folder, stderr=subprocess.PIPE)
        time.sleep(delay)
        process.send_signal(signal.SIGKILL)
        errors = process.communicate()[1].decode()
        what = wrong(fpgz, folder, open(GRID, 'rb').read())
        if process.returncode not in (0, -signal.SIGKILL):
            what = f'exit status {process.returncode}: {errors}'
        return process.returncode != 0, what


def main():
    fpgz, gengrid = map(os.path.abspath, sys.argv[1:3])
    count, chance, passed, failed = int(sys.argv[3]), random.Random(1), 0, 0
    # The leak sanitizer looks on from a child of the process that ends, and waits for ever when that is killed.
    os.environ['ASAN_OPTIONS'] = ':'.join(filter(None, (os.environ.get('ASAN_OPTIONS'), 'detect_leaks=0')))
    with tempfile.TemporaryDirectory() as top:
        os.chdir(top)
        subprocess.run([gengrid, 'wave', 'f32', '64x64x64', '-o', GRID], check=True)
        subprocess.run([fpgz, '-q', '--chunk', '64K', GRID], check=True)
        for source, options in ((GRID, ['--chunk', '64K', '--rm']), (PACKED, ['-d', '--rm'])):
            killed, latest = 0, 0.02
            while killed < count:
                hit, what = kill(fpgz, options, source, chance.uniform(0, latest))
                killed += hit
                # Moments are spread over what the command takes, whatever that is today.
                latest = max(0.005, latest * (1.05 if hit else 0.9))
                passed += not what
                if what:
                    failed += 1
                    print(' '.join(options), what)
        os.chdir('/')
    print(f'{passed} passed, {failed} failed')
    return 1 if failed or not passed else 0


if __name__ == '__main__':
    sys.exit(main())
