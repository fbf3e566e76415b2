#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Makes calls of the command to the system fail in turn, with shim.c preloaded: the first 84/STEP of a kind, then each STEPth.

usage: fault.py FPGZ GENGRID SHIM STEP
Whatever fails: the command ends with an error and leaves the folder as it was, or with what it was to make. Ends in
"N passed, N failed".
"""
import errno
import os
import shutil
import subprocess
import sys
import tempfile

# Not lseek: that it fails is how a pipe is known.
CALLS = {
    'open': [errno.EMFILE, errno.EIO], 'fstat': [errno.EIO],
    'read': [errno.EIO], 'pread': [errno.EIO, errno.EINTR],
    'write': [errno.ENOSPC, errno.EIO, errno.EINTR], 'pwrite': [errno.ENOSPC, errno.EINTR],
    'fsync': [errno.EIO], 'ftruncate': [errno.EIO], 'close': [errno.EIO], 'rename': [errno.EIO], 'unlink': [errno.EIO],
    'malloc': [errno.ENOMEM], 'calloc': [errno.ENOMEM], 'realloc': [errno.ENOMEM], 'mmap': [errno.ENOMEM],
}
TRIALS = ('malloc', 'calloc', 'realloc', 'mmap', 'pread')  # they choose otherwise without memory, or values
TIME = 1_000_000_000
MOST = 400  # calls of one kind: a loop that never ends must not keep the test from ending


def content(folder):
    return {name: open(os.path.join(folder, name), 'rb').read() for name in sorted(os.listdir(folder))}


def restores(fpgz, folder, container):
    """Whether the container in the folder restores to the source beside it."""
    restored = subprocess.run([fpgz, '-dc', container], cwd=folder, capture_output=True, timeout=60).stdout
    with open(os.path.join(folder, container.removesuffix('.fpgz')), 'rb') as source:
        return restored == source.read()


class Scene:
    """A folder with one file and a command on it."""

    def __init__(self, name, arguments, before, after, output=None, source=None, chosen=None):
        self.name, self.arguments, self.before, self.after = name, arguments, before, after
        self.output = output  # what goes to stdout
        self.source = source  # whose removal may fail with a warning
        self.chosen = chosen  # a container by choices, which may be others where trials fail

    def run(self, fpgz, shim, fault):
        """What is wrong, or None; and whether the fault happened."""
        with tempfile.TemporaryDirectory() as top:
            folder, reached = os.path.join(top, 'work'), os.path.join(top, 'reached')
            os.mkdir(folder)
            for name, data in self.before.items():
                with open(os.path.join(folder, name), 'wb') as file:
                    file.write(data)
                os.utime(os.path.join(folder, name), (TIME, TIME))
                os.chmod(os.path.join(folder, name), 0o644)
            environment = dict(os.environ, LD_PRELOAD=shim, FAULT=fault, FAULT_REACHED=reached,
                               ASAN_OPTIONS='verify_asan_link_order=0:detect_leaks=0:allocator_may_return_null=1')
            result = subprocess.run([fpgz, '-T2', *self.arguments], cwd=folder, env=environment, capture_output=True,
                                    stdin=subprocess.DEVNULL, timeout=60)
            left = content(folder)
            chooses = fault.split(':')[0] in TRIALS and result.returncode == 0
            if chooses and self.chosen in left and restores(fpgz, folder, self.chosen):
                left[self.chosen] = self.after[self.chosen]
            done = left == self.after and (self.output is None or result.stdout == self.output)
            untouched = left == self.before
            kept = self.source and left == {**self.after, self.source: self.before[self.source]}
            good = {0: done, 1: (untouched or done) and result.stderr, 2: (done or kept) and result.stderr}
            wrong = None
            if not good.get(result.returncode):
                wrong = f'status {result.returncode}, files {list(left)}, {result.stderr.decode()!r}'
            return wrong, os.path.exists(reached)


def main():
    fpgz, gengrid, shim = map(os.path.abspath, sys.argv[1:4])
    step = int(sys.argv[4])
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([gengrid, 'wave', 'f32', '40x32x32', '-o', 'g_40x32x32.f32'], cwd=folder, check=True)
        os.utime(os.path.join(folder, 'g_40x32x32.f32'), (TIME, TIME))
        os.chmod(os.path.join(folder, 'g_40x32x32.f32'), 0o644)
        subprocess.run([fpgz, '-q', '--chunk', '64K', 'g_40x32x32.f32'], cwd=folder, check=True)
        files = content(folder)
        subprocess.run([fpgz, '-qf5', '--chunk', '64K', 'g_40x32x32.f32'], cwd=folder, check=True)
        by_default = content(folder)
    grid, container = {'g_40x32x32.f32': files['g_40x32x32.f32']}, {'g_40x32x32.f32.fpgz': files['g_40x32x32.f32.fpgz']}
    both = {**grid, **container}
    name, packed = list(grid)[0], list(container)[0]
    chunk = ['--chunk', '64K']
    scenes = [
        Scene('compress', ['-5', *chunk, name], grid, by_default, chosen=packed),
        Scene('compress --rm', [*chunk, '--rm', name], grid, container, source=name),
        Scene('compress --verify', [*chunk, '--verify', name], grid, both),
        Scene('compress a folder', [*chunk, '-r', '.'], grid, both),
        Scene('compress -c', [*chunk, '-c', name], grid, grid, output=container[packed]),
        Scene('decompress', ['-d', packed], container, both),
        Scene('decompress --rm', ['-d', '--rm', packed], container, grid, source=packed),
        Scene('decompress -c', ['-dc', packed], container, container, output=grid[name]),
        Scene('test', ['-t', packed], container, container),
        Scene('list', ['-l', packed], container, container),
    ]
    passed = failed = 0

    def judge(scene, fault):
        nonlocal passed, failed
        wrong, reached = scene.run(fpgz, shim, fault)
        passed += wrong is None
        failed += wrong is not None
        if wrong:
            print(f'{scene.name}, {fault}: {wrong}')
        return reached

    for scene in scenes:
        judge(scene, 'short')
        for call, codes in CALLS.items():
            for code in codes:
                number = 1
                while number < MOST and judge(scene, f'{call}:{number}:{code}'):
                    number += 1 if number < 84 // step else step
    print(f'{passed} passed, {failed} failed')
    return 1 if failed or not passed else 0


if __name__ == '__main__':
    sys.exit(main())
