#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The examples of the library work, and what they write and read is what the command writes and reads.

usage: check.py FPGZ GENGRID TESTDATA MEMORY ARRAYS FILE
"""
import os
import subprocess
import sys
import tempfile

CANCELLED, CORRUPT = 12, 1


def main():
    fpgz, gengrid, testdata, memory, arrays, file = map(os.path.abspath, sys.argv[1:7])
    passed = failed = 0

    def check(ok, what):
        nonlocal passed, failed
        passed += bool(ok)
        failed += not ok
        if not ok:
            print('FAILED:', what)

    def run(*command):
        return subprocess.run(command, capture_output=True, text=True, check=False)

    def content(path):
        with open(path, 'rb') as opened:
            return opened.read()

    check(run(memory).returncode == 0, 'a grid in memory comes back')
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        told = run(arrays, 'a.fpgz')
        check(told.returncode == 0 and 'pressure: 3 axes' in told.stdout, 'a container of arrays is written and read')
        check(run(fpgz, '-t', 'a.fpgz').returncode == 0, 'the command verifies it')
        run(fpgz, '-d', '-o', 'whole', 'a.fpgz')
        check(os.path.getsize('whole') == 64 * 48 * 32 * (8 + 3 * 4 + 2), 'the command restores all arrays')
        run(gengrid, 'wave', 'f32', '40x64x64', '-o', 'g_40x64x64.f32')
        for source in ('g_40x64x64.f32', os.path.join(testdata, 'light_64x71.f64'), fpgz):
            check(run(file, 'pack', source, 'p.fpgz').returncode == 0, f'{source} is compressed')
            check(run(fpgz, '-f', '-d', '-o', 'back', 'p.fpgz').returncode == 0 and content('back') == content(source),
                  f'the command restores what became of {source}')
            check(run(file, 'unpack', 'p.fpgz', 'back2').returncode == 0 and content('back2') == content(source),
                  f'and so does the library: {source}')
        run(fpgz, '-f', '-o', 'c.fpgz', 'g_40x64x64.f32')
        check(run(file, 'unpack', 'c.fpgz', 'd').returncode == 0 and content('d') == content('g_40x64x64.f32'),
              'what the command wrote is restored')
        check(run(file, 'pack', 'g_40x64x64.f32', 'x.fpgz', '1000').returncode == CANCELLED and not os.path.exists('x.fpgz'),
              'a callback ends it')
        damaged = bytearray(content('c.fpgz'))
        damaged[len(damaged) // 2] ^= 1
        with open('bad.fpgz', 'wb') as opened:
            opened.write(damaged)
        check(run(file, 'unpack', 'bad.fpgz', 'y').returncode == CORRUPT, 'a damaged container is an error')
        os.chdir('/')
    print(f'{passed} passed, {failed} failed')
    sys.exit(failed > 0 or not passed)


main()
