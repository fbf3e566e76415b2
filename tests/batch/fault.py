#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Makes calls of a batch --rm to the system fail in turn, in each of its processes, with ../fault/shim.c preloaded; then
of one that removes what an earlier run archived. Whatever fails: each grid or its complete container is there, and the next run
completes the archive and its manifest. Calls are the first 84/STEP of a kind, then each STEPth.

usage: fault.py FPGZ GENGRID SHIM STEP
"""
import errno
import json
import os
import subprocess
import sys
import tempfile

CALLS = {'open': errno.EMFILE, 'fstat': errno.EIO, 'read': errno.EIO, 'pread': errno.EIO, 'write': errno.ENOSPC,
         'fsync': errno.EIO, 'close': errno.EIO, 'rename': errno.EIO, 'unlink': errno.EIO, 'malloc': errno.ENOMEM,
         'calloc': errno.ENOMEM, 'realloc': errno.ENOMEM}
LATER = ('open', 'pread', 'fsync', 'unlink', 'malloc')  # of these, those that are tried on what was archived before
MOST = 60  # calls of one kind


def problems(fpgz, shim, made, fault, archived):
    """What is wrong, as a list; and whether the fault happened."""
    os.mkdir('tree')
    for name, content in made.items():
        with open(name, 'wb') as file:
            file.write(content)
    command = [fpgz, 'batch', '-T2', '--rm', '--manifest', 'manifest', 'tree']
    if archived:
        subprocess.run([fpgz, 'batch', '-q', '--manifest', 'manifest', 'tree'], check=True)
    environment = dict(os.environ, LD_PRELOAD=shim, FAULT=fault, FAULT_REACHED=os.path.abspath('reached'),
                       ASAN_OPTIONS='verify_asan_link_order=0:detect_leaks=0:allocator_may_return_null=1')
    result = subprocess.run(command, env=environment, capture_output=True, timeout=60)
    found = [] if result.returncode in (0, 1, 2) else [f'status {result.returncode}']
    for name, content in made.items():
        if os.path.exists(name):
            left = open(name, 'rb').read()
        else:
            left = subprocess.run([fpgz, '-dc', name + '.fpgz'], capture_output=True).stdout
        if left != content:
            found.append(f'{name} is lost')
    for after in (command, [fpgz, 'batch', '--check', 'manifest']):
        again = subprocess.run(after, capture_output=True, text=True)
        if again.returncode:
            found.append(again.stderr)
    records = [json.loads(line) for line in open('manifest', encoding='utf-8') if not line.endswith('#torn\n')]
    if {record['source'] for record in records if record['status'] == 'ok'} != set(made):
        found.append('the manifest is not complete')
    return found, os.path.exists('reached')


def main():
    fpgz, gengrid, shim = map(os.path.abspath, sys.argv[1:4])
    step = int(sys.argv[4])
    made = {}
    for i in (1, 2, 3):
        grid = subprocess.run([gengrid, 'wave', 'f32', f'{i}x32x32'], check=True, capture_output=True).stdout
        made[f'tree/g{i}_{i}x32x32.f32'] = grid
    passed = failed = 0
    for archived, call in [(False, call) for call in CALLS] + [(True, call) for call in LATER]:
        code, number, reached = CALLS[call], 1, True
        while reached and number < MOST:
            with tempfile.TemporaryDirectory() as folder:
                os.chdir(folder)
                found, reached = problems(fpgz, shim, made, f'{call}:{number}:{code}', archived)
                os.chdir('/')
            passed += not found
            failed += bool(found)
            if found:
                print(f'{call} {number}{" later" * archived}: {found}')
            number += 1 if number < 84 // step else step
    print(f'{passed} passed, {failed} failed')
    return 1 if failed or not passed else 0


sys.exit(main())
