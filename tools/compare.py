#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Sizes and speeds of fpgz and of other compressors on a folder of grids, as a table and a plot.

usage: compare.py FPGZ FOLDER [PLOT]

FOLDER has raw grids whose names tell their shapes, as fpgz reads them (temp_20x180x360.f32). What is not installed is
left out: zstd, xz, lz4, bzip2, zfp and the Python module blosc. PLOT.png and PLOT.svg need matplotlib. Ratios are
stored/raw, means of the files'; speeds are raw bytes by processor time of one thread, all files together, with the
start of a command for each file, but for blosc's.
"""
import math
import os
import re
import resource
import shutil
import subprocess
import sys
import tempfile
import time

try:
    import blosc
except ImportError:
    blosc = None

RUNS, LONG = 3, 5       # the fastest of so many runs counts; what takes longer than so many seconds runs once


def grids(folder):
    """(path, dtype, extents) of each grid."""
    for name in sorted(os.listdir(folder)):
        match = re.fullmatch(r'.*_(\d+(?:x\d+)*)\.(f32|f64)', name)
        if match:
            yield os.path.join(folder, name), match[2], [int(extent) for extent in match[1].split('x')]


def fastest(run):
    """The least processor time of runs, this process and its children together."""
    def spent():
        return sum(sum(resource.getrusage(who)[:2]) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))

    best, begin = float('inf'), time.monotonic()
    for _ in range(RUNS):
        before = spent()
        run()
        best = min(best, spent() - before)
        if time.monotonic() - begin > LONG:
            break
    return best


def pipe(command, source, target):
    with open(source, 'rb') as data, open(target, 'wb') as out:
        subprocess.run(command, stdin=data, stdout=out, check=True)


class Command:
    """A compressor that is a command; pack and unpack give its words for a dtype and extents."""

    def __init__(self, name, pack, unpack):
        self.name, self.pack, self.unpack = name, pack, unpack

    def measure(self, path, dtype, extents, folder):
        """(stored bytes, seconds to compress, seconds to restore)."""
        packed, restored = os.path.join(folder, 'packed'), os.path.join(folder, 'restored')
        times = [fastest(lambda: pipe(self.pack(dtype, extents), path, packed)),
                 fastest(lambda: pipe(self.unpack(dtype, extents), packed, restored))]
        with open(path, 'rb') as a, open(restored, 'rb') as b:
            assert a.read() == b.read(), f'{self.name} does not restore {path}'
        return os.path.getsize(packed), *times


class Blosc:
    """The library, from memory to memory."""

    def __init__(self, name, filter):
        self.name, self.filter = name, filter

    def measure(self, path, dtype, _extents, _folder):
        with open(path, 'rb') as file:
            data = file.read()
        result = []
        blosc.set_nthreads(1)
        times = [fastest(lambda: result.append(blosc.compress(data, int(dtype[1:]) // 8, 9, self.filter, 'zstd'))),
                 fastest(lambda: result.append(blosc.decompress(result[0])))]
        assert result[-1] == data, f'{self.name} does not restore {path}'
        return len(result[0]), *times


def zfp(direction, dtype, extents):
    """zfp's command, which takes at most four extents, the fastest first."""
    extents = [extent for extent in extents if extent > 1] or [1]
    while len(extents) > 4:
        extents[:2] = [extents[0] * extents[1]]
    shape = [f'-{len(extents)}', *map(str, reversed(extents))]
    return ['zfp', '-q', '-R', '-f' if dtype == 'f32' else '-d', *shape, *direction]


