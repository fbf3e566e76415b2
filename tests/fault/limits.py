#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs the command where there is too little of something, and on files that change while they are read.

usage: limits.py FPGZ GENGRID COUNT   COUNT steps of each limit, from far too little to enough. Whatever happens, the
command ends by itself: with what it was to make, or with an error and the folder as it was. "N passed, N failed".
"""
import os
import random
import resource
import subprocess
import sys
import tempfile
import threading
import time

GRID, PACKED = 'g_64x64x64.f32', 'g_64x64x64.f32.fpgz'
TASKS = {
    'compress': (['--chunk', '64K', '-T2', GRID], GRID, PACKED),
    'compress -9': (['-9', '-T2', GRID], GRID, PACKED),
    'decompress': (['-d', '-T2', PACKED], PACKED, GRID),
}


def read(path):
    with open(path, 'rb') as file:
        return file.read()


class Bench:
    """Files to work on, and how it went so far."""

    def __init__(self, fpgz, gengrid):
        self.fpgz, self.passed, self.failed, self.refused = fpgz, 0, 0, 0
        subprocess.run([gengrid, 'wave', 'f32', '64x64x64', '-o', GRID], check=True)
        subprocess.run([fpgz, '-q', '--chunk', '64K', GRID], check=True)
        self.good = {GRID: read(GRID), PACKED: read(PACKED)}

    def judge(self, what, wrong):
        self.passed += not wrong
        self.failed += bool(wrong)
        if wrong:
            print(f'{what}: {wrong}')

    def task(self, what, name, folder, limits):
        """Runs a task in the folder under limits; judges how it ends."""
        options, source, output = TASKS[name]
        with open(os.path.join(folder, source), 'wb') as file:
            file.write(self.good[source])

        def limit():
            for kind, value in limits:
                resource.setrlimit(kind, (value, value))

        result = subprocess.run([self.fpgz, *options], cwd=folder, capture_output=True, preexec_fn=limit, timeout=120)
        left, wrong = set(os.listdir(folder)), None
        self.refused += result.returncode != 0
        made = output in left and self.complete(os.path.join(folder, output))
        if result.returncode == 0:
            wrong = None if left == {source, output} and made else f'exit status 0, but {left}'
        elif result.returncode != 1 or not result.stderr:
            # With so little the system cannot even load the program.
            loads = subprocess.run([self.fpgz, '-V'], capture_output=True, preexec_fn=limit).returncode == 0
            wrong = None if not loads and left == {source} else f'{result.returncode}, {result.stderr}'
        elif left != {source} and not made:
            wrong = f'{left} are left: {result.stderr}'
        if read(os.path.join(folder, source)) != self.good[source]:
            wrong = 'the source was changed'
        self.judge(f'{name}, {what}', wrong)
        for name in left:
            os.unlink(os.path.join(folder, name))

    def complete(self, path):
        if not path.endswith('.fpgz'):
            return read(path) == self.good[GRID]
        return subprocess.run([self.fpgz, '-dc', path], capture_output=True).stdout == self.good[GRID]


def limits(bench, count):
    sanitized = b'__asan_init' in read(bench.fpgz) or b'__tsan_init' in read(bench.fpgz)
    kinds = [('descriptors', resource.RLIMIT_NOFILE, 3, 14), ('file size', resource.RLIMIT_FSIZE, 1, 1 << 20)]
    if not sanitized:
        kinds.append(('memory', resource.RLIMIT_AS, 8 << 20, 400 << 20))
    for name in TASKS:
        for what, kind, least, most in kinds:
            for i in range(count):
                value = least + (most - least) * i // max(1, count - 1)
                with tempfile.TemporaryDirectory(dir='.') as folder:
                    bench.task(f'{what} {value}', name, folder, [(kind, value)])


def full_disk(bench, count):
    """On a file system of too few bytes; true when one could be made."""
    os.mkdir('small')
    for name in TASKS:
        for i in range(count):
            size = len(bench.good[TASKS[name][1]]) + (i + 1) * (1200 << 10) // count
            if subprocess.run(['mount', '-t', 'tmpfs', '-o', f'size={size}', 'tmpfs', 'small'], capture_output=True).returncode:
                return False
            bench.task(f'{size} bytes of disk', name, 'small', [])
            subprocess.run(['umount', 'small'], check=True)
    return True


def changing(bench, count, chance):
    """A source that grows, or shrinks, at some moment of its reading."""
    grid = bench.good[GRID] * 8
    for i in range(count):
        with tempfile.TemporaryDirectory(dir='.') as folder:
            source = os.path.join(folder, 'grid.f32')
            with open(source, 'wb') as file:
                file.write(grid)
            after = grid[:chance.randrange(len(grid))] if i % 2 else grid + b'grown'

            def change(delay):
                time.sleep(delay)
                with open(source, 'ab') as file:
                    file.truncate(min(len(after), len(grid)))
                    file.write(after[len(grid):])

            thread = threading.Thread(target=change, args=(chance.uniform(0, 0.1),))
            thread.start()
            result = subprocess.run([bench.fpgz, '-1', '--chunk', '64K', '-T1', '--rm', 'grid.f32'], cwd=folder,
                                    capture_output=True, timeout=120)
            thread.join()
            packed, wrong = source + '.fpgz', None
            if result.returncode == 1:
                wrong = None if result.stderr and not os.path.exists(packed) else f'{os.listdir(folder)}'
            elif result.returncode in (0, 2):
                restored = subprocess.run([bench.fpgz, '-dc', packed], capture_output=True).stdout
                wrong = None if restored in (grid, after) else f'exit status {result.returncode}, other bytes'
            else:
                wrong = f'exit status {result.returncode}: {result.stderr}'
            bench.refused += result.returncode == 1
            bench.judge('a file that ' + ('shrinks' if i % 2 else 'grows'), wrong)


def main():
    fpgz, gengrid, count = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2]), int(sys.argv[3])
    with tempfile.TemporaryDirectory() as top:
        os.chdir(top)
        bench = Bench(fpgz, gengrid)
        limits(bench, count)
        if not full_disk(bench, count):
            print('no tmpfs can be mounted: fault.py makes full disks of another kind')
        changing(bench, count, random.Random(1))
        os.chdir('/')
    print(f'{bench.passed} passed, {bench.failed} failed; {bench.refused} with an error')
    return 1 if bench.failed or not bench.passed else 0


if __name__ == '__main__':
    sys.exit(main())
