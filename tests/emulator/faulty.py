#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Checks that the emulator finds defects of kernels, and none where there is none.

usage: faulty.py FAULTY
"""
import os
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..'))
from expect import expect, run_in_scratch

# The exit status, and what it says, by the defect's number; None: the program ends itself.
REPORTS = [
    (0, ''),
    (1, ''),
    (None, 'faulty: all threads wait for others'),
    (None, '__syncwarp at'),
    (None, 'faulty: it wrote 0 bytes behind device memory'),
    (None, 'a copy of 4 bytes is not aligned'),
    (None, 'threads wait for what does not come'),
    (1, ''),
]


def main():
    for defect, (status, report) in enumerate(REPORTS):
        result = subprocess.run([PROGRAM, str(defect)], capture_output=True, text=True, timeout=120)
        expect(result.returncode == status if status is not None else result.returncode not in (0, 1, 2) or
               'AddressSanitizer' in result.stderr, f'defect {defect}: exit status {result.returncode}')
        expect(report in result.stderr or 'AddressSanitizer' in result.stderr, f'defect {defect}: {result.stderr}')


if len(sys.argv) != 2:
    sys.exit(__doc__)
PROGRAM = os.path.abspath(sys.argv[1])
run_in_scratch(main)
