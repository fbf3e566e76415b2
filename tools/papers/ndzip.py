#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Knorr et al. 2021, ndzip on CPUs and GPUs: Tables 3 and 4, throughput of ndzip, MPC and GFC; Table 5, ratios a
grid; and throughput by the size of the input.

usage: ndzip.py BUILD [--data FOLDER] [--plots FOLDER] [--small] [--largest MIB]
"""
import os
import statistics

import svg
from measure import Paper, heading, table

CODECS = {'f32': ('ndzip', 'mpc'), 'f64': ('ndzip', 'mpc', 'gfc')}
# GB/s compressing / restoring
THEIRS_GPU = {('ndzip', 'f32'): 'V100 135/196, A100 162/273', ('ndzip', 'f64'): 'V100 216/235, A100 259/324',
              ('mpc', 'f32'): '24 to 40', ('mpc', 'f64'): '24 to 40', ('gfc', 'f64'): '105 to 136'}
THEIRS_CPU = '2.9/2.3 (Ryzen 3900X, all cores)'


def speeds(paper, paths):
    heading('Tables 4 and 5: the CPU, all cores; stored/raw a grid')
    rows, all_cores = [], len(os.sched_getaffinity(0))
    for path in paths:
        dtype = path[-3:]
        for codec in CODECS[dtype]:
            row = paper.bench(path, codec)
            rows.append((os.path.basename(path), codec, row['ratio'], row['compress_mbps'] / 1e3,
                         row['decompress_mbps'] / 1e3, THEIRS_CPU if codec == 'ndzip' else ''))
    table(['grid', 'codec', 'stored/raw', 'GB/s comp.', 'restoring', 'theirs'], rows)
    ours = [row for row in rows if row[1] == 'ndzip']
    print(f'ndzip, mean of {len(ours)} grids on {all_cores} CPUs: stored/raw {statistics.mean(r[2] for r in ours):.3f}, '
          f'{statistics.mean(r[3] for r in ours):.1f} / {statistics.mean(r[4] for r in ours):.1f} GB/s')


def gpu(paper):
    heading('Table 3: kernels of a GPU, GB/s compressing / restoring')
    rows = paper.gpu('ndzip', 'mpc', 'gfc')
    if not rows:
        print('No GPU here: not measured.')
        return
    table(['codec', 'type', 'data', 'stored/raw', 'compressing', 'restoring', 'theirs'],
          [(f'{codec} {dims}-D', dtype, data, ratio, compressing, restoring, THEIRS_GPU.get((codec, dtype), ''))
           for codec, dtype, dims, data, ratio, compressing, restoring in rows])


def sizes(paper, largest):
    heading('Throughput by the size of the input: 3-D wave, all cores, GB/s')
    rows, series = [], {'compressing': [], 'restoring': []}
    kib = 64
    while kib <= largest << 10:
        path = paper.grid('wave', 'f32', f'{kib // 16}x16x256')
        row = paper.bench(path, 'ndzip', '--chunk', '256K')
        os.remove(path)
        rates = row['compress_mbps'] / 1e3, row['decompress_mbps'] / 1e3
        rows.append((f'{kib} KiB', *rates))
        for label, rate in zip(series, rates):
            series[label].append((kib * 1024, rate))
        kib *= 4
    table(['size', 'compressing', 'restoring'], rows)
    paper.plot('ndzip-sizes', svg.lines, 'ndzip: throughput by size', 'bytes', 'GB/s', series, x_log=True)


def main():
    with Paper(__doc__, [('--largest', {'type': int, 'default': 256})]) as paper:
        print('ndzip (Knorr et al. 2021)')
        shapes = ('16x16x64',) if paper.small else ('64x256x256', '4096x1024', '4194304')
        paths = paper.data() or [paper.grid(kind, dtype, shape) for kind in ('wave', 'turbulence')[:2 - paper.small]
                                 for dtype in CODECS for shape in shapes]
        speeds(paper, paths)
        gpu(paper)
        sizes(paper, 1 if paper.small else paper.options.largest)
        print("The paper's grids are real ones; ours are generated unless --data has some. Compare ratios on the same grids "
              'only.')


if __name__ == '__main__':
    main()