def compressors(fpgz):
    for level in range(1, 10):
        yield Command(f'fpgz -{level}', lambda dtype, extents, level=level: [
            fpgz, '-T1', f'-{level}', '--dtype', dtype, '--shape', 'x'.join(map(str, extents)), '-c'],
            lambda *_: [fpgz, '-T1', '-dc'])
    for name, levels, options in (('zstd', (1, 3, 19), ['--single-thread']), ('xz', (6, 9), ['-T1']),
                                  ('lz4', (1,), []), ('bzip2', (9,), [])):
        for level in levels if shutil.which(name) else ():
            yield Command(f'{name} -{level}', lambda *_, words=(name, f'-{level}', *options, '-c'): words,
                          lambda *_, words=(name, '-dc'): words)
    if shutil.which('zfp'):
        yield Command('zfp -R', lambda *grid: zfp(['-i', '-', '-z', '-'], *grid),
                      lambda *grid: zfp(['-z', '-', '-o', '-'], *grid))
    if blosc:
        yield Blosc('blosc shuffle', blosc.SHUFFLE)
        yield Blosc('blosc bitshuffle', blosc.BITSHUFFLE)


def merged(points):
    """Points that lie as good as on one another share a label: fpgz -4 -5."""
    labels = []
    for x, y, name in points:
        program, _, level = name.partition(' ')
        near = next((label for label in labels if label[2].startswith(program) and abs(y - label[1]) < 0.012
                     and abs(math.log(x / label[0])) < 0.15), None)
        if near:
            near[2] += f' {level}'
        else:
            labels.append([x, y, name])
    return labels


def plot(rows, path):
    """Ratio against both speeds, as path.png and path.svg."""
    import matplotlib
    matplotlib.use('Agg')
    matplotlib.rcParams.update({'svg.fonttype': 'none', 'svg.hashsalt': 'fpgz', 'font.size': 9})
    import matplotlib.pyplot as plt
    from matplotlib.ticker import LogLocator
    figure, axes = plt.subplots(1, 2, figsize=(11, 4.5), sharey=True, constrained_layout=True)
    for axis, place, title in zip(axes, (2, 3), ('compressing', 'restoring')):
        for ours, style, below in ((True, 'o-', 4), (False, 's', -10)):
            points = [(row[place], row[1], row[0]) for row in rows if row[0].startswith('fpgz') == ours]
            axis.plot([x for x, _, _ in points], [y for _, y, _ in points], style, label='fpgz' if ours else 'others')
            for x, y, name in merged(points):
                axis.annotate(name, (x, y), textcoords='offset points', xytext=(5, below), fontsize=7)
        axis.set_xscale('log')
        axis.margins(x=0.12)
        axis.xaxis.set_major_locator(LogLocator(subs=(1, 2, 5)))
        axis.xaxis.set_major_formatter('{x:g}')
        axis.minorticks_off()
        axis.set_xlabel(f'{title}, MB/s of one thread')
        axis.grid(alpha=0.3)
    axes[0].set_ylabel('stored / raw')
    axes[0].legend()
    figure.savefig(f'{path}.png', dpi=150)
    figure.savefig(f'{path}.svg', metadata={'Date': None})


def main():
    if len(sys.argv) not in (3, 4):
        sys.exit(__doc__)
    files, rows = list(grids(sys.argv[2])), []
    if not files:
        sys.exit(f'{sys.argv[2]}: no grids whose names tell their shapes')
    print(f'{len(files)} grids\n{"":18} {"stored/raw":>10} {"MB/s":>8} {"restoring":>9}')
    with tempfile.TemporaryDirectory() as folder:
        for compressor in compressors(os.path.abspath(sys.argv[1])):
            measured = [(os.path.getsize(path), *compressor.measure(path, dtype, extents, folder))
                        for path, dtype, extents in files]
            raw = sum(row[0] for row in measured)
            ratio = sum(stored / size for size, stored, _, _ in measured) / len(measured)
            rows.append((compressor.name, ratio, *(raw / 1e6 / sum(row[i] for row in measured) for i in (2, 3))))
            print(f'{rows[-1][0]:18} {ratio:10.4f} {rows[-1][2]:8.1f} {rows[-1][3]:9.1f}', flush=True)
    if len(sys.argv) == 4:
        plot(rows, sys.argv[3])


if __name__ == '__main__':
    main()
