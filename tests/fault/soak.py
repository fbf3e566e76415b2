#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Many small files, and large ones, in one process each: neither memory nor descriptors grow with them.

usage: soak.py FPGZ GENGRID FILES MIB   FILES small ones, and one of MIB beside one of an eighth. "N passed, N failed".
"""
import os
import subprocess
import sys
import tempfile
import time

SLACK = 16 << 10  # KiB that what is left to chance may take
FOLDERS = 100


class Watched:
    """A command, with its memory (KiB) and descriptors in the first and the second half of its life."""

    def __init__(self, command, progress):
        self.samples = []
        process = subprocess.Popen(command, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL)
        while process.poll() is None:
            try:
                status = open(f'/proc/{process.pid}/status').read()
                memory = int(status.split('VmRSS:')[1].split()[0])
                peak = int(status.split('VmHWM:')[1].split()[0])
                self.samples.append((progress(), memory, len(os.listdir(f'/proc/{process.pid}/fd')), peak))
            except (OSError, IndexError):
                pass
            time.sleep(0.02)
        self.status, self.errors = process.returncode, process.stderr.read().decode()

    def most(self, column, low, high):
        return max((s[column] for s in self.samples if low <= s[0] <= high), default=0)


def main():
    fpgz, gengrid = map(os.path.abspath, sys.argv[1:3])
    files, mib, passed, failed = int(sys.argv[3]), int(sys.argv[4]), 0, 0

    def judge(what, holds):
        nonlocal passed, failed
        passed += bool(holds)
        failed += not holds
        print(('' if holds else 'FAILED: ') + what)

    with tempfile.TemporaryDirectory() as top:
        os.chdir(top)
        subprocess.run([gengrid, 'wave', 'f32', '6x20x30', '-o', 'one'], check=True)
        grid = open('one', 'rb').read()
        for i in range(files):
            os.makedirs(f'tree/{i % FOLDERS}', exist_ok=True)
            with open(f'tree/{i % FOLDERS}/g{i}_6x20x30.f32', 'wb') as file:
                file.write(grid)

        def share(suffix):
            """The part of the files that is done; folders are taken by name, so one file of each tells."""
            return lambda: sum(any(name.endswith(suffix) for name in os.listdir(f'tree/{k}')) for k in range(FOLDERS)) / FOLDERS

        for what, options, suffix in (('compress', ['-1'], '.fpgz'), ('restore', ['-d'], '.f32')):
            run = Watched([fpgz, '-q', '-r', '--rm', *options, 'tree'], share(suffix))
            early, late = run.most(1, 0.1, 0.5), run.most(1, 0.5, 1)
            handles = run.most(2, 0.1, 0.5), run.most(2, 0.5, 1)
            judge(f'{what} {files} files: {early} and {late} KiB, {handles[0]} and {handles[1]} descriptors in the first and second '
                  f'half; {len(run.samples)} looks', run.status == 0 and late <= early + SLACK and handles[1] <= handles[0] + 2)
            print(run.errors, end='')
        done = sum(open(os.path.join(f, n), 'rb').read() == grid for f, _, names in os.walk('tree') for n in names)
        judge(f'{done} files are as they were', done == files)

        peaks = {}
        # Both are more than all chunks in flight.
        small, large = max(128, mib // 8), max(256, mib)
        for size in small, large:
            shape = f'{size}x512x512'
            subprocess.run([gengrid, 'wave', 'f32', shape, '-o', f'large_{shape}.f32'], check=True)
            for what, command in (('compress', [f'large_{shape}.f32', '-o', 'large.fpgz', '-f']), ('restore', ['-d', 'large.fpgz', '-fo', 'back'])):
                run = Watched([fpgz, '-q', '-1', *command], lambda: 1)
                peaks.setdefault(what, []).append(run.most(3, 0, 1))
                judge(f'{what} {size} MiB: at most {peaks[what][-1]} KiB', run.status == 0)
            judge('the same bytes', subprocess.run(['cmp', f'large_{shape}.f32', 'back']).returncode == 0)
        for what, (less, more) in peaks.items():
            judge(f'{what}: {less} KiB for {small} MiB, {more} KiB for {large} MiB', more <= 1.2 * less + SLACK)
        os.chdir('/')
    print(f'{passed} passed, {failed} failed')
    return 1 if failed or not passed else 0


if __name__ == '__main__':
    sys.exit(main())
