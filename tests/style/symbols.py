#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Checks the symbols of what was compiled.

usage: symbols.py NM COMMAND LIBRARY   COMMAND: the static library of the command's rooms, LIBRARY: libfpgz.a

The command has no variable that lives outside of functions, but those of GLOBALS. What the library defines for others
than its own file begins with fpgz_, for a static library hides nothing from the program that links it.
"""
import subprocess
import sys

# files/temporary.c says why.
GLOBALS = {'doomed', 'doomed_stat'}


def symbols(nm, path, *options):
    """[(name, class, section)]"""
    result = subprocess.run([nm, '--format=sysv', *options, path], capture_output=True, text=True, check=True)
    rows = [[field.strip() for field in line.split('|')] for line in result.stdout.splitlines()]
    return [(row[0], row[2], row[6]) for row in rows if len(row) == 7]


def main():
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    nm, command, library = sys.argv[1:]
    # What is constant, but has addresses in it, is in .data.rel.ro.
    variables = {name for name, kind, section in symbols(nm, command)
                 if kind in 'bBdDC' and not section.startswith('.data.rel.ro')}
    exported = {name for name, *_ in symbols(nm, library, '--extern-only', '--defined-only')}
    foreign = {name for name in exported if not name.startswith('fpgz_')}
    if len(exported) < 100:
        sys.exit(f'FAILED: {library} defines no more than {exported}')
    if variables != GLOBALS:
        print(f'FAILED: globals of the command: expected {GLOBALS}, got {variables}')
    if foreign:
        print(f'FAILED: without the prefix fpgz_: {sorted(foreign)}')
    sys.exit(variables != GLOBALS or bool(foreign))


main()
