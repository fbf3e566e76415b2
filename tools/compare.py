#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Sizes and speeds of fpgz and of other compressors on folders of grids, as tables and a plot.

usage: compare.py [--peers ENVIRONMENT] [--each] [--plot PLOT] [--only REGEX] FPGZ FOLDER...

The folders have raw grids whose names tell their shapes, as fpgz reads them (temp_20x180x360.f32). What is not installed is
left out: zstd, xz, lz4, bzip2 and zfp. --peers adds pcodec, OpenZL, geozl, blosc2, fpzip, zfpy and xz behind a byte
shuffle, and fpgz's codecs in memory; it makes a virtual environment in the folder ENVIRONMENT from PyPI, unless that is
there. --each prints the sizes of each grid, too, and where fpgz is behind. --plot writes PLOT.png and PLOT.svg, for
which it needs matplotlib, which --peers brings. --only takes the compressors whose names the expression matches.

Ratios are stored/raw, means of the files'. Speeds of commands are raw bytes by processor time of one thread, all files
together, with the start of a command for each file. Those in memory are without it.
"""
import argparse
import json
import os
import re
import resource
import shutil
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import compare_plot  # noqa: E402
import peers  # noqa: E402

RUNS, LONG = 3, 5       # the fastest of so many runs counts; what takes longer than so many seconds runs once
AGAINST = {             # what fpgz must not be behind on a grid, and by how much it may be
    'fpgz -5': (1.02, ('pcodec 8', 'geozl')),
    'fpgz -9': (1.0, ('pcodec 12', 'geozl', 'xz -6', 'shuffle + xz -6')),
}


def grids(folders):
    """(path, dtype, extents) of each grid."""
    for folder in folders:
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
    return max(best, 1e-6)


def pipe(command, source, target):
    with open(source, 'rb') as data, open(target, 'wb') as out:
        subprocess.run(command, stdin=data, stdout=out, check=True)


class Command:
    """A compressor that is a command; pack and unpack give its words for a dtype and extents."""
    in_memory = False

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


class Bench:
    """A codec of fpgz from memory to memory; --bench says medians of the wall clock."""
    in_memory = True

    def __init__(self, fpgz, name, codec):
        self.fpgz, self.name, self.codec = fpgz, f'fpgz {name}', codec
        listed = subprocess.run([fpgz, '-V'], capture_output=True, check=True, text=True).stdout
        self.level = re.search('^cpu levels: (.*)', listed, re.M)[1].split()[-1]

    def measure(self, path, dtype, extents, _folder):
        words = [self.fpgz, '--bench', '--json', '-T1', '--codec', self.codec, '--cpu-level', self.level]
        words += ['--dtype', dtype, '--shape', 'x'.join(map(str, extents)), path]
        rows = subprocess.run(words, capture_output=True, check=True, text=True).stdout.splitlines()
        row, size = json.loads(rows[-1]), os.path.getsize(path)
        assert row['roundtrip'] == 'ok', path
        return size * row['ratio'], *(size / 1e6 / row[f'{way}compress_mbps'] for way in ('', 'de'))


class Peer:
    """A module, from memory to memory."""
    in_memory = True

    def __init__(self, peer):
        self.name, self.peer = peer.name, peer

    def measure(self, path, dtype, extents, _folder):
        import numpy
        array = numpy.fromfile(path, f'<f{int(dtype[1:]) // 8}').reshape(extents)
        if hasattr(self.peer, 'prepare'):
            self.peer.prepare(array)
        packed, restored = [None], [None]

        def pack():
            packed[0] = self.peer.pack(array)

        def unpack():
            restored[0] = self.peer.unpack(packed[0], array)

        times = [fastest(pack), fastest(unpack)]
        again = restored[0] if isinstance(restored[0], bytes) else restored[0].tobytes()
        assert again == array.tobytes(), f'{self.name} does not restore {path}'
        return len(packed[0]), *times


def zfp(direction, dtype, extents):
    """zfp's command, which takes at most four extents, the fastest first."""
    extents = [extent for extent in extents if extent > 1] or [1]
    while len(extents) > 4:
        extents[:2] = [extents[0] * extents[1]]
    shape = [f'-{len(extents)}', *map(str, reversed(extents))]
    return ['zfp', '-q', '-R', '-f' if dtype == 'f32' else '-d', *shape, *direction]


