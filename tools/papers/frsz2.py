#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Gruetzmacher et al. 2024, FRSZ2 in registers inside CB-GMRES: Figures 4 to 11. Iterations, residuals and speed-ups by
the storage of the basis on generated matrices or Matrix Market files, the exponents of a basis, and on a GPU the
roofline of reading.

usage: frsz2.py BUILD [--data FOLDER] [--plots FOLDER] [--small] [--device cpu|cuda] [--iterations N]
"""
import json
import os
import subprocess

import svg
from measure import Paper, heading, table

STORAGES = ('f64', 'f32', 'f16', 'frsz2_32', 'frsz2_21', 'frsz2_16')
THEIRS = {'f64': '1', 'f32': '1.16', 'frsz2_32': '1.09 (1.16 without PR02R)'}
# A matrix and the residual to reach.
MATRICES = (('atmosmodd', 4e-16), ('atmosmodl', 4e-16), ('parabolic_fem', 1e-12), ('PR02R', 1e-14))
SMALL = (('atmosmodd:12x13x14', 1e-14), ('PR02R:20x20', 1e-12))


def solve(paper, matrix, target):
    """A row a storage, from cb_gmres; and how it ended where one does not converge."""
    program = os.path.join(paper.options.build, 'tools/papers/cb_gmres/cb_gmres')
    done = subprocess.run([program, '--json', '--device', paper.options.device, '--rrn', str(target), '--exponents', '5',
                           '--iterations', str(paper.options.iterations), '--storage', ','.join(STORAGES), matrix],
                          stdout=subprocess.PIPE, text=True)
    assert done.returncode in (0, 1), done
    return [json.loads(line) for line in done.stdout.splitlines()]


def show(paper, rows, speedups):
    first = rows[0]
    where = first['device'] + (f', {first["threads"]} threads' if first['threads'] else '')
    heading(f'{first["matrix"]}: {first["rows"]} rows, {first["entries"]} entries; GMRES({first["restart"]}) on {where} '
            f'to {first["target"]:g}')
    cells = []
    for row in rows:
        speedup = first['seconds'] / row['seconds'] if row['converged'] and first['converged'] else None
        cells.append((row['storage'], row['bits'], str(row['iterations']), row['iterations'] / first['iterations'],
                      f'{row.get("rrn", float("nan")):.2e}', row['seconds'], speedup, row['read_gbps'],
                      '' if row['converged'] else row['end']))
        if speedup:
            speedups.setdefault(row['storage'], {})[first['matrix']] = speedup
    table(['storage', 'bits', 'iterations', 'of f64', 'residual', 'seconds', 'speed-up', 'read, GB/s', ''], cells)
    name = first['matrix'].replace(':', '-')
    paper.plot(f'frsz2-{name}', svg.lines, f'{first["matrix"]}: the residual by iteration', 'iteration',
               'relative residual norm', {row['storage']: list(enumerate(row['history'])) for row in rows}, y_log=True)
    counts = {int(exponent): count for exponent, count in first['exponents'].items()}
    paper.plot(f'frsz2-{name}-exponents', svg.lines, f'{first["matrix"]}: exponents of vector 5 of the last basis',
               'exponent', 'values', {'f64': sorted(counts.items())})
    if counts:
        print(f'Exponents of a vector of the basis: {min(counts)} to {max(counts)}, and {first["zeros"]} zeros.')


def roofline(paper):
    program = os.path.join(paper.options.build, 'tools/papers/cb_gmres/roofline')
    heading('Figure 4: reading 2^28 values on a GPU and computing with them')
    done = subprocess.run([program], stdout=subprocess.PIPE, text=True) \
        if os.path.exists(program) and not paper.small else None
    if not done or done.returncode == 77:
        print('No GPU here: not measured. The paper, on an H100: frsz2_32 reads 1991 GB/s, 99.6 % of what f64 reads.')
        return
    rows = [json.loads(line) for line in done.stdout.splitlines()]
    stream = max(row['gbps'] for row in rows if row['storage'] == 'f64')
    wanted = (1, 8, 16, 32, 64, 128)
    names = list(dict.fromkeys(row['storage'] for row in rows))
    print(f'GB/s as stored, by operations a value, and the share of the best f64 stream ({stream:.0f} GB/s). The paper: '
          'frsz2_32 1991 GB/s, 99.6 %.')
    found = {(row['storage'], row['flops_a_value']): row for row in rows}
    table(['storage', *map(str, wanted), 'share at 1'],
          [(name, *(f'{found[name, n]["gbps"]:.0f}' for n in wanted), found[name, 1]['gbps'] / stream) for name in names])
    paper.plot('frsz2-roofline', svg.lines, 'Reading and computing', 'operations a value', 'GFlop/s',
               {name: [(row['flops_a_value'], row['gflops']) for row in rows if row['storage'] == name] for name in names},
               x_log=True, y_log=True)


def mean(values):
    """None where there are none."""
    values = list(values)
    return sum(values) / len(values) if values else None


def main():
    options = [('--device', {'default': 'cpu', 'choices': ('cpu', 'cuda')}),
               ('--iterations', {'type': int, 'default': 20000})]
    with Paper(__doc__, options) as paper:
        print('FRSZ2 in registers inside CB-GMRES (Gruetzmacher et al. 2024)')
        folder, speedups = paper.options.data, {}
        files = [os.path.join(folder, name) for name in sorted(os.listdir(folder)) if name.endswith('.mtx')] if folder else []
        if paper.small:
            paper.options.iterations = 300
        for matrix, target in [(file, 1e-12) for file in files] or (SMALL if paper.small else MATRICES):
            show(paper, solve(paper, matrix, target), speedups)
        heading('Figure 11: speed-up over f64, mean of what converged')
        table(['storage', 'ours', 'of matrices', 'without PR02R', 'theirs (H100)'],
              [(name, mean(found.values()), str(len(found)),
                mean(value for matrix, value in found.items() if not matrix.startswith('PR02R')), THEIRS.get(name, ''))
               for name, found in speedups.items()])
        roofline(paper)
        print("\nGenerated matrices have the sizes of the paper's, but not its numbers: compare iterations among storages.")


if __name__ == '__main__':
    main()
