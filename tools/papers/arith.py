#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Balevic et al. 2008, parallel arithmetic coding on a GPU: Table 1, what grids of scattered light of 1, 4 and 16 MB
shrink to by block size, and how long it takes.

The paper's ratios cannot hold a table of block lengths, nor a model: both are counted here, and left out again
beside it. The entropy of order 0 is what no such coder gets below.

usage: arith.py BUILD [--plots FOLDER] [--small] [--dtype f32|f64]
"""
import collections
import math
import os

import svg
from measure import Paper, heading, table

HEADER, MODEL, LENGTH = 12, 512, 4  # bytes: fixed, of the frequencies, and of each block's length
BLOCKS = [512 << i for i in range(8)]


def entropy(data):
    """Order-0 entropy of the bytes, in bytes for all of them."""
    counts = collections.Counter(data).values()
    return sum(count * math.log2(len(data) / count) for count in counts) / 8


def measure(paper, side, dtype, series):
    path = paper.grid('light', dtype, f'{side}x{side}')
    with open(path, 'rb') as file:
        data = file.read()
    raw, least, rows = len(data), entropy(data), []
    for block in BLOCKS[::4] if paper.small else BLOCKS:
        row = paper.bench(path, f'arith:block={block}', '-T1', '--chunk', '64M')
        stored = round(row['ratio'] * raw)
        codes = stored - HEADER - MODEL - LENGTH * math.ceil(raw / block)
        rows.append((str(block), raw / stored, raw / codes, codes / least, raw / row['compress_mbps'] / 1e3,
                     raw / row['decompress_mbps'] / 1e3))
        series['encoding'].append((block, rows[-1][4]))
        series['decoding'].append((block, rows[-1][5]))
    heading(f'light {side}x{side} {dtype}: {raw} bytes, entropy of order 0: ratio {raw / least:.3f}')
    table(['block', 'ratio', 'codes alone', 'codes/entropy', 'encode, ms', 'decode, ms'], rows)
    return rows


def main():
    with Paper(__doc__, [('--dtype', {'default': 'f32', 'choices': ('f32', 'f64')})]) as paper:
        print('Arithmetic coding (Balevic et al. 2008)')
        print('One thread of the CPU. The paper: 0.5 to 6.5 s on a CPU, 5.3 to 76.8 ms on an 8800 GT, for 1 to 16 MB.')
        print(f'This machine has {os.cpu_count()} CPUs. The data differ: the paper names a simulation of scattered light, '
              'ours is generated.')
        for side in (128,) if paper.small else (512, 1024, 2048):
            series = {'encoding': [], 'decoding': []}
            measure(paper, side, paper.options.dtype, series)
            paper.plot(f'arith-{side}', svg.lines, f'arith, light {side} x {side}', 'bytes in a block', 'milliseconds',
                       series, x_log=True)
        paper.print_gpu('arith:block=4096', 'The kernels of the GPU, grids of 512 MiB, GB/s compressing and restoring:',
                        lambda row: f'{row[3]:<12} {row[5]:.0f} / {row[6]:.0f}; '
                                    f'16 MB would take {16e6 / row[5] / 1e6:.3f} ms')


if __name__ == '__main__':
    main()
