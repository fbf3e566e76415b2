#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Recovers containers of many parts, and hostile ones whose parts claim each other's bytes: with few reads, whose number
does not grow faster than the container.

usage: scaled.py FPGZ SCALED-CONTAINERS [SHIM]   without the shim (tests/fault/shim.c) reads are not counted. Prints
"N passed, N failed".
"""
import os
import subprocess
import sys
import tempfile

# Kind, count, reads at most, exit status and what is said.
CASES = (('members', 20000, 50000, 0, ', 0 lost'),
         ('chunks', 50000, 60000, 0, ', 0 lost'),
         ('arrays', 50000, 60000, 0, ', 0 lost'),
         ('markers', 500000, 200, 1, 'nothing can be restored'),
         ('claims', 4000, 12000, 2, ' 0 bytes restored'),
         ('copies', 4000, 100, 2, ' 0 bytes restored'))


def main():
    fpgz, scaled, *shim = (os.path.abspath(path) for path in sys.argv[1:])
    passed, failed = 0, 0
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        for kind, count, reads, status, said in CASES:
            subprocess.run([scaled, kind, str(count), 'many.fpgz'], check=True)
            counting = {'LD_PRELOAD': shim[0], 'FAULT': f'pread:{reads}:5', 'FAULT_REACHED': 'reached'} if shim else {}
            result = subprocess.run([fpgz, '--recover', 'many.fpgz', '-fo', 'out'], env=dict(os.environ, **counting),
                                    stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
            text = result.stderr.decode(errors='replace')
            if (result.returncode, said in text, os.path.exists('reached')) == (status, True, False):
                passed += 1
            else:
                failed += 1
                print(f'{kind}: exit status {result.returncode}, more than {reads} reads: {os.path.exists("reached")}')
                print(text[:1000])
            for name in ('out', 'reached'):
                if os.path.exists(name):
                    os.remove(name)
    print(f'{passed} passed, {failed} failed')
    return 1 if failed or not passed else 0


sys.exit(main())
