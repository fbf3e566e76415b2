#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""HDF5 files of very many datasets or chunks: processor time and memory per item within twice that of a tenth of them.

usage: hdf5_scale.py FPGZ HDF5-SCALE PERCENT   of 100,000 datasets and 1,000,000 chunks. Prints "N passed, N failed".
"""
import filecmp
import os
import resource
import subprocess
import sys
import tempfile

KINDS = {'datasets': 100000, 'chunks': 1000000, 'sparse': 1000000, 'filtered': 1 << 20}
ROUNDS, MOST_SECONDS = 2, 900
LEAST_SECONDS, LEAST_BYTES = 0.1, 32 << 20  # what any file takes, and times that cannot be told from noise


def limit():
    resource.setrlimit(resource.RLIMIT_AS, (8 << 30, 8 << 30))
    resource.setrlimit(resource.RLIMIT_FSIZE, (2 << 30, 2 << 30))
    resource.setrlimit(resource.RLIMIT_CPU, (MOST_SECONDS, MOST_SECONDS))


def cost(command):
    """Seconds of processor time and bytes of memory: the least of some runs."""
    runs = []
    for _ in range(ROUNDS):
        child = subprocess.Popen(command, stdout=subprocess.DEVNULL, preexec_fn=limit)
        _, status, usage = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
        if child.returncode:
            raise SystemExit(f'{" ".join(command)}: exit status {child.returncode}')
        runs.append((usage.ru_utime + usage.ru_stime, usage.ru_maxrss * 1024))
    return min(run[0] for run in runs), min(run[1] for run in runs)


def measure(fpgz, make, kind, count):
    """The costs of all that is done with a file of `count` items, by name."""
    subprocess.run([make, kind, str(count), 'many.h5'], check=True, preexec_fn=limit)
    costs = {'-z': cost([fpgz, '-kqf', 'many.h5']), '-t': cost([fpgz, '-tq', 'many.h5.fpgz']),
             '-d': cost([fpgz, '-dqf', 'many.h5.fpgz', '-o', 'out']), '-l': cost([fpgz, '-lv', 'many.h5.fpgz'])}
    if not filecmp.cmp('many.h5', 'out', shallow=False):
        raise SystemExit(f'{kind}, {count}: what is restored differs')
    return costs


def main():
    fpgz, make = (os.path.abspath(path) for path in sys.argv[1:3])
    passed, failed = 0, 0
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        for kind, most in KINDS.items():
            count = max(most * int(sys.argv[3]) // 100, 1000)
            few, many = (measure(fpgz, make, kind, n) for n in (count // 10, count))
            for action, (seconds, memory) in many.items():
                good = seconds <= 20 * max(few[action][0], LEAST_SECONDS) and memory <= 20 * max(few[action][1], LEAST_BYTES)
                passed, failed = passed + good, failed + (not good)
                print(f'{"" if good else "FAILED: "}{count} {kind} {action}: {seconds:.2f} s, {memory >> 20} MiB; '
                      f'a tenth of them: {few[action][0]:.2f} s, {few[action][1] >> 20} MiB', flush=True)
    print(f'{passed} passed, {failed} failed')
    return 1 if failed or not passed else 0


sys.exit(main())
