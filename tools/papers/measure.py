# SPDX-License-Identifier: MIT
"""What the scripts of the papers share: options, grids, measurements by fpgz and gpu_bench, tables."""
import argparse
import json
import os
import re
import shutil
import subprocess
import tempfile

TYPES = {'f32': 4, 'f64': 8}


class Paper:
    """A run of a script: its options, its programs, and a folder for grids that goes when it ends."""

    def __init__(self, doc, options=()):
        parser = argparse.ArgumentParser(description=doc.partition('\n\n')[0], usage=doc.partition('usage: ')[2])
        parser.add_argument('build')
        parser.add_argument('--data')
        parser.add_argument('--plots')
        parser.add_argument('--small', action='store_true')
        for name, keywords in options:
            parser.add_argument(name, **keywords)
        self.options = parser.parse_args()
        self.small, self.plots = self.options.small, self.options.plots
        self.fpgz, self.gengrid, self.gpu_bench = (
            os.path.join(self.options.build, name) for name in ('src/fpgz', 'tools/gengrid', 'tools/gpu_bench'))

    def __enter__(self):
        self.scratch = tempfile.TemporaryDirectory()
        self.folder = self.scratch.name
        if self.plots:
            os.makedirs(self.plots, exist_ok=True)
        return self

    def __exit__(self, *_):
        self.scratch.cleanup()

    def grid(self, kind, dtype, shape, seed=1):
        """The path of a generated grid."""
        path = os.path.join(self.folder, f'{kind}-{seed}_{shape}.{dtype}')
        if not os.path.exists(path):
            subprocess.run([self.gengrid, kind, dtype, shape, '--seed', str(seed), '-o', path], check=True)
        return path

    def data(self, dtypes=tuple(TYPES)):
        """The user's grids of these types, whose names tell their shapes."""
        folder = self.options.data
        names = sorted(os.listdir(folder)) if folder else []
        return [os.path.join(folder, name) for name in names
                if re.fullmatch(r'.*_\d+(x\d+)*\.(%s)' % '|'.join(dtypes), name)]

    def bench(self, path, codec, *options):
        """fpgz's measurement of a codec by its best kernels (--small: plain C): ratio, compress_mbps, ..."""
        level = ['--cpu-level', 'c'] if self.small else []
        rows = subprocess.run([self.fpgz, '--bench', '--json', *level, *options, '--codec', codec, path], check=True,
                              stdout=subprocess.PIPE, text=True).stdout.splitlines()
        row = json.loads(rows[-1])
        assert row['roundtrip'] == 'ok', row
        return row

    def gpu(self, *codecs):
        """Rows (codec, dtype, dims, data, ratio, GB/s compressing, GB/s restoring) of the kernels of a GPU; None
        without one."""
        if self.small or not os.path.exists(self.gpu_bench):
            return None
        done = subprocess.run([self.gpu_bench, *codecs], stdout=subprocess.PIPE, text=True)
        if done.returncode == 77:
            return None
        assert done.returncode == 0, done.stdout
        found = []
        for line in done.stdout.splitlines():
            match = re.match(r'(\S+) (\S+) (\d)-D (\w+) +(\d\.\d{4}) (.*)', line)
            if match:
                rates = re.findall(r'(?:^| ) *(\d+) +\d+\.\d\d(?: |$)', match[6])
                found.append((match[1], match[2], int(match[3]), match[4], float(match[5]), *map(float, rates[:2])))
        return found

    def print_gpu(self, codec, title, line):
        """Prints what the kernels of a GPU do with a codec, by line(row)."""
        rows = self.gpu(codec)
        print(title if rows else 'No GPU here: its kernels are not measured.')
        for row in rows or ():
            print(f'  {line(row)}')

    def plot(self, name, draw, *arguments, **keywords):
        """Draws PLOTS/name.svg, where plots are wanted, and name.png where rsvg-convert is installed."""
        if self.plots:
            path = os.path.join(self.plots, name)
            draw(f'{path}.svg', *arguments, **keywords)
            print(f'-> {path}.svg')
            if shutil.which('rsvg-convert'):
                subprocess.run(['rsvg-convert', '--zoom', '2', '-o', f'{path}.png', f'{path}.svg'], check=True)
                print(f'-> {path}.png')


def threads(small):
    """1, 2, 4 ... and all of this machine."""
    count = len(os.sched_getaffinity(0))
    return sorted({1, count} | ({2 ** i for i in range(12) if 2 ** i < count} if not small else set()))


def table(head, rows):
    """Prints rows of texts and numbers, columns to the right but the first."""
    texts = [head] + [[cell if isinstance(cell, str) else '-' if cell is None else f'{cell:.4g}' for cell in row]
                      for row in rows]
    widths = [max(len(row[i]) for row in texts) for i in range(len(head))]
    for row in texts:
        print('  ' + '  '.join(cell.rjust(width) if i else cell.ljust(width)
                               for i, (cell, width) in enumerate(zip(row, widths))))
    print(flush=True)


def heading(text):
    print(f'\n{text}\n{"-" * len(text)}')
