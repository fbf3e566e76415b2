#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A script of tools/papers on small grids: it ends well, prints the table that it promises with sane figures, and draws.

usage: test_scripts.py SCRIPT BUILD
"""
import os
import re
import shutil
import subprocess
import sys
import xml.etree.ElementTree

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..'))
from expect import expect, run_in_scratch  # noqa: E402

SCRIPT, BUILD = (os.path.abspath(word) for word in sys.argv[1:])

# Of each script: the rows of its first column, and which column of these is a ratio between which bounds.
ROWS = {
    'arith': (('512', '8192'), 1, 2, 5),
    'frsz2': (('f64', 'f32', 'f16', 'frsz2_32', 'frsz2_21', 'frsz2_16'), 3, 0.99, 40),
    'gfc': (('1', '10', '100', '1000'), 1, 0.8, 2),
    'ndzip': (('wave-1_16x16x64.f32', 'wave-1_16x16x64.f64'), 2, 0.3, 1.1),
    'predict': (('previous', 'mean,window=4', 'median,window=5', 'lagrange,window=3'), 2, 0.5, 1.1),
}


def main():
    name = os.path.splitext(os.path.basename(SCRIPT))[0]
    done = subprocess.run([sys.executable, SCRIPT, BUILD, '--small', '--plots', 'plots'], capture_output=True, text=True)
    expect(done.returncode == 0, done.stderr)
    expect('paper' in done.stdout and 'differ' in done.stdout or 'ours' in done.stdout, done.stdout)
    first, column, least, most = ROWS[name]
    for word in first:
        rows = [line.split() for line in done.stdout.splitlines() if re.match(r'  %s ' % re.escape(word), line)]
        expect(rows and least <= float(rows[0][column]) <= most, word, rows)
    plots = sorted({os.path.splitext(plot)[0] for plot in os.listdir('plots')})
    expect(plots)
    for plot in plots:
        drawn = xml.etree.ElementTree.parse(f'plots/{plot}.svg')
        lines = drawn.findall('.//{http://www.w3.org/2000/svg}polyline')
        expect(lines and all(len(line.get('points').split()) > 1 for line in lines), plot)
        if shutil.which('rsvg-convert'):
            with open(f'plots/{plot}.png', 'rb') as file:
                expect(file.read(8) == b'\x89PNG\r\n\x1a\n', plot)


run_in_scratch(main)
