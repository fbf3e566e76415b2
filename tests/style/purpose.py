#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Checks that every .c, .cpp and .cu file begins by saying what it is for.

usage: purpose.py SOURCE-ROOT

The first comment has the licence in its first line, then one to five lines of purpose. What follows an empty line, such as
a test's usage, may be longer.
"""
import os
import re
import sys

FOLDERS = ('src', 'cuda', 'tests', 'tools')


def purpose(path):
    """The number of lines that say what the file is for."""
    with open(path, encoding='utf-8') as file:
        comment = re.match(r'/\* SPDX-License-Identifier: MIT\n(.*?)\*/', file.read(), re.S)
    if not comment:
        return 0
    first = re.split(r'\n \*\n', comment.group(1))[0]
    return sum(bool(line.strip(' *')) for line in first.split('\n'))


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    counts = {}
    for top in FOLDERS:
        for folder, _, names in os.walk(os.path.join(sys.argv[1], top)):
            paths = (os.path.join(folder, name) for name in names if name.endswith(('.c', '.cpp', '.cu')))
            counts.update((path, purpose(path)) for path in paths)
    wrong = {path: count for path, count in counts.items() if not 1 <= count <= 5}
    for path in sorted(wrong):
        print(f'FAILED: {path} has {wrong[path]} lines that say what it is for, not 1 to 5')
    print(f'{len(counts) - len(wrong)} passed, {len(wrong)} failed')
    sys.exit(bool(wrong) or not counts)


main()
