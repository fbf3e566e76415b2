#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""cb_gmres as its users meet it: tables, Matrix Market files, and what it says when a system cannot be solved.

usage: test_cb_gmres.py CB_GMRES [cpu|cuda]   (77: no GPU)
"""
import json
import os
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..'))
from expect import expect, run_in_scratch  # noqa: E402

PROGRAM, DEVICE = os.path.abspath(sys.argv[1]), (sys.argv + ['cpu'])[2]


def run(*words):
    return subprocess.run([PROGRAM, '--threads', '2', '--device', DEVICE, *words], capture_output=True, text=True)


def matrix(name, banner, lines):
    with open(name, 'w', encoding='ascii') as file:
        file.write(f'%%MatrixMarket matrix coordinate {banner}\n% a comment\n' + '\n'.join(lines) + '\n')
    return name


def rows(result):
    return [json.loads(line) for line in result.stdout.splitlines()]


def refused(what, status, *words):
    """The program ends so, and says that."""
    result = run(*words)
    expect(result.returncode == status and what in result.stdout + result.stderr, words, result)


def main():
    solved = run('--json', '--rrn', '1e-13', '--exponents', '1', 'atmosmodd:6x9x10')
    if solved.returncode == 77 and DEVICE == 'cuda':
        sys.exit(77)
    expect(solved.returncode == 0, solved)
    table = {row['storage']: row for row in rows(solved)}
    expect(list(table) == ['f64', 'f32', 'f16', 'frsz2_32', 'frsz2_21', 'frsz2_16'], list(table))
    for name, row in table.items():
        expect(row['converged'] and row['rrn'] <= 1e-13 and row['error'] < 1e-10, name, row)
        expect(len(row['history']) == row['iterations'] and row['history'][-1] <= 1e-13, name)
        expect(sum(row['exponents'].values()) + row['zeros'] == row['rows'] == 540, name)
    expect(table['f64']['iterations'] <= table['frsz2_32']['iterations'] < table['frsz2_16']['iterations'], table)
    expect(solved.stdout.count('\n') == 6 and 'residual' in run('atmosmodd:4x4x4').stdout)

    # PR02R's scales: f32 keeps each value's own exponent, FRSZ2 a block's.
    flow = rows(run('--json', '--storage', 'f64,f32,frsz2_32', 'PR02R:20x21'))
    expect([row['converged'] for row in flow] == [True] * 3, flow)
    expect(flow[0]['iterations'] <= flow[1]['iterations'] < flow[2]['iterations'], [row['iterations'] for row in flow])
    refused('stagnation', 1, '--storage', 'frsz2_4', '--restart', '10', 'PR02R:9x9')
    refused('not converged', 1, '--iterations', '5', '--storage', 'f64', 'atmosmodd:6x9x10')

    general = matrix('general.mtx', 'real general', ['3 3 5', '1 1 4', '2 2 4.5e0', '3 3 -5', '1 2 1', '2 2 0.5'])
    expect(run('--storage', 'f64,frsz2_32', general).returncode == 0)
    mirrored = matrix('symmetric.mtx', 'real symmetric', ['3 3 4', '1 1 4', '2 2 4', '3 3 4', '3 1 1'])
    expect(rows(run('--json', '--storage', 'f64', mirrored))[0]['entries'] == 5)
    refused('breakdown', 1, '--storage', 'f64', matrix('shift.mtx', 'integer general', ['3 3 2', '2 1 1', '3 2 1']))
    refused('singular', 1, matrix('zero.mtx', 'real general', ['3 3 0']))
    refused('line 4: a value is NaN', 1, matrix('nan.mtx', 'real general', ['2 2 1', '1 1 nan']))
    refused('not finite', 1, '--storage', 'f64', matrix('huge.mtx', 'real general', ['2 2 2', '1 1 1e300', '2 2 1e300']))
    refused('line 4: an entry', 1, matrix('outside.mtx', 'real general', ['2 2 1', '3 1 1']))
    refused('ends before', 1, matrix('short.mtx', 'real general', ['2 2 99999999999', '1 1 1']))
    refused('not square', 1, matrix('wide.mtx', 'real general', ['2 3 1', '1 1 1']))
    refused('coordinates', 1, matrix('complex.mtx', 'complex general', ['2 2 1', '1 1 1 1']))
    refused('No such file', 1, 'nowhere.mtx')
    refused('extents', 1, 'atmosmodd:0x1x2')
    refused('--help', 1, '--storage', 'frsz2_65', 'atmosmodd')
    refused('--help', 1)
    expect('PR02R' in run('--help').stdout)


run_in_scratch(main)
