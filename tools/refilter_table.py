#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What filtered files come to: fpgz -5 and -9 beside xz -6, and how many of their deflated chunks are coded without filters.

usage: refilter_table.py FPGZ FILE...

Each container is restored and compared. Bytes of chunks are those in the file. Exits 1 where a file comes back as another one.
"""
import lzma
import os
import re
import resource
import subprocess
import sys
import tempfile

LEVELS = 5, 9
NOTES = {'chunks': r'(\d+) bytes in (\d+) chunks, are coded as their (\d+) bytes', 'kept': r': (\d+) of its \d+ bytes are filtered chunks',
         'foreign': r': (\d+) of its \d+ bytes are of datasets filtered by'}


def seconds(command, **options):
    """Runs it. Returns what it printed, and its processor time."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    result = subprocess.run(command, stderr=subprocess.PIPE, **options)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if result.returncode not in (0, 2):
        sys.exit(f'{command}: {result.stderr.decode()}')
    return result.stderr.decode(), after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def measure(fpgz, path, level, folder):
    """A row's part: the container's size, seconds of both ways, what was noticed, and whether the file came back."""
    packed, back = os.path.join(folder, 'packed'), os.path.join(folder, 'back')
    notes, packing = seconds([fpgz, f'-{level}', '-vf', '-T1', '-o', packed, path])
    _, restoring = seconds([fpgz, '-df', '-T1', '-o', back, packed])
    with open(path, 'rb') as one, open(back, 'rb') as other:
        same = one.read() == other.read()
    found = {name: [int(group) for group in match.groups()] for name, pattern in NOTES.items()
             for match in re.finditer(pattern, notes)}
    return os.path.getsize(packed), packing, restoring, found, same


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    fpgz, files = sys.argv[1], sys.argv[2:]
    sums, failed = {level: [] for level in LEVELS}, 0
    print(f'{"file":32s} {"bytes":>10s}  xz -6   -5/xz  -9/xz  {"chunks":>7s}  coded   kept foreign   -5 MB/s of raw chunks, there and back')
    with tempfile.TemporaryDirectory() as folder:
        for path in files:
            size = os.path.getsize(path)
            with open(path, 'rb') as file:
                xz = len(lzma.compress(file.read(), preset=6))
            rows = {level: measure(fpgz, path, level, folder) for level in LEVELS}
            for level in LEVELS:
                sums[level].append(rows[level][0] / xz)
                failed += not rows[level][4]
            _, packing, restoring, found, _ = rows[5]
            coded, chunks, raw = rows[9][3].get('chunks', (0, 0, 0))
            kept, foreign = (rows[9][3].get(name, [0])[0] for name in ('kept', 'foreign'))
            inflated = found.get('chunks', (0, 0, 0))[2]
            speed = f'{inflated / packing / 1e6:8.1f} {inflated / restoring / 1e6:8.1f}' if inflated else ''
            print(f'{os.path.basename(path)[:32]:32s} {size:10d}  {xz / size:.3f}  ' +
                  '  '.join(f'{rows[level][0] / xz:.3f}' for level in LEVELS) +
                  f' {chunks:8d}  {coded / size:.3f}  {kept / size:.3f}  {foreign / size:.3f} {speed}' +
                  ''.join(f'  -{level} COMES BACK AS ANOTHER FILE' for level in LEVELS if not rows[level][4]), flush=True)
    print('mean of -5/xz and -9/xz:', *(f'{sum(sums[level]) / len(sums[level]):.3f}' for level in LEVELS))
    sys.exit(failed > 0)


if __name__ == '__main__':
    main()
