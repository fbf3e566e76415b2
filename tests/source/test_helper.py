#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The process that reads HDF5 files for a command: before threads, for many files, and when it is killed.

usage: test_helper.py FPGZ THREADED HDF5_FILES   THREADED is the command with a device that has a thread and lets nobody
fork then; HDF5_FILES writes the files.
"""
import filecmp
import os
import random
import resource
import shutil
import signal
import subprocess
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..'))
from expect import expect, run_in_scratch  # noqa: E402

FPGZ, THREADED, HDF5_FILES = (os.path.abspath(argument) for argument in sys.argv[1:4])
KINDS = ('contiguous.h5', 'chunked.h5', 'types.h5')


def run(*command, **options):
    return subprocess.run(command, capture_output=True, timeout=120, **options)


def restores(paths):
    """All archives give their files back."""
    kept = [path + '.kept' for path in paths]
    for path, other in zip(paths, kept):
        os.rename(path, other)
    result = run(FPGZ, '-q', '-d', *[path + '.fpgz' for path in paths])
    expect(result.returncode == 0, 'restoring', result.stderr)
    for path, other in zip(paths, kept):
        expect(filecmp.cmp(path, other, shallow=False), path, 'is not restored')
        os.remove(other)


def copies(count, kind):
    """Paths of copies of the file."""
    paths = [os.path.abspath(f'copy{i:03}.h5') for i in range(count)]
    for path in paths:
        shutil.copy(kind, path)
    return paths


def threads():
    """Nobody forks beside the GPU's thread, and HDF5 files are looked into all the same."""
    for options in ['--device', 'cuda'], ['--device', 'auto']:
        result = run(THREADED, '-f', *options, *KINDS)
        expect(result.returncode == 0 and b'archived as bytes' not in result.stderr, *options, result.stderr)
        restores(KINDS)
    steps = [['--dataset', '/grid_fixed', '-o', 'alone.fpgz', 'chunked.h5'],
             ['-d', '--dataset', '/grid_fixed', '-o', 'alone.h5', 'chunked.h5.fpgz'],
             ['-d', '--dataset', '/grid_scalar', '-o', 'alone.npy', 'contiguous.h5.fpgz']]
    for step in steps:
        result = run(THREADED, '-f', '--device', 'cuda', *step)
        expect(result.returncode == 0, *step, result.stderr)


def visible():
    """The driver is shown the GPU that is asked for, unless the environment says which it may see."""
    unset = {name: value for name, value in os.environ.items() if name != 'CUDA_VISIBLE_DEVICES'}
    for device, environment, words in (('cuda:2', {}, b'the sole GPU'), ('cuda', {}, b'the sole GPU'),
                                       ('cuda:all', {}, b'among others'),
                                       ('cuda', {'CUDA_VISIBLE_DEVICES': '3'}, b'among others')):
        result = run(THREADED, '-v', '-f', '--device', device, 'types.h5', env=unset | environment)
        ready = b'not ready' not in result.stderr
        expect(result.returncode == 0 and (words in result.stderr) >= ready, device, environment, result.stderr)


def many():
    """Neither descriptors nor processes stay behind."""
    paths = copies(120, 'nothing.h5')
    most = 24
    result = run(FPGZ, '-q', '-f', *paths, start_new_session=True,
                 preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (most, most)))
    expect(result.returncode == 0 and not result.stderr, 'many files', result.stderr)
    sizes = [os.path.getsize(path + '.fpgz') for path in paths]     # their times take more or fewer bytes
    expect(max(sizes) - min(sizes) < 16, 'many files', 'are not the same', sizes)


def helper_of(pid):
    """The child of the command; None where there is none."""
    try:
        with open(f'/proc/{pid}/task/{pid}/children', encoding='ascii') as file:
            return int(file.read().split()[0])
    except (OSError, IndexError):
        return None


def killed(seed):
    """The file at work is told of and archived as bytes, and the others are as ever."""
    chance = random.Random(seed)
    paths = copies(25, 'links.h5')
    with subprocess.Popen([FPGZ, '-f', *paths], stdout=subprocess.PIPE, stderr=subprocess.PIPE) as command:
        kills = 0
        while command.poll() is None and kills < 5:
            time.sleep(chance.random() * 0.02)
            helper = helper_of(command.pid)
            if helper:
                try:
                    os.kill(helper, signal.SIGKILL)
                    kills += 1
                except ProcessLookupError:
                    pass
        errors = command.stderr.read()
    print(f'{kills} kills, {errors.count(b"is gone")} lost')
    lost = errors.count(b'the process that was to read it is gone; it is archived as bytes')
    expect(command.returncode == (2 if lost else 0) and lost <= kills, 'killed', command.returncode, errors)
    restores(paths)
    for path in paths:
        os.remove(path + '.fpgz')


def main():
    expect(run(HDF5_FILES, '.').returncode == 0, 'hdf5_files')
    threads()
    visible()
    many()
    for seed in range(2):
        killed(seed)


run_in_scratch(main)
