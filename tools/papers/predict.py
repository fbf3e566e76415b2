#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Kapp et al., a compressor of MeerKAT's visibilities: the predictors' table, general compressors beside it, and
throughput by threads.

Without --data it takes generated visibilities. Grids of --data have time as their slowest axis.

usage: predict.py BUILD [--data FOLDER] [--plots FOLDER] [--small]
"""
import bz2
import os
import time
import zlib

import svg
from measure import TYPES, Paper, heading, table, threads

PREDICTORS = ('previous', 'parallelogram', *(f'{name},window={window}' for name, windows in (
    ('mean', (2, 4, 8)), ('median', (3, 5, 9)), ('lagrange', (2, 3, 10))) for window in windows))
THEIRS = {'previous': '1', 'parallelogram': '1.03', 'mean': '1.03-1.07', 'median': '0.99-1', 'lagrange': 'inflates'}
# 64 dishes: 2080 pairs of dishes and with themselves, 4 products, 32768 channels of 8 bytes, a dump each 0.5 s.
ARRAY = 2080 * 4 * 32768 * 8 / 0.5


def predictors(paper, path, word):
    rows, first = [], None
    for predictor in PREDICTORS[::3] if paper.small else PREDICTORS:
        for prefix in ((2, 3) if word == 4 else (3, 4)):
            row = paper.bench(path, f'predict:predictor={predictor},prefix={prefix}', '-T1')
            first = first or row['ratio']
            rows.append((predictor, str(prefix), row['ratio'], row['ratio'] / first, THEIRS[predictor.split(',')[0]],
                         row['compress_mbps'], row['decompress_mbps']))
    table(['predictor', 'prefix', 'of raw', 'of first', 'theirs', 'comp., MB/s', 'decomp.'], rows)
    return first


def residual(data, slice_bytes):
    """Each slice XOR the one before."""
    earlier = bytes(slice_bytes) + data[:-slice_bytes]
    return (int.from_bytes(data, 'little') ^ int.from_bytes(earlier, 'little')).to_bytes(len(data), 'little')


def general(paper, path, ours, time_steps):
    """General compressors on the residual, as the paper has them."""
    with open(path, 'rb') as file:
        data = file.read()
    differences = residual(data, len(data) // time_steps)
    rows = [('predict', ours, '.933', paper.bench(path, 'predict', '-T1')['compress_mbps'])]
    for name, theirs, compress in (('gzip, zip (zlib -6)', '.524, .525', lambda b: zlib.compress(b, 6)),
                                   ('bzip2 -9', '.394', lambda b: bz2.compress(b, 9))):
        begin = time.process_time()
        size = len(compress(differences))
        seconds = max(time.process_time() - begin, 1e-6)
        rows.append((name, size / len(data), theirs, len(data) / 1e6 / seconds))
    print('The residual of the previous slice, by general compressors, of raw:')
    table(['', 'of raw', 'theirs', 'MB/s'], rows)


def scaling(paper, path):
    series, rows = {'compressing': [], 'restoring': []}, []
    for count in threads(paper.small):
        row = paper.bench(path, 'predict', '-T', str(count), '--chunk', '256K' if paper.small else '1M')
        rates = row['compress_mbps'] / 1e3, row['decompress_mbps'] / 1e3
        rows.append((str(count), *rates))
        for label, rate in zip(series, rates):
            series[label].append((count, rate))
    print('GB/s by threads (the paper, 32 cores: more than 5.4 compressing, 9.7 restoring):')
    table(['threads', 'compressing', 'restoring'], rows)
    paper.plot(f'predict-{os.path.basename(path)}', svg.lines, 'predict: speed by threads', 'threads', 'GB/s', series,
               levels=(('64 dishes, 0.5 s', ARRAY / 1e9),))


def main():
    with Paper(__doc__) as paper:
        print("MeerKAT's visibilities (Kapp et al.)")
        shape = '8x16x64x2' if paper.small else '128x64x128x2'
        for path in paper.data() or [paper.grid('visibilities', 'f32', shape)]:
            name, dtype = os.path.splitext(path)
            heading(os.path.basename(path))
            ours = predictors(paper, path, TYPES[dtype[1:]])
            general(paper, path, ours, int(name.rsplit('_', 1)[1].split('x')[0]))
            scaling(paper, path)
        print(f'An array of 64 dishes with 32768 channels and a dump each 0.5 s makes {ARRAY / 1e9:.1f} GB/s. The paper '
              'measures observations of MeerKAT and KAT-7; ours are generated unless --data has some.')
        paper.print_gpu('predict', 'The kernels of the GPU, GB/s (the paper: 5.6 and 14.6 for packing, below 1 with transfers):',
                        lambda row: f'{row[1]} {row[3]:<12} {row[5]:.0f} / {row[6]:.0f}')


if __name__ == '__main__':
    main()
