#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Wall clock of the whole command, writing to /dev/null, against `cat FILE > /dev/null` from the page cache: medians of
alternating runs on generated grids of about 1 GiB (or the size given).

usage: command_speed.py [--fpgz PROGRAM] [--gengrid PROGRAM] [--size MIB] [--rounds N]
"""
import argparse
import os
import statistics
import subprocess
import tempfile
import time


def seconds(command):
    start = time.perf_counter()
    subprocess.run(command, shell=True, check=True)
    return time.perf_counter() - start


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('--fpgz', default='fpgz')
    parser.add_argument('--gengrid', default='gengrid')
    parser.add_argument('--size', type=int, default=1024, help='MiB of a grid')
    parser.add_argument('--rounds', type=int, default=9)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        for kind, dtype, word in (('wave', 'f32', 4), ('turbulence', 'f64', 8)):
            planes = max(options.size * 2**20 // (512 * 512 * word), 1)
            path = os.path.join(folder, f'{kind}_{planes}x512x512.{dtype}')
            subprocess.run([options.gengrid, kind, dtype, f'{planes}x512x512', '-o', path], check=True)
            subprocess.run([options.fpgz, path], check=True)
            commands = {
                'cat': f'cat {path} > /dev/null',
                'compress': f'{options.fpgz} -c {path} > /dev/null',
                'compress -1': f'{options.fpgz} -1 -c {path} > /dev/null',
                'compress by ndzip': f'{options.fpgz} --codec ndzip -c {path} > /dev/null',
                'restore': f'{options.fpgz} -dc {path}.fpgz > /dev/null',
                'test': f'{options.fpgz} -t {path}.fpgz',
            }
            times = {name: [] for name in commands}
            for _ in range(options.rounds):
                for name, command in commands.items():
                    times[name].append(seconds(command))
            cat = statistics.median(times['cat'])
            ratio = os.path.getsize(path + '.fpgz') / os.path.getsize(path)
            print(f'{os.path.basename(path)}: {os.path.getsize(path)} bytes, ratio {ratio:.4f}')
            for name, measured in times.items():
                median = statistics.median(measured)
                print(f'  {name:18} {median:7.3f} s  {cat / median:5.2f} x the speed of cat')
            os.remove(path)
            os.remove(path + '.fpgz')


if __name__ == '__main__':
    main()
