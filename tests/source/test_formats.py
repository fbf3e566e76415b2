#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Files of formats that need no library: that they come back, that each array is there, and files that lie.

usage: test_formats.py FPGZ FORMAT...   FORMAT is that of a module format_*.py, or "options"
"""
import importlib
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..'))
from expect import expect, run_in_scratch  # noqa: E402
from formats import run, wave, write  # noqa: E402

MODULES = {name[len('format_'):-len('.py')] for name in os.listdir(os.path.dirname(os.path.abspath(__file__)))
           if name.startswith('format_')}


def test_options():
    """--format, --formats, and that a raw grid is one whatever it begins with."""
    table = run('--formats').stdout.decode()
    names = [line.split()[0] for line in table.split('\n\n')[0].split('\n')[1:]]
    expect(names[:3] == ['raw', 'HDF5', 'npy'] and MODULES <= {name.lower().replace('-', '') for name in names}, table)
    for name in names:
        write('any', wave('f32', 3000))
        result = run('-f', '--format', name.upper() if name != 'raw' else name, 'any')
        expect(result.returncode == (0 if name in ('raw', 'npy') else 2), '--format', name, result.stderr)
        expect(run('-dc', 'any.fpgz').stdout == wave('f32', 3000), '--format', name)
    result = run('--format', 'nothing', 'any')
    expect(result.returncode == 1 and b'--formats' in result.stderr, result.stderr)
    result = run('--format', 'npy', '--dtype', 'f32', 'any')
    expect(result.returncode == 1 and b'raw grids' in result.stderr, result.stderr)


def main():
    for name in sys.argv[2:]:
        test_options() if name == 'options' else importlib.import_module('format_' + name).test()


run_in_scratch(main)
