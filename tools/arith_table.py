#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Table 1 of Balevic et al., parallel arithmetic coding of scientific data, for fpgz's arith codec: what a
512 x 512 grid of scattered light shrinks to, by block size.

The paper's ratios cannot hold a table of block lengths, nor a model: both are counted here, and left out again
beside it. The entropy of order 0 is what no such coder gets below.

usage: arith_table.py [--fpgz PROGRAM] [--gengrid PROGRAM] [--dtype f32|f64]
"""
import argparse
import collections
import json
import math
import os
import subprocess
import tempfile

SHAPE = '512x512'
HEADER, MODEL, LENGTH = 12, 512, 4  # bytes: fixed, of the frequencies, and of each block's length


def entropy(data):
    """Order-0 entropy of the bytes, in bytes for all of them."""
    counts = collections.Counter(data).values()
    return sum(count * math.log2(len(data) / count) for count in counts) / 8


def stored_bytes(fpgz, path, raw, block):
    """Bytes of the stream with blocks of that size."""
    row = subprocess.run(
        [fpgz, '--bench', '--json', '-T1', '--chunk', '64M', '--codec', f'arith:block={block}', path],
        check=True, capture_output=True, text=True).stdout.splitlines()[-1]
    return round(json.loads(row)['ratio'] * raw)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('--fpgz', default='fpgz')
    parser.add_argument('--gengrid', default='gengrid')
    parser.add_argument('--dtype', default='f32', choices=('f32', 'f64'))
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, f'light_{SHAPE}.{options.dtype}')
        subprocess.run([options.gengrid, 'light', options.dtype, SHAPE, '-o', path], check=True)
        with open(path, 'rb') as file:
            data = file.read()
        raw, bytes_0 = len(data), entropy(data)
        print(f'light {SHAPE} {options.dtype}: {raw} bytes; entropy of order 0: {bytes_0:.0f} bytes, '
              f'ratio {raw / bytes_0:.3f}, {bytes_0 / raw:.4f} of raw')
        print(f'{"":>6} {"all counted":>26} {"codes alone":>26}')
        print(f'{"block":>6} {"bytes":>10} {"ratio":>7} {"of raw":>7} {"bytes":>10} {"ratio":>7} {"of raw":>7}')
        for block in (512 << i for i in range(8)):
            stored = stored_bytes(options.fpgz, path, raw, block)
            codes = stored - HEADER - MODEL - LENGTH * math.ceil(raw / block)
            print(f'{block:>6}', *(f'{b:>10} {raw / b:>7.3f} {b / raw:>7.4f}' for b in (stored, codes)))


if __name__ == '__main__':
    main()
