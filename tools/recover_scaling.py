#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""How the work on containers of many parts, and on hostile ones, grows: processor time at 1, 2 and 4 times the size, the
least of ROUNDS runs each. Linear work shows ratios of about 2.

usage: recover_scaling.py [--fpgz PROGRAM] [--scaled PROGRAM] [--size PERCENT] [--rounds ROUNDS]
"""
import argparse
import os
import subprocess
import tempfile

GOOD = ('--recover', '-d', '-t', '-l', '-lv', '-l --json')
KINDS = {'members': (75000, GOOD), 'chunks': (75000, GOOD), 'arrays': (75000, GOOD),  # count at the first size
         'markers': (400000, ('--recover',)), 'claims': (8192, ('--recover',)), 'copies': (8192, ('--recover',))}


def seconds(command):
    """Processor time of the command, whatever its verdict."""
    child = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, usage = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode not in (0, 1, 2):
        raise SystemExit(f'{" ".join(command)}: exit status {child.returncode}')
    return usage.ru_utime + usage.ru_stime


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('--fpgz', default='fpgz')
    parser.add_argument('--scaled', default='scaled_containers')
    parser.add_argument('--size', type=int, default=100, help='percent of the usual counts')
    parser.add_argument('--rounds', type=int, default=3)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        for kind, (count, actions) in KINDS.items():
            paths = [os.path.join(folder, f'{times}.fpgz') for times in (1, 2, 4)]
            for times, path in zip((1, 2, 4), paths):
                subprocess.run([options.scaled, kind, str(times * count * options.size // 100), path], check=True)
            sizes = ', '.join(f'{os.path.getsize(path) / 1e6:.1f}' for path in paths)
            print(f'{kind}: {count * options.size // 100} and 2 and 4 times as many, {sizes} MB')
            for action in actions:
                out = [] if action[1] in 'tl' else ['-qfo', os.path.join(folder, 'out')]
                spent = [min(seconds([options.fpgz, *action.split(), *out, path]) for _ in range(options.rounds)) for path in paths]
                print(f'  {action:10} {spent[0]:8.3f} {spent[1]:8.3f} {spent[2]:8.3f} s,'
                      f' ratios {spent[1] / spent[0]:.2f} {spent[2] / spent[1]:.2f}', flush=True)


if __name__ == '__main__':
    main()