def compressors(fpgz, with_peers):
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
    if with_peers:
        for name, codec in (('ndzip', 'ndzip'), ('middle', 'prans'), ('high', 'prans:setting=high')):
            yield Bench(fpgz, name, codec)
        yield from map(Peer, peers.peers())


def print_each(files, sizes):
    """Stored/raw of each grid, and what fpgz is behind."""
    names = [name for name in sizes if name in AGAINST or any(name in peers_ for _, peers_ in AGAINST.values())]
    width = max(len(os.path.basename(path)) for path, _, _ in files)
    print('\n' + ' ' * width, *(f'{name:>15}' for name in names))
    for number, (path, _, _) in enumerate(files):
        row = {name: sizes[name][number] for name in names}
        behind = []
        for ours, (most, others) in AGAINST.items():
            known = {name: row[name] for name in others if name in row}
            best = min(known, key=known.get, default=None)
            if best and ours in row and row[ours] > most * known[best]:
                behind.append(f'{ours} is {row[ours] / known[best]:.3f} of {best}')
        print(f'{os.path.basename(path):{width}}', *(f'{row[name]:15.4f}' for name in names), '; '.join(behind))


def measure_all(compressor, files, folder):
    """Rows of (raw, stored, seconds, seconds), or None with a line that says why not."""
    try:
        return [(os.path.getsize(path), *compressor.measure(path, dtype, extents, folder))
                for path, dtype, extents in files]
    except Exception as error:  # pylint: disable=broad-except
        if compressor.name.startswith('fpgz'):
            raise
        print(f'left out: {compressor.name} ({type(error).__name__}: {error})', flush=True)
        return None


def options():
    parser = argparse.ArgumentParser(usage=__doc__.split('usage: ')[1].split('\n')[0])
    for name in ('--peers', '--plot', '--only'):
        parser.add_argument(name)
    parser.add_argument('--each', action='store_true')
    parser.add_argument('fpgz')
    parser.add_argument('folder', nargs='+')
    return parser.parse_args()


def main():
    chosen = options()
    if chosen.peers:
        peers.enter(os.path.abspath(chosen.peers))
    files, rows, sizes = list(grids(chosen.folder)), [], {}
    if not files:
        sys.exit(f'{" ".join(chosen.folder)}: no grids whose names tell their shapes')
    listed = list(compressors(os.path.abspath(chosen.fpgz), chosen.peers))
    print(f'{len(files)} grids\n{"":18} {"stored/raw":>10} {"MB/s":>8} {"restoring":>9}')
    with tempfile.TemporaryDirectory() as folder:
        for compressor in listed:
            measured = (not chosen.only or re.search(chosen.only, compressor.name)) and \
                measure_all(compressor, files, folder)
            if not measured:
                continue
            raw = sum(row[0] for row in measured)
            sizes[compressor.name] = [stored / size for size, stored, _, _ in measured]
            rows.append((compressor.name, sum(sizes[compressor.name]) / len(files),
                         *(raw / 1e6 / sum(row[i] for row in measured) for i in (2, 3)), compressor.in_memory))
            print(f'{rows[-1][0]:18} {rows[-1][1]:10.4f} {rows[-1][2]:8.1f} {rows[-1][3]:9.1f}'
                  f'{"  in memory" if compressor.in_memory else ""}', flush=True)
    if chosen.each:
        print_each(files, sizes)
    if chosen.plot:
        compare_plot.plot(rows, chosen.plot)


if __name__ == '__main__':
    main()
