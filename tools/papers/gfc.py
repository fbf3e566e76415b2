#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""O'Neil and Burtscher 2011, GFC: Table 2, the ratio by the number of chunks, throughput, and the ratio by the
dimensionality on interleaved data.

usage: gfc.py BUILD [--data FOLDER] [--plots FOLDER] [--small]
"""
import statistics

import svg
from measure import Paper, heading, table

# Chunks are warps; blocks have up to 32 of them.
CHUNKS = {1: 'blocks=1,warps=1', 10: 'blocks=1,warps=10', 100: 'blocks=10,warps=10', 1000: 'blocks=50,warps=20'}
THEIRS = {1: 1.18803, 10: 1.18802, 100: 1.18793, 1000: 1.18710}


def interleaved(paper, path, count, values):
    """A grid of `count` series, a value of each in turn."""
    paths = [paper.grid('wave', 'f64', str(values), seed) for seed in range(1, count + 1)]
    data = bytearray(8 * values * count)
    for i, source in enumerate(paths):
        with open(source, 'rb') as file:
            series = file.read()
        for byte in range(8):
            data[8 * i + byte::8 * count] = series[byte::8]
    with open(path, 'wb') as file:
        file.write(data)
    return path


def main():
    with Paper(__doc__) as paper:
        print("GFC (O'Neil and Burtscher 2011)")
        shape = '16x32x32' if paper.small else '64x256x256'
        paths = paper.data(('f64',)) or [paper.grid(kind, 'f64', shape) for kind in ('wave', 'turbulence', 'noise')]
        heading('Ratio (raw/stored, harmonic mean) by the number of chunks')
        rows, base = [], None
        for chunks, parameters in CHUNKS.items():
            measured = [paper.bench(path, f'gfc:{parameters}', '-T1', '--chunk', '256M') for path in paths]
            ratio = 1 / statistics.mean(row['ratio'] for row in measured)
            base = base or ratio
            rows.append((str(chunks), ratio, f'{ratio / base:.5f}', f'{THEIRS[chunks]:.5f}', f'{THEIRS[chunks] / THEIRS[1]:.5f}',
                         statistics.mean(row['compress_mbps'] for row in measured) / 1e3,
                         statistics.mean(row['decompress_mbps'] for row in measured) / 1e3))
        table(['chunks', 'ours', 'of 1 chunk', 'theirs', 'of 1 chunk', 'compressing, GB/s', 'restoring'], rows)
        print('One thread. The paper: 9.7 GB/s (77.9 Gb/s) compressing and 12.1 GB/s restoring on a GTX-285, which is 4.5 and '
              '4.0 times\nwhat pFPC reached on 8 cores. Its 13 data sets are not ours.')

        heading('Ratio by dim, on 1 to 32 interleaved series')
        counts = (1, 8) if paper.small else (1, 2, 3, 4, 8, 16, 32)
        dims, series, rows = (1, 8) if paper.small else (1, 2, 3, 4, 6, 8, 12, 16, 24, 32), {}, []
        for count in counts:
            values = 4096 if paper.small else (1 << 20) // count
            path = interleaved(paper, f'{paper.folder}/series_{values * count}.f64', count, values)
            ratios = [1 / paper.bench(path, f'gfc:dim={dim}', '-T1')['ratio'] for dim in dims]
            series[f'{count} series'] = list(zip(dims, ratios))
            rows.append((str(count), *ratios))
        table(['series', *(f'dim {dim}' for dim in dims)], rows)
        paper.plot('gfc-dim', svg.lines, 'gfc: ratio by dimensionality', 'dim', 'raw/stored', series)
        paper.print_gpu('gfc', 'The kernels of the GPU, GB/s:', lambda row: f'{row[3]:<12} {row[5]:.0f} / {row[6]:.0f}')


if __name__ == '__main__':
    main()
