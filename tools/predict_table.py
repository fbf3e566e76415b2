#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The telescopes' predictors compared, on grids whose slowest axis is time: size relative to raw and to the
previous slice's as prediction, and speed on one thread.

Without a FILE (named as fpgz expects raw grids) it takes generated visibilities.

usage: predict_table.py [--fpgz PROGRAM] [--gengrid PROGRAM] [--cpu-level LEVEL] [FILE]...
"""
import argparse
import json
import os
import subprocess
import tempfile

VISIBILITIES = '128x64x128x2'
PREDICTORS = ('previous', 'parallelogram', *(f'{name},window={window}' for name, windows in (
    ('mean', (2, 4, 8)), ('median', (3, 5, 9)), ('lagrange', (2, 3, 10))) for window in windows))


def bench(options, path, codec):
    """The last row of fpgz's benchmark."""
    level = ['--cpu-level', options.cpu_level] if options.cpu_level else []
    rows = subprocess.run([options.fpgz, '--bench', '--json', '-T1', *level, '--codec', codec, path],
                          check=True, capture_output=True, text=True).stdout.splitlines()
    return json.loads(rows[-1])


def print_file(options, path):
    print(os.path.basename(path))
    print(f'  {"predictor":<22} {"prefix":>6} {"of raw":>8} {"of first":>8} {"comp. MB/s":>11} {"decomp.":>8}')
    first = None
    word = 8 if path.endswith('.f64') else 4
    for predictor in PREDICTORS:
        for prefix in ((2, 3) if word == 4 else (3, 4)):
            row = bench(options, path, f'predict:predictor={predictor},prefix={prefix}')
            first = first or row['ratio']
            print(f'  {predictor:<22} {prefix:>6} {row["ratio"]:>8.4f} {row["ratio"] / first:>8.4f} '
                  f'{row["compress_mbps"]:>11.0f} {row["decompress_mbps"]:>8.0f}', flush=True)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('--fpgz', default='fpgz')
    parser.add_argument('--gengrid', default='gengrid')
    parser.add_argument('--cpu-level')
    parser.add_argument('files', nargs='*')
    options = parser.parse_args()
    for path in options.files:
        print_file(options, path)
    if not options.files:
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, f'visibilities_{VISIBILITIES}.f32')
            subprocess.run([options.gengrid, 'visibilities', 'f32', VISIBILITIES, '-o', path], check=True)
            print_file(options, path)


if __name__ == '__main__':
    main()
